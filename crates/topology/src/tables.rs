//! Routing tables: by ingress port and destination the set of egress ports. They are filled with
//! the routes of the network, so each set has one port.

use std::ops::Range;

use crate::graph::{Endpoint, Graph};
use crate::routes::Routes;

const BLOCK_ENTRIES: usize = 64 << 20;

/// The tables of all ingress ports. In the model, ports of a switch whose tables agree share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    nodes: usize,
    first_port: Box<[u32]>,
    rows: Box<[u32]>,
    /// By row, then destination: the egress port + 1; 0 where no route asks.
    entries: Vec<u8>,
    connected_ports: u64,
}

impl Tables {
    pub(crate) fn new(routes: &dyn Routes, graph: &Graph, self_traffic: bool) -> Self {
        Self::in_blocks(routes, graph, self_traffic, BLOCK_ENTRIES)
    }

    /// The tables, filled as many switches at once as that many entries hold, at least one.
    fn in_blocks(routes: &dyn Routes, graph: &Graph, self_traffic: bool, block: usize) -> Self {
        let connected = |&peer: &&Endpoint| *peer != Endpoint::None;
        let mut tables = Self {
            nodes: graph.nodes(),
            first_port: graph.first_port.clone(),
            rows: Box::default(),
            entries: Vec::new(),
            connected_ports: graph.peers.iter().filter(connected).count() as u64,
        };
        let mut rows = Vec::with_capacity(graph.ports_total());
        let mut first = 0;
        while first < graph.switches() {
            let last = block_end(graph, first, block);
            let filled = fill(routes, graph, first..last, self_traffic);
            let mut ports = filled.chunks_exact(graph.nodes());
            for switch in first..last {
                let ports = ports.by_ref().take(graph.ports(switch as u32) as usize);
                tables.pack(ports, &mut rows);
            }
            first = last;
        }
        tables.rows = rows.into();
        tables
    }

    /// Adds the tables of one switch: each port takes the first row of that switch that agrees.
    fn pack<'a>(&mut self, ports: impl Iterator<Item = &'a [u8]>, rows: &mut Vec<u32>) {
        let first = self.entries.len();
        for port in ports {
            let mut own = self.entries[first..].chunks_exact_mut(self.nodes);
            let agrees = |(&a, &b): (&u8, &u8)| a == 0 || b == 0 || a == b;
            let row = own.position(|row| row.iter().zip(port).all(agrees));
            let start = match row {
                Some(row) => first + row * self.nodes,
                None => {
                    let start = self.entries.len();
                    self.entries.extend_from_slice(port);
                    start
                }
            };
            let row = &mut self.entries[start..start + self.nodes];
            for (entry, given) in row.iter_mut().zip(port).filter(|(_, given)| **given != 0) {
                *entry = *given;
            }
            rows.push((start / self.nodes) as u32);
        }
    }

    /// The egress ports of a packet to `destination` that came into `switch` by `in_port`, as a bit
    /// mask. Not defined where no route leads.
    #[inline]
    pub fn candidates(&self, switch: u32, in_port: u8, destination: u32) -> u64 {
        let port = self.first_port[switch as usize] as usize + usize::from(in_port);
        let row = self.rows[port] as usize;
        match self.entries[row * self.nodes + destination as usize] {
            0 => 0,
            above => 1 << (above - 1),
        }
    }

    /// Entries of all tables of the network: one a node at every ingress port that is connected.
    pub fn entries(&self) -> u64 {
        self.connected_ports * self.nodes as u64
    }

    /// Entries that the model holds, a byte each.
    pub fn entries_held(&self) -> usize {
        self.entries.len()
    }
}

/// The end of the block of switches from `first` on whose entries are filled at once.
fn block_end(graph: &Graph, first: usize, block: usize) -> usize {
    let start = graph.first_port[first] as usize;
    let most = start + block / graph.nodes();
    let fit = graph.first_port.partition_point(|&port| port as usize <= most);
    (fit - 1).max(first + 1)
}

/// The entries that routes ask for, by ingress port of a block of switches, then destination.
fn fill(routes: &dyn Routes, graph: &Graph, switches: Range<usize>, self_traffic: bool) -> Vec<u8> {
    let nodes = graph.nodes();
    let ports = graph.first_port[switches.start] as usize..graph.first_port[switches.end] as usize;
    let mut filled = vec![0; ports.len() * nodes];
    // The last destination, from 1, for which a port was passed.
    let mut seen_for = vec![0; graph.ports_total()];
    for destination in 0..nodes as u32 {
        // Its own packets turn back where others do not: they come last.
        let others = (0..nodes as u32).filter(|&source| source != destination);
        for source in others.chain(self_traffic.then_some(destination)) {
            let (mut switch, mut in_port) = graph.node_port(source);
            loop {
                let port = graph.port_index(switch, in_port);
                if seen_for[port] == destination + 1 {
                    break;
                }
                seen_for[port] = destination + 1;
                let out_port = routes.next_port(switch, in_port, destination, source);
                if ports.contains(&port) {
                    let entry = (port - ports.start) * nodes + destination as usize;
                    filled[entry] = out_port + 1;
                }
                match graph.peer(switch, out_port) {
                    Endpoint::Port { switch: next, port } => (switch, in_port) = (next, port),
                    Endpoint::Node(_) | Endpoint::None => break,
                }
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::Tables;
    use crate::testkit::{random_graph, words};
    use crate::up_down;

    // Blocks bound the memory of the filling, and change nothing.
    #[test]
    fn blocks_of_any_size_give_the_same_tables() {
        for seed in 0..20 {
            let graph = random_graph(&mut words(seed), 9, 7, 5).expect("ports enough");
            let parts = up_down::parts("file", graph);
            let in_blocks =
                |block| Tables::in_blocks(&*parts.routes, &parts.graph, seed % 2 == 0, block);
            let whole = in_blocks(usize::MAX / 2);
            for block in [0, 1, 7 * 5, 7 * 5 * 2, 7 * 5 * 4 + 3] {
                assert_eq!(in_blocks(block), whole, "{seed} {block}");
            }
        }
    }
}
