//! Transfers end as specified.

use crossbar::{crossbar_length_ticks, transfer_end};
use units::{Ratio, Span, Tick, TimeBase};

const SPEEDUPS: [(u64, u64); 4] = [(1, 1), (3, 2), (2, 1), (4, 3)];

fn time_base(phit_bytes: u32, (num, den): (u64, u64)) -> TimeBase {
    let speedup = Ratio::new(num, den).unwrap();
    TimeBase::new(phit_bytes, Ratio::new(1, 1).unwrap(), speedup).unwrap()
}

// "Both are exact, so no speedup is ever rounded": 64 bytes take 64 / (1 byte/ns * speedup).
#[test]
fn stored_packets_take_exactly_their_length() {
    for (num, den) in SPEEDUPS {
        let base = time_base(2, (num, den));
        let (length, per_ns) = (crossbar_length_ticks(&base, 64, 0), base.ticks_per_ns());
        assert_eq!(length.0 * per_ns.den() * num, 64 * den * per_ns.num(), "speedup {num}/{den}");
    }
}

// "a cut-through transfer ends at max(start + length / crossbar rate, arrival of the tail + one
// phit)": packets that arrive back to back on a link leave the crossbar exactly one link packet
// time apart, whatever the speedup.
#[test]
fn cut_through_packets_keep_the_pace_of_the_link() {
    for speedup in SPEEDUPS {
        let base = time_base(2, speedup);
        let (link, phit) = (base.link_ticks(64), base.crossbar_phit_ticks());
        let length = crossbar_length_ticks(&base, 64, 0);
        let mut free_at = Tick::ZERO;
        for packet in 0..100_000 {
            let head_in = Tick::ZERO + link * packet + base.link_phit_ticks();
            let tail_in = Tick::ZERO + link * (packet + 1);
            let start = free_at.max(head_in);
            let end = transfer_end(start, length, tail_in, phit);
            assert_eq!(end, tail_in + phit, "speedup {speedup:?}, packet {packet}");
            free_at = end;
        }
    }
}

// The two arms of the maximum, at speedup 3/2: link phit 3 ticks, crossbar phit 2 ticks.
#[test]
fn transfer_ends_at_the_later_of_rate_and_tail() {
    let base = time_base(2, (3, 2));
    let length = crossbar_length_ticks(&base, 64, 0);
    assert_eq!(length, Span(64));
    let end = |tail_in| transfer_end(Tick(100), length, Tick(tail_in), Span(2));
    assert_eq!(end(10), Tick(164)); // stored whole
    assert_eq!(end(162), Tick(164)); // just in time
    assert_eq!(end(163), Tick(165)); // waits for its tail
}

// "with the size of a control packet link and crossbar have the same data rate" (clock.md), for
// sizes that are no whole phits.
#[test]
fn overhead_of_a_control_packet_gives_the_rate_of_a_link() {
    for (phit, packet, control) in [(2, 64, 6), (4, 64, 6), (4, 2068, 6), (4, 66, 6), (2, 64, 0)] {
        let base = time_base(phit, (1, 1));
        assert_eq!(
            crossbar_length_ticks(&base, packet, control),
            base.link_ticks(packet) + base.link_ticks(control)
        );
    }
}
