//! Tables recomputed after faults: shortest ways on what is left (spec: rsi.md, `faults.tables`).

use hierarchy::{NodeShape, PortKind, Region, TwoLevelTable};
use units::PortId;

use crate::deadlock::Deadlock;
use crate::graph::{FAR, Graph, levels};
use crate::hierarchical::{Hierarchy, channels};

impl Hierarchy {
    /// Shortest ways over the live ports, `live(switch)` a bit each: T1 within the super node, T2
    /// by any way. `None` where they need more virtual channels than there are, or can deadlock.
    pub fn recompute(
        &self,
        graph: &Graph,
        vcs: u8,
        live: &dyn Fn(u32) -> u64,
    ) -> Option<Vec<TwoLevelTable>> {
        let left = Left { graph, shapes: self.shapes(), live };
        let tables = left.tables();
        let shapes: Vec<NodeShape> =
            (0..).zip(self.shapes()).map(|(s, of)| left.shape(s, of)).collect();
        let checked = channels::check(graph, &shapes, &tables, self.routing, vcs).ok()?;
        (checked.deadlock == Deadlock::Free).then_some(tables)
    }

    /// The configured tables less what leads nowhere over the live ports: what every router has
    /// when fault discovery has come to rest (`pruned`).
    pub fn prune(&self, graph: &Graph, live: &dyn Fn(u32) -> u64) -> Vec<TwoLevelTable> {
        let left = Left { graph, shapes: self.shapes(), live };
        let mut tables = self.tables().to_vec();
        // Configured ports lead nearer, so this ends.
        while left.prune(&mut tables) {}
        tables
    }
}

struct Left<'a> {
    graph: &'a Graph,
    shapes: &'a [NodeShape],
    live: &'a dyn Fn(u32) -> u64,
}

impl Left<'_> {
    /// Live ports to other switches, with the switch behind each.
    fn neighbours(&self, switch: u32, ports: u64) -> impl Iterator<Item = (u8, u32)> + '_ {
        let ports = ports & (self.live)(switch);
        self.graph.neighbours(switch).filter(move |&(port, _)| ports >> port & 1 == 1)
    }

    /// Hops of every switch to the nearest of `to`, over ports of `of`.
    fn distances(&self, to: &[u32], of: fn(&NodeShape) -> u64) -> Vec<u32> {
        let live = to.iter().copied().filter(|&switch| (self.live)(switch) != 0);
        levels(self.shapes.len(), live, |switch| {
            self.neighbours(switch, of(&self.shapes[switch as usize])).map(|(_, next)| next)
        })
    }

    fn nearer(&self, switch: u32, ports: u64, distances: &[u32]) -> u64 {
        let here = distances[switch as usize];
        self.neighbours(switch, ports)
            .filter(|&(_, next)| {
                here != FAR && distances[next as usize].checked_add(1) == Some(here)
            })
            .fold(0, |set, (port, _)| set | 1 << port)
    }

    fn tables(&self) -> Vec<TwoLevelTable> {
        let last = self.shapes[self.shapes.len() - 1].address;
        let (nodes, super_nodes) = (usize::from(last.node) + 1, usize::from(last.super_node) + 1);
        let switches = self.shapes.len();
        let mut t1 = vec![vec![0; nodes]; switches];
        let mut t2 = vec![vec![0; super_nodes]; switches];
        for to in 0..switches as u32 {
            let address = self.shapes[to as usize].address;
            let distances = self.distances(&[to], NodeShape::local);
            let first = usize::from(address.super_node) * nodes;
            let own = t1.iter_mut().zip(self.shapes).enumerate();
            for (from, (row, shape)) in own.skip(first).take(nodes) {
                let ports = self.nearer(from as u32, shape.local(), &distances);
                row[usize::from(address.node)] = ports;
            }
        }
        for super_node in 0..super_nodes {
            let first = (super_node * nodes) as u32;
            let there: Vec<u32> = (first..first + nodes as u32).collect();
            let all = |shape: &NodeShape| shape.local() | shape.global();
            let distances = self.distances(&there, all);
            for (from, row) in t2.iter_mut().enumerate() {
                row[super_node] = self.nearer(from as u32, all(&self.shapes[from]), &distances);
            }
        }
        let tables = t1.into_iter().zip(t2);
        tables.map(|(t1, t2)| TwoLevelTable::new(t1.into(), t2.into())).collect()
    }

    /// Takes out ports that lead nowhere. Whether there were any.
    fn prune(&self, tables: &mut [TwoLevelTable]) -> bool {
        let mut changed = false;
        for (switch, shape) in (0..).zip(self.shapes) {
            let entries: Vec<_> = tables[switch as usize].iter().collect();
            for (region, ports) in entries {
                let leads = |next: u32| {
                    let there = self.shapes[next as usize].address;
                    let is_there = match region {
                        Region::Node(node) => there.node == node,
                        Region::SuperNode(super_node) => there.super_node == super_node,
                    };
                    is_there || tables[next as usize].entry(region) != 0
                };
                let kept = self
                    .neighbours(switch, ports & (shape.local() | shape.global()))
                    .filter(|&(_, next)| leads(next))
                    .fold(0, |set, (port, _)| set | 1 << port);
                changed |= kept != ports;
                tables[switch as usize].set(region, kept);
            }
        }
        changed
    }

    /// A node of which dead ports lead nowhere.
    fn shape(&self, switch: u32, whole: &NodeShape) -> NodeShape {
        let live = (self.live)(switch);
        let kind = |port: usize| match whole.kind(PortId::at(port)) {
            PortKind::Local | PortKind::Global(_) if live >> port & 1 == 0 => PortKind::Unconnected,
            kind => kind,
        };
        NodeShape::new(whole.address, (0..whole.ports()).map(kind).collect())
    }
}
