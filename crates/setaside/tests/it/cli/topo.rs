//! `check`, `topo` and `schema`.

use super::{SMALL, code, folder, json, setaside, stderr, stdout};

/// topo: counts, hops, deadlock check; schema: JSON.
#[test]
fn topo_and_schema_print_data() {
    let (_keep, dir) = folder();
    let topo = json(&setaside(&dir, &["topo", "small.toml", "--format", "json"]));
    assert_eq!((topo["switches"].as_u64(), topo["nodes"].as_u64()), (Some(8), Some(16)));
    assert!(topo["deadlock"].as_str().is_some_and(|s| s.starts_with("none")));
    // 12 random sources at 0.8 and, for 10 of 19 us, 4 hot ones that share what those leave of the
    // link of node 5.
    let (random, hot) = (12.0 * 0.8, 1.0 - 11.0 * 0.8 / 15.0);
    let workload = &topo["workload"];
    for (key, expected) in [
        ("offered_bytes_per_ns", random + 4.0 * 10.0 / 19.0),
        ("max_min_bytes_per_ns", random + hot * 10.0 / 19.0),
        ("cut_bytes_per_ns", random + hot * 10.0 / 19.0),
        ("ideal_bytes_per_ns", random + hot * 10.0 / 19.0),
    ] {
        let value = workload[key].as_f64().expect("a number");
        assert!((value - expected).abs() < 1e-9, "{key}: {value} {expected}");
    }
    assert!(topo["workload_without_bounds"].is_null());
    let text = stdout(&setaside(&dir, &["topo", "small.toml"]));
    for line in [
        "workload, offered            11.705 bytes/ns",
        "workload, max-min fair       9.818 bytes/ns",
        "workload, cut bound          9.818 bytes/ns",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // A hot source more every 10 ns: no bound, and the reason.
    let sets = "network.nodes=1024 workload.hot.sources=600 workload.hot.step_ns=10";
    let many = sets.split(' ').flat_map(|set| ["--set", set]);
    let scenario = SMALL.replace("share = 0.25\n", "");
    std::fs::write(dir.join("many.toml"), scenario).expect("written");
    let many: Vec<&str> = ["topo", "many.toml"].into_iter().chain(many).collect();
    let reason = "the workload changes 1200 times; bounds are reckoned for at most 1024";
    let text = stdout(&setaside(&dir, &many));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("workload, bounds none: {reason}")), "{text}");
    let topo = json(&setaside(&dir, &[&many[..], &["--format", "json"]].concat()));
    assert!(topo["workload"].is_null());
    assert_eq!(topo["workload_without_bounds"], reason);
    let schema = json(&setaside(&dir, &["schema"]));
    assert!(schema["$schema"].is_string());
}

/// `check` and `topo` of a torus: virtual channels used, entries of the tables, the cycle without
/// them.
#[test]
fn check_and_topo_say_channels_and_tables() {
    let (_keep, dir) = folder();
    let torus = "[network]\ntopology = \"torus\"\ndimensions = [4, 4]\n[switch]\nvcs = 4\n\
        [workload]\nload = 0.1\n[run]\nduration_ns = 1000\n";
    std::fs::write(dir.join("torus.toml"), torus).expect("written");
    let table = ["--set", "routing.algorithm=table"];
    let checked = setaside(&dir, &[&["check", "torus.toml"], &table[..]].concat());
    assert_eq!(code(&checked), 0, "{}", stderr(&checked));
    // 16 switches of 5 ports, an entry a node.
    let counts = "16 end nodes, 16 switches, 2 of 4 virtual channels used, 1280 table entries\n";
    assert!(stdout(&checked).ends_with(counts), "{}", stdout(&checked));
    let text = stdout(&setaside(&dir, &["topo", "torus.toml"]));
    assert!(text.contains("virtual channels, used / of  2 / 4\n"), "{text}");
    assert!(!text.contains("routing tables"), "{text}");
    let topo = [&["topo", "torus.toml"], &table[..]].concat();
    let text = stdout(&setaside(&dir, &topo));
    assert!(text.contains("routing tables               1280 entries\n"), "{text}");
    let topo = json(&setaside(&dir, &[&topo[..], &["--format", "json"]].concat()));
    for (key, value) in [("vcs", 4), ("vcs_used", 2), ("table_entries", 1280)] {
        assert_eq!(topo[key], value, "{key}");
    }
    let refused = setaside(&dir, &["topo", "torus.toml", "--set", "switch.vcs=1"]);
    assert_eq!(code(&refused), 2);
    let cycle = "s0.0 vc0 -> s1.0 vc0 -> s2.0 vc0 -> s3.0 vc0 -> s0.0 vc0";
    assert!(stderr(&refused).contains(cycle), "{}", stderr(&refused));
}

/// `--threads` of `check` and `topo` changes nothing that is found.
#[test]
fn check_and_topo_find_the_same_on_any_number_of_threads() {
    let (_keep, dir) = folder();
    for verb in ["check", "topo"] {
        let on = |threads: &str| setaside(&dir, &[verb, "small.toml", "--threads", threads]);
        let one = on("1");
        assert_eq!(code(&one), 0, "{}", stderr(&one));
        for threads in ["2", "5"] {
            let other = on(threads);
            assert_eq!((other.status, &other.stdout), (one.status, &one.stdout));
        }
        assert_eq!(code(&on("0")), 2);
    }
}

// A network without super nodes has no picture.
#[test]
fn a_picture_of_a_network_without_super_nodes_is_refused() {
    let (_keep, dir) = folder();
    let output = setaside(&dir, &["topo", "small.toml", "--svg", "out.svg"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("legal: hierarchical networks"));
    assert!(!dir.join("out.svg").exists());
}

/// Two bounds of one network under uniform traffic, .2236 and .2991: each says what it assumes, in
/// text and as data, and no key stands for both.
#[test]
fn topo_says_what_each_uniform_bound_assumes() {
    let (_keep, dir) = folder();
    let rack = "[network]\ntopology = \"rsi-hypercube\"\nsuper_nodes = 8\nlinks_per_pair = 1\n\
        wiring = \"palm-tree-packed\"\n[workload]\nload = 0.1\n[run]\nduration_ns = 1000\n";
    std::fs::write(dir.join("rack.toml"), rack).expect("written");
    let text = stdout(&setaside(&dir, &["topo", "rack.toml"]));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let one = "all packets of a pair by the lowest minimal ports (routing.selection = \"first\"), \
               none to oneself";
    let split = "every switch splits evenly over the minimal ports of an entry, self included";
    for line in [
        format!("uniform bound, one route 0.2236 of link rate a node; {one}"),
        format!("uniform bound, even split 0.2991 of link rate a node; {split}"),
        "super node to super node 0.0625 of link rate a node; minimal ports, evenly split".into(),
    ] {
        assert!(words.contains(&line), "{line}\n{text}");
    }
    let topo = json(&setaside(&dir, &["topo", "rack.toml", "--format", "json"]));
    assert_eq!(topo["uniform_bound_assumes"], one);
    assert_eq!(topo["hierarchy"]["uniform_bound_assumes"], split);
    let is = |bound: &serde_json::Value| format!("{:.4}", bound.as_f64().expect("a number"));
    assert_eq!(is(&topo["uniform_bound"]), "0.2236");
    let hierarchy = topo["hierarchy"].as_object().expect("super nodes");
    assert_eq!(is(&hierarchy["uniform_bound"]), "0.2991");
    // elsewhere a pair has one route, and one bound
    let topo = json(&setaside(&dir, &["topo", "small.toml", "--format", "json"]));
    assert!(topo["uniform_bound"].is_number() && topo["uniform_bound_assumes"].is_null());
}
