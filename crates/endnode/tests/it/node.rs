//! The whole node under two clocks.

use crate::common::{ENDNODE, NODES, PACKET, Setup, WIDTH, World, group};
use flow_control::Control;
use plan::{AdmittanceArbiter, EndNodeConfig, GeneratorRule, SchemeKind};
use proptest::prelude::*;
use std::collections::BTreeSet;
use turnpool::Point;
use workload::GroupConfig;

fn setup() -> impl Strategy<Value = Setup> {
    let schemes = [SchemeKind::OneQueue, SchemeKind::VoqNet, SchemeKind::Damq, SchemeKind::Recn];
    let arbiters =
        [AdmittanceArbiter::RoundRobin, AdmittanceArbiter::Random, AdmittanceArbiter::OldestFirst];
    let rules = [GeneratorRule::Drop, GeneratorRule::Delayed];
    let window = prop::option::of(1_u32..4);
    (
        prop::sample::select(schemes.to_vec()),
        prop::sample::select(arbiters.to_vec()),
        prop::sample::select(rules.to_vec()),
        (window, 0_u64..200),
        (any::<bool>(), any::<bool>()),
        any::<u64>(),
    )
        .prop_map(|(scheme, admittance_arbiter, generator, closed, flags, seed)| {
            let ((window, think_ns), (credit, reply_vcs)) = (closed, flags);
            let requests = GroupConfig {
                reply_bytes: Some(3 * PACKET),
                think_ns: if window.is_some() { think_ns } else { 0 },
                window,
                ..group(0, 1)
            };
            let odd = GroupConfig {
                message_bytes: Some(workload::MessageBytes::Fixed(PACKET + 36)),
                ..group(0, 2)
            };
            Setup {
                scheme,
                memory_bytes: 2048,
                endnode: EndNodeConfig {
                    admittance_bytes: Some(4 * PACKET),
                    admittance_arbiter,
                    generator,
                    ..ENDNODE
                },
                groups: vec![requests, odd, group(1, 2), group(3, 0)],
                credit,
                reply_vcs: scheme.allows_vcs() && reply_vcs,
                seed,
                ..Setup::default()
            }
        })
}

/// A run in which a congestion tree behind node 1 comes to node 0, where there are SAQs, then one
/// that is further on; both get Xoff and Xon.
fn run(setup: &Setup, every: bool, mut controlled: Vec<u64>) -> World {
    let mut world = World::new(setup);
    controlled.sort_unstable();
    let near = Point::from_turn(turnpool::turn(0, 1, NODES), WIDTH);
    let turns = near.turns();
    let far = Point::from_bits(turns, 2 * near.bits());
    let first = [Control::Notification(near), Control::Xoff(near), Control::Notification(far)];
    let later = [Control::Xoff(far), Control::Xon(near), Control::Xon(far), Control::Xoff(near)];
    let controls = first.into_iter().chain(later.into_iter().cycle());
    for (tick, control) in controlled.into_iter().zip(controls) {
        world.run(tick, every);
        if setup.scheme == SchemeKind::Recn {
            world.control(0, control);
        }
    }
    world.run(5_000, every);
    world
}

// What is asked for is all that there is to do: a clock that visits everything in every tick sees
// the same run. Replies have a VC of their own or not.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_clock_that_visits_everything_sees_the_same(
        setup in setup(),
        controlled in prop::collection::vec(0_u64..2_000, 0..16),
    ) {
        let (asked, all) = (run(&setup, false, controlled.clone()), run(&setup, true, controlled));
        prop_assert_eq!(&asked.fake.offers, &all.fake.offers);
        prop_assert_eq!(&asked.fake.events, &all.fake.events);
        prop_assert!(!asked.fake.events.is_empty());
        let vcs: BTreeSet<u8> = asked.fake.sent.iter().map(|(_, packet)| packet.vc.0).collect();
        prop_assert_eq!(vcs, (0..=u8::from(setup.reply_vcs)).collect::<BTreeSet<u8>>());
    }
}

// Everything that was generated arrives, and everything is at home then.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_world_that_has_run_dry_is_empty(setup in setup()) {
        let mut world = World::new(&Setup { credit: true, ..setup });
        world.run(100_000, false);
        let left = world.nodes.iter().find_map(|node| node.left_over());
        prop_assert_eq!(left, None);
        let offers = world.fake.offers.iter().filter(|offer| !offer.refused);
        let packets: u32 = offers.map(|offer| offer.packets).sum();
        prop_assert_eq!(packets as usize, world.fake.ejected.len());
    }
}
