//! Pause of virtual channels: registers, and the headroom against a model of a link, tick by tick.

mod headroom;
mod model;
mod registers;

use flow_control::LinkLoop;
use units::{Ratio, Span};

/// A byte a tick, packets of 8 bytes that go and of 6 that come.
fn link() -> LinkLoop {
    LinkLoop {
        ticks_per_byte: Ratio::ONE,
        wire: Span(5),
        stages: Span(3),
        our_packet_bytes: 8,
        their_packet_bytes: 6,
        pause_bytes: 2,
        other_words: 0,
        cell_bytes_per_byte: Ratio::ONE,
    }
}
