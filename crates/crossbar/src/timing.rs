//! How long a transfer holds its crossbar input and output.

use units::{Span, Tick, TimeBase};

/// The tick at which a transfer through the crossbar ends and its input and output are free again:
/// at speedup > 1 a packet may be read faster than it arrives (spec `clock.md`). `tail_in`: when
/// its last phit is in the input memory; `phit`: the time of one on the crossbar.
#[inline]
pub fn transfer_end(start: Tick, length: Span, tail_in: Tick, phit: Span) -> Tick {
    (start + length).max(tail_in + phit)
}

/// How long the crossbar takes for a packet of `bytes` that pays `overhead_bytes` beside its own
/// (spec `clock.md`, `crossbar_overhead_bytes`, default 0); each is rounded up to whole phits, as a
/// packet and a control packet are on a link.
#[inline]
pub fn crossbar_length_ticks(time_base: &TimeBase, bytes: u32, overhead_bytes: u32) -> Span {
    time_base.crossbar_ticks(bytes) + time_base.crossbar_ticks(overhead_bytes)
}
