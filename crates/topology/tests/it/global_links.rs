//! Files of global links.

use crate::hierarchical::{config, packed, spread};
use topology::{BuildOptions, GlobalLinks, GlobalWiring, Network, TopologyError};

const HEADER: &str = "a_super_node,a_node,a_port,b_super_node,b_node,b_port\n";

fn options() -> BuildOptions {
    BuildOptions { vcs: 16, ..BuildOptions::default() }
}

fn build(super_nodes: u32, lines: &str) -> Result<Network, TopologyError> {
    let links = GlobalLinks::parse(&format!("{HEADER}{lines}"))?;
    let wiring = GlobalWiring::FromFile(links);
    Network::build(&config("dragonfly", super_nodes, wiring), &options())
}

// The wiring of a palm tree, written as a file, is the same network.
#[test]
fn a_palm_tree_in_a_file_is_the_same_network() {
    for wiring in [spread(2), packed(2)] {
        let network = Network::build(&config("dragonfly", 4, wiring), &options()).unwrap();
        let plan = network.hierarchy().unwrap().plan();
        let mut lines = String::new();
        for (switch, port) in (0..plan.switches()).flat_map(|s| (0..4).map(move |p| (s, p))) {
            if let Some((far, far_port)) =
                plan.far_end(switch, port).filter(|(far, _)| *far > switch)
            {
                let ((s, node), (d, far)) = (plan.place(switch), plan.place(far));
                lines += &format!("{s}, {node}, {port}, {d}, {far}, {far_port}\n");
            }
        }
        let read = build(4, &lines).unwrap();
        assert_eq!(read.graph(), network.graph());
        let tables = |network: &Network| network.hierarchy().unwrap().tables().to_vec();
        assert_eq!(tables(&read), tables(&network));
        assert_eq!(read.hierarchy().unwrap().plan().wiring, "from-file");
    }
}

// "errors with line and column".
#[test]
fn what_is_not_legal_is_refused_where_it_is() {
    let rows = [
        ("0,0,0,1,0\n", (2, 10), "5 fields", "6"),
        ("0,0,0,1,0,0,7\n", (2, 13), "7 fields", "6"),
        ("# far\n\n0,0,x,1,0,0\n", (4, 5), "a_port = x", "a whole number from 0"),
        ("0,0,+1,1,0,0\n", (2, 5), "a_port = +1", "a whole number from 0"),
        ("0,0,0, 3,0,0\n", (2, 8), "b_super_node = 3", "0 to 2"),
        ("0,5,0,1,0,0\n", (2, 3), "a_node = 5", "0 to 4"),
        ("0,0,0,1,0,4\n", (2, 11), "b_port = 4", "0 to 3"),
        ("0,0,0,0,1,0\n", (2, 7), "b_super_node = 0", "another super node than that of end a"),
        (
            "0,0,0,1,0,0\n2,0,0,1,0,0\n",
            (3, 11),
            "b_port = 0",
            "a port once; global port 0 of node 0 of super node 1 has the link of line 2",
        ),
    ];
    for (lines, place, what, legal) in rows {
        let Err(TopologyError::GlobalLinks(error)) = build(3, lines) else { panic!("{lines}") };
        let found = error.what.trim_end_matches(" is not legal");
        let found = ((error.line, error.column), found, error.legal.as_str());
        assert_eq!(found, (place, what, legal), "{lines}");
    }
}

#[test]
fn another_header_is_refused() {
    for (text, column) in [("", 1), ("a,b\n", 1), ("a_super_node,a_node,b_port,,,\n", 21)] {
        let error = GlobalLinks::parse(text).unwrap_err();
        assert_eq!((error.line, error.column), (1, column), "{text}");
        assert!(error.what.ends_with("is not the header"), "{error}");
    }
}

// "disconnected file refused with who is cut off".
#[test]
fn super_nodes_without_links_to_each_other_are_named() {
    let rows = [
        ("0,0,0,1,0,0\n", "super node 2 has no link at all"),
        (
            "0,0,0,1,0,0\n1,1,0,2,0,0\n",
            "super nodes 0 and 2 have no link to each other, nor have 0 other pairs",
        ),
    ];
    for (lines, what) in rows {
        let Err(TopologyError::GlobalLinks(error)) = build(3, lines) else { panic!("{lines}") };
        assert_eq!(error.what, what);
    }
}
