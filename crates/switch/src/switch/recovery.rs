//! Fault discovery and recovery in a switch (spec: rsi.md): the glue of its [`Recovery`] unit.

use super::Switch;
use super::heads::At;
use crate::env::Env;
use crate::must;
use flow_control::Control;
use hierarchy::recovery::{Effect, Message, Recovery};
use hierarchy::{Region, TwoLevelTable};
use observe::{Event, Place, Side};
use plan::{LinkState, Params};
use units::{PortId, QueueId, Tick, broken};

/// The unit, and what waits for it and for others.
#[derive(Debug, Default)]
pub(super) struct Recovering {
    /// Of tables that routers keep themselves; those that are recomputed have none.
    unit: Option<Recovery>,
    /// Messages of this tick, for step 5.
    inbox: Vec<(PortId, Message)>,
    effects: Vec<Effect>,
    /// For the end node.
    changed: Vec<(Region, bool)>,
}

impl Switch {
    /// Faults may happen: its tables follow from this unit, or are given ([`Switch::set_tables`]).
    pub fn set_recovery(&mut self, unit: Option<Recovery>) {
        self.recovery = Some(Box::new(Recovering { unit, ..Recovering::default() }));
    }

    /// For the end node: entries that changed since the last call, and whether each leads on.
    pub fn take_changed(&mut self) -> Vec<(Region, bool)> {
        let recovering = self.recovery.as_mut();
        recovering.map(|recovering| std::mem::take(&mut recovering.changed)).unwrap_or_default()
    }

    /// Step 4: FD, FR or an end mark; carried out in step 5.
    pub(super) fn recovery_message(&mut self, port: PortId, message: Message, now: Tick) {
        let unit = self.unit;
        match &mut self.recovery {
            Some(recovering) if recovering.unit.is_some() => {
                recovering.inbox.push((port, message));
            }
            _ => broken(unit, now, &"fault recovery where there are no faults"),
        }
    }

    /// Step 5: messages of faults, by port.
    pub(super) fn recovery_step(&mut self, params: &Params, env: &mut impl Env) {
        let Some(Recovering { unit: Some(recovery), inbox, effects, .. }) =
            self.recovery.as_deref_mut().filter(|recovering| !recovering.inbox.is_empty())
        else {
            return;
        };
        inbox.sort_by_key(|(port, _)| *port);
        for (port, message) in inbox.drain(..) {
            must(recovery.receive(port, message, effects), self.unit, env.now());
        }
        let live = recovery.live();
        self.carry_effects(params, live, env);
    }

    /// The link of a port has failed, or what is behind it, or works again.
    pub fn port_changed(
        &mut self,
        params: &Params,
        port: PortId,
        state: LinkState,
        env: &mut impl Env,
    ) {
        if state == LinkState::Down {
            self.outputs[port.index()].link.control.forget_recovery();
        }
        self.with_unit(params, env, |unit, effects| match state {
            LinkState::Down => unit.port_down(port, effects),
            LinkState::Up => unit.port_up(port, effects),
        });
    }

    /// The switch itself fails, before its links go down: what is in its memories is lost.
    pub fn lose_packets(&mut self, params: &Params, env: &mut impl Env) {
        for input in (0..self.ports()).map(PortId::at) {
            for queue in (0..self.inputs[input.index()].memory().queues()).map(QueueId::at) {
                let at = At { input, queue };
                while self.inputs[input.index()].memory().front(queue).is_some() {
                    self.discard(at, |packet| Event::Lost { packet }, env);
                }
                self.renew(params, at, env);
            }
        }
    }

    /// The switch itself has failed; its links are down. Its unit forgets all.
    pub fn fail(&mut self, params: &Params, env: &mut impl Env) {
        if let Some(recovering) = &mut self.recovery {
            recovering.inbox.clear();
        }
        self.with_unit(params, env, |unit, effects| unit.restart(effects));
    }

    /// Does something to the unit, where there is one, and carries its effects.
    fn with_unit(
        &mut self,
        params: &Params,
        env: &mut impl Env,
        act: impl FnOnce(&mut Recovery, &mut Vec<Effect>),
    ) {
        if let Some(recovering) = self.recovery.as_deref_mut()
            && let Some(unit) = &mut recovering.unit
        {
            act(unit, &mut recovering.effects);
            let live = unit.live();
            self.carry_effects(params, live, env);
        }
    }

    /// All its tables, and the links that are up, are these from now on: recomputed elsewhere.
    pub fn set_tables(
        &mut self,
        params: &Params,
        table: &TwoLevelTable,
        live: u64,
        env: &mut impl Env,
    ) {
        let Some(recovering) = &mut self.recovery else {
            return;
        };
        let Some(old) = self.inputs[0].ru.two_level().map(|router| &router.table) else {
            return;
        };
        let changed = table.iter().filter(|&(region, ports)| old.entry(region) != ports);
        let effects = changed.map(|(region, ports)| Effect::Entry { region, ports });
        recovering.effects.extend(effects);
        self.carry_effects(params, live, env);
    }

    /// Effects of the unit: messages to the links, entries to every copy of the tables; then heads
    /// that their output no longer leads on are assigned anew.
    fn carry_effects(&mut self, params: &Params, live: u64, env: &mut impl Env) {
        let Some(recovering) = &mut self.recovery else {
            return;
        };
        let place = Place { port: self.inputs[0].place.port, side: Side::Ingress };
        let mut effects = std::mem::take(&mut recovering.effects);
        for effect in effects.drain(..) {
            match effect {
                Effect::Send { port, message } => {
                    self.outputs[port.index()].link.control.push(Control::Recovery(message));
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
        for input in &mut self.inputs {
            input.ru.set_live(live);
        }
        for input in (0..self.ports()).map(PortId::at) {
            self.refresh_input(params, input, env);
        }
    }
}
