//! up*/down* routing on any connected graph [schroeder-autonet-1991; topology.md].
//!
//! Switches are ordered by (hops from the root s0, index). A link goes *up* towards the smaller of
//! its ends. A legal route goes up, then down: no dependency leads from down to up, hence no cycle.
//! Of the shortest legal routes that by the lowest ports is taken.

use std::sync::Arc;

use crate::graph::{FAR, Graph, levels};
use crate::routes::{Parts, Routes};

#[derive(Debug)]
struct UpDown {
    /// Switch of each node, its port there, and the row of that switch in the tables.
    nodes: Box<[(u32, u8, usize)]>,
    first_port: Box<[u32]>,
    /// For each ingress port: the packet came down over it, so it may not go up again.
    came_down: Box<[bool]>,
    /// `[row][switch][came_down]`: the port to leave by.
    next: Box<[[u8; 2]]>,
    switches: usize,
}

impl Routes for UpDown {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, in_port: u8, destination: u32, _source: u32) -> u8 {
        let (at, port, row) = self.nodes[destination as usize];
        if at == switch {
            return port;
        }
        let ingress = self.first_port[switch as usize] as usize + usize::from(in_port);
        self.next[row * self.switches + switch as usize][usize::from(self.came_down[ingress])]
    }
}

/// Rank of each switch in the order (hops from s0, index), and the switches in that order.
pub(crate) fn ranks(graph: &Graph) -> (Vec<u32>, Vec<u32>) {
    let level = levels(graph.switches(), [0], |s| graph.neighbours(s).map(|(_, other)| other));
    let mut order: Vec<u32> = (0..graph.switches() as u32).collect();
    order.sort_by_key(|&switch| (level[switch as usize], switch));
    let mut rank = vec![0; graph.switches()];
    for (&switch, place) in order.iter().zip(0..) {
        rank[switch as usize] = place;
    }
    (rank, order)
}

/// The next ports towards switch `target`: 255 where packets that came down have no legal one.
fn row(graph: &Graph, rank: &[u32], order: &[u32], target: u32, next: &mut [[u8; 2]]) {
    let is_up = |from: u32, to: u32| rank[to as usize] < rank[from as usize];
    // Hops left with down links only; then with any legal route. Up neighbours come earlier.
    let above = |switch| {
        let others = graph.neighbours(switch).map(|(_, other)| other);
        others.filter(move |&other| is_up(switch, other))
    };
    let down = levels(graph.switches(), [target], above);
    let mut any = down.clone();
    for &switch in order {
        for above in above(switch) {
            let through = any[above as usize].saturating_add(1);
            any[switch as usize] = any[switch as usize].min(through);
        }
    }
    for &switch in order.iter().filter(|&&switch| switch != target) {
        let left = |other: u32| {
            if is_up(switch, other) { any[other as usize] } else { down[other as usize] }
        };
        let lowest = |distance: u32, up_too: bool| {
            graph
                .neighbours(switch)
                .filter(|&(_, other)| up_too || !is_up(switch, other))
                .find(|&(_, other)| distance != FAR && left(other) == distance - 1)
                .map_or(u8::MAX, |(port, _)| port)
        };
        next[switch as usize] =
            [lowest(any[switch as usize], true), lowest(down[switch as usize], false)];
    }
}

pub(crate) fn parts(name: &'static str, graph: Graph) -> Parts {
    let switches = graph.switches();
    let (rank, order) = ranks(&graph);
    let mut targets: Vec<u32> = graph.node_ports.iter().map(|&(switch, _)| switch).collect();
    targets.sort_unstable();
    targets.dedup();
    let mut next = vec![[u8::MAX; 2]; targets.len() * switches];
    for (&target, table) in targets.iter().zip(next.chunks_exact_mut(switches)) {
        row(&graph, &rank, &order, target, table);
    }
    let node = |&(switch, port)| (switch, port, targets.partition_point(|&other| other < switch));
    let mut came_down = vec![false; graph.ports_total()];
    for switch in 0..switches as u32 {
        for (port, other) in graph.neighbours(switch) {
            came_down[graph.port_index(switch, port)] =
                rank[other as usize] < rank[switch as usize];
        }
    }
    let routes = UpDown {
        nodes: graph.node_ports.iter().map(node).collect(),
        first_port: graph.first_port.clone(),
        came_down: came_down.into(),
        next: next.into(),
        switches,
    };
    Parts { name, graph, routes: Arc::new(routes), maximum_links: None }
}
