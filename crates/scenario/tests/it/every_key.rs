//! What can be an axis: every key, and what files hold.

use crate::{files, root};
use scenario::{Scenario, Study, key_listing};
use std::collections::BTreeSet;
use std::fs;
use std::ops::Add;
use toml::Value;

/// A folder with a study of these axes in `studies/` and a scenario in `cases/`.
fn load(scenario: &str, axes: &str, files: &[(&str, &str)]) -> Result<Study, String> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("cases/base.toml", scenario);
    files.iter().for_each(|(name, text)| write(&format!("cases/{name}"), text));
    let text =
        format!("[study]\nname = \"s\"\nscenario = \"../cases/base.toml\"\n[axes]\n{axes}\n");
    write("studies/study.toml", &text);
    let study = Study::load(&folder.path().join("studies/study.toml"), &[]);
    study.map_err(|errors| errors.to_string())
}

// "a topology file, a trace, a table too": paths are relative to the scenario's folder, and errors
// name the file.
#[test]
fn files_as_values() {
    let time = "run.duration_ns = 5000\n";
    let bad = ("bad.csv", "a,b\n");
    let lists = [("nets/ring.csv", FILES[0].1), ("nets/one.csv", FILES[1].1), bad];
    let of = |names: &str| {
        let axis = format!("network.file = [{names}]");
        load(&FILE.replace("ring.csv", "nets/ring.csv").add(time), &axis, &lists)
    };
    let study = of("\"nets/ring.csv\", \"nets/one.csv\"").unwrap();
    let nodes: Vec<u32> = study.points().iter().map(|p| p.scenario.nodes()).collect();
    assert_eq!(nodes, [2, 3]);
    assert_eq!(study.points()[1].settings, [("network.file".into(), "nets/one.csv".into())]);
    let error = of("\"nets/ring.csv\", \"bad.csv\"").unwrap_err();
    assert!(error.contains("bad.csv:1:1") && error.contains("point 1"), "{error}");
    let edges = format!("network.edges = [{:?}, {:?}]", FILES[0].1, FILES[1].1);
    let study = load(&FILE.to_owned().add(time), &edges, FILES).unwrap();
    let label = &study.points()[1].settings[0].1;
    assert!(study.points()[1].scenario.nodes() == 3 && !label.contains('\n'), "{label}");

    let far = ("c.csv", "id,time_ns,source,destination,bytes,after\n0,10,0,99,64,\n");
    let traces = [FILES[4], FILES[5], far];
    let of = |names: &str| {
        let axis = format!("workload.trace.file = [{names}]");
        load(&SILENT.to_owned().add(time), &axis, &traces)
    };
    let study = of("\"a.csv\", \"b.csv\"").unwrap();
    let digest = |n: usize| study.points()[n].scenario.get("workload.trace.digest");
    assert!(digest(0).is_some() && digest(0) != digest(1));
    let error = of("\"a.csv\", \"c.csv\"").expect_err("99 is no node");
    assert!(error.contains("c.csv") && error.contains("99"), "{error}");
}

/// Keys and values of a resolved scenario, as TOML; a list of sections is one value.
fn keys_of(path: &str, value: &Value, keys: &BTreeSet<String>, found: &mut Vec<(String, String)>) {
    match value {
        Value::Table(table) if !keys.contains(path) => {
            for (name, value) in table {
                let dot = if path.is_empty() { "" } else { "." };
                keys_of(&format!("{path}{dot}{name}"), value, keys, found);
            }
        }
        value => found.push((path.to_owned(), value.to_string())),
    }
}

/// Which keys of the listing a key and its value are.
fn listed(key: &str, value: &str, keys: &BTreeSet<String>) -> Vec<String> {
    let is_of = |path: &&String| match path.split_once(".N.") {
        Some((list, name)) => {
            // those of a section of hot sources are listed as those of a group
            let hot = key.strip_prefix("workload.hot.") == Some(name) && list == "workload.group";
            hot || (list == key && value.contains(&format!("{name} = ")))
        }
        None if path.as_str() == "windows.NAME_ns" => key.starts_with("windows."),
        None => path.as_str() == key,
    };
    keys.iter().filter(is_of).cloned().collect()
}

/// A study of a scenario that is empty, with these axes and tables.
fn of_nothing(axes: &[(String, String)]) -> Result<Study, String> {
    let lines = axes.iter().map(|(key, value)| format!("\"{key}\" = [{value}]\n"));
    let head = "[study]\nname = \"s\"\nscenario = \"x.toml\"\n[axes]\n";
    let text = head.to_owned() + &lines.collect::<String>();
    let study = Study::parse(&text, "s.toml", &|_| Some(String::new()), &[]);
    study.map_err(|errors| format!("{errors}\n{text}"))
}

const BMIN: &str = "network = { topology = \"bmin\", nodes = 16 }\nworkload.load = 0.5\n";
const SILENT: &str = "network = { topology = \"bmin\", nodes = 16 }\nworkload.load = 0\n";
const TREE: &str = "network = { topology = \"k-ary-n-tree\", k = 2, n = 2 }\nworkload.load = 0.5\n";
const FILE: &str = "network = { topology = \"file\", file = \"ring.csv\" }\nworkload.load = 0.5\n";
const DRAGONFLY: &str = "network = { topology = \"dragonfly\", super_nodes = 2, \
    wiring = \"from-file\", global_links_file = \"links.csv\" }\nworkload.load = 0.1\n";
const FAULTS: &str = "network = { topology = \"rsi-butterfly\", super_nodes = 8 }\n\
    workload.load = 0.1\nfaults = { link_mtbf_ns = 1e6, link_mttr_ns = 1000, \
    node_mtbf_ns = 1e6, node_mttr_ns = 1000 }\n";
const MARKS: &str = "network = { topology = \"dumbbell\", inputs = 2 }\nworkload.load = 0.1\n\
    switch = { organisation = \"iq\", scheme = \"damq\", arbiter = \"oldest-first\" }\n\
    ecn.marking = \"input-triggered\"\n";
const BINS: &str = "run.series_bin_ns = 500\n";
const UNTIL: &str = "run.until.metric = \"delivered_bytes_per_ns\"\n";
const MOVING: &str = "workload.moving = { destinations = [1, 2], dwell_ns = 1000 }\n";
const TRACE: &str = "workload.trace.file = \"a.csv\"\n";
const MADE: &str = "workload.trace.synthetic = \"bias=0.8,bytes_per_s=4000000000\"\n";

/// Files that keys name.
const FILES: &[(&str, &str)] = &[
    ("ring.csv", "a,a_port,b,b_port\ns0,0,s1,1\ns1,0,s0,1\nn0,,s0,2\nn1,,s1,2\n"),
    ("one.csv", "a,a_port,b,b_port\nn0,,s0,0\nn1,,s0,1\nn2,,s0,2\n"),
    ("links.csv", "a_super_node,a_node,a_port,b_super_node,b_node,b_port\n0,0,0,1,4,3\n"),
    ("other.csv", "a_super_node,a_node,a_port,b_super_node,b_node,b_port\n0,0,0,1,3,3\n"),
    ("a.csv", "id,time_ns,source,destination,bytes,after\n0,10,0,5,64,\n"),
    ("b.csv", "id,time_ns,source,destination,bytes,after\n0,10,0,6,64,\n"),
];

/// Keys that no shipped scenario ends up with: what their scenario has, and values.
const OTHERS: &[(&[&str], &str, &str)] = &[
    (&[BMIN], "recn.detection_packets", "4, 8"),
    (&[BMIN], "workload.destinations", "[1, 2], \"0-7\""),
    (&[TREE], "network.k", "2, 3"),
    (&[TREE], "network.n", "2, 3"),
    (&[FILE], "network.file", "\"ring.csv\", \"one.csv\""),
    (&[DRAGONFLY], "network.global_links_file", "\"links.csv\", \"other.csv\""),
    (
        &[DRAGONFLY],
        "network.global_links",
        "\"a_super_node,a_node,a_port,b_super_node,b_node,b_port\\n0,0,0,1,4,3\"",
    ),
    (&[FAULTS], "switch.queues", "\"voq-per-vc\", \"fifo-per-vc\""),
    (&[FAULTS], "faults.start_ns", "0, 10"),
    (&[FAULTS], "faults.end_ns", "5000, 6000"),
    (&[FAULTS], "faults.link_mtbf_ns", "1e6, 2e6"),
    (&[FAULTS], "faults.link_mttr_ns", "1000, 2000"),
    (&[FAULTS], "faults.node_mtbf_ns", "1e6, 2e6"),
    (&[FAULTS], "faults.node_mttr_ns", "1000, 2000"),
    (&[MARKS], "switch.forwarding_ns", "40, 50"),
    (&[MARKS], "ecn.buffer_packets", "8, 16"),
    (&[MARKS], "ecn.input_threshold_packets", "8, 16"),
    (&[BMIN, BINS], "run.until.metric", "\"none\", \"delivered_bytes_per_ns\""),
    (&[BMIN, BINS, UNTIL], "run.until.half_width", "0.01, 0.02"),
    (&[BMIN, BINS, UNTIL], "run.until.confidence", "0.9, 0.95"),
    (&[BMIN, MOVING], "workload.moving.share", "0.25, 0.5"),
    (&[SILENT, TRACE], "workload.trace.file", "\"a.csv\", \"b.csv\""),
    (&[SILENT, TRACE], "workload.trace.digest", "\"8a08a76254aeb4d4\""),
    (&[SILENT, TRACE], "workload.trace.format", "\"messages\""),
    (&[SILENT, TRACE], "workload.trace.allow_truncated", "true, false"),
    (&[SILENT, TRACE], "workload.trace.compression", "1, 2"),
    (&[SILENT, MADE], "workload.trace.hosts", "4, 8"),
    (&[SILENT, MADE], "workload.trace.devices", "\"8-15\", [14, 15]"),
    (&[SILENT, MADE], "workload.trace.host_rule", "\"origin\", \"round-robin\""),
    (&[SILENT, MADE], "workload.trace.request_bytes", "64, 128"),
    (&[SILENT, MADE], "workload.trace.start_ns", "0, 1000"),
    (&[SILENT, MADE], "workload.trace.end_ns", "5000, 9000"),
    (&[SILENT, MADE], "workload.trace.repetitions", "1, 2"),
];

// "every key of a scenario as an axis": an empty scenario with all keys of another as axes is that
// scenario. Keys that no shipped scenario ends up with are tried in small ones.
#[test]
fn every_key_can_be_an_axis() {
    let keys: BTreeSet<String> = key_listing().into_iter().map(|key| key.path).collect();
    let mut left = keys.clone();
    for file in files(&root("../../scenarios")) {
        let Ok(scenario) = Scenario::load(&file, &[]) else {
            continue; // a study
        };
        let resolved = scenario.resolved_toml();
        let mut found = Vec::new();
        keys_of("", &Value::Table(resolved.parse().unwrap()), &keys, &mut found);
        // it would take the place of switch.scheme, which means the same
        found.retain(|(key, _)| key != "switch.queues");
        let before = left.len();
        let listed: Vec<String> =
            found.iter().flat_map(|(key, value)| listed(key, value, &keys)).collect();
        left.retain(|key| !listed.contains(key));
        if left.len() < before {
            let study = of_nothing(&found).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            let point = &study.points()[0].scenario;
            assert_eq!(point.resolved_toml(), resolved, "{}", file.display());
        }
    }
    let mut wrong = Vec::new();
    for (scenario, key, values) in OTHERS {
        if !left.remove(*key) {
            wrong.push(format!("{key} is no key, or a shipped scenario has it"));
        }
        let scenario = scenario.concat() + "run.duration_ns = 100_000\n";
        match load(&scenario, &format!("\"{key}\" = [{values}]"), FILES) {
            Ok(study) => assert!(study.points().iter().all(|p| p.settings[0].0 == *key)),
            Err(error) => wrong.push(error),
        }
    }
    wrong.extend(left.iter().map(|key| format!("{key} is tried nowhere")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
