//! What the user sets.

use flow_control::{Edge, Thresholds};
use units::{Span, Tick};

/// Thresholds and sizes of RECN (spec page `recn.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecnConfig {
    /// SAQs and CAM lines per port, 0 to 64.
    pub saqs: u8,
    /// Egress detection fires when the normal queue holds more packets than this.
    pub detection_egress_packets: u32,
    /// Ingress detection fires when a detection queue holds at least this many packets.
    pub detection_ingress_packets: u32,
    /// A SAQ that holds more packets than this notifies upstream.
    pub propagation_packets: u32,
    /// Xoff and Xon of SAQs, in packets.
    pub thresholds: Thresholds,
    /// A SAQ is not freed before this age, nor in the tick of its allocation.
    pub saq_timer: Span,
    /// A refused notification over a link is not repeated before this.
    pub retry: Span,
    /// DD versions: Xoff is repeated on arrivals at most once in this time.
    pub xoff_repeat: Span,
    /// `recn-dd-iq`: the PPU moves at most one packet in this time.
    pub ppu_interval: Span,
    /// `recn-dd-iq`: outputs have CAM lines without queues.
    pub iq_egress_lines: bool,
    /// Xoff from the congested egress queue of a root to its ingress SAQs, in packets, Xon at half;
    /// `None` = off.
    pub root_xoff_packets: Option<u32>,
}

impl RecnConfig {
    /// When the timer of a SAQ ends that was allocated then.
    #[inline]
    pub fn timer_end(&self, allocated: Tick) -> Tick {
        allocated + self.saq_timer.max(Span::TICK)
    }

    /// Thresholds of [`RecnConfig::root_xoff_packets`]: Xon at half.
    pub(crate) fn root_thresholds(&self) -> Option<Thresholds> {
        let xoff = self.root_xoff_packets?;
        Thresholds::new(xoff, xoff / 2, Edge::Reached).ok()
    }
}
