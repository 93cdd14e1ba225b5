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
    ///
    /// ```
    /// use ecn::response::NotificationPoint;
    /// use units::{Span, Tick};
    /// let mut point = NotificationPoint::default();
    /// let mut notifies = |tick| point.marked(Tick(tick), Span(50));
    /// assert_eq!([notifies(5), notifies(54), notifies(55)], [true, false, true]);
    /// ```
    #[must_use]
    pub fn marked(&mut self, now: Tick, interval: Span) -> bool {
        let notifies = self.last.is_none_or(|last| now.since(last) >= interval);
        if notifies {
            self.last = Some(now);
        }
        notifies
    }
}
