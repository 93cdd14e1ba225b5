//! "Property, for the default protocol: after any sequence of failures and recoveries the `pruned`
//! tables equal those computed from scratch" (issue): random networks, failures and repairs at any
//! moment, messages in any order.

use super::network::{Action, Network};
use super::shape::{Shape, complete, ring, rook, spread};
use hierarchy::recovery::{Effect, Protocol};
use proptest::prelude::*;

/// Messages and notices after which a network without faults must be at rest.
const STEPS_MAX: usize = 100_000;

/// A local graph: nodes, edges.
fn local() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    prop_oneof![
        4 => (1..=5_usize).prop_map(|nodes| (nodes, complete(nodes))),
        2 => Just((4, ring(4))),
        1 => Just((5, ring(5))),
        1 => Just((4, rook(2))),
        2 => Just((9, rook(3))),
    ]
}

/// A network: super nodes with one or two links a pair, at times a pair without any, or with links
/// anywhere.
fn shape() -> impl Strategy<Value = Shape> {
    let global = (1..=4_usize, 1..=2_usize, any::<bool>(), any::<bool>());
    let anywhere = prop::collection::vec((any::<u16>(), any::<u16>()), 0..8);
    (local(), global, anywhere).prop_map(|((nodes, edges), (count, each, one, wild), anywhere)| {
        let routers = nodes * count;
        let mut links = spread(nodes, count, each);
        if wild {
            links.truncate(links.len() / 2);
            let ends =
                anywhere.iter().map(|&(a, b)| (usize::from(a) % routers, usize::from(b) % routers));
            links.extend(ends.filter(|(a, b)| a / nodes != b / nodes));
        }
        Shape::new((nodes, &edges), count, &links, one)
    })
}

#[derive(Debug, Clone)]
enum Op {
    /// A failure or a repair, of those that are possible: which.
    Fault(u16),
    /// Something that is due, if anything is: which.
    Due(u16),
    /// All that is due, in an order by these numbers, again and again.
    Rest(Vec<u16>),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => any::<u16>().prop_map(Op::Fault),
        8 => any::<u16>().prop_map(Op::Due),
        1 => prop::collection::vec(any::<u16>(), 1..20).prop_map(Op::Rest),
    ]
}

/// A network, and its tables as their copies have them.
struct Run {
    shape: Shape,
    network: Network,
    shown: Vec<Vec<u64>>,
}

impl Run {
    fn step(&mut self, action: Action) {
        let (router, effects) = self.network.step(&self.shape, action);
        for effect in effects {
            if let Effect::Entry { region, ports } = effect {
                let tables = &self.shape.tables[router];
                let at = tables.table().iter().position(|(other, _)| other == region);
                let entry = &mut self.shown[router][at.expect("an entry")];
                assert_ne!(*entry, ports, "an entry is shown that has not changed");
                *entry = ports;
            }
        }
    }

    fn one_due(&mut self, which: u16) -> bool {
        let mut due = Vec::new();
        self.network.due(&self.shape, |action| due.push(action));
        if due.is_empty() {
            return false;
        }
        self.step(due[usize::from(which) % due.len()]);
        true
    }

    fn rest(&mut self, order: &[u16]) {
        for step in 0..STEPS_MAX {
            if !self.one_due(order[step % order.len()]) {
                self.check();
                return;
            }
        }
        panic!("no rest after {STEPS_MAX} steps");
    }

    fn check(&self) {
        for (router, tables) in self.shape.tables.iter().enumerate() {
            for (at, (region, _)) in tables.table().iter().enumerate() {
                let must = self.network.pruned(&self.shape, router, region);
                let what = (router, region, &self.network.whole, &self.network.working);
                assert_eq!(self.network.routers[router].entry(region), must, "{what:?}");
                assert_eq!(self.shown[router][at], must, "as shown: {what:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(crate::fixed::fixed(4000, 2020))]

    #[test]
    fn tables_at_rest_are_those_from_scratch(
        shape in shape(),
        ops in prop::collection::vec(op(), 0..120),
    ) {
        let network = Network::new(&shape, Protocol::PerEntry);
        let entries = shape.tables.iter().map(|tables| {
            tables.table().iter().map(|(_, ports)| ports).collect()
        });
        let shown = entries.collect();
        let mut run = Run { shape, network, shown };
        for op in &ops {
            match op {
                Op::Fault(which) => {
                    let mut faults = Vec::new();
                    run.network.faults(&run.shape, |action| faults.push(action));
                    run.step(faults[usize::from(*which) % faults.len()]);
                }
                Op::Due(which) => {
                    run.one_due(*which);
                }
                Op::Rest(order) => run.rest(order),
            }
        }
        run.rest(&[0, 7, 3]);
        // All is repaired: the tables are as configured.
        for link in 0..run.shape.links.len() {
            run.step(Action::LinkRepaired(link));
        }
        for router in 0..run.shape.tables.len() {
            run.step(Action::RouterRepaired(router));
        }
        run.rest(&[0]);
        for (router, tables) in run.shape.tables.iter().enumerate() {
            for (region, ports) in tables.table().iter() {
                prop_assert_eq!(run.network.routers[router].entry(region), ports);
            }
        }
    }
}
