//! `Protocol::PerEntry` (spec: rsi.md, Fault discovery and recovery): a valid bit an entry and
//! port, and a message to the neighbours when an entry becomes empty or stops being so.

use super::{Effect, Message, Recovery};
use units::PortId;

impl Recovery {
    /// A port is dead: for all entries. These were live.
    pub(crate) fn leave(&mut self, port: PortId, live: u64, effects: &mut Vec<Effect>) {
        for at in 0..self.valid.len() {
            let before = self.valid[at] & live;
            self.valid[at] &= !(1 << port.0);
            self.settle(at, before, effects);
        }
    }

    /// A link is up: no entry is known to be lost behind it; the other end is sent what cannot be
    /// reached.
    pub(crate) fn introduce(&mut self, port: PortId, effects: &mut Vec<Effect>) {
        let bit = 1 << port.0;
        for at in 0..self.valid.len() {
            let configured = self.configured.table.all()[at];
            self.valid[at] |= configured & bit;
            let region = self.configured.table.at(at);
            // The router itself and its super node have no ports and can be reached.
            if configured != 0 && self.ports(at) == 0 {
                let ports = self.configured.announced_on(region) & bit;
                self.send(ports, Message::Unreachable(region), effects);
            }
        }
        self.send(bit, Message::End, effects);
    }

    /// The other end has sent its empty entries: the port is live.
    pub(crate) fn join(&mut self, port: PortId, effects: &mut Vec<Effect>) {
        let live = self.live;
        self.live |= 1 << port.0;
        for at in 0..self.valid.len() {
            self.settle(at, self.valid[at] & live, effects);
        }
    }

    /// FD or FR: the other end cannot reach it, or can again.
    pub(crate) fn set_reachable(
        &mut self,
        port: PortId,
        at: usize,
        is_reachable: bool,
        effects: &mut Vec<Effect>,
    ) {
        let (before, bit) = (self.ports(at), 1 << port.0);
        match is_reachable {
            true => self.valid[at] |= self.configured.table.all()[at] & bit,
            false => self.valid[at] &= !bit,
        }
        self.settle(at, before, effects);
    }

    /// An entry that had these ports is shown if it has others now, and announced if it has become
    /// empty or is empty no more.
    fn settle(&self, at: usize, before: u64, effects: &mut Vec<Effect>) {
        let now = self.ports(at);
        if now == before {
            return;
        }
        self.show(at, effects);
        let region = self.configured.table.at(at);
        let message = match (before, now) {
            (_, 0) => Message::Unreachable(region),
            (0, _) => Message::Reachable(region),
            _ => return,
        };
        self.send(self.configured.announced_on(region), message, effects);
    }
}
