//! Do the counts of the RECN protocol say what happened? Each is counted again here from the raw
//! events.

use fabric::{Engine, Run};
use flow_control::Control;
use observe::{Event, RecnCounts, Side};
use plan::FabricConfig;
use plan::SchemeKind;
use recn::Rules;
use setaside_tests::erased::Erased;
use setaside_tests::family::adversarial;
use setaside_tests::random::RECN;
use setaside_tests::watch::{Seen, Watch};
use std::collections::{BTreeMap, BTreeSet};
use topology::Endpoint;
use turnpool::Point;
use units::Tick;

/// A side of a port, and a point there.
type Named = (u32, u8, Side, Point);

/// The events of a run, and what its summary counts.
fn events_and_counts(config: &FabricConfig) -> (Vec<Seen>, RecnCounts) {
    let mut run =
        Run::with(config, Engine::Fast, Erased::new(Watch::with_events())).expect("legal");
    run.step(config.run.duration).expect("no deadlock");
    let (record, watch) = run.finish(0.0);
    let watch = watch.into::<Watch>();
    (watch.events, record.summary.recn)
}

/// A case that runs on until its SAQs have come and gone.
fn long_case(scheme: SchemeKind, seed: u64) -> FabricConfig {
    let mut config = adversarial(scheme, seed);
    config.run.duration = Tick(3 * config.run.duration.0);
    config
}

/// The counts by hand, and how many of the early frees came after more than half of the time that
/// is early.
fn counted(config: &FabricConfig, events: &[Seen]) -> (RecnCounts, u64) {
    let two_us = config.time_base.ns_to_ticks_ceil(2000);
    let (mut n, mut late) = (RecnCounts::default(), 0);
    let mut freed: BTreeMap<Named, Tick> = BTreeMap::new();
    for seen in events {
        let named = |point| (seen.element, seen.port, seen.side, point);
        let count = match seen.event {
            Event::SaqAllocated { point, .. } => {
                let ago = freed.remove(&named(point)).map(|then| seen.at - then);
                if ago.is_some_and(|ago| ago <= two_us) {
                    n.early_frees += 1;
                    late += u64::from(ago > Some(two_us / 2));
                }
                &mut n.allocations
            }
            Event::SaqFreed { point, .. } => {
                freed.insert(named(point), seen.at);
                &mut n.frees
            }
            Event::SaqRefused(_) => &mut n.refusals,
            Event::Ignored(_) => &mut n.ignored,
            Event::ControlSent(Control::Notification(_)) => &mut n.notifications,
            Event::ControlSent(Control::Xoff(_)) => &mut n.xoffs,
            Event::ControlSent(Control::Xon(_)) => &mut n.xons,
            Event::ControlSent(Control::Token(_)) => &mut n.tokens,
            Event::ControlSent(Control::Nack(_)) => &mut n.nacks,
            Event::Internal(Control::Notification(_)) => &mut n.internal_notifications,
            Event::Internal(Control::Xoff(_)) => &mut n.internal_xoffs,
            Event::Internal(Control::Xon(_)) => &mut n.internal_xons,
            Event::Internal(Control::Token(_)) => &mut n.internal_tokens,
            _ => continue,
        };
        *count += 1;
    }
    (n, late)
}

/// "Allocations, refusals (no free SAQ), early frees (the same T allocated again at that port
/// within 2 us of being freed), ignored messages, Xoff/Xon and notification counts" (recn.md).
#[test]
fn counts_are_those_of_the_events() {
    for scheme in RECN {
        let (mut total, mut late_frees) = (RecnCounts::default(), 0);
        for seed in 0..60 {
            let config = long_case(scheme, seed);
            let (events, counts) = events_and_counts(&config);
            let (again, late) = counted(&config, &events);
            assert_eq!(counts, again, "{scheme}, seed {seed}");
            total.early_frees += counts.early_frees;
            total.xoffs += counts.xoffs;
            total.internal_xoffs += counts.internal_xoffs;
            total.internal_xons += counts.internal_xons;
            total.internal_notifications += counts.internal_notifications;
            total.tokens += counts.tokens;
            late_frees += late;
        }
        assert!(
            total.early_frees > 100 && late_frees > 20,
            "{scheme}: {late_frees} frees of 1 to 2 us, {total:?}"
        );
        assert!(
            total.xoffs > 100 && total.internal_notifications > 20,
            "{scheme}: {total:?}"
        );
        assert!(
            total.internal_xoffs > 100 && total.internal_xons > 100,
            "{scheme}: {total:?}"
        );
        let tokens = scheme
            .version()
            .is_some_and(|version| Rules::of(version).tokens);
        assert_eq!(total.tokens > 0, tokens, "{scheme}: {total:?}");
    }
}

/// The ingress ports of a switch that a message from `output` can go to.
fn inputs_of(config: &FabricConfig, switch: u32, output: u8) -> BTreeSet<u8> {
    let network = &config.network;
    let ports = network.graph().ports(switch);
    let turn = |input: u8| turnpool::turn(u32::from(input), u32::from(output), ports);
    (0..ports as u8)
        .filter(|&input| network.graph().peer(switch, input) != Endpoint::None)
        .filter(|&input| u64::from(turn(input)) >> network.turn_width(switch) == 0)
        .collect()
}

/// The ingress port whose name for a point behind `output` this is.
fn receiver(config: &FabricConfig, switch: u32, output: u8, point: Point) -> u8 {
    let network = &config.network;
    let (turn, ports) = (
        point.first(network.turn_width(switch)),
        network.graph().ports(switch),
    );
    (0..ports as u8)
        .find(|&input| turnpool::forward(u32::from(input), turn, ports) == u32::from(output))
        .expect("an input")
}

/// Xoff and Xon inside a switch count once for each ingress port that they go to, in every version:
/// "internal Xoff broadcast to all ingress ports of the switch" (recn.md, RECN-DD), to the
/// children, which all hold the point, in the others.
#[test]
fn xoff_inside_a_switch_counts_once_for_each_receiver() {
    for scheme in RECN {
        let tokens = scheme
            .version()
            .is_some_and(|version| Rules::of(version).tokens);
        let mut said = 0;
        for seed in 0..60 {
            let config = long_case(scheme, seed);
            let (events, _) = events_and_counts(&config);
            let mut alive: BTreeSet<Named> = BTreeSet::new();
            let mut told: BTreeMap<(Tick, u32, u8, bool, Point), Vec<u8>> = BTreeMap::new();
            for seen in &events {
                let named = |point| (seen.element, seen.port, seen.side, point);
                match seen.event {
                    Event::SaqAllocated { point, .. } => {
                        alive.insert(named(point));
                    }
                    Event::SaqFreed { point, .. } => {
                        alive.remove(&named(point));
                    }
                    Event::Internal(control @ (Control::Xoff(point) | Control::Xon(point))) => {
                        let input = receiver(&config, seen.element, seen.port, point);
                        let child = (seen.element, input, Side::Ingress, point);
                        assert!(
                            !tokens || alive.contains(&child),
                            "{scheme}, seed {seed}: {seen:?} to in{input}, which is no child"
                        );
                        let width = config.network.turn_width(seen.element);
                        let rest = point.without_first(width).expect("a turn here");
                        let xoff = matches!(control, Control::Xoff(_));
                        let message = (seen.at, seen.element, seen.port, xoff, rest);
                        told.entry(message).or_default().push(input);
                    }
                    _ => {}
                }
            }
            said += told.len();
            for ((at, switch, output, ..), inputs) in told {
                let once: BTreeSet<u8> = inputs.iter().copied().collect();
                let all = inputs_of(&config, switch, output);
                let right = if tokens {
                    once.is_subset(&all) && inputs.len() == once.len()
                } else {
                    once == all && inputs.len() % all.len() == 0
                };
                assert!(
                    right,
                    "{scheme}, seed {seed}: tick {at}, switch {switch} out{output} told {inputs:?} of {all:?}"
                );
            }
        }
        assert!(said > 200, "{scheme}: {said}");
    }
}
