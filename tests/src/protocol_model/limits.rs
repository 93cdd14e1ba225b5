//! SAQs, thresholds and times of a model.

use super::time::{RETRY, TIMER};
use flow_control::{Edge, Thresholds};
use recn::RecnConfig;
use units::Span;

/// SAQs and thresholds of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// SAQs per port of a switch.
    pub saqs: u8,
    /// SAQs of an injection memory: fewer than at the switches, and there are refusals over links.
    pub injection_saqs: u8,
    /// Egress detection, ingress detection, propagation, Xoff, Xon, in packets.
    pub thresholds: (u32, u32, u32, u32, u32),
    /// `recn-dd-iq`: outputs have CAM lines without queues.
    pub iq_egress_lines: bool,
}

impl Limits {
    /// As the switch takes them. A time is over when its event says so.
    pub fn config(self) -> RecnConfig {
        let (egress, ingress, propagation, xoff, xon) = self.thresholds;
        RecnConfig {
            saqs: self.saqs,
            detection_egress_packets: egress,
            detection_ingress_packets: ingress,
            propagation_packets: propagation,
            thresholds: Thresholds::new(xoff, xon, Edge::Reached).expect("Xon is not above Xoff"),
            saq_timer: TIMER,
            retry: RETRY,
            xoff_repeat: TIMER,
            ppu_interval: Span::TICK,
            iq_egress_lines: self.iq_egress_lines,
            root_xoff_packets: None,
        }
    }
}

/// How long the timers of a line run: `saq_timer`, `retry`, `xoff_repeat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timers {
    /// As short as they get: over in the next commit.
    Short,
    /// Each as long as it likes.
    Any,
}

impl Timers {
    /// Name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Timers::Short => "short",
            Timers::Any => "any",
        }
    }
}
