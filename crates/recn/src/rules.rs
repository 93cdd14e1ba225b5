//! What the versions of RECN differ in, as data.

use crate::RecnConfig;

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
