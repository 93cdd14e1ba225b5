//! Fault discovery and recovery of switches: what the unit of each is told, and its effects.

use crate::flat::{Flat, Kind, Mode, T};
use flow_control::Control;
use hierarchy::Region;
use hierarchy::recovery::{Effect, Recovery};
use observe::{Event, Observer, Side};
use units::Tick;

impl<M: Mode> Flat<M> {
    /// Steps 4 and 5: messages of faults that have come, by switch and port.
    #[inline(never)]
    pub(crate) fn recovery_steps(&mut self, observer: &mut impl Observer, t: T) {
        while let Some(p) = self.due[Kind::Control as usize].pop() {
            self.hear_of_faults(p as usize, t);
        }
        while let Some(s) = self.faults.changed.pop() {
            let s = s as usize;
            let mut inbox = std::mem::take(&mut self.faults.inbox[s]);
            inbox.sort_by_key(|(port, _)| *port);
            let first = self.switches[s].first as usize;
            for (port, message) in inbox.drain(..) {
                let effects = &mut self.faults.effects;
                let heard =
                    self.faults.units[s].as_mut().map(|unit| unit.receive(port, message, effects));
                self.must(heard.transpose(), (first + port.index(), Side::Ingress), t);
            }
            self.faults.inbox[s] = inbox;
            self.carry_effects(observer, s, t);
        }
    }

    fn hear_of_faults(&mut self, p: usize, t: T) {
        let (s, port) = (self.port[p].element, self.owners[p].port);
        while let Some(&(due, control)) = self.recn.wires[p].front()
            && due <= t
        {
            self.recn.wires[p].pop_front();
            if let Control::Recovery(message) = control {
                let inbox = &mut self.faults.inbox[s as usize];
                if inbox.is_empty() {
                    self.faults.changed.push(s);
                }
                inbox.push((port, message));
            }
        }
    }

    /// Does something to the unit of a switch, where there is one, and carries its effects.
    pub(super) fn with_unit(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        act: impl FnOnce(&mut Recovery, &mut Vec<Effect>),
    ) {
        if let Some(unit) = &mut self.faults.units[s] {
            act(unit, &mut self.faults.effects);
            let t = self.last_tick();
            self.carry_effects(observer, s, t);
        }
    }

    /// Effects: messages to the links, entries to the tables; then heads that their output no
    /// longer leads on are assigned anew.
    pub(super) fn carry_effects(&mut self, observer: &mut impl Observer, s: usize, t: T) {
        let first = self.switches[s].first as usize;
        let mut effects = std::mem::take(&mut self.faults.effects);
        for effect in effects.drain(..) {
            match effect {
                Effect::Send { port, message } => {
                    let p = first + port.index();
                    self.push_control(observer, p, Control::Recovery(message), t);
                }
                Effect::Entry { region, ports } => {
                    self.two_level.tables[s].set(region, ports);
                    self.notify_node(s, region, ports != 0);
                    let event = Event::Entry { region, ports };
                    self.observe(observer, (first, Side::Ingress), event, t);
                    self.faults.seen.changed = Tick(t.into());
                }
            }
        }
        self.faults.effects = effects;
        if let Some(unit) = &self.faults.units[s] {
            self.two_level.live[s] = unit.live();
        }
        self.two_level.is_late = true;
        for record in self.ingress_records(s) {
            self.update_head(observer, record, t);
        }
        self.two_level.is_late = false;
    }

    /// The end node of a switch, which has the same number, hears of an entry that changed.
    fn notify_node(&mut self, s: usize, region: Region, leads_on: bool) {
        let addresses = &self.two_level.addresses;
        let here = addresses[s];
        for (destination, there) in addresses.iter().enumerate() {
            let is_of_region = match region {
                Region::Node(node) => there.super_node == here.super_node && there.node == node,
                Region::SuperNode(super_node) => there.super_node == super_node,
            };
            if is_of_region && *there != here {
                self.nodes[s].set_leads_on(destination as u32, leads_on);
            }
        }
    }
}
