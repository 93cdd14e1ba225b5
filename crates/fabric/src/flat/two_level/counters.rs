//! Q of each egress port: what two-level routing decides by (spec: rsi.md, LAR).

use crate::flat::{Flat, Mode, NONE, Packet, T};
use hierarchy::LarCounter;
use observe::{Observer, Side};

/// The counter of a port, cells. What is written in a tick is read from the next on: ports that
/// decide in one tick do not see each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter {
    count: u32,
    /// Before what was written in tick `written`.
    before: u32,
    written: T,
}

impl Default for Counter {
    fn default() -> Counter {
        Counter { count: 0, before: 0, written: NONE }
    }
}

impl Counter {
    pub(super) fn read(&self, t: T) -> u32 {
        if self.written == t { self.before } else { self.count }
    }

    fn write(&mut self, change: i32, t: T) {
        if self.written != t {
            (self.before, self.written) = (self.count, t);
        }
        let changed = self.count.checked_add_signed(change);
        self.count = changed.expect("what is taken was counted before");
    }
}

impl<M: Mode> Flat<M> {
    /// A packet was assigned to an output, or, with less than no cells, is so no longer.
    pub(super) fn count_assigned(&mut self, p: usize, cells: i32, t: T) {
        if self.two_level.counter == LarCounter::Requests {
            self.two_level.counters[p].write(cells, t);
        }
    }

    /// A head requests an output from now on, or, with less than no cells, no longer.
    pub(super) fn count_head(&mut self, p: usize, cells: i32, t: T) {
        if self.two_level.counter == LarCounter::RequestsAndCredits {
            self.two_level.counters[p].write(cells, t);
        }
    }

    /// The counters of a switch by their definition: cells of the packets that are assigned to each
    /// output and have not started, or of the heads that request it.
    ///
    /// # Errors
    /// Another number.
    pub(crate) fn audit_counters(&self, s: usize) -> Result<(), String> {
        let levels = &self.two_level;
        let (first, ports) = (self.switches[s].first as usize, self.switches[s].ports);
        if !self.rare.two_level || levels.counter == LarCounter::Credits {
            return Ok(());
        }
        let mut found = vec![0; ports.into()];
        for p in first..first + usize::from(ports) {
            let (ingress, queues, _) = self.queues_of(p, Side::Ingress);
            for record in ingress..ingress + queues {
                let is_counted = |at: usize, packet: &Packet| match levels.counter {
                    LarCounter::Requests => packet.assigned,
                    _ => at == 0 && levels.raised[record],
                };
                for (at, packet) in self.stored(record).enumerate() {
                    if is_counted(at, packet) {
                        found[usize::from(packet.out)] += u32::from(packet.cells);
                    }
                }
            }
        }
        let counters = levels.counters[first..][..found.len()].iter();
        let counted: Vec<u32> = counters.map(|counter| counter.count).collect();
        if counted != found {
            let unit = self.unit(first, Side::Egress);
            return Err(format!(
                "{unit} and the others: Q is {counted:?} cells, {found:?} are asked for"
            ));
        }
        Ok(())
    }

    /// Reads the credit in use behind each output of a switch, where the counters have it.
    pub(super) fn read_credit(&mut self, observer: &mut impl Observer, s: usize, t: T) {
        if self.two_level.counter == LarCounter::Requests {
            return;
        }
        let (first, ports) = (self.switches[s].first as usize, self.switches[s].ports);
        for output in 0..usize::from(ports) {
            let p = first + output;
            if self.port[p].peer == NONE {
                continue;
            }
            self.count_credit(observer, p, t);
            let classes = self.credit_classes(p);
            let free: u32 = self.counters[classes.clone()].iter().map(|&c| u32::from(c)).sum();
            let all = classes.len() as u32 * u32::from(self.port[p].credit_cells);
            self.two_level.in_use[output] = all - free;
        }
    }

    /// Counts the credit that has come to a port before tick `t`; who waits for more goes on so.
    fn count_credit(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let peer = self.port[p].peer as usize;
        if self.port[peer].ready < t && !self.has_named(peer) {
            self.settle_back(observer, peer, t, t);
        }
        self.land(p, t + T::from(self.two_level.is_late));
    }
}
