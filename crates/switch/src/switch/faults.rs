//! Tables that change, and packets that no output leads on.

use super::Switch;
use super::heads::{At, head_of, route};
use crate::env::Env;
use observe::{Event, PacketView};
use plan::{Params, RouteTable};
use std::sync::Arc;
use units::{PacketId, PortId};

impl Switch {
    /// The table of an ingress port is another one from now on: every head there is routed again.
    pub fn set_table(
        &mut self,
        params: &Params,
        input: PortId,
        table: Arc<RouteTable>,
        env: &mut impl Env,
    ) {
        self.inputs[input.index()].ru.set_table(table);
        self.refresh_input(params, input, env);
    }

    /// The table changed under a head: it goes to `output`, or, if there is none, is removed. Table
    /// and request hold from the next tick on.
    pub(super) fn reroute(
        &mut self,
        params: &Params,
        at: At,
        output: Option<PortId>,
        env: &mut impl Env,
    ) {
        let port = &mut self.inputs[at.input.index()];
        let Some(id) = port.memory().front(at.queue) else {
            return;
        };
        let now = env.now();
        if let Some(output) = output {
            let packet = &mut env.packets()[id];
            route(port, &self.outputs, packet, output, now);
            let head = head_of(params, &self.outputs, packet, now.next());
            self.replace(at, head, env);
        } else if self.counters.is_none() || !self.assign_head(params, at, now.next(), env) {
            self.strand(params, at, env);
        }
    }

    /// The head of an ingress queue can go nowhere: it is removed at once, its credit returned. A
    /// blocked head would hold up its queue for ever.
    pub(super) fn strand(&mut self, params: &Params, at: At, env: &mut impl Env) {
        let queue = at.queue;
        self.discard(at, |packet| Event::Stranded { packet, queue }, env);
        self.renew(params, at, env);
        if params.config.max_bypass.is_some() {
            self.refresh_input(params, at.input, env);
        }
    }

    /// The head of an ingress queue is removed, its credit returned; its request is to be renewed.
    pub(super) fn discard(
        &mut self,
        at: At,
        why: impl FnOnce(PacketView) -> Event,
        env: &mut impl Env,
    ) {
        if let Some(id) = self.inputs[at.input.index()].memory().front(at.queue) {
            self.release(id, env);
        }
        self.withdraw(at, env);
        let port = &mut self.inputs[at.input.index()];
        let packet = port.memory.discard(at.queue, env.now());
        port.bypass.left(packet);
        self.removed_where_marked(at.input, packet, env.now());
        self.remove(at.input, packet, why, env);
    }

    /// A packet is removed, and the sender has its credit again.
    pub(super) fn remove(
        &mut self,
        input: PortId,
        id: PacketId,
        why: impl FnOnce(PacketView) -> Event,
        env: &mut impl Env,
    ) {
        let packet = &env.packets()[id];
        let (class, cells, event) = (packet.class, u32::from(packet.cells), why(packet.view()));
        env.observe(self.inputs[input.index()].place, event);
        env.packets().remove(id);
        self.outputs[input.index()].return_credit(class, cells);
    }
}
