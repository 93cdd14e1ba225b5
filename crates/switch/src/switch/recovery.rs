//! Fault discovery and recovery in a switch (spec: rsi.md): what its [`Recovery`] unit is told, and
//! where its effects go.

use super::Switch;
use crate::env::{Due, Env};
use crate::event::{Event, Place, Side};
use crate::params::Params;
use flow_control::Control;
use hierarchy::Region;
use recovery::{Effect, Message, Recovery};
use units::{PortId, QueueId, broken};

/// The unit, and what waits for it and for others.
#[derive(Debug)]
pub(super) struct Recovering {
    unit: Recovery,
    /// Messages of this tick, for step 5.
    inbox: Vec<(PortId, Message)>,
    effects: Vec<Effect>,
    /// Entries that changed, for the end node: whether each leads on.
    changed: Vec<(Region, bool)>,
}

impl Switch {
    /// Faults may happen: its tables follow from this unit.
    pub fn set_recovery(&mut self, unit: Recovery) {
        self.recovery = Some(Box::new(Recovering {
            unit,
            inbox: Vec::new(),
            effects: Vec::new(),
            changed: Vec::new(),
        }));
    }

    /// Its unit, where faults may happen.
    pub fn recovery(&self) -> Option<&Recovery> {
        self.recovery.as_ref().map(|recovering| &recovering.unit)
    }

    /// Whether entries have changed that nobody has taken.
    #[inline(always)]
    pub fn has_changed(&self) -> bool {
        let recovering = self.recovery.as_ref();
        recovering.is_some_and(|recovering| !recovering.changed.is_empty())
    }

    /// Entries that changed since this was asked last, and whether each leads on: what the end node
    /// of this switch sees of its tables.
    pub fn take_changed(&mut self) -> Vec<(Region, bool)> {
        let recovering = self.recovery.as_mut();
        recovering.map_or(Vec::new(), |r| std::mem::take(&mut r.changed))
    }

    /// Step 4: FD, FR or an end mark; carried out in step 5.
    pub(super) fn told(&mut self, port: PortId, message: Message, env: &mut impl Env) {
        let (unit, now) = (self.unit, env.now());
        let Some(recovering) = &mut self.recovery else {
            broken(unit, now, &"fault recovery where there are no faults");
        };
        recovering.inbox.push((port, message));
        env.at(now, Due::Recn, port);
    }

    /// Step 5: messages of faults, by port.
    #[inline(always)]
    pub(super) fn recovery_step(&mut self, params: &Params, env: &mut impl Env) {
        if let Some(recovering) = &self.recovery
            && !recovering.inbox.is_empty()
        {
            self.carry_messages_of_faults(params, env);
        }
    }

    #[inline(never)]
    fn carry_messages_of_faults(&mut self, params: &Params, env: &mut impl Env) {
        let (unit, now) = (self.unit, env.now());
        let Some(recovering) = &mut self.recovery else {
            return;
        };
        let Recovering {
            unit: told,
            inbox,
            effects,
            ..
        } = &mut **recovering;
        inbox.sort_by_key(|(port, _)| *port);
        for (port, message) in inbox.drain(..) {
            if let Err(error) = told.receive(port, message, &mut |effect| effects.push(effect)) {
                broken(unit, now, &error);
            }
        }
        self.carry_effects(params, env);
    }

    /// The link of a port has failed, or what is behind it.
    pub fn port_down(&mut self, params: &Params, port: PortId, env: &mut impl Env) {
        self.outputs[port.index()].forget_recovery();
        if let Some(recovering) = &mut self.recovery {
            let effects = &mut recovering.effects;
            let unit = &mut recovering.unit;
            unit.port_down(port, &mut |effect| effects.push(effect));
            self.carry_effects(params, env);
        }
    }

    /// The link of a port works again.
    pub fn port_up(&mut self, params: &Params, port: PortId, env: &mut impl Env) {
        if let Some(recovering) = &mut self.recovery {
            let effects = &mut recovering.effects;
            let unit = &mut recovering.unit;
            unit.port_up(port, &mut |effect| effects.push(effect));
            self.carry_effects(params, env);
        }
    }

    /// The switch itself fails, before its links go down: what is in its memories is lost.
    pub fn lose_packets(&mut self, params: &Params, env: &mut impl Env) {
        for input in (0..self.ports()).map(PortId::at) {
            for queue in (0..self.inputs[input.index()].memory().queues()).map(QueueId::at) {
                while self.inputs[input.index()].memory().front(queue).is_some() {
                    self.discard(input, queue, |packet| Event::Lost { packet }, env);
                }
                self.renew(params, input, queue, env);
            }
        }
    }

    /// The switch itself has failed; its links are down. Its unit forgets all.
    pub fn fail(&mut self, params: &Params, env: &mut impl Env) {
        if let Some(recovering) = &mut self.recovery {
            recovering.inbox.clear();
            let effects = &mut recovering.effects;
            recovering.unit.restart(&mut |effect| effects.push(effect));
            self.carry_effects(params, env);
        }
    }

    /// Effects of the unit: messages to the links, entries to every copy of the tables; then heads
    /// that their output no longer leads on are assigned anew.
    fn carry_effects(&mut self, params: &Params, env: &mut impl Env) {
        let Some(recovering) = &mut self.recovery else {
            return;
        };
        let place = Place {
            port: self.inputs[0].place().port,
            side: Side::Ingress,
        };
        let mut effects = std::mem::take(&mut recovering.effects);
        for effect in effects.drain(..) {
            match effect {
                Effect::Send { port, message } => {
                    self.outputs[port.index()].push_control(Control::Recovery(message), env);
                }
                Effect::Entry { region, ports } => {
                    for input in &mut self.inputs {
                        input.ru.set_entry(region, ports);
                    }
                    recovering.changed.push((region, ports != 0));
                    env.observe(place, Event::Entry { region, ports });
                }
            }
        }
        recovering.effects = effects;
        let live = recovering.unit.live();
        for input in &mut self.inputs {
            input.ru.set_live(live);
        }
        for input in (0..self.ports()).map(PortId::at) {
            for queue in (0..self.inputs[input.index()].memory().queues()).map(QueueId::at) {
                self.refresh(params, input, queue, env);
            }
        }
    }
}
