//! "Property, for the default protocol: after any sequence of failures and recoveries the `pruned`
//! tables equal those computed from scratch" (issue): random networks, failures and repairs at any
//! moment, messages in any order.

use super::network::{Action, Network};
use super::shape::{Shape, complete, ring, rook, spread};
use hierarchy::recovery::{Configured, Effect, Protocol, Recovery};
use proptest::prelude::*;
use std::sync::Arc;

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
        let due = self.network.due(&self.shape);
        let next = due.get(usize::from(which) % due.len().max(1));
        next.map(|&action| self.step(action)).is_some()
    }

    fn rest(&mut self, order: &[u16]) {
        let mut steps = (0..STEPS_MAX).map(|step| order[step % order.len()]);
        assert!(!steps.all(|which| self.one_due(which)), "no rest after {STEPS_MAX} steps");
        let Network { whole, working, .. } = &self.network;
        assert_eq!(self.network.wrong(&self.shape), [], "{whole:?} {working:?}");
        assert_eq!(self.shown, entries(&self.shape, &self.network), "as shown");
    }
}

/// All entries, by router.
fn entries(shape: &Shape, network: &Network) -> Vec<Vec<u64>> {
    let of = |(tables, unit): (&Arc<Configured>, &Arc<Recovery>)| {
        tables.table().iter().map(|(region, _)| unit.entry(region)).collect()
    };
    shape.tables.iter().zip(&network.routers).map(of).collect()
}

proptest! {
    #![proptest_config(crate::fixed::fixed(4000, 2020))]

    #[test]
    fn tables_at_rest_are_those_from_scratch(
        shape in shape(),
        ops in prop::collection::vec(op(), 0..120),
    ) {
        let network = Network::new(&shape, Protocol::PerEntry);
        let configured = entries(&shape, &network);
        let mut run = Run { shape, network, shown: configured.clone() };
        for op in &ops {
            match op {
                Op::Fault(which) => {
                    let mut faults = run.network.faults().collect::<Vec<_>>();
                    run.step(faults.swap_remove(usize::from(*which) % faults.len()));
                }
                Op::Due(which) => _ = run.one_due(*which),
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
        prop_assert_eq!(entries(&run.shape, &run.network), configured);
    }
}
