//! Who simulates what: a fabric cut into parts, one a thread. Results do not depend on it, only
//! speed does.

use topology::{Endpoint, Graph};

/// Cuts a network into at most `parts` parts: how many, and that of every switch.
///
/// Each level of switches (distance from the nearest end node) is cut into ranges with equally
/// many ports, so that every part has its share of each level. Within a level, switches that
/// are connected by lower levels stand together: of a BMIN or a tree a part gets whole
/// subtrees, and only links of the upper levels are cut.
pub(super) fn partition(graph: &Graph, parts: usize) -> (usize, Vec<u32>) {
    let switches = graph.switches();
    let parts = parts.clamp(1, switches);
    let level = levels(graph);
    let top = level.iter().copied().max().unwrap_or(0);
    let joined: Vec<Vec<u32>> = (0..top).map(|t| components(graph, &level, t)).collect();
    let mut part_of = vec![0; switches];
    for at in 0..=top {
        let mut row: Vec<u32> = (0..switches as u32).filter(|&s| level[s as usize] == at).collect();
        // Largest components first; ties stay in the order of numbers.
        row.sort_by_key(|&s| {
            let inner = joined[at as usize..].iter().rev();
            inner.map(|of| of[s as usize]).collect::<Vec<u32>>()
        });
        cut(graph, &row, parts, &mut part_of);
    }
    // Parts without a switch are left out.
    let mut used = part_of.clone();
    used.sort_unstable();
    used.dedup();
    let number = |part: u32| used.partition_point(|&u| u < part) as u32;
    (used.len(), part_of.into_iter().map(number).collect())
}

fn neighbours(graph: &Graph, switch: u32) -> impl Iterator<Item = u32> + '_ {
    (0..graph.ports(switch) as u8).filter_map(move |port| match graph.peer(switch, port) {
        Endpoint::Port { switch, .. } => Some(switch),
        _ => None,
    })
}

/// Distance of each switch from the nearest one with an end node.
fn levels(graph: &Graph) -> Vec<u32> {
    let mut level = vec![u32::MAX; graph.switches()];
    let mut row: Vec<u32> = (0..graph.nodes() as u32).map(|n| graph.node_port(n).0).collect();
    let mut at = 0;
    while !row.is_empty() {
        row.retain(|&s| {
            let new = level[s as usize] == u32::MAX;
            level[s as usize] = level[s as usize].min(at);
            new
        });
        row = row.iter().flat_map(|&s| neighbours(graph, s)).collect();
        at += 1;
    }
    level
}

/// For each switch up to level `top`, the lowest switch that it is connected with through such
/// switches.
fn components(graph: &Graph, level: &[u32], top: u32) -> Vec<u32> {
    let mut of = vec![u32::MAX; graph.switches()];
    let mut open = Vec::new();
    for first in 0..graph.switches() as u32 {
        open.push(first);
        while let Some(s) = open.pop() {
            if level[s as usize] <= top && of[s as usize] == u32::MAX {
                of[s as usize] = first;
                open.extend(neighbours(graph, s));
            }
        }
    }
    of
}

/// Cuts a row of switches into ranges of equally many ports.
fn cut(graph: &Graph, row: &[u32], parts: usize, part_of: &mut [u32]) {
    let total: u64 = row.iter().map(|&s| u64::from(graph.ports(s))).sum();
    let mut before = 0;
    for &switch in row {
        let ports = u64::from(graph.ports(switch));
        // By the middle of the switch, in halves of ports.
        part_of[switch as usize] = ((2 * before + ports) * parts as u64 / (2 * total)) as u32;
        before += ports;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topology::{BuildOptions, Network, TopologyConfig};
    use turnpool::PoolKind;

    fn graph(topology: &TopologyConfig) -> Graph {
        let options = BuildOptions { pool: PoolKind::Extended, ..BuildOptions::default() };
        Network::build(topology, &options).expect("a legal topology").graph().clone()
    }

    /// Links between switches, and those of them that are cut.
    fn cuts(graph: &Graph, of_switch: &[u32]) -> (usize, usize) {
        let part = |s: u32| of_switch[s as usize];
        let links = (0..graph.switches() as u32)
            .flat_map(|s| neighbours(graph, s).map(move |n| (s, n)))
            .filter(|(s, n)| s < n);
        links.fold((0, 0), |(all, cut), (s, n)| (all + 1, cut + usize::from(part(s) != part(n))))
    }

    // Balance: every part has as many switches and nodes as the others. Few cuts: of a BMIN in two,
    // only links of the top stage.
    #[test]
    fn a_bmin_is_cut_into_equal_subtrees() {
        let graph = graph(&TopologyConfig::Bmin { nodes: 512 });
        for parts in [2, 4, 8] {
            let (found, of_switch) = partition(&graph, parts);
            assert_eq!(found, parts);
            for part in 0..parts as u32 {
                let is_in = |s: &u32| of_switch[*s as usize] == part;
                let switches = (0..graph.switches() as u32).filter(is_in).count();
                assert_eq!(switches, graph.switches() / parts);
                let of_node = |n| graph.node_port(n).0;
                let nodes = (0..graph.nodes() as u32).map(of_node).filter(is_in).count();
                assert_eq!(nodes, graph.nodes() / parts);
            }
        }
        // 4 of 4 x 512 links between stages lead to the top stage; half of these go to the other
        // part.
        let (all, cut) = cuts(&graph, &partition(&graph, 2).1);
        assert_eq!((all, cut), (2048, 256));
    }

    // Parts are numbered without gaps, whatever their number.
    #[test]
    fn every_part_has_a_switch() {
        let topologies =
            [TopologyConfig::Bmin { nodes: 32 }, TopologyConfig::SingleSwitch { ports: 8 }];
        for graph in topologies.iter().map(graph) {
            for parts in [1, 2, 3, 5, 1000] {
                let (found, mut used) = partition(&graph, parts);
                assert!((1..=parts.min(graph.switches())).contains(&found));
                assert_eq!(used.len(), graph.switches());
                used.sort_unstable();
                used.dedup();
                assert!(used.into_iter().eq(0..found as u32));
            }
        }
    }
}
