//! What marks, pauses and the bound on passing are told of a packet on its way. A fabric that
//! is not plain and without them pays a branch each time.

use super::{Flat, Kind, Mode, NONE, T};
use observe::Observer;

impl<M: Mode> Flat<M> {
    /// Whether links have credits, not pauses: these are [`super::Timed`] (`needs_order`).
    #[inline(always)]
    pub(crate) fn has_credits(&self) -> bool {
        M::EAGER || !self.pauses.is_on
    }

    /// Step 2: a packet comes to an input over a VC.
    #[inline(never)]
    pub(crate) fn extras_of_store(&mut self, p: usize, k: usize, vc: u8) {
        if self.marks.at_inputs {
            self.stored_where_marked(p, k);
        }
        if self.bypass.is_on {
            self.bypass.stored(p, k, vc);
        }
        if !self.has_credits() {
            self.stored_where_paused(p, k);
        }
    }

    /// Step 1: a packet has started over the crossbar and leaves an input until `end`; it took room
    /// of class `class` behind the output, and held cells of class `held`. The packet that may go
    /// from now on, or [`NONE`].
    #[inline(never)]
    pub(crate) fn extras_of_transfer(
        &mut self,
        (p, to): (usize, usize),
        k: usize,
        (held, class): (u16, u16),
        (end, t): (T, T),
    ) -> u32 {
        if self.marks.at_inputs {
            self.started_where_marked((p, to), k, class, (end, t));
        }
        if !self.has_credits() {
            let cells = self.packets.slots[k].cells;
            self.leaves_where_paused(p, (held, cells), end, t);
        }
        match self.bypass.is_on {
            true => self.bypass.left(p, k),
            false => NONE,
        }
    }

    /// Steps 4 and 5 of all that is due.
    #[inline(never)]
    pub(crate) fn extras_steps(&mut self, observer: &mut impl Observer, t: T) {
        if !self.has_credits() {
            self.pause_steps(observer, t);
        }
        if !self.due[Kind::Mark as usize].is_empty() {
            self.mark_due(t);
        }
    }
}
