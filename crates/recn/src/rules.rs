//! What the versions of RECN differ in, as data.

use crate::config::{RecnConfig, SchemeKind};

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

/// The rules of a version (spec: recn.md, table of versions).
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
    /// The rules of a scheme, if it has SAQs.
    pub const fn of(scheme: SchemeKind) -> Option<Rules> {
        match scheme {
            SchemeKind::RecnBasic => Some(Rules {
                tokens: true,
                refuses_more_specific: true,
                ingress_detection: IngressDetection::None,
            }),
            SchemeKind::Recn => Some(Rules {
                tokens: true,
                refuses_more_specific: false,
                ingress_detection: IngressDetection::Swap,
            }),
            SchemeKind::RecnDd => Some(Rules {
                tokens: false,
                refuses_more_specific: false,
                ingress_detection: IngressDetection::Swap,
            }),
            SchemeKind::RecnDdIq => Some(Rules {
                tokens: false,
                refuses_more_specific: false,
                ingress_detection: IngressDetection::Count,
            }),
            SchemeKind::OneQueue
            | SchemeKind::VoqSw
            | SchemeKind::VoqNet
            | SchemeKind::Dbbm
            | SchemeKind::Damq => None,
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
