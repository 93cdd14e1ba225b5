//! Headroom is exact: the worst sender fills the memory to the last byte. That no sender overflows
//! it is asked of whole fabrics, in random cases with the least memory.

use super::link;
use super::model::{Case, Counts};
use flow_control::{HeadroomError, LinkLoop, PauseRule};
use units::{Ratio, Span};

fn case(link: LinkLoop, xoff: u64, cell: u32, counts: Counts) -> Case {
    Case {
        link,
        rule: PauseRule::new(xoff, 0).unwrap(),
        cell,
        counts,
        short: 1,
        short_until: 0,
        ours: vec![],
        ticks: 2000,
    }
}

/// The most that is stored, whenever the receiver starts its packet and the sender changes over to
/// its longest ones.
fn worst(case: &Case, shorts: &[u32]) -> u64 {
    let (xoff, per_byte) = (case.rule.xoff(), case.link.ticks_per_byte.num());
    let (mut most, mut case) = (0, case.clone());
    // PAUSE is wanted at so many bytes: what starts around then, and until it takes effect.
    let risen = xoff * per_byte + case.link.wire.0 + case.link.stages.0;
    let effective = risen + case.link.headroom(1) * per_byte;
    case.ticks = effective + 100;
    for ours in 0..=risen {
        for short_until in 0..=effective {
            for &short in shorts {
                (case.ours, case.short_until, case.short) = (vec![ours], short_until, short);
                most = most.max(case.run().0);
            }
        }
    }
    most
}

// "Headroom that makes it lossless, in bytes = link rate x (2 x wire + stages at both ends) + one
// longest packet (ours) + one longest packet (theirs) + the PAUSE itself"
#[test]
fn the_formula_is_the_sum_of_its_parts() {
    assert_eq!(link().headroom(1), 2 * 5 + 3 + 8 + 6 + 2);
    assert_eq!(link().headroom(4), 32, "rounded up to cells");
    let slow = LinkLoop { ticks_per_byte: Ratio::new(3, 1).unwrap(), ..link() };
    assert_eq!(slow.headroom(1), 13_u64.div_ceil(3) + 8 + 6 + 2);
    let fast = LinkLoop { ticks_per_byte: Ratio::new(1, 5).unwrap(), ..link() };
    assert_eq!(fast.headroom(1), 13 * 5 + 8 + 6 + 2);
}

#[test]
fn a_memory_that_is_too_small_is_refused_with_the_least() {
    assert_eq!(link().check(100 + 29, 100, 1), Ok(29));
    let error = link().check(100 + 28, 100, 1).unwrap_err();
    let expected = HeadroomError { given: 128, xoff: 100, headroom: 29, least: 129 };
    assert_eq!(error, expected);
    assert!(error.to_string().ends_with("at least 129 are needed"));
    // xoff in the middle of a cell takes all of it.
    assert_eq!(link().check(103, 70, 4).unwrap_err().least, 104);
}

// Exactly enough, and one byte less loses.
#[test]
fn the_worst_sender_fills_the_memory_and_no_more() {
    for per_byte in [1, 2] {
        for (wire, stages) in [(5, 2), (1, 0), (3, 6)] {
            for (ours, theirs, words) in [(8, 6, 0), (1, 1, 0), (4, 9, 0), (5, 3, 3)] {
                let link = LinkLoop {
                    ticks_per_byte: Ratio::new(per_byte, 1).unwrap(),
                    // Whole bytes, so that nothing is rounded.
                    wire: Span(wire * per_byte),
                    stages: Span(stages * per_byte),
                    our_packet_bytes: ours,
                    their_packet_bytes: theirs,
                    other_words: words,
                    ..link()
                };
                let xoff = 12;
                let memory = xoff + link.headroom(1);
                assert_eq!(link.check(memory, xoff, 1), Ok(memory - xoff));
                assert!(link.check(memory - 1, xoff, 1).is_err());
                let case = case(link, xoff, 1, Counts::AsItComes);
                assert_eq!(worst(&case, &[1]), memory, "{link:?}");
            }
        }
    }
}

// The same in cells: as cells are written one by one, one cell less loses. Where a cell counts from
// its first byte on, or a packet from its head on, PAUSE is wanted earlier, and a cell is spare.
// The same where the packets before the last one fill their cells less than it does: these take
// twice their bytes, and the last one its own.
#[test]
fn one_cell_less_loses() {
    let (cell, xoff) = (4, 12);
    let whole = LinkLoop { stages: Span(2), their_packet_bytes: 8, our_packet_bytes: 10, ..link() };
    let half = |their_packet_bytes| LinkLoop {
        their_packet_bytes,
        cell_bytes_per_byte: LinkLoop::cell_bytes_per_byte(cell, [2, their_packet_bytes]),
        ..whole
    };
    let cases = [
        (whole, 4, 32, Counts::WhenFull, 0),
        (whole, 4, 32, Counts::AsItComes, 4),
        (whole, 4, 32, Counts::AtHead, 4),
        (half(8), 2, 2 * 24 + 8, Counts::WhenFull, 0),
        (half(7), 2, 2 * 24 + 8, Counts::WhenFull, 0),
        (half(16), 2, 2 * 24 + 16, Counts::WhenFull, 0),
    ];
    for (link, short, headroom, counts, spare) in cases {
        assert_eq!(link.headroom(cell), headroom);
        let most = worst(&case(link, xoff, cell, counts), &[short]);
        assert_eq!(most, xoff + headroom - spare, "{link:?} {counts:?}");
    }
    // Messages of 4 and 1000 bytes in cells of 64: all but the last packet of 4 bytes each.
    let link = LinkLoop {
        wire: Span(10),
        stages: Span(8),
        our_packet_bytes: 1000,
        their_packet_bytes: 1000,
        pause_bytes: 64,
        cell_bytes_per_byte: LinkLoop::cell_bytes_per_byte(64, [4, 1000]),
        ..link()
    };
    assert_eq!(link.headroom(64), (28 + 1000 + 64) * 16 + 1024);
}

// A memory in bytes: the same from the head on, since the worst sender begins with single bytes.
#[test]
fn counting_at_the_head_is_not_worse() {
    let case = case(link(), 12, 1, Counts::AtHead);
    assert_eq!(worst(&case, &[1, 5]), 12 + link().headroom(1));
}

// Packets that leave their last cell half empty need more headroom than their bytes.
#[test]
fn what_packets_waste_is_reckoned_with() {
    let cell = 4;
    let bytes_alone = LinkLoop { their_packet_bytes: 5, ..link() };
    let whole = LinkLoop {
        cell_bytes_per_byte: LinkLoop::cell_bytes_per_byte(cell, [4, 8, 5]),
        ..bytes_alone
    };
    assert_eq!(whole.cell_bytes_per_byte, Ratio::new(8, 5).unwrap());
    let case = case(whole, 12, cell, Counts::WhenFull);
    let most = worst(&case, &[4, 5]);
    assert!(most > 12 + bytes_alone.headroom(cell), "{most}");
    assert!(most <= 12 + whole.headroom(cell), "{most}");
}

// A PAUSE that is repeated as it runs out comes too late where the repetition has to wait.
#[test]
fn quanta_need_the_spread() {
    let quanta = Span(40);
    let most = |our_packet_bytes| {
        let mut case = case(link(), 12, 1, Counts::WhenFull);
        let limits = LinkLoop { our_packet_bytes, ..link() };
        case.rule = case.rule.with_quanta(quanta, &limits).unwrap();
        let runs = (0..200).map(|ours| {
            // Just before a repetition, again and again.
            case.ours = (0..40).map(|again| ours + 40 * again).collect();
            let (most, pauses) = case.run();
            assert!(pauses > 40);
            most
        });
        runs.max().unwrap()
    };
    assert!(most(8) <= 12 + link().headroom(1));
    assert!(most(7) > 12 + link().headroom(1));
}
