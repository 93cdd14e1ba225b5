//! What only looks at an egress port: what is left over, and what is asked for ahead of its use.

use super::Egress;
use crate::packet::Packets;
use units::Tick;

impl Egress {
    /// Everything is at home in tick `now`: no packet, no marker, no SAQ, all credits back. Names
    /// what is not.
    pub fn left_over(&self, now: Tick) -> Option<String> {
        let unit = self.unit();
        let control = || (!self.link.is_at_rest()).then(|| format!("{unit}: control packets wait"));
        let saqs = || {
            let recn = self.recn.as_ref()?;
            let (in_use, children) = (recn.cam().in_use(), recn.root_children());
            if in_use > 0 {
                return Some(format!("{unit}: {in_use} SAQs in use"));
            }
            (children != 0).then(|| format!("{unit}: tokens of children {children:#b} are away"))
        };
        self.memory
            .left_over(now)
            .or_else(|| self.fcu.left_over())
            .or_else(control)
            .or_else(saqs)
    }

    /// The record itself, ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(self);
        prefetch::line(&self.place);
        self.link.prefetch();
        prefetch::line(&self.fcu);
        self.memory.prefetch();
        prefetch::line(&self.recn);
    }

    /// For an evaluation of the link: the queue that goes next.
    #[inline(always)]
    pub fn prefetch_queue(&self) {
        if let Some(queue) = self.arbiter.first_in_turn() {
            self.memory.prefetch_queue(queue);
        }
    }

    /// For an evaluation of the link: the packet that goes next.
    #[inline(always)]
    pub fn prefetch_packet(&self, packets: &Packets) {
        if let Some(queue) = self.arbiter.first_in_turn()
            && let Some(id) = self.memory.front(queue)
        {
            prefetch::line(&packets[id]);
        }
    }

    /// For a store: the packet that arrives.
    #[inline(always)]
    pub fn prefetch_arrival(&self, packets: &Packets) {
        self.memory.prefetch_next_cell();
        if let Some(id) = self.arrivals.front() {
            prefetch::line(&packets[id]);
        }
    }
}
