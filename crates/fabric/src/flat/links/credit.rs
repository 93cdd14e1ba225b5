//! Credit that comes to a port, counted when somebody looks.

use crate::flat::{Flat, Fly, Mode, T};
use observe::{Observer, Side};

impl<M: Mode> Flat<M> {
    /// Counts all credit that has come to a port before tick `t`.
    #[inline(never)]
    pub(crate) fn settle_credit(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        if self.port[p].awaits_credit {
            self.waits_no_more(p);
        }
        let peer = self.port[p].peer as usize;
        if self.port[peer].ready < t && !self.has_named(peer) {
            self.settle_back(observer, peer, t, t);
        }
        self.land(p, t);
    }

    /// Nobody waits for credit at a port any more.
    #[inline(never)]
    pub(super) fn waits_no_more(&mut self, p: usize) {
        let port = &mut self.port[p];
        port.awaits_credit = false;
        let peer = port.peer as usize;
        self.port[peer].returns_urgently = false;
    }

    /// Counts all that has come to a port, or left it, before the present tick: for looks.
    pub(crate) fn settle_unseen(&mut self, p: usize) {
        let t = self.now;
        self.settle_tail(p, t);
        if self.port[p].ready < t {
            self.settle_back(&mut (), p, t, t);
        }
        self.land(p, t);
    }

    /// Counts what has come before tick `t` of what is on its way to a port.
    #[inline(always)]
    pub(crate) fn land(&mut self, p: usize, t: T) {
        let mut port = &mut self.port[p];
        while port.flying > 0 && port.fly[0].due < t {
            let fly = port.fly[0];
            port.fly[0] = port.fly[1];
            port.flying -= 1;
            if port.flying == 1
                && let Some(next) = self.further[p].pop_front()
            {
                (port.fly[1], port.flying) = (next, 2);
            }
            self.give(p, fly, t);
            port = &mut self.port[p];
        }
    }

    /// Counts credit that has come to a port.
    #[inline(always)]
    pub(crate) fn give(&mut self, p: usize, fly: Fly, t: T) {
        let port = &self.port[p];
        let credit = &mut self.counters[port.credits as usize + usize::from(fly.class)];
        *credit += fly.cells;
        if *credit > port.credit_cells {
            self.broken(p, Side::Egress, t, "more credit than there is");
        }
        if self.rare.extras {
            self.credit_where_marked(p, fly.class, fly.due);
        }
    }

    /// Who waits for credit at a port is looked at.
    pub(crate) fn wake_for_credit(&mut self, p: usize, at: T) {
        if self.rare.is_iq && self.port[p].at_switch {
            self.ask_crossbar(self.port[p].element as usize, at);
        } else {
            self.ask_link(p, at);
        }
    }

    /// A head lacks credit behind a port, and all that has come is counted: when the next comes it
    /// is looked at again.
    #[inline(never)]
    pub(crate) fn await_credit(&mut self, p: usize, t: T) {
        let port = &mut self.port[p];
        let peer = port.peer as usize;
        if std::mem::replace(&mut port.awaits_credit, true) {
            return;
        }
        self.port[peer].returns_urgently = true;
        if self.port[p].flying > 0 {
            // Where that is not enough the next is awaited then.
            let due = self.port[p].fly[0].due;
            self.wake_for_credit(p, due + 1);
        }
        self.ask_for_back(peer, t);
    }
}
