//! Where congestion notification packets of DCQCN come from.

use units::{Span, Tick};

/// The destination's register of one flow: when its last CNP went out (spec: pfc.md, DCQCN).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct NotificationPoint {
    last: Option<Tick>,
}

impl NotificationPoint {
    /// A marked packet of the flow has come; true where a CNP goes to its source: at most one in
    /// `interval` (key `dcqcn.cnp_interval_ns`). 0: one for each marked packet.
    #[must_use]
    pub fn marked(&mut self, now: Tick, interval: Span) -> bool {
        let notifies = self.last.is_none_or(|last| now.since(last) >= interval);
        if notifies {
            self.last = Some(now);
        }
        notifies
    }
}
