//! Numbers of a hierarchical network. Loads are those of minimal routing where every switch splits
//! evenly over the ports of the entry, in whole multiples of a unit that every split divides.

use hierarchy::{Region, TwoLevelTable};
use units::Ratio;
use units::bits::ones;

use crate::graph::{Endpoint, Graph};
use crate::hierarchical::{Hierarchy, Plan};

/// What `setaside topo` reports of a hierarchical network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyAnalysis {
    /// The value of `network.wiring`.
    pub wiring: &'static str,
    /// Super nodes, G.
    pub super_nodes: u32,
    /// Nodes of a super node, n.
    pub nodes: u32,
    /// Local and global ports of a node, l and g.
    pub ports: (u8, u8),
    /// Global links that a super node can have, n g.
    pub virtual_radix: u32,
    /// Nodes of the largest network of such super nodes, n (n g + 1).
    pub nodes_max: u32,
    /// Local and global links, full duplex.
    pub links: (usize, usize),
    /// The longest of the shortest ways in a super node, D, links.
    pub local_diameter: u8,
    /// Mean of links between switches on minimal routes, pairs of a node with itself included;
    /// `None` where it is 0, or too fine to hold.
    pub hops_mean: Option<Ratio>,
    /// Links between switches on the longest way that the routing can choose.
    pub hops_max: u8,
    /// Entries of T1 and of T2 at each port: other nodes, other super nodes.
    pub table_entries: (u32, u32),
    /// The share of link rate that every node may send under uniform traffic (itself included),
    /// minimal routing, before a link is full; `None` where it is too fine to hold.
    pub uniform_bound: Option<Ratio>,
    /// The same for the worst pair of super nodes, all of one to all of the other; `None` with one.
    pub pair_bound: Option<Ratio>,
    /// Virtual channels of a link that the routing needs.
    pub vcs_needed: u8,
    /// Virtual channels used on local and on global links.
    pub vcs_used: (u8, u8),
}

impl HierarchyAnalysis {
    pub(crate) fn new(hierarchy: &Hierarchy, graph: &Graph) -> Self {
        let (plan, checked) = (hierarchy.plan(), &hierarchy.checked);
        let local = &plan.local;
        let (n, g) = (local.nodes, plan.super_nodes);
        let (mut hops_mean, mut uniform_bound, mut pair_bound) = (None, None, None);
        if let Some(mut loads) = Loads::new(hierarchy, graph) {
            let all: Vec<u32> = (0..plan.switches()).collect();
            all.iter().for_each(|&to| loads.send(&all, to));
            let pairs = u128::from(plan.switches()).pow(2) * loads.unit;
            hops_mean = Ratio::of_wide(loads.of_ports.iter().sum(), pairs).ok();
            let sent = u128::from(plan.switches()) * loads.unit;
            uniform_bound = Ratio::of_wide(sent, loads.most(plan.switches())).ok();
            pair_bound = worst_pair(&mut loads, plan);
        }
        Self {
            wiring: plan.wiring,
            super_nodes: g,
            nodes: n,
            ports: (local.local_ports, local.global_ports),
            virtual_radix: local.virtual_radix(),
            nodes_max: n * (local.virtual_radix() + 1),
            links: (
                (plan.switches() * u32::from(local.local_ports) / 2) as usize,
                plan.global_links,
            ),
            local_diameter: local.diameter(),
            hops_mean,
            hops_max: checked.hops_max,
            table_entries: (n - 1, g - 1),
            uniform_bound,
            pair_bound,
            vcs_needed: hierarchy.vcs_needed(),
            vcs_used: (checked.local_vcs, checked.global_vcs),
        }
    }
}

fn worst_pair(loads: &mut Loads<'_>, plan: &Plan) -> Option<Ratio> {
    let (n, g) = (plan.local.nodes, plan.super_nodes);
    let nodes = |s: u32| (s * n..(s + 1) * n).collect::<Vec<u32>>();
    let mut most = 0;
    if g < 2 {
        return None;
    }
    for (from, to) in (0..g).flat_map(|s| (0..g).map(move |d| (s, d))) {
        if from != to {
            loads.of_ports.fill(0);
            let senders = nodes(from);
            nodes(to).iter().for_each(|&to| loads.send(&senders, to));
            most = most.max(loads.most(n));
        }
    }
    Ratio::of_wide(u128::from(n) * loads.unit, most).ok()
}

struct Loads<'a> {
    hierarchy: &'a Hierarchy,
    graph: &'a Graph,
    /// What a pair sends: every split on its way is whole.
    unit: u128,
    /// By port of a switch, what leaves by it, in parts of `unit`.
    of_ports: Vec<u128>,
    /// By switch, what is to be sent on.
    at: Vec<u128>,
    /// By super node: the switches outside, those farther from a gateway to it first.
    inwards: Vec<Vec<u32>>,
}

impl<'a> Loads<'a> {
    /// Nothing sent yet; `None` where sums may not fit.
    fn new(hierarchy: &'a Hierarchy, graph: &'a Graph) -> Option<Self> {
        let plan = hierarchy.plan();
        let entries = hierarchy.tables().iter().flat_map(TwoLevelTable::iter);
        let counts = entries.map(|(_, ports)| u128::from(ports.count_ones()));
        // The least number that all of them divide.
        let split = counts.filter(|&ports| ports > 0).fold(1u128, |split, ports| {
            let mut multiples = (1..ports).map(|times| split * times);
            multiples.find(|all| all.is_multiple_of(ports)).unwrap_or(split * ports)
        });
        let splits = 2 * u32::from(plan.local.diameter()) + 1;
        let unit = split.checked_pow(splits)?;
        // All pairs over one link, as often as a route has links.
        let pairs = u128::from(plan.switches()).pow(2);
        unit.checked_mul(pairs)?.checked_mul((splits + 1).into())?;
        Some(Self {
            hierarchy,
            graph,
            unit,
            of_ports: vec![0; graph.ports_total()],
            at: vec![0; graph.switches()],
            inwards: (0..plan.super_nodes).map(|s| inwards(plan, s)).collect(),
        })
    }

    /// Every sender sends a unit to a destination; to itself it needs no link between switches.
    fn send(&mut self, senders: &[u32], destination: u32) {
        let plan = self.hierarchy.plan();
        for &switch in senders {
            self.at[switch as usize] += self.unit;
        }
        let (s, to) = plan.place(destination);
        for at in 0..self.inwards[s as usize].len() {
            let switch = self.inwards[s as usize][at];
            self.forward(switch, Region::SuperNode(s as u16));
        }
        let (n, local) = (plan.local.nodes, &plan.local);
        let mut inside: Vec<u32> = (s * n..(s + 1) * n).collect();
        inside.sort_by_key(|&switch| std::cmp::Reverse(local.distance(plan.place(switch).1, to)));
        for switch in inside {
            if switch != destination {
                self.forward(switch, Region::Node(to as u16));
            }
        }
        self.at[destination as usize] = 0;
    }

    /// A switch sends on what it has, evenly by the ports of an entry.
    fn forward(&mut self, switch: u32, region: Region) {
        let amount = std::mem::take(&mut self.at[switch as usize]);
        let ports = self.hierarchy.tables()[switch as usize].entry(region);
        if amount == 0 || ports == 0 {
            return;
        }
        let share = amount / u128::from(ports.count_ones());
        for port in ones(ports).map(|port| port as u8) {
            self.of_ports[self.graph.port_index(switch, port)] += share;
            if let Endpoint::Port { switch: next, .. } = self.graph.peer(switch, port) {
                self.at[next as usize] += share;
            }
        }
    }

    /// The highest load of a link, where every node sends so many units: the link of a node counts.
    fn most(&self, sent: u32) -> u128 {
        let own = u128::from(sent) * self.unit;
        self.of_ports.iter().copied().fold(own, u128::max)
    }
}

/// Switches outside a super node, those farther from a gateway to it first.
fn inwards(plan: &Plan, s: u32) -> Vec<u32> {
    let distance = |&switch: &u32| {
        let (own, node) = plan.place(switch);
        let gateways = plan.gateways(own, s).map(|gateway| plan.place(gateway).1);
        gateways.map(|gateway| plan.local.distance(node, gateway)).min()
    };
    let mut all: Vec<u32> = (0..plan.switches()).filter(|&at| plan.place(at).0 != s).collect();
    all.sort_by_key(|switch| std::cmp::Reverse(distance(switch)));
    all
}
