//! PPU: separates congested flows from the others, and each congested flow from the others: an arriving packet goes to
//! the SAQ of the longest match. (In `iq` organisations with SAQs it will also move packets.)

use crate::in_port::InPort;
use saq::QueueId;
use turnpool::Route;

impl InPort {
    /// SAQ of the longest match, by the CAM as committed.
    #[inline]
    pub(crate) fn saq_of(&self, route_with_own_turn: &Route) -> Option<QueueId> {
        let recn = self.recn.as_ref()?;
        recn.cam
            .lookup(route_with_own_turn)
            .map(|line| recn.queue(line))
    }
}
