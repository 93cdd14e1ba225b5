//! How long a transfer holds its crossbar input and output.

use units::{Span, Tick, TimeBase};

/// The tick at which a transfer through the crossbar ends and its input and output are free again.
///
/// Spec `clock.md`: "With speedup > 1 a packet may be read faster than it arrives: a cut-through
/// transfer ends at max(start + length / crossbar rate, arrival of the tail + one phit), and its
/// crossbar input and output stay busy until then." `tail_in` is the tick at which its last phit is
/// in the input memory, `phit` the time of one phit on the crossbar. Whole ticks, so nothing is
/// rounded and back-to-back transfers do not drift.
#[inline]
pub fn transfer_end(start: Tick, length: Span, tail_in: Tick, phit: Span) -> Tick {
    (start + length).max(tail_in + phit)
}

/// How long the crossbar takes for a packet of `bytes` that pays `overhead_bytes` beside its own
/// (spec `clock.md`, `crossbar_overhead_bytes`, default 0).
///
/// Packet and overhead are rounded up to whole phits each for itself, as a packet and a control
/// packet are on a link: so with the overhead of a control packet, at speedup 1, crossbar and link
/// have exactly the same data rate.
#[inline]
pub fn crossbar_length_ticks(time_base: &TimeBase, bytes: u32, overhead_bytes: u32) -> Span {
    time_base.crossbar_ticks(bytes) + time_base.crossbar_ticks(overhead_bytes)
}
