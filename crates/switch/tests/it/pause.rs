//! Pause per VC: the words of an input, and the VCs of an output.

use flow_control::{LinkLoop, PauseRule, PauseWord};
use plan::{Organisation, PfcConfig, PfcQueues, SchemeKind, SwitchConfig};
use switch::{NextWord, Overflow, PausedVcs, Pauser};
use units::{Ratio, Span, Tick, VcId};

use crate::common::{Change, fabric, try_params};

const VC: VcId = VcId(1);
const CELL: u32 = 64;

fn rule(xoff_cells: u64, xon_cells: u64) -> PauseRule {
    let cell = u64::from(CELL);
    PauseRule::new(xoff_cells * cell, xon_cells * cell).expect("in order")
}

fn waits(word: PauseWord) -> Option<NextWord> {
    Some(NextWord { vc: VC, back: None, word: Some(word) })
}

// "When what is stored of the VC rises to xoff, PAUSE goes upstream; when it falls to xon or below,
// RESUME." A packet is stored until its tail has left.
#[test]
fn pause_at_xoff_and_resume_at_xon_once_each() {
    let mut port = Pauser::new(rule(3, 1), CELL, 2, 8);
    assert_eq!(port.stored(VC, 2, Tick(1)), Ok(()));
    assert_eq!(port.stored(VC, 1, Tick(5)), Ok(()));
    assert_eq!(port.next_word(Tick(5)), waits(PauseWord::Pause));
    assert_eq!(port.next_word(Tick(5)), None);
    port.started(VC, PauseWord::Pause, Tick(6));
    assert_eq!(port.stored(VC, 1, Tick(7)), Ok(()));
    port.leaves(VC, 2, Tick(20));
    port.leaves(VC, 1, Tick(12));
    assert_eq!(port.next_due(Tick(7)), Tick(11));
    port.settle(Tick(12));
    assert_eq!((port.cells(VC, Tick(12)), port.next_word(Tick(11))), (3, None));
    assert_eq!(port.cells(VC, Tick(20)), 1);
    port.settle(Tick(20));
    assert_eq!(port.next_word(Tick(19)), waits(PauseWord::Resume));
    assert_eq!(port.next_due(Tick(19)), Tick::MAX);
}

// VCs have registers of their own.
#[test]
fn a_vc_does_not_pause_another() {
    let mut port = Pauser::new(rule(2, 0), CELL, 2, 4);
    assert_eq!(port.stored(VcId(0), 1, Tick(1)), Ok(()));
    assert_eq!(port.stored(VC, 1, Tick(1)), Ok(()));
    assert_eq!(port.stored(VC, 1, Tick(2)), Ok(()));
    assert_eq!(port.next_word(Tick(2)), waits(PauseWord::Pause));
    assert_eq!(port.next_word(Tick(2)), None);
    assert_eq!([VcId(0), VC].map(|vc| port.wanted_down_to(vc)), [None, Some(0)]);
}

// "the memory never overflows": a packet without room is a broken invariant, not a drop.
#[test]
fn a_packet_without_room_is_an_overflow() {
    let mut port = Pauser::new(rule(2, 0), CELL, 2, 3);
    assert_eq!(port.stored(VC, 3, Tick(1)), Ok(()));
    port.leaves(VC, 1, Tick(9));
    let overflow = Overflow { stored: 4, vc: VC, share: 3 };
    assert_eq!(port.clone().stored(VC, 1, Tick(8)), Err(overflow));
    assert_eq!(port.stored(VC, 1, Tick(9)), Ok(()));
}

fn link() -> LinkLoop {
    LinkLoop {
        ticks_per_byte: Ratio::new(1, 2).expect("not zero"),
        wire: Span(5),
        stages: Span(3),
        our_packet_bytes: 64,
        their_packet_bytes: 64,
        pause_bytes: 64,
        other_words: 1,
        cell_bytes_per_byte: Ratio::ONE,
    }
}

// With quanta PAUSE runs out at the sender, and the receiver repeats it so early that it has come
// before, though our packet and the word of another VC go first.
#[test]
fn a_pause_with_quanta_is_repeated_in_time() {
    let (quanta, link) = (Span(200), link());
    let rule = rule(2, 0).with_quanta(quanta, &link).expect("long enough");
    let (mut port, mut sender) = (Pauser::new(rule, CELL, 2, 8), PausedVcs::new(rule, 2));
    assert_eq!(port.stored(VC, 2, Tick(1)), Ok(()));
    assert_eq!(port.next_word(Tick(1)), waits(PauseWord::Pause));
    port.started(VC, PauseWord::Pause, Tick(2));
    let again = port.next_due(Tick(2));
    // The word takes 32 ticks, the wire 5.
    let heard = Tick(2) + Span(37);
    assert_eq!(sender.hear(VC, PauseWord::Pause, heard), Some(true));
    assert_eq!(sender.due(VC, heard), Some(heard + quanta));
    assert_eq!(port.next_word(again.before()), None);
    assert_eq!(port.next_word(again), waits(PauseWord::Pause));
    // It starts a tick later, or behind our packet and the word of the other VC.
    let latest = again.next() + link.spread();
    let repeated = latest + Span(37);
    assert!(repeated < heard + quanta, "{repeated} {heard}");
    assert_eq!(sender.run_out(repeated.before()), None);
    assert_eq!(sender.hear(VC, PauseWord::Pause, repeated), None);
    let over = repeated + quanta;
    assert_eq!(sender.run_out(over.before().before()), None);
    assert_eq!(sender.run_out(over.before()), Some(VC));
    assert_eq!(sender.run_out(over.before()), None);
    assert!(!sender.is_closed(VC));
}

// "After a PAUSE no new packet of that VC starts", until RESUME: the last word counts.
#[test]
fn a_sender_heeds_the_last_word() {
    let mut sender = PausedVcs::new(rule(2, 1), 2);
    let words = [PauseWord::Resume, PauseWord::Pause, PauseWord::Pause];
    assert_eq!(words.map(|word| sender.hear(VC, word, Tick(2))), [None, Some(true), None]);
    assert!(sender.is_closed(VC) && !sender.is_closed(VcId(0)));
    // Without quanta it does not run out.
    assert_eq!((sender.due(VC, Tick(4)), sender.run_out(Tick(1 << 40))), (None, None));
    assert_eq!(sender.hear(VC, PauseWord::Resume, Tick(5)), Some(false));
    assert!(!sender.is_closed(VC));
}

fn pfc(xoff_bytes: u64) -> PfcConfig {
    PfcConfig {
        queues: PfcQueues::OneQueue,
        xoff_bytes,
        xon_bytes: 0,
        pause_bytes: 64,
        quanta: Span::ZERO,
        cell_bytes_per_byte: Ratio::ONE,
    }
}

// Headroom by hand: 1 byte/ns, phits of 2 bytes, a tick 2 ns, stages route, lookup, enqueue 3
// ticks: 2 x wire 5 + 3 = 13 ticks = 26 bytes, our packet 64, theirs 64, PAUSE 64: 218, in cells
// 256.
#[test]
fn the_headroom_of_a_link_by_hand() {
    let with = |memory: u32, xoff: u64| {
        let params = try_params(fabric((1, 1)), |config| {
            (config.scheme, config.pfc) = (SchemeKind::Pfc, Some(pfc(xoff)));
            config.port_memory_bytes = memory;
        });
        params.expect("legal").check_headroom(Span(5))
    };
    assert_eq!(with(1024, 768), Ok(Some(256)));
    let error = with(1024, 769).expect_err("a byte too much").to_string();
    let expected = "a memory of 1024 bytes cannot hold xoff of 769 and headroom of 256; at least \
                    1088 are needed";
    assert_eq!(error, expected);
}

#[test]
fn what_does_not_go_with_pause_is_refused() {
    fn of(config: &mut SwitchConfig) -> &mut PfcConfig {
        config.pfc.as_mut().expect("set before")
    }
    let cases: [(Change, &str); 8] = [
        (|c| c.pfc = None, "without its parameters"),
        (|c| c.scheme = SchemeKind::Damq, "legal scheme: pfc"),
        (|c| c.organisation = Organisation::Oq, "legal scheme: 1q"),
        (|c| c.faults = true, "no faults"),
        (|c| of(c).pause_bytes = 0, "0 bytes"),
        (|c| of(c).xon_bytes = 1025, "xon of 1025"),
        (|c| of(c).xoff_bytes = 0, "xoff of 0"),
        (|c| of(c).quanta = Span(10), "PAUSE of 10 ticks"),
    ];
    for (change, part) in cases {
        let params = try_params(fabric((1, 1)), |config| {
            (config.scheme, config.pfc) = (SchemeKind::Pfc, Some(pfc(1024)));
            change(config);
        });
        let error = params.expect_err(part).to_string();
        assert!(error.contains(part), "{error}");
    }
}
