//! `check`, `topo` and `schema`.

use crate::common::{Folder, RACK, SMALL, folder_with, unwrapped};
use serde_json::json;

fn folder() -> Folder {
    // Its tree lasts for 10 of the 19 us that are measured.
    folder_with(&[("small.toml", &SMALL.replace("start_ns = 8_000", "start_ns = 2_000"))])
}

/// topo: counts, hops, deadlock check; schema: JSON.
#[test]
fn topo_and_schema_print_data() {
    let dir = folder();
    let topo = dir.works("topo small.toml --format json").json();
    assert_eq!((topo["switches"].as_u64(), topo["nodes"].as_u64()), (Some(8), Some(16)));
    assert!(topo["deadlock"].as_str().is_some_and(|s| s.starts_with("none")));
    // 12 random sources at 0.8; for 10 of 19 us 4 hot ones share the rest of the link of node 5.
    let (random, hot) = (12.0 * 0.8, 1.0 - 11.0 * 0.8 / 15.0);
    let offered = random + 4.0 * 10.0 / 19.0;
    let fair = random + hot * 10.0 / 19.0;
    for (key, expected) in [("offered", offered), ("max_min", fair), ("cut", fair), ("ideal", fair)]
    {
        let value = topo["workload"][format!("{key}_bytes_per_ns")].as_f64().expect("a number");
        assert!((value - expected).abs() < 1e-9, "{key}: {value} {expected}");
    }
    assert!(topo["workload_without_bounds"].is_null());
    let text = dir.works("topo small.toml").stdout;
    for line in [
        "workload, offered            11.705 bytes/ns",
        "workload, max-min fair       9.818 bytes/ns",
        "workload, cut bound          9.818 bytes/ns",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // A hot source more every 10 ns: no bound, and the reason.
    dir.write("many.toml", SMALL.replace("share = 0.25\n", "").replace("= 8_000", "= 2_000"));
    let sets = "network.nodes=1024 workload.hot.sources=600 workload.hot.step_ns=10";
    let reason = "the workload changes 1200 times; bounds are reckoned for at most 1024";
    let text = unwrapped(&dir.works(&format!("topo many.toml {sets}")).stdout);
    assert!(text.contains(&format!("workload, bounds none: {reason}")), "{text}");
    let topo = dir.works(&format!("topo many.toml {sets} --format json")).json();
    assert!(topo["workload"].is_null());
    assert_eq!(topo["workload_without_bounds"], reason);
    assert!(dir.works("schema").json()["$schema"].is_string());
}

/// `check` and `topo` of a torus: channels used, entries of tables, the cycle without them.
#[test]
fn check_and_topo_say_channels_and_tables() {
    let torus = "[network]\ntopology = \"torus\"\ndimensions = [4, 4]\n[switch]\nvcs = 4\n\
        [workload]\nload = 0.1\n[run]\nduration_ns = 1000\n";
    let dir = folder_with(&[("torus.toml", torus)]);
    let table = "routing.algorithm=table";
    // 16 switches of 5 ports, an entry a node.
    let counts = "16 end nodes, 16 switches, 2 of 4 virtual channels used, 1280 table entries\n";
    let checked = dir.works(&format!("check torus.toml {table}")).stdout;
    assert!(checked.ends_with(counts), "{checked}");
    let text = dir.works("topo torus.toml").stdout;
    assert!(text.contains("virtual channels, used / of  2 / 4\n"), "{text}");
    assert!(!text.contains("routing tables"), "{text}");
    let text = dir.works(&format!("topo torus.toml {table}")).stdout;
    assert!(text.contains("routing tables               1280 entries\n"), "{text}");
    let topo = dir.works(&format!("topo torus.toml {table} --format json")).json();
    for (key, value) in [("vcs", 4), ("vcs_used", 2), ("table_entries", 1280)] {
        assert_eq!(topo[key], value, "{key}");
    }
    let cycle = "s0.0 vc0 -> s1.0 vc0 -> s2.0 vc0 -> s3.0 vc0 -> s0.0 vc0";
    dir.ends(2, "topo torus.toml switch.vcs=1", &[cycle]);
}

/// `--threads` of `check` and `topo` changes nothing that is found.
#[test]
fn check_and_topo_find_the_same_on_any_number_of_threads() {
    let dir = folder();
    for verb in ["check", "topo"] {
        let on = |threads: u32| dir.works(&format!("{verb} small.toml --threads {threads}")).stdout;
        let one = on(1);
        assert!(one == on(2) && one == on(5));
    }
}

/// Two bounds under uniform traffic, .2236 and .2991: each states what it assumes, by its key.
#[test]
fn topo_states_what_each_uniform_bound_assumes() {
    let dir = folder();
    dir.write("rack.toml", RACK);
    let text = unwrapped(&dir.works("topo rack.toml").stdout);
    let one = "all packets of a pair by the lowest minimal ports (routing.selection = \"first\"), \
               none to oneself";
    let split = "every switch splits evenly over the minimal ports of an entry, self included";
    for line in [
        format!("uniform bound, one route 0.2236 of link rate a node; {one}"),
        format!("uniform bound, even split 0.2991 of link rate a node; {split}"),
        "super node to super node 0.0625 of link rate a node; minimal ports, evenly split".into(),
    ] {
        assert!(text.contains(&line), "{line}\n{text}");
    }
    let topo = dir.works("topo rack.toml --format json").json();
    for (of, bound, assumes) in [(&topo, "0.2236", one), (&topo["hierarchy"], "0.2991", split)] {
        assert_eq!(of["uniform_bound_assumes"], assumes);
        assert_eq!(format!("{:.4}", of["uniform_bound"].as_f64().expect("a number")), bound);
    }
    // all that is printed of super nodes, line by line and as data
    let sets = "network.topology=rsi-butterfly network.wiring=palm-tree-spread switch.vcs=4";
    let text = unwrapped(&dir.works(&format!("topo rack.toml {sets}")).stdout);
    let figures = "super nodes 8 of 16 nodes, palm-tree-spread ports a node, local / global 6 / 2 \
        links, local / global 384 / 28 virtual radix / largest 32 / 528 nodes local diameter 2 \
        links on minimal routes, mean 3.6875, self included links on the longest way 5 \
        T1 + T2 15 + 7 entries a port uniform bound, even split 0.5000 of link rate a node;";
    let rest = "super node to super node 0.0625 of link rate a node; minimal ports, evenly split \
        VCs, local / global / needed 4 / 1 / 4 ";
    assert!(text.contains(figures) && text.contains(rest), "{text}");
    let data = dir.works(&format!("topo rack.toml {sets} --format json")).json();
    let data = ["uniform_bound", "t1_entries", "wiring"].map(|key| &data["hierarchy"][key]);
    assert_eq!(data, [&json!(0.5), &json!(15), &json!("palm-tree-spread")]);
    // elsewhere a pair has one route, and one bound
    let topo = dir.works("topo small.toml --format json").json();
    assert!(topo["uniform_bound"].is_number() && topo["uniform_bound_assumes"].is_null());
}
