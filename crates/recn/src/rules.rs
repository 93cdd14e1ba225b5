//! What the versions of RECN differ in, as data; and what the user sets.

use flow_control::{Edge, Thresholds};
use units::{Span, Tick};

/// A version of RECN (spec page `recn.md`, table of versions).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// `recn-basic` (garcia-trees-2005 4.1).
    Basic,
    /// `recn`, enhanced (garcia-trees-2005 4.2).
    Enhanced,
    /// `recn-dd`, distributed deallocation (priya-recn-iq-2017 A).
    Dd,
    /// `recn-dd-iq`, with memories at inputs only (priya-recn-iq-2017 B).
    DdIq,
}

/// How congestion is found at an ingress port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IngressDetection {
    /// Not at all (`recn-basic`).
    None,
    /// A detection queue for each output; a full one becomes a SAQ.
    Swap,
    /// A counter for each output of the packets in the one cold queue (`recn-dd-iq`).
    Count,
}

/// The rules of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Notifications, child sets, tokens from the leaves to the root, age; else Xoff is the
    /// notification and every SAQ is freed by itself (the DD versions).
    pub tokens: bool,
    /// A point that is more specific than one the port has is refused.
    pub refuses_more_specific: bool,
    /// Detection at ingress.
    pub ingress_detection: IngressDetection,
}

impl Rules {
    /// The rules of a version.
    pub const fn of(version: Version) -> Rules {
        Rules {
            tokens: matches!(version, Version::Basic | Version::Enhanced),
            refuses_more_specific: matches!(version, Version::Basic),
            ingress_detection: match version {
                Version::Basic => IngressDetection::None,
                Version::Enhanced | Version::Dd => IngressDetection::Swap,
                Version::DdIq => IngressDetection::Count,
            },
        }
    }

    /// Whether so many packets of a detection queue or (`recn-dd-iq`) of an output are congestion.
    #[inline]
    pub const fn detects_at_ingress(self, packets: u32, config: &RecnConfig) -> bool {
        !matches!(self.ingress_detection, IngressDetection::None)
            && packets >= config.detection_ingress_packets
    }

    /// Arrivals always go to the cold queue and are moved to SAQs from its head (PPU).
    pub const fn moves(self) -> bool {
        matches!(self.ingress_detection, IngressDetection::Count)
    }
}

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
