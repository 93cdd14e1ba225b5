//! Edge lists and the builder: what is read, and what is refused and where.

use proptest::prelude::*;
use topology::testkit::{random_graph, words};
use topology::{
    BuildOptions, EdgeList, Endpoint, Graph, GraphBuilder, GraphError, LinkAttributes, Network,
    TopologyConfig,
};
use units::Ratio;

const GOOD: &str = "a,a_port,b,b_port,latency_ns,rate_bytes_per_ns
# two switches

n0,,s0,0,,
 n1 , 0 , s1 , 1 ,5/2, 1.5
s0,3,s1,0,10,
";

// "CSV: `a,a_port,b,b_port,latency_ns,rate_bytes_per_ns`; ids s0, s1, ... for switches, n0, ... for
// end nodes"
#[test]
fn good_text_gives_graph_and_attributes() {
    let edges = EdgeList::parse(GOOD).unwrap();
    let network =
        Network::build(&TopologyConfig::File { edges }, &BuildOptions::default()).unwrap();
    let graph = network.graph();
    assert_eq!((graph.switches(), graph.nodes(), graph.ports(0), graph.ports(1)), (2, 2, 4, 2));
    assert_eq!(graph.node_port(1), (1, 1));
    assert_eq!(graph.peer(0, 3), Endpoint::Port { switch: 1, port: 0 });
    assert_eq!(graph.peer(0, 1), Endpoint::None);
    let at = |switch, port| graph.link_attributes(switch, port);
    assert_eq!(
        at(1, 1),
        LinkAttributes {
            latency_ns: Ratio::new(5, 2).ok(),
            rate_bytes_per_ns: Ratio::new(3, 2).ok()
        }
    );
    assert_eq!(at(0, 3), at(1, 0));
    assert_eq!(at(0, 0), LinkAttributes::default());
    assert_eq!(network.maximum_bytes_per_ns(Ratio::ONE), None);
    assert_eq!(network.analysis().uniform_bound, None, "the links have different rates");
}

#[test]
fn columns_may_be_left_out_and_reordered() {
    let edges = EdgeList::parse("b,b_port,a,a_port\r\ns0,0,n0,\r\ns0,1,n1,\r\n").unwrap();
    let graph = edges.graph().unwrap();
    assert_eq!((graph.node_port(0), graph.node_port(1)), ((0, 0), (0, 1)));
}

#[test]
fn errors_name_line_and_column() {
    let head = "a,a_port,b,b_port,latency_ns\n";
    let cases = [
        ("", "line 1, column 1: the edge list is empty"),
        ("a,a_port,b\n", "line 1, column 1: the header has no column `b_port`"),
        ("a,a_port,b,b_port,speed\n", "line 1, column 19: column `speed` is not known"),
        ("a,a_port,b,b_port,a\n", "line 1, column 19: column `a` is there twice"),
        ("n0,,s0,0,1,2,3\n", "line 2, column 12: 7 fields; the header has 5"),
        (
            "n0,,x0,0,\n",
            "line 2, column 5: b = `x0` is not legal; legal: s0 to s16383 for a switch",
        ),
        ("n0,,s99999,0,\n", "line 2, column 5: b = `s99999` is not legal"),
        ("n0,,s+1,0,\n", "line 2, column 5: b = `s+1` is not legal"),
        ("n0,,s0,64,\n", "line 2, column 8: b_port = `64` is not legal; legal: 0 to 63"),
        ("n0,,s0,,\n", "line 2, column 8: b_port = `` is not legal"),
        ("n0,1,s0,0,\n", "line 2, column 4: a_port = `1` is not legal; legal: empty or 0"),
        ("n0,,s0,0, fast\n", "line 2, column 11: latency_ns = `fast` is not legal"),
        ("n0,,s0,0,0\n", "line 2, column 10: latency_ns = `0` is not legal"),
    ];
    for (text, expected) in cases {
        let text =
            if expected.starts_with("line 1") { text.to_owned() } else { format!("{head}{text}") };
        let error = EdgeList::parse(&text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
    let few = EdgeList::parse(&format!("{head}n0,,s0\n")).unwrap_err().to_string();
    assert_eq!(few, "line 2, column 7: 3 fields; the header has 5");
}

// "port used twice, node connected twice, unconnected node, port out of range, self loops,
// disconnected graph"
#[test]
fn impossible_wirings_are_refused_with_their_line() {
    let cases = [
        ("n0,,s0,0\nn1,,s0,0\n", "line 3: port 0 of switch s0 is connected twice, to n0 and to n1"),
        ("n0,,s0,0\nn0,,s0,1\n", "line 3: end node n0 is connected twice, to s0.0 and to s0.1"),
        ("n0,,n1,\n", "line 2: a link between two end nodes, n0 and n1"),
        ("n0,,s0,0\ns0,1,s0,2\n", "line 3: ports 1 and 2 of switch s0 are connected to each other"),
        ("n1,,s0,0\n", "end node n0 is not connected"),
        ("n0,,s0,0\nn1,,s1,0\n", "switch s1 cannot be reached from s0"),
        ("s0,0,s1,0\n", "the graph has no end node"),
        ("", "the graph has no switch"),
    ];
    for (text, expected) in cases {
        let error = EdgeList::parse(&format!("a,a_port,b,b_port\n{text}"))
            .unwrap()
            .graph()
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
    let mut edges = EdgeList::parse(GOOD).unwrap();
    edges.switch_ports = Some(3);
    assert_eq!(
        edges.graph().unwrap_err().to_string(),
        "line 6: switch s0 has no port 3; legal: 0 to 2"
    );
}

#[test]
fn builder_refuses_what_does_not_exist() {
    let text = |result: Result<(), GraphError>| result.unwrap_err().to_string();
    let new = |ports: &[u32]| text(GraphBuilder::new(ports, 1).map(|_| ()));
    assert_eq!(new(&[65]), "switch s0 has 65 ports; legal: 2 to 64");
    assert_eq!(new(&[4, 1]), "switch s1 has 1 ports; legal: 2 to 64");
    let mut builder = GraphBuilder::new(&[4, 4], 1).unwrap();
    let plain = LinkAttributes::default();
    let refused = text(builder.connect((0, 0), (2, 0), plain));
    assert_eq!(refused, "there is no switch s2; legal: s0 to s1");
    let refused = text(builder.attach(1, (0, 0), plain));
    assert_eq!(refused, "there is no end node n1; legal: n0 to n0");
    // A refused link leaves nothing behind.
    assert_eq!(builder.connect((0, 0), (1, 0), plain), Ok(()));
}

fn text_of(graph: &Graph) -> String {
    let mut text = "a,a_port,b,b_port\n".to_owned();
    for (a, b, _) in graph.links() {
        let [a, b] = [a, b].map(|end| match end {
            Endpoint::Port { switch, port } => format!("s{switch},{port}"),
            end => format!("{end},"),
        });
        text += &format!("{a},{b}\n");
    }
    text
}

proptest! {
    #![proptest_config(crate::fixed::fixed(200, 2005))]

    #[test]
    fn text_of_a_random_graph_reads_back(seed: u64, switches in 1u32..20, nodes in 1u32..20, ports in 3u32..10) {
        let Ok(graph) = random_graph(&mut words(seed), switches, nodes, ports) else { return Ok(()) };
        let mut read = EdgeList::parse(&text_of(&graph)).unwrap();
        read.switch_ports = Some(ports);
        prop_assert_eq!(read.graph().unwrap(), graph);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(a,a_port,b,b_port\n)?([ns][0-9]{0,2}|[,\n# ]|[0-9]){0,40}") {
        if let Ok(edges) = EdgeList::parse(&text) {
            let _ = edges.graph();
        }
    }
}
