//! Made-up recordings: a ring of switches with a node each, changing ports, trees with a branch.
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const BIN_NS: usize = 1_000;

/// How large a recording is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) switches: usize,
    pub(crate) ports: usize,
    pub(crate) bins: usize,
    pub(crate) trees: usize,
    /// Ports that hold a SAQ for a tree.
    pub(crate) branches: usize,
}

pub(crate) const SMALL: Size = Size { switches: 6, ports: 3, bins: 12, trees: 2, branches: 5 };

/// The page of a recording, without some of its files.
pub(crate) fn recording(size: Size, without: &[&str]) -> String {
    let tmp = tempfile::tempdir().unwrap();
    write_recording(tmp.path(), size);
    without.iter().for_each(|file| fs::remove_file(tmp.path().join(file)).unwrap());
    report::render(tmp.path()).unwrap()
}

/// Writes a run directory with everything that `run --record` adds.
pub(crate) fn write_recording(dir: &Path, size: Size) {
    let line = |bin| format!("{},{}\n", bin * BIN_NS, bin % 7);
    let series: String = (0..size.bins).map(line).collect();
    let manifest = json!({
        "name": "made up", "seed": 1, "series_bin_ns": BIN_NS, "duration_ns": size.bins * BIN_NS,
    });
    let scenario = "[network]\ntopology = \"file\"\n[switch]\norganisation = \"cioq\"\n\
                    scheme = \"recn\"\nspeedup = 1.5\n[recn]\nsaqs = 8\n[workload]\nload = 0.5\n\
                    pattern = \"uniform\"\n";
    for (name, text) in [
        ("manifest.json", manifest.to_string()),
        ("summary.json", json!({ "packets_delivered": 3 }).to_string()),
        ("scenario.toml", scenario.into()),
        ("series.csv", format!("t_ns,delivered_bytes_per_ns\n{series}")),
        ("ports.csv", ports(size)),
        ("cam.csv", cam(size)),
        ("latency.csv", latency()),
        ("topology.json", topology(size).to_string()),
        ("trees.json", trees(size).to_string()),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
}

fn ports(size: Size) -> String {
    let mut text = String::from(
        "t_ns,port,side,samples,utilised,stalled_credit,stalled_xoff,lost_arbitration,idle,\
         lines_leaf_max,lines_blocked_max,lines_ready_max\n",
    );
    let mut noise = 7u64;
    let mut below = |limit: u64| {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (noise >> 33) % limit
    };
    for row in 0..size.bins * size.switches * size.ports * 2 {
        let (port, side) = (row / 2, row % 2);
        let (bin, switch) = (port / size.ports / size.switches, port / size.ports % size.switches);
        let name = format!("switch{switch}.{}{}", ["in", "out"][side], port % size.ports);
        let mut left = 100;
        let [a, b, c, d] = [(); 4].map(|()| {
            let share = below(left + 1);
            left -= share;
            share as f64 / 100.0
        });
        text.push_str(&format!(
            "{},fabric.{name},{},99,{a:.4},{b:.4},{c:.4},{d:.4},{:.4},1,0,1\n",
            bin * BIN_NS,
            ["ingress", "egress"][side],
            left as f64 / 100.0
        ));
    }
    text
}

fn cam(size: Size) -> String {
    let mut text = String::from(
        "row,t_ns,side,saqs_max,saqs_max_port,lines,lines_leaf,lines_blocked,lines_ready\n",
    );
    for bin in 0..size.bins {
        for side in ["ingress", "egress", "injection"] {
            let (ns, n) = (bin * BIN_NS, bin % 5);
            text.push_str(&format!("bin,{ns},{side},{n},1,{n},{n},0,{n}\n"));
        }
    }
    text + "peak,0,ingress,4,1,4,4,0,4\n"
}

fn latency() -> String {
    let mut text = String::from("window,flows,group,of,latency_ns,count,undelivered\n");
    for of in ["all,,message", "all,,packet", "group,hot,message", "group,hot,packet"] {
        for percent in 0..=100u32 {
            let (ns, late) = (100 + percent * percent, u32::from(percent > 90));
            text.push_str(&format!("measured,{of},{ns},1,{late}\n"));
        }
    }
    text
}

fn topology(size: Size) -> Value {
    let switches = || 0..size.switches;
    let turn = |n: usize| n as f64 / size.switches as f64 * std::f64::consts::TAU;
    let at = |n: usize, r: f64| [(r * turn(n).sin()).round(), (r * turn(n).cos()).round()];
    let radius = size.switches as f64;
    // port 0 leads on, port 1 back, the others to the end node
    let links = switches().flat_map(|n| {
        let next = (n + 1) % size.switches;
        let on = json!([{ "switch": n, "port": 0 }, { "switch": next, "port": 1 }]);
        [on, json!([{ "switch": n, "port": 2 }, { "node": n }])]
    });
    json!({
        "format": 1,
        "topology": "file",
        "layout": "circle",
        "switches": switches().map(|n| at(n, radius)).collect::<Vec<_>>(),
        "nodes": switches().map(|n| at(n, radius * 1.3)).collect::<Vec<_>>(),
        "layers": vec![0; size.switches],
        "links": links.collect::<Vec<_>>(),
    })
}

fn trees(size: Size) -> Value {
    let end = (size.bins * BIN_NS) as f64;
    let tree = |n: usize| {
        let (root, born) = (n % size.switches, end * (n + 1) as f64 / (size.trees + 2) as f64);
        let branch = |k: usize| {
            let port =
                format!("fabric.switch{}.{}", (root + k) % size.switches, ["out0", "in1"][k % 2]);
            json!({
                "port": port, "from": null, "joined_ns": born + 10.0 * k as f64,
                "adopted_ns": null, "left_ns": end - k as f64,
            })
        };
        json!({
            "tree": n,
            "root": format!("fabric.switch{root}.out0"),
            "born_ns": born,
            "end_ns": end,
            "saqs_peak": size.branches + n % 3,
            "peak_ns": born + 10.0 * size.branches as f64,
            "branches": (0..size.branches).map(branch).collect::<Vec<_>>(),
            "xoffs": (0..size.branches).map(|k| json!([k, born + 500.0, null])).collect::<Vec<_>>(),
        })
    };
    json!({ "trees": (0..size.trees).map(tree).collect::<Vec<_>>(), "moves": [] })
}
