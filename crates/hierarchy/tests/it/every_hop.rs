//! What the check for deadlocks reads is what routers do: [`Router::every_hop`] against
//! [`Router::choose`], for random routers, packets and counters.

use crate::common::{Bench, TH};
use hierarchy::{
    Address, Algorithm, Choice, Hop, NodeShape, PortKind, Routing, Selection, Trip, TwoLevelTable,
    VcScheme, Via,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use units::PortId;

const NODES: u16 = 3;
const SUPER_NODES: u16 = 4;
const HERE: Address = Address { super_node: 1, node: 1 };

/// A router, and a packet that comes to it.
#[derive(Debug, Clone)]
struct Case {
    bench: Bench,
    trip: Trip,
    destination: Address,
    in_port: PortId,
}

impl Case {
    fn every_hop(&self) -> BTreeSet<Hop> {
        let mut hops = BTreeSet::new();
        let mut visit = |hop| {
            hops.insert(hop);
        };
        self.bench.router().every_hop(self.trip, self.destination, self.in_port, &mut visit);
        hops
    }

    /// The hop that it takes with these counters.
    fn hop(&self, queued: &[u32], seed: u64) -> Option<Hop> {
        let (router, trip) = (self.bench.router(), self.trip.arrive(HERE));
        let choice = self.bench.choose(trip, self.destination, self.in_port, queued, seed);
        let Choice { port, trip } = choice?;
        Some(Hop { port, vc: router.vc(&trip, port), trip: router.leave(trip, port) })
    }

    /// The same where faults have taken its entry.
    fn without_entry(&self) -> Case {
        let mut bare = self.clone();
        let there = self.trip.arrive(HERE).target(self.destination);
        if there != HERE {
            bare.bench.table.set(TwoLevelTable::region(HERE, there), 0);
        }
        bare
    }

    /// All hops that it takes where each port alone is free, and where all are busy; with any
    /// selection, with and without its entry.
    fn hops_taken(&self) -> BTreeSet<Hop> {
        let ports = self.bench.shape.ports();
        let alone = (0..ports).map(|free| {
            let mut queued = vec![TH; ports];
            queued[free] = 0;
            queued
        });
        let counters: Vec<Vec<u32>> = alone.chain([vec![TH; ports]]).collect();
        let mut taken = BTreeSet::new();
        for mut case in [self.clone(), self.without_entry()] {
            for &selection in Selection::ALL {
                case.bench.selection = selection;
                for queued in &counters {
                    taken.extend((0..8).filter_map(|seed| case.hop(queued, seed)));
                }
            }
        }
        taken
    }
}

fn address() -> impl Strategy<Value = Address> {
    (0..SUPER_NODES, 0..NODES).prop_map(|(super_node, node)| Address { super_node, node })
}

fn kind() -> impl Strategy<Value = PortKind> {
    let other = prop::sample::select(vec![0, 2, 3]);
    prop_oneof![
        3 => Just(PortKind::Local),
        3 => other.prop_map(PortKind::Global),
        1 => Just(PortKind::Unconnected),
    ]
}

fn trip() -> impl Strategy<Value = Trip> {
    let via = prop_oneof![
        4 => Just(Via::Nowhere),
        1 => (0..SUPER_NODES).prop_map(Via::SuperNode),
        1 => address().prop_map(Via::Node),
    ];
    (via, any::<bool>(), 0..3_u8, 0..3_u8, 0..2_u8).prop_map(
        |(via, misrouted, globals, locals, local_misroutes)| Trip {
            via,
            misrouted,
            misroutes_here: false,
            globals,
            groups: globals,
            locals,
            local_misroutes,
        },
    )
}

fn case() -> impl Strategy<Value = Case> {
    (
        prop::sample::select(Algorithm::ALL),
        (prop::sample::select(VcScheme::ALL), prop::sample::select(Selection::ALL)),
        prop::collection::vec(kind(), 2..8),
        (prop::collection::vec(any::<u64>(), 7), any::<u64>(), any::<u8>()),
        trip(),
        address(),
    )
        .prop_map(
            |(algorithm, rules, mut kinds, (entries, live, in_port), trip, destination)| {
                let (vc_scheme, selection) = rules;
                kinds.push(PortKind::Node);
                let in_port = PortId(in_port % kinds.len() as u8);
                let shape = NodeShape::new(HERE, kinds.into());
                let (local, all) = (shape.local(), shape.local() | shape.global());
                let t1 = entries[..3].iter().map(|ports| ports & local);
                let t2 = entries[3..].iter().map(|ports| ports & all);
                Case {
                    bench: Bench {
                        routing: Routing { algorithm, vc_scheme, diameter: 2 },
                        table: TwoLevelTable::new(t1.collect(), t2.collect()),
                        shape,
                        live,
                        selection,
                    },
                    // A packet that goes by a place is not one of LAR.
                    trip: Trip {
                        via: match algorithm {
                            Algorithm::Minimal | Algorithm::Lar => Via::Nowhere,
                            _ => trip.via,
                        },
                        ..trip
                    },
                    destination,
                    in_port,
                }
            },
        )
}

fn counters() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop::sample::select(vec![0, TH - 1, TH, 2 * TH]), 8)
}

proptest! {
    #![proptest_config(crate::fixed::fixed(2_000, 2019))]

    // "every (topology, tables, routing, VC scheme) is checked at build time": no router sends a
    // packet where nothing was checked.
    #[test]
    fn what_is_chosen_has_been_checked(
        case in case(),
        queued in counters(),
        seed: u64,
    ) {
        let every = case.every_hop();
        for case in [&case, &case.without_entry()] {
            if let Some(hop) = case.hop(&queued, seed) {
                prop_assert!(every.contains(&hop), "{:?} not in {:?}", hop, every);
            }
        }
    }

    // ... and it refuses nothing for a hop that no router ever takes.
    #[test]
    fn what_is_checked_may_be_chosen(case in case()) {
        prop_assert_eq!(case.hops_taken(), case.every_hop());
    }

    // Packets set out to where the check has them set out: to one of `vias`, or directly where none
    // of them can be reached.
    #[test]
    fn packets_set_out_as_checked(case in case(), queued in counters(), seed: u64) {
        let router = case.bench.router();
        prop_assume!(case.destination != HERE);
        let start = case.bench.start(case.destination, &queued, seed);
        let via = start.via;
        prop_assert_eq!(start, Trip { via, ..Trip::default() });
        let mut vias = router.vias(case.destination);
        let leads = |via: Via| {
            let there = Trip { via, ..Trip::default() }.target(HERE);
            via != Via::Nowhere
                && case.bench.table.entry(TwoLevelTable::region(HERE, there)) & router.live != 0
        };
        if via == Via::Nowhere {
            let direct = router.vias(case.destination).any(|via| via == Via::Nowhere);
            prop_assert!(direct || !vias.any(leads));
        } else {
            prop_assert!(vias.any(|known| known == via) && leads(via));
        }
    }
}
