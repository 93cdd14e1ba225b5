//! Links that go down and come up, and what is lost with them.

use crate::flat::{Flat, Fly, Mode, NONE, T};
use flow_control::Control;
use observe::{Event, Observer, Owner};
use plan::LinkState;

impl<M: Mode> Flat<M> {
    /// The number of a port.
    pub(crate) fn port_of(&self, at: Owner) -> usize {
        match at.element.index().checked_sub(self.switches.len()) {
            Some(node) => self.first_node + node,
            None => self.switches[at.element.index()].first as usize + at.port.index(),
        }
    }

    /// The packet whose head is stored at a port and whose tail is not goes on, and is lost where
    /// it ends.
    pub(super) fn cut_in_two(&mut self, p: usize) {
        if let Some((key, tail)) = self.faults.arriving[p]
            && tail > self.now
        {
            self.faults.gone.cut_in_two(key);
        }
    }

    /// What is on the wire to `receiver` is lost, and the two ends agree on their credit again.
    pub(super) fn cut_wire(
        &mut self,
        observer: &mut impl Observer,
        sender: usize,
        receiver: usize,
        t: T,
    ) {
        if self.port[sender].ready <= t && !self.has_named(sender) {
            self.settle_back(observer, sender, t + 1, t);
        }
        let mut k = std::mem::replace(&mut self.wires[receiver].0, NONE);
        while k != NONE {
            let packet = self.packets.slots[k as usize];
            let event = Event::Lost { packet: packet.view() };
            self.lose(observer, receiver, k as usize, event, t);
            self.give(sender, Fly { due: t, class: packet.class, cells: packet.cells }, t);
            k = packet.next;
        }
        self.land(receiver, NONE);
        for p in [sender, receiver] {
            self.wake_for_credit(p, t + 1);
        }
    }

    /// While its link is down nothing starts there: it is as one that is never free.
    pub(super) fn set_state(&mut self, p: usize, state: LinkState, t: T) {
        let down = &mut self.faults.down[p];
        match state {
            LinkState::Down if down.is_none() => {
                *down = Some(std::mem::replace(&mut self.port[p].busy, NONE));
            }
            LinkState::Down => {}
            LinkState::Up => {
                let out = &mut self.port[p];
                if let Some(busy) = down.take() {
                    out.busy = busy;
                }
                if out.ready != NONE {
                    // It could not start before.
                    out.ready = out.ready.max(t + 1);
                }
                let at = out.busy.max(t + 1);
                self.ask_link(p, at);
                self.wake_for_credit(p, t + 1);
                self.ask_for_back(p, t);
            }
        }
    }

    /// What is told of faults over a link is forgotten, on its way and before.
    pub(super) fn forget_recovery(&mut self, p: usize) {
        let is_other = |control: &Control| !matches!(control, Control::Recovery(_));
        self.recn.wires[p].retain(|(_, control)| is_other(control));
        self.recn.waiting[p].retain(is_other);
        self.port[p].named = !self.recn.waiting[p].is_empty();
    }

    /// The ingress queues of a switch, by input.
    pub(super) fn ingress_records(&self, s: usize) -> impl Iterator<Item = usize> + use<M> {
        let (first, ports) = (self.switches[s].first as usize, self.switches[s].ports);
        let inputs = self.port[first..first + usize::from(ports)].iter();
        let records = inputs
            .map(|p| p.ingress as usize..(p.ingress as usize + usize::from(p.ingress_queues)));
        records.collect::<Vec<_>>().into_iter().flatten()
    }
}
