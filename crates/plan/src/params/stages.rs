//! Stage latencies, added up where no unit is in between.

use crate::{Organisation, SwitchConfig};
use units::Span;

/// Sums of stages (spec: clock.md, Stage latencies).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTicks {
    /// Head at the input pin to head stored (`oq`: in the output memory).
    pub ingress: Span,
    /// Start on the crossbar to head stored at the output (`iq`: at the link).
    pub egress: Span,
    /// Head stored to the earliest start of its next transfer.
    pub arbitration: Span,
    /// Credit packet received to credit usable.
    pub credit_return: Span,
    /// Message generated to packet ready for injection.
    pub injection: Span,
}

impl StageTicks {
    pub(super) fn new(config: &SwitchConfig, link_phit: Span) -> StageTicks {
        let s = config.stages;
        let ticks = |phits: u32| link_phit * u64::from(phits);
        let (ingress, egress) = match config.organisation {
            Organisation::Cioq => {
                (s.route + s.lookup + s.enqueue, s.crossbar + s.lookup + s.enqueue)
            }
            Organisation::Iq => (s.route + s.lookup + s.enqueue, s.crossbar),
            Organisation::Oq => (s.route + s.crossbar + s.lookup + s.enqueue, 0),
        };
        StageTicks {
            ingress: ticks(ingress),
            egress: ticks(egress),
            arbitration: ticks(s.arbitration),
            credit_return: ticks(s.credit_return),
            injection: ticks(s.lookup + s.enqueue),
        }
    }
}
