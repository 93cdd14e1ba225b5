//! Keys by `--set`, further groups, the resolved text and its hash.

use super::{BASE, of, read_back, with};

// "the hot section of a file may come from --set alone"
#[test]
fn groups_by_set() {
    let hot = "workload.hot.sources=4 workload.hot.destinations=[32,33]";
    let times = "workload.hot.start_ns=1000 workload.hot.end_ns=2000";
    let config = with(&format!("{hot} {times}")).build().unwrap();
    assert_eq!(config.workload.groups, ["random", "hot"]);
    let names: Vec<&str> = config.named_links.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["root-32", "root-33"]);
    let one = with("workload.hot.sources=4 workload.hot.destinations=32").build().unwrap();
    assert_eq!(one.named_links, [("root".to_owned(), vec![one.network.graph().node_port(32)])]);
}

#[test]
fn further_groups() {
    let text = format!(
        "{BASE}\n[[workload.group]]\nname = \"victim\"\nsources = [1]\ndestinations = 2\n[[workload.group]]\nname = \"local\"\nsources = [3]\ndestinations = 2\nload = 0.25\n"
    );
    let scenario = of(&text, "workload.group.1.load=0.5").unwrap();
    assert_eq!(scenario.get("workload.group.0.load").unwrap(), "1");
    assert_eq!(scenario.get("workload.group.1.load").unwrap(), "0.5");
    assert_eq!(
        read_back(&scenario).build().unwrap().workload.groups,
        ["random", "victim", "local"]
    );
}

// Hot spots that move by `--set` alone: all nodes are their sources, and turn from one to the next
// without a pause. What is resolved reads back, whether sources are a set, a list or a share.
#[test]
fn moving_hot_spots() {
    let moving = "workload.moving.destinations=[9,4] workload.moving.dwell_ns=3000";
    for (set, sources, period) in [
        ("workload.moving.overlap=2", "\"all\"", "1500"),
        ("workload.moving.sources=[3,1,2]", "[3, 1, 2]", "3000"),
        ("workload.moving.sources=0-3", "\"0-3\"", "3000"),
        ("workload.moving.share=0.25", "", "3000"),
    ] {
        let scenario = with(&format!("{moving} {set}"));
        let get = |key: &str| scenario.get(&format!("workload.moving.{key}"));
        assert_eq!(get("sources").unwrap_or_default(), sources);
        assert_eq!(get("period_ns").unwrap(), period);
        assert_eq!(get("message_bytes"), scenario.get("link.packet_bytes"));
        let config = read_back(&scenario).build().unwrap();
        assert_eq!(config.workload.groups, ["random", "moving"]);
        assert_eq!(config.hot_destinations, [4, 9]);
        assert_eq!(config.named_links.len(), 2);
        let text = scenario.resolved_toml();
        assert!(text.contains("[workload.moving]\nload = 1\ndestinations = [9, 4]\n"), "{text}");
    }
    // A share given later takes the place of sources, and the other way round.
    let [list, share] = ["workload.moving.sources=4", "workload.moving.share=0.25"];
    for [first, last] in [[list, share], [share, list]] {
        let config = with(&format!("{moving} {first} {last}")).build().unwrap();
        let count = config.workload.summaries[1].sources.len();
        assert_eq!(count, if last == list { 4 } else { 16 });
    }
}

// The text of a default scenario, in full: a changed default shows here.
#[test]
fn resolved_text() {
    insta::assert_snapshot!(with("").resolved_toml());
}

#[test]
fn resolved_text_of_awkward_values_reads_back() {
    for case in [
        "switch.speedup=7/3 workload.message_bytes={bytes=[64,128],weights=[3,1]} workload.load=1/3",
        "workload.message_bytes={min=1,max=100} link.wire_ns=0.0 link.wire_ns=4",
        "recn.root_xoff_packets=4 switch.arbiter=islip(4) workload.destinations=[1,2]",
        "workload.load=0.1 run.seed=9223372036854775807 endnode.admittance_bytes=unbounded",
    ] {
        read_back(&with(case));
    }
}

// FNV-1a of the resolved text; the seed is part of it.
#[test]
fn hash_is_of_the_resolved_text() {
    let scenario = with("");
    assert_eq!(with("link.phit_bytes=2").hash(), scenario.hash());
    assert_ne!(with("run.seed=2").hash(), scenario.hash());
    assert_eq!(scenario.clone().with_seed(2).hash(), with("run.seed=2").hash());
    assert_eq!(scenario.clone().with_seed(2).build().unwrap().run.seed, 2);
}
