//! Two-level routing: packets are assigned to outputs, as they arrive or again at the head.

use super::Switch;
use super::heads::{At, head_of, route};
use crate::env::Env;
use crate::must;
use hierarchy::{LarCounter, LarDecision};
use plan::Params;
use units::{PacketId, PortId, Tick};

impl Switch {
    /// A packet that arrives at an input, or is at the head of a queue there, is assigned to an
    /// output by the counters of this tick; `None` where none leads on.
    pub(super) fn decide(
        &mut self,
        input: PortId,
        id: PacketId,
        arrives: bool,
        env: &mut impl Env,
    ) -> Option<PortId> {
        let now = env.now();
        let counters = self.counters.as_deref_mut()?;
        let with_credit = counters.kind() != LarCounter::Requests;
        let (counts, outputs) = (counters.read(now), &self.outputs);
        let queued = |port: PortId| {
            let credit = if with_credit { outputs[port.index()].fcu().in_use() } else { 0 };
            counts[port.index()] + credit
        };
        let packet = &mut env.packets()[id];
        let port = &mut self.inputs[input.index()];
        let output = must(port.ru.assign(packet, arrives, queued), port.unit(), now);
        if let Some(output) = output {
            counters.assigned(output, packet.cells.into(), now);
        }
        output
    }

    /// A packet that was assigned to an output is so no longer: it starts, or goes elsewhere.
    pub(super) fn release(&mut self, id: PacketId, env: &mut impl Env) {
        if let Some(counters) = self.counters.as_deref_mut() {
            let now = env.now();
            let packet = &env.packets()[id];
            if packet.assigned {
                counters.assigned(packet.output, -i32::from(packet.cells), now);
            }
        }
    }

    /// The head of a queue, which requests since `since`, is assigned anew, if an output leads on.
    pub(super) fn assign_head(
        &mut self,
        params: &Params,
        at: At,
        since: Tick,
        env: &mut impl Env,
    ) -> bool {
        let port = &self.inputs[at.input.index()];
        let Some(id) = port.memory().front(at.queue) else {
            return true;
        };
        self.release(id, env);
        let Some(output) = self.decide(at.input, id, false, env) else {
            return false;
        };
        let now = env.now();
        let port = &mut self.inputs[at.input.index()];
        let may_go = port.bypass.may_go(id);
        let packet = &mut env.packets()[id];
        route(port, &self.outputs, packet, output, now);
        if !may_go {
            self.withdraw(at, env);
            return true;
        }
        let head = head_of(params, &self.outputs, packet, since);
        if head != *port.memory().head(at.queue) {
            self.replace(at, head, env);
        }
        true
    }

    /// `lar_decision = "head"`: the head of a queue is decided, and again a packet time later.
    pub(super) fn decide_head(&mut self, params: &Params, at: At, env: &mut impl Env) {
        let since = self.requests_since(at, env.now());
        if self.assign_head(params, at, since, env) {
            self.decide_later(params, at, env.now());
        } else {
            self.strand(params, at, env);
        }
    }

    /// Sets the timer of an ingress queue by whose end its head is decided again.
    pub(super) fn decide_later(&mut self, params: &Params, at: At, now: Tick) {
        let port = &mut self.inputs[at.input.index()];
        let due = match port.memory().front(at.queue) {
            Some(_) => now + params.lengths(params.packet_bytes).link,
            None => Tick::MAX,
        };
        port.decisions.set(at.queue, due);
    }

    pub(super) fn decides_at_head(&self, params: &Params) -> bool {
        let rule = params.config.adaptive.map(|adaptive| adaptive.decision);
        rule == Some(LarDecision::Head)
    }

    /// Step 3: heads of this input whose time has come are decided again.
    pub fn decide_step(&mut self, params: &Params, input: PortId, env: &mut impl Env) {
        while let Some(queue) = self.inputs[input.index()].decisions.take(env.now()) {
            self.decide_head(params, At { input, queue }, env);
        }
    }
}
