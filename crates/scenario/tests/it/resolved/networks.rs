//! Topologies, virtual channels, tables.

use super::{BASE, of, read_back, refused};
use scenario::Scenario;
use units::Span;

// network.file is relative to the scenario; the resolved scenario is self-contained, and its hash
// covers the list.
#[test]
fn edge_list_becomes_part_of_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let list = "a,a_port,b,b_port,latency_ns,rate_bytes_per_ns\ns0,0,n0,,,\ns0,1,n1,,,\ns0,2,s1,0,20,1\ns1,1,n2,0,,\n";
    std::fs::write(folder.path().join("edges.csv"), list).unwrap();
    let file = folder.path().join("scenario.toml");
    let text = BASE.replace("\"bmin\"", "\"file\"").replace("nodes = 64", "file = \"edges.csv\"");
    std::fs::write(&file, &text).unwrap();
    let scenario = Scenario::load(&file, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((scenario.nodes(), scenario.name.as_str()), (3, "scenario"));
    let config = read_back(&scenario).build().unwrap();
    assert_eq!(config.link.wire_overrides, [((0, 2), Span(10)), ((1, 0), Span(10))]);
    std::fs::write(folder.path().join("edges.csv"), list.replace("20", "40")).unwrap();
    assert_ne!(Scenario::load(&file, &[]).unwrap().hash(), scenario.hash());
    let embedded = of(&text, "").unwrap_err();
    assert!(embedded.contains("an embedded scenario reads no files"), "{embedded}");
}

/// A scenario of `BASE` without what only a bmin with `recn` has.
fn torus(texts: &str) -> Scenario {
    let base = BASE
        .replace("bmin", "torus")
        .replace("network.nodes = 64\n", "")
        .replace("\"recn\"", "\"1q\"");
    of(&base, texts).unwrap_or_else(|errors| panic!("{errors}"))
}

// `network.dimensions`, `network.nodes_per_switch` and `switch.vcs` reach network and switches.
#[test]
fn a_torus_has_the_sizes_and_channels_of_its_keys() {
    let config = torus("network.dimensions=[4,3,2] network.nodes_per_switch=2 switch.vcs=3");
    let config = config.build().unwrap();
    let network = &config.network;
    assert_eq!((network.switches(), network.nodes()), (24, 48));
    assert_eq!(network.graph().ports(0), 8);
    assert_eq!((config.switch.vcs, network.vcs(), network.vcs_used()), (3, 3, 2));
    assert_eq!(config.routing, plan::RoutingKind::Turns);
    assert!(network.tables().is_none());
}

// `routing.algorithm = "table"`: the network has tables, "network.turnpool is then not needed and
// not checked": 19 hops of 3 bits are more than 31.
#[test]
fn tables_are_built_where_routing_is_by_table() {
    let sizes = "network.dimensions=[12,12,12] switch.vcs=2";
    let turns = torus(sizes).build().unwrap_err().to_string();
    assert!(turns.contains("network.turnpool"), "{turns}");
    let config = torus(&format!("{sizes} routing.algorithm=table")).build().unwrap();
    assert_eq!(config.routing, plan::RoutingKind::Table);
    // Six links to switches and one to a node, at each of 1728 switches.
    let entries = config.network.tables().unwrap().entries();
    assert_eq!(entries, 1728 * 7 * 1728);
}

// "Keys that do not go together" are refused at the one that came last, whichever that is.
#[test]
fn the_key_to_blame_for_channels_and_tables_is_the_last_one() {
    for (texts, key) in [
        ("switch.vcs=2", "--set switch.vcs"),
        ("switch.scheme=damq switch.vcs=2", "--set switch.vcs"),
        ("routing.algorithm=table", "--set routing.algorithm"),
        ("switch.scheme=1q switch.organisation=oq switch.vcs=2", "--set switch.vcs"),
    ] {
        let text = refused(texts);
        assert!(text.starts_with(key), "{text}");
    }
}
