//! Do the counts of the RECN protocol say what happened? That each is what the raw events say:
//! `oracle.rs`.

use fabric::{Engine, Run};
use flow_control::Control;
use observe::{Event, Side};
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

/// The events of a run.
fn events(config: &FabricConfig) -> Vec<Seen> {
    let mut run =
        Run::with(config, Engine::Fast, Erased::new(Watch::with_events())).expect("legal");
    run.step(config.run.duration).expect("no deadlock");
    run.finish(0.0).1.into::<Watch>().events
}

/// A case that runs on until its SAQs have come and gone.
fn long_case(scheme: SchemeKind, seed: u64) -> FabricConfig {
    let mut config = adversarial(scheme, seed);
    config.run.duration = Tick(3 * config.run.duration.0);
    config
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
    let (turn, ports) = (point.first(network.turn_width(switch)), network.graph().ports(switch));
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
        let tokens = scheme.version().is_some_and(|version| Rules::of(version).tokens);
        let mut said = 0;
        for seed in 0..60 {
            let config = long_case(scheme, seed);
            let events = events(&config);
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
