//! Chains of switches: one alone, two (the dumbbell [santos-ecn-2002]), many (the parking lot)
//! [topology.md]. Ports that lead to no other switch and have no node are not connected.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX, NODES_MAX_REASON, PORTS_MAX};
use crate::routes::{Parts, Routes};

#[derive(Debug)]
struct Chain {
    switches: u32,
    node_ports: Box<[(u32, u8)]>,
    /// The ports to the switch before and to the next one.
    back: u8,
    on: u8,
}

impl Chain {
    fn parts(self, name: &'static str, ports: &[u32], most: u64) -> Result<Parts, TopologyError> {
        let links = (1..self.switches).map(|next| [(next - 1, self.on), (next, self.back)]);
        Ok(Parts {
            name,
            graph: Graph::wired(ports, self.node_ports.iter().copied(), links)?,
            routes: Arc::new(self),
            maximum_links: Some(most),
        })
    }
}

impl Routes for Chain {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        let (at, port) = self.node_ports[destination as usize];
        match at.cmp(&switch) {
            Ordering::Less => self.back,
            Ordering::Equal => port,
            Ordering::Greater => self.on,
        }
    }

    /// From the first node to the first one of the last switch.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        let last = self.node_ports.partition_point(|&(at, _)| at < self.switches - 1);
        (self.switches > 1).then_some((0, last as u32))
    }
}

pub(crate) fn single_switch(ports: u32) -> Result<Parts, TopologyError> {
    ConfigError::check("switch.ports", ports, 2..=PORTS_MAX, "")?;
    let node_ports = (0..ports).map(|node| (0, node as u8)).collect();
    let chain = Chain { switches: 1, node_ports, back: 0, on: 0 };
    chain.parts("single-switch", &[ports], ports.into())
}

/// Nodes are A1 to An and AV on switch 0 (A), B1 to Bn, BC (behind the root link) and BV on switch
/// 1 (B), on ports from 0 on; the last port of each switch leads to the other.
pub(crate) fn dumbbell(inputs: u32) -> Result<Parts, TopologyError> {
    // BC, BV and the link: ports of B that are no inputs.
    ConfigError::check("network.inputs", inputs, 1..=PORTS_MAX - 3, "")?;
    let of_a = inputs + 1;
    let a = (0..of_a).map(|port| (0, port as u8));
    let node_ports = a.chain((0..of_a + 1).map(|port| (1, port as u8))).collect();
    let chain = Chain { switches: 2, node_ports, back: (of_a + 1) as u8, on: of_a as u8 };
    // The root link and that to BV.
    chain.parts("dumbbell", &[of_a + 1, of_a + 2], 2)
}

/// The source of a switch is on port 0, the switch before it on port 1 and the next one, or the
/// node to which all send, on port 2.
pub(crate) fn parking_lot(switches: u32) -> Result<Parts, TopologyError> {
    let why = format!(", a node less than {NODES_MAX}: {NODES_MAX_REASON}");
    ConfigError::check("network.switches", switches, 1..=NODES_MAX - 1, &why)?;
    let (back, on) = (1, 2);
    let node_ports = (0..switches).map(|node| (node, 0)).chain([(switches - 1, on)]).collect();
    let chain = Chain { switches, node_ports, back, on };
    // The link to the end.
    chain.parts("parking-lot", &vec![3; switches as usize], 1)
}
