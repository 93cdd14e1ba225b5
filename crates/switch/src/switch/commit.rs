//! Steps 5 to 8: messages inside the switch, markers, frees, tokens. The steps are those of
//! [`recn::commit`]; here they meet ports and memories.

use super::{Switch, heads};
use crate::egress::Egress;
use crate::env::Env;
use crate::ingress::Ingress;
use crate::memory::Head;
use observe::Event;
use plan::Params;
use recn::commit::{self, At, CommitError, Effect, Moment};
use recn::{Freed, RecnPort};
use saq::Mmu;
use units::{PortId, QueueId, Unit, broken};

/// A switch in the commit of a tick.
struct Commit<'a, E> {
    switch: &'a mut Switch,
    params: &'a Params,
    env: &'a mut E,
}

impl<E: Env> commit::Ports for Commit<'_, E> {
    type Queues = Mmu<Head>;

    fn ports(&self) -> usize {
        self.switch.ports()
    }

    fn width(&self) -> u32 {
        self.switch.width
    }

    fn side(&mut self, at: At) -> Option<(&mut RecnPort, &mut Mmu<Head>)> {
        match at {
            At::Ingress(port) => self.switch.inputs[port.index()].recn_mut(),
            At::Egress(port) => {
                let output = &mut self.switch.outputs[port.index()];
                // Lines without queues have nothing to settle or to free.
                if output.memory().is_there() { output.recn_mut() } else { None }
            }
        }
    }

    fn lines(&mut self, egress: PortId) -> Option<&mut RecnPort> {
        Some(self.switch.outputs[egress.index()].recn_mut()?.0)
    }

    fn normal_queue(&self, output: PortId) -> QueueId {
        // One VC, and no scheme with SAQs queues by destination.
        QueueId(self.params.scheme.ingress_queue(u32::from(output.0), 0) as u16)
    }

    fn carry(&mut self, effect: Effect) {
        let (params, env) = (self.params, &mut *self.env);
        self.switch.carry(params, effect, env);
    }
}

impl Switch {
    /// Steps 5 to 8.
    pub fn recn_step(&mut self, params: &Params, env: &mut impl Env) {
        self.recovery_step(params, env);
        self.pause_step(env);
        self.marking_step(env);
        let Some(config) = &params.recn else { return };
        let now = env.now();
        let inputs = self.inputs.iter_mut().filter_map(Ingress::recn_mut);
        let outputs = self.outputs.iter_mut().filter_map(Egress::recn_mut);
        for (recn, _) in inputs.chain(outputs) {
            recn.mark_timers(now, config);
        }
        let moment = Moment { now, config, all: true };
        let mut messages = std::mem::take(&mut self.messages);
        let mut tokens = std::mem::take(&mut self.tokens);
        let mut ports = Commit { switch: self, params, env };
        let done = commit::carry_messages(&mut ports, &mut messages, &moment)
            .and_then(|()| commit::settle_markers(&mut ports, &moment))
            .and_then(|()| commit::free_saqs(&mut ports, &mut tokens, &moment))
            .and_then(|()| commit::carry_tokens(&mut ports, &mut tokens));
        self.messages = messages;
        self.tokens = tokens;
        if let Err(CommitError { at, error }) = done {
            broken(self.unit_at(at), now, &error);
        }
    }

    fn unit_at(&self, at: At) -> Unit {
        match at {
            At::Ingress(port) => self.inputs[port.index()].unit(),
            At::Egress(port) => self.outputs[port.index()].unit(),
        }
    }

    /// Carries out an effect of steps 5 to 8.
    fn carry(&mut self, params: &Params, effect: Effect, env: &mut impl Env) {
        match effect {
            Effect::Sent(egress, control) => {
                let place = self.outputs[egress.index()].place;
                env.observe(place, Event::Internal(control));
            }
            Effect::Allocated(input, line, point) => {
                let port = &self.inputs[input.index()];
                let in_use = port.recn().map_or(0, |r| r.cam().in_use());
                env.observe(port.place, Event::SaqAllocated { line, point, in_use });
                self.cold_head_changed(params, input, env);
            }
            Effect::Refused(input, point) => {
                let place = self.inputs[input.index()].place;
                env.observe(place, Event::SaqRefused(point));
            }
            Effect::Changed(At::Ingress(input), queue) => {
                self.refresh(params, heads::At { input, queue }, env);
            }
            Effect::Changed(At::Egress(output), queue) => {
                self.outputs[output.index()].refresh(params, queue, env);
            }
            Effect::Freed(At::Ingress(input), Freed { line, point, .. }) => {
                let port = &self.inputs[input.index()];
                let in_use = port.recn().map_or(0, |r| r.cam().in_use());
                env.observe(port.place, Event::SaqFreed { line, point, in_use });
                self.cold_head_changed(params, input, env);
            }
            Effect::Freed(At::Egress(output), freed) => {
                self.outputs[output.index()].freed(freed, env);
            }
            // Its lines are evaluated in every tick.
            Effect::Leaf(_) => {}
        }
    }
}
