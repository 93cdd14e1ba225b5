//! What an arbiter finds among the heads of queues: the crossbar's ([`mod@crate::scheduler`]) and the link's
//! ([`mod@crate::out_port`]).

use saq::QueueId;
use units::Tick;

/// What is found among the heads that request the same.
pub(crate) struct Heads {
    /// The queue that goes first, and since when its head is visible; for arbiters that read ages the oldest.
    pub(crate) first: Option<(QueueId, Tick)>,
    /// When the first of the others becomes visible.
    pub(crate) invisible: Tick,
    /// One that is visible lacks room or credit.
    pub(crate) starved: bool,
}

impl Default for Heads {
    fn default() -> Heads {
        Heads {
            first: None,
            invisible: Tick::MAX,
            starved: false,
        }
    }
}

impl Heads {
    /// Looks at the head of `queue`; `fits` says whether there is room or credit for it. Returns whether it may go.
    #[inline(always)]
    pub(crate) fn look_at(
        &mut self,
        queue: usize,
        visible: Tick,
        now: Tick,
        fits: impl FnOnce() -> bool,
    ) -> bool {
        if visible > now {
            self.invisible = self.invisible.min(visible);
            return false;
        }
        let fits = fits();
        if fits {
            self.first = Some((queue as QueueId, visible));
        } else {
            self.starved = true;
        }
        fits
    }

    /// The queue that goes first.
    #[inline(always)]
    pub(crate) fn queue(&self) -> Option<QueueId> {
        self.first.map(|(queue, _)| queue)
    }
}
