//! Made-up recordings: a ring of switches with a node each, changing ports, trees with a branch.
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const BIN_NS: usize = 1_000;

/// How large a recording is.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub switches: usize,
    pub ports: usize,
    pub bins: usize,
    pub trees: usize,
    /// Ports that hold a SAQ for a tree.
    pub branches: usize,
}

pub const SMALL: Size = Size { switches: 6, ports: 3, bins: 12, trees: 2, branches: 5 };

/// Writes a run directory with everything that `run --record` adds.
pub fn write_recording(dir: &Path, size: Size) {
    let put = |name: &str, text: String| fs::write(dir.join(name), text).unwrap();
    let duration = size.bins * BIN_NS;
    let manifest =
        json!({ "name": "made up", "seed": 1, "series_bin_ns": BIN_NS, "duration_ns": duration });
    put("manifest.json", manifest.to_string());
    put("summary.json", json!({ "packets_delivered": 3 }).to_string());
    put(
        "scenario.toml",
        "[network]\ntopology = \"file\"\n[switch]\norganisation = \"cioq\"\nscheme = \"recn\"\n\
         speedup = 1.5\n[recn]\nsaqs = 8\n[workload]\nload = 0.5\npattern = \"uniform\"\n"
            .into(),
    );
    let mut series = String::from("t_ns,delivered_bytes_per_ns\n");
    for bin in 0..size.bins {
        let _ = writeln!(series, "{},{}", bin * BIN_NS, bin % 7);
    }
    put("series.csv", series);
    put("ports.csv", ports(size));
    put("cam.csv", cam(size));
    put("latency.csv", latency());
    put("topology.json", topology(size).to_string());
    put("trees.json", trees(size).to_string());
}

/// Numbers without a pattern.
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

fn ports(size: Size) -> String {
    let mut text = String::from(
        "t_ns,port,side,samples,utilised,stalled_credit,stalled_xoff,lost_arbitration,idle,\
         lines_leaf_max,lines_blocked_max,lines_ready_max\n",
    );
    let mut noise = Noise(7);
    for bin in 0..size.bins {
        for switch in 0..size.switches {
            for port in 0..size.ports {
                for (letters, side) in [("in", "ingress"), ("out", "egress")] {
                    let mut left = 100;
                    let shares = [(); 4].map(|()| {
                        let share = noise.below(left + 1);
                        left -= share;
                        share as f64 / 100.0
                    });
                    let [a, b, c, d] = shares;
                    let _ = writeln!(
                        text,
                        "{},fabric.switch{switch}.{letters}{port},{side},99,\
                         {a:.4},{b:.4},{c:.4},{d:.4},{:.4},1,0,1",
                        bin * BIN_NS,
                        left as f64 / 100.0
                    );
                }
            }
        }
    }
    text
}

fn cam(size: Size) -> String {
    let mut text = String::from(
        "row,t_ns,side,saqs_max,saqs_max_port,lines,lines_leaf,lines_blocked,lines_ready\n",
    );
    for bin in 0..size.bins {
        for side in ["ingress", "egress", "injection"] {
            let n = bin % 5;
            let _ = writeln!(text, "bin,{},{side},{n},1,{n},{n},0,{n}", bin * BIN_NS);
        }
    }
    text + "peak,0,ingress,4,1,4,4,0,4\n"
}

fn latency() -> String {
    let mut text = String::from("window,flows,group,of,latency_ns,count,undelivered\n");
    for (flows, group) in [("all", ""), ("group", "hot")] {
        for of in ["message", "packet"] {
            for percent in 0..=100u32 {
                let (ns, late) = (100 + percent * percent, u32::from(percent > 90));
                let _ = writeln!(text, "measured,{flows},{group},{of},{ns},1,{late}");
            }
        }
    }
    text
}

fn topology(size: Size) -> serde_json::Value {
    let turn = |n: usize| n as f64 / size.switches as f64 * std::f64::consts::TAU;
    let at = |n: usize, r: f64| [(r * turn(n).sin()).round(), (r * turn(n).cos()).round()];
    let radius = size.switches as f64;
    // port 0 leads on, port 1 back, the others to the end node
    let on = |n: usize| {
        let next = (n + 1) % size.switches;
        json!([{ "switch": n, "port": 0 }, { "switch": next, "port": 1 }])
    };
    let node = |n: usize| json!([{ "switch": n, "port": 2 }, { "node": n }]);
    let links: Vec<_> = (0..size.switches).flat_map(|n| [on(n), node(n)]).collect();
    json!({
        "format": 1,
        "topology": "file",
        "layout": "circle",
        "switches": (0..size.switches).map(|n| at(n, radius)).collect::<Vec<_>>(),
        "nodes": (0..size.switches).map(|n| at(n, radius * 1.3)).collect::<Vec<_>>(),
        "layers": vec![0; size.switches],
        "links": links,
    })
}

fn trees(size: Size) -> serde_json::Value {
    let end = (size.bins * BIN_NS) as f64;
    let tree = |n: usize| {
        let (root, born) = (n % size.switches, end * (n + 1) as f64 / (size.trees + 2) as f64);
        let branch = |k: usize| {
            let switch = (root + k) % size.switches;
            let port = match k % 2 {
                0 => format!("fabric.switch{switch}.out0"),
                _ => format!("fabric.switch{switch}.in1"),
            };
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
