//! Demands over the routes of a network, counted by link.

use std::cell::OnceCell;
use units::Ratio;
use units::bits::{ones, ones_of};

use super::{COUNTS_MAX, FLOW_HOPS_MAX, IdealError};
use crate::network::Network;
use crate::path::{Hop, Hops};

/// Demands of all flows of a network.
///
/// Kept are two bytes a pair, the number of flows by demand and link (demands are few), and, from
/// when the flows of a link are first asked for, the nodes at both ends of them; the flows are
/// found again on the routes between those.
#[derive(Clone, Debug)]
pub struct Flows<'a> {
    network: &'a Network,
    /// Bytes/ns of each directed link: out of each switch port, then out of each node.
    pub(super) capacity: Box<[f64]>,
    /// The different demands, bytes/ns; the first is 0.
    pub(super) demands: Vec<f64>,
    /// Places in `demands` of those above 0, the least first.
    pub(super) ascending: Vec<u16>,
    /// By pair: place in `demands`.
    demand_of: Box<[u16]>,
    /// By demand: flows on each link.
    pub(super) counts: Vec<Box<[u32]>>,
    /// By demand: flows.
    pub(super) totals: Vec<u64>,
    ends: OnceCell<Ends>,
    /// Switches on the routes of all flows that demand something.
    hops: u64,
    walk: Walk,
}

/// By link: sources and destinations of its flows.
#[derive(Clone, Debug)]
struct Ends {
    senders: Nodes,
    receivers: Nodes,
}

impl Ends {
    fn insert(&mut self, links: &[u32], source: u32, destination: u32) {
        for &link in links {
            self.senders.insert(link as usize, source);
            self.receivers.insert(link as usize, destination);
        }
    }
}

/// Sets of nodes, a bit each, by row.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    bits: Box<[u64]>,
    words: usize,
}

impl Nodes {
    pub(super) fn new(rows: usize, nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        Self { bits: vec![0; rows * words].into(), words }
    }

    #[inline]
    pub(super) fn insert(&mut self, row: usize, node: u32) {
        self.bits[row * self.words + node as usize / 64] |= 1 << (node % 64);
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    hops: Hops,
    /// The links of the route, that of the source first.
    pub(super) links: Vec<u32>,
}

impl Walk {
    #[inline]
    fn follow(&mut self, network: &Network, source: u32, destination: u32) {
        let graph = network.graph();
        self.hops.clear();
        self.links.clear();
        network.walk(source, destination, &mut self.hops);
        self.links.push(graph.ports_total() as u32 + source);
        let out = |hop: &Hop| graph.port_index(hop.switch, hop.out_port) as u32;
        self.links.extend(self.hops.iter().map(out));
    }
}

pub(super) struct Found<'a> {
    pub(super) source: u32,
    pub(super) destination: u32,
    pub(super) demand: u16,
    pub(super) links: &'a [u32],
}

impl<'a> Flows<'a> {
    /// A network without demands. `link_bytes_per_ns`: rate of every link that has none of its own.
    pub fn new(network: &'a Network, link_bytes_per_ns: Ratio) -> Self {
        let graph = network.graph();
        let capacity = |(switch, port)| {
            let own = graph.link_attributes(switch, port).rate_bytes_per_ns;
            own.unwrap_or(link_bytes_per_ns).to_f64()
        };
        let nodes = (0..graph.nodes() as u32).map(|node| graph.node_port(node));
        let capacity: Box<[f64]> = graph.all_ports().chain(nodes).map(capacity).collect();
        Self {
            network,
            demands: vec![0.0],
            ascending: Vec::new(),
            demand_of: vec![0; graph.nodes() * graph.nodes()].into(),
            counts: vec![Box::default()],
            totals: vec![0],
            ends: OnceCell::new(),
            hops: 0,
            walk: Walk::default(),
            capacity,
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.network.nodes()
    }

    /// What `source` demands of `destination`, bytes/ns.
    pub fn demand(&self, source: u32, destination: u32) -> f64 {
        self.demands[usize::from(self.place(source, destination))]
    }

    fn place(&self, source: u32, destination: u32) -> u16 {
        self.demand_of[source as usize * self.nodes() + destination as usize]
    }

    /// All demands together, bytes/ns.
    pub fn offered_bytes_per_ns(&self) -> f64 {
        let parts = self.demands.iter().zip(&self.totals);
        parts.map(|(demand, &flows)| demand * flows as f64).sum()
    }

    /// Sets what `source` demands of each destination, bytes/ns.
    ///
    /// # Errors
    /// [`IdealError`]; what is set then is not defined.
    pub fn set(&mut self, source: u32, bytes_per_ns: &[f64]) -> Result<(), IdealError> {
        let mut walk = std::mem::take(&mut self.walk);
        for (&demand, destination) in bytes_per_ns.iter().zip(0..self.nodes() as u32) {
            let before = self.place(source, destination);
            if self.demands[usize::from(before)] == demand {
                continue;
            }
            let to_itself = source == destination && !self.network.options().self_traffic;
            if !(demand.is_finite() && demand >= 0.0) || to_itself {
                return Err(IdealError(format!(
                    "a demand of {demand} bytes/ns from n{source} to n{destination}; legal: 0 or \
                     more, finite, and 0 to itself without `workload.self`"
                )));
            }
            let now = self.place_of(demand)?;
            self.demand_of[source as usize * self.nodes() + destination as usize] = now;
            walk.follow(self.network, source, destination);
            if before != 0 {
                self.hops -= walk.hops.len() as u64;
                self.totals[usize::from(before)] -= 1;
                let counts = &mut self.counts[usize::from(before)];
                walk.links.iter().for_each(|&l| counts[l as usize] -= 1);
            }
            if now != 0 {
                self.hops += walk.hops.len() as u64;
                if self.hops > FLOW_HOPS_MAX {
                    return Err(IdealError(format!(
                        "the routes of all flows cross more than {FLOW_HOPS_MAX} switches together"
                    )));
                }
                self.totals[usize::from(now)] += 1;
                let counts = &mut self.counts[usize::from(now)];
                walk.links.iter().for_each(|&l| counts[l as usize] += 1);
                if let Some(ends) = self.ends.get_mut() {
                    ends.insert(&walk.links, source, destination);
                }
            }
        }
        self.walk = walk;
        Ok(())
    }

    /// The place of a demand, a new one where it was not met before.
    fn place_of(&mut self, demand: f64) -> Result<u16, IdealError> {
        if let Some(place) = self.demands.iter().position(|&known| known == demand) {
            return Ok(place as u16);
        }
        let (demands, links) = (self.demands.len(), self.capacity.len());
        let place = match u16::try_from(demands) {
            Ok(place) if demands * links <= COUNTS_MAX => place,
            _ => {
                return Err(IdealError(format!(
                    "{demands} different demands on {links} links are more than {COUNTS_MAX} counts"
                )));
            }
        };
        let less = |&other: &u16| self.demands[usize::from(other)] < demand;
        let at = self.ascending.partition_point(less);
        self.ascending.insert(at, place);
        self.demands.push(demand);
        self.totals.push(0);
        self.counts.push(vec![0; links].into());
        Ok(place)
    }

    /// The demand that a link would carry if all flows had theirs, bytes/ns.
    pub(super) fn demand_on(&self, link: usize) -> f64 {
        let parts = self.ascending.iter().map(|&place| usize::from(place));
        parts.map(|at| self.demands[at] * f64::from(self.counts[at][link])).sum()
    }

    /// The flows on a link, without those in `without` (by source), by source, then destination.
    pub(super) fn on_link(
        &self,
        link: u32,
        without: &mut Nodes,
        walk: &mut Walk,
        mut each: impl FnMut(Found<'_>, &mut Nodes),
    ) {
        let row = link as usize;
        let ends = self.ends.get_or_init(|| self.find_ends());
        let receivers = ends.receivers.row(row);
        for source in ones_of(ends.senders.row(row)).map(|source| source as u32) {
            for (word, &there) in receivers.iter().enumerate() {
                let candidates = there & !without.row(source as usize)[word];
                for bit in ones(candidates) {
                    let destination = (word * 64 + bit) as u32;
                    let demand = self.place(source, destination);
                    if demand == 0 {
                        continue;
                    }
                    walk.follow(self.network, source, destination);
                    if walk.links.contains(&link) {
                        let found = Found { source, destination, demand, links: &walk.links };
                        each(found, without);
                    }
                }
            }
        }
    }

    fn find_ends(&self) -> Ends {
        let nodes = || Nodes::new(self.capacity.len(), self.nodes());
        let (senders, receivers) = (nodes(), nodes());
        let mut ends = Ends { senders, receivers };
        let mut walk = Walk::default();
        for (at, _) in self.demand_of.iter().enumerate().filter(|of| *of.1 != 0) {
            let (source, destination) = ((at / self.nodes()) as u32, (at % self.nodes()) as u32);
            walk.follow(self.network, source, destination);
            ends.insert(&walk.links, source, destination);
        }
        ends
    }

    pub(super) fn links<'w>(&self, source: u32, destination: u32, walk: &'w mut Walk) -> &'w [u32] {
        walk.follow(self.network, source, destination);
        &walk.links
    }
}
