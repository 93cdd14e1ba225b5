//! Dumbbell: two switches with a link between them, for congestion that spreads from one to the
//! other [santos-ecn-2002; topology.md].
//!
//! With n inputs a switch: nodes 0 .. n are A1 to An and node n is AV, on ports 0 .. n and n of
//! switch 0 (A); nodes n + 1 .. 2n + 1 are B1 to Bn, node 2n + 1 is BC (behind the root link) and
//! node 2n + 2 is BV, on ports 0 .. n, n and n + 1 of switch 1 (B). The last port of each switch
//! leads to the other. All links go both ways, so that every node can send and receive.

use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, PORTS_MAX};
use crate::routes::{Parts, Routes};

/// BC, BV and the link: ports of B that are no inputs.
const OTHERS: u32 = 3;

#[derive(Debug)]
struct Dumbbell {
    inputs: u32,
}

impl Dumbbell {
    /// Nodes of switch A, which are also the port to B.
    fn of_a(&self) -> u32 {
        self.inputs + 1
    }

    fn place(&self, node: u32) -> (u32, u8) {
        let of_a = self.of_a();
        if node < of_a { (0, node as u8) } else { (1, (node - of_a) as u8) }
    }

    /// The port of a switch that leads to the other one.
    fn across(&self, switch: u32) -> u8 {
        (self.of_a() + switch) as u8
    }
}

impl Routes for Dumbbell {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        match self.place(destination) {
            (at, port) if at == switch => port,
            _ => self.across(switch),
        }
    }

    /// From A1 to B1.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        Some((0, self.of_a()))
    }
}

pub(crate) fn parts(inputs: u32) -> Result<Parts, TopologyError> {
    ConfigError::check("network.inputs", inputs, 1..=PORTS_MAX - OTHERS, "")?;
    let rule = Dumbbell { inputs };
    let of_a = rule.of_a();
    let nodes = of_a + inputs + 2;
    let ends = [0, 1].map(|switch| (switch, rule.across(switch)));
    let node_ports = (0..nodes).map(|node| rule.place(node));
    Ok(Parts {
        name: "dumbbell",
        graph: Graph::wired(&[of_a + 1, of_a + 2], node_ports, [ends])?,
        routes: Arc::new(rule),
        // The root link and that to BV.
        maximum_links: Some(2),
    })
}
