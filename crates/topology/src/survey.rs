//! What one walk over the routes of all pairs collects. Loads, lengths and the deadlock check all read it.

use crate::graph::Graph;
use crate::routes::Hop;

/// Counts over the routes of all (source, destination) pairs.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Whether pairs of a node with itself are counted.
    pub(crate) self_traffic: bool,
    /// For each port of each switch as an ingress: the out ports that its packets ask for, as a bit mask. This is the channel
    /// dependency graph: the link into that port depends on the links out of those.
    pub(crate) turns: Box<[u64]>,
    /// For each port of each switch as an egress: the pairs that leave by it.
    pub(crate) loads: Box<[u64]>,
    /// Number of pairs by the number of switches on their route.
    pub(crate) hops: Vec<u64>,
    pub(crate) bits_max: u32,
    /// The first pair with the longest route, in bits.
    pub(crate) longest: Option<(u32, u32)>,
}

impl Survey {
    pub(crate) fn new(graph: &Graph, self_traffic: bool) -> Self {
        Self {
            self_traffic,
            turns: vec![0; graph.ports_total()].into(),
            loads: vec![0; graph.ports_total()].into(),
            hops: Vec::new(),
            bits_max: 0,
            longest: None,
        }
    }

    #[inline]
    pub(crate) fn add_hop(&mut self, graph: &Graph, hop: Hop) {
        self.turns[graph.port_index(hop.switch, hop.in_port)] |= 1 << hop.out_port;
        self.loads[graph.port_index(hop.switch, hop.out_port)] += 1;
    }

    #[inline]
    pub(crate) fn add_route(&mut self, source: u32, destination: u32, hops: usize, bits: u32) {
        if hops >= self.hops.len() {
            self.hops.resize(hops + 1, 0);
        }
        self.hops[hops] += 1;
        if bits > self.bits_max {
            self.bits_max = bits;
            self.longest = Some((source, destination));
        }
    }
}
