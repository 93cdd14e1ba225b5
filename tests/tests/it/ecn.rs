//! Fabrics with ECN: marks in switches, ACKs, windows and rates. Is everything delivered, in order,
//! and answered by one ACK, and do things move that should?

use crate::agree::{ecn_case, in_none};
use setaside_tests::ecn::case;
use setaside_tests::invariants::put_away;
use setaside_tests::metamorphic::scenario;
use setaside_tests::prelude::*;

/// Packets and ACKs that were ejected.
#[derive(Debug, Default)]
struct Acks {
    /// Marks of packets without an ACK, by source, destination and number.
    open: BTreeMap<(u32, u32, u32), bool>,
    packets: u64,
    acks: u64,
    marked: u64,
}

/// Holds each ACK against its packet.
fn acks(watch: &Watch) -> Acks {
    let mut seen = Acks::default();
    for packet in &watch.ejected {
        if packet.kind == PacketKind::Ack {
            let of = (packet.destination, packet.source, packet.sequence);
            let mark = seen.open.remove(&of).expect("the ACK of a packet that was ejected");
            assert_eq!(packet.mark, mark, "the ACK of {of:?}");
            seen.acks += 1;
        } else {
            let of = (packet.source, packet.destination, packet.sequence);
            let before = seen.open.insert(of, packet.mark);
            assert_eq!(before, None, "{of:?} was ejected twice");
            seen.packets += 1;
            seen.marked += u64::from(packet.mark);
        }
    }
    seen
}

/// "Conservation and order as everywhere, ACKs included" (issue): reception checks order and
/// contents; every packet is answered by one ACK with its mark; nothing is left anywhere.
#[test]
fn everything_is_delivered_answered_and_put_away() {
    in_none(&[("ecn", (1_500, 2002), |seed| case(seed, 4_000))], |config, _| {
        let until = config.run.duration + Span(1_000);
        match put_away(config, Engine::Fast, (until, Tick(40_000_000)), Watch::default()) {
            Ok(seen) => {
                let open = acks(&seen).open;
                (!open.is_empty()).then(|| format!("not answered: {open:?}"))
            }
            Err(what) => Some(what),
        }
    });
}

/// The summary counts what was ejected, in cases that do mark, close windows and slow down.
#[test]
fn the_summary_counts_what_was_ejected_and_cases_are_worth_something() {
    let (mut marked, mut answers, mut events, mut at_rest, mut slow) = (0, 0, 0, 0, 0);
    for seed in 0..150 {
        let config = ecn_case(seed);
        let (watch, record) = outcome_with(&config, Engine::Fast, Watch::default());
        let (seen, ecn) = (acks(&watch), record.summary.ecn.expect("there is ECN"));
        assert_eq!(ecn.acks_delivered, seen.acks, "seed {seed}");
        assert_eq!(ecn.packets_marked, seen.marked, "seed {seed}");
        assert_eq!(record.summary.packets_delivered, seen.packets, "seed {seed}");
        let groups: u64 = ecn.groups_marked.values().sum();
        assert_eq!(groups, seen.marked, "seed {seed}");
        assert!(ecn.events_at_rest <= ecn.events, "seed {seed}");
        assert_eq!(record.summary.out_of_order, 0, "seed {seed}");
        marked += ecn.packets_marked;
        answers += ecn.acks_delivered;
        events += ecn.events;
        at_rest += ecn.events_at_rest;
        slow += u64::from(record.summary.packets_in_flight > 0);
    }
    assert!(marked > 1_000, "{marked} marked");
    assert!(answers > 5_000, "{answers} ACKs");
    assert!(events > 1_000, "{events} events");
    assert!(at_rest > 300 && at_rest < events, "{at_rest} events at rest");
    assert!(slow > 20, "{slow} runs with something left at their end");
}

// A bound on bypassing counts older packets of the same VC: those of another would join the VCs of
// a torus, whose routes then lock. Found by the cases above.
#[test]
fn a_bound_on_bypassing_leaves_vcs_apart() {
    let config = case(6_778_485_881_248_538_164, 4_000);
    assert!(config.switch.vcs > 1 && config.switch.max_bypass == Some(0));
    put_away(&config, Engine::Fast, (Tick(0), Tick(40_000_000)), ()).expect("drained");
}

/// Nodes 1 to 4 send all they can to node 7, node 4 half of it to node 5; node 7 sends to node 6,
/// and node 6 a bit to node 0.
const HELD_UP: &str = r#"
[network]
topology = "single-switch"
nodes = 8
[switch]
scheme = "voq-net"
port_memory_bytes = 16384
[[workload.group]]
name = "hot"
sources = [1, 2, 3]
destinations = [7]
load = 1
[[workload.group]]
name = "both"
sources = [4]
destinations = [5, 7]
pattern = "uniform"
load = 1
[[workload.group]]
name = "answered"
sources = [7]
destinations = [6]
load = 0.5
[[workload.group]]
name = "bystander"
sources = [6]
destinations = [0]
load = 0.25
[run]
duration_ns = 200_000
"#;

/// An isolating scheme isolates ACKs too: those of node 6 to node 7 wait for a congested output,
/// and what node 6 sends to others does not wait for them. In the same way two packets of DCQCN
/// that wait for node 7 leave the way to others free.
#[test]
fn what_waits_for_a_hot_destination_holds_up_nothing_else() {
    let to_others = |sets: &[&str]| {
        let run = record(&scenario(HELD_UP, sets).build().expect("legal"));
        let bytes = |source, destination| {
            let flow =
                |row: &&observe::FlowRow| (row.source, row.destination) == (source, destination);
            run.flows.iter().find(flow).map_or(0, |row| row.bytes)
        };
        [bytes(6, 0), bytes(4, 5)]
    };
    let alone = to_others(&[]);
    assert!(alone[0] > 40_000 && alone[1] > 80_000, "{alone:?}");
    let acks = ["ecn.response=none", "ecn.window=unbounded"];
    // With a window of one packet a round trip bounds what node 4 gets through to node 5.
    for (sets, flows) in [(&acks[..], 2), (&acks[..1], 1), (&["ecn.response=dcqcn"], 2)] {
        let with = to_others(sets);
        let holds =
            alone.iter().zip(&with).take(flows).all(|(alone, with)| with * 100 >= alone * 98);
        assert!(holds, "{sets:?}: {with:?} of {alone:?}");
    }
}
