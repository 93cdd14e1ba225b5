//! Links that go down and come up, tables that change, and packets that no output leads on.

use super::Switch;
use super::heads::{At, head_of, route};
use crate::env::Env;
use observe::{Event, PacketView};
use plan::{LinkState, Params, RouteTable};
use std::sync::Arc;
use units::{PacketId, PortId, QueueId};

impl Switch {
    /// The link behind a port goes down, or comes up again. Its owner loses what is on the wire.
    pub fn set_link_state(&mut self, port: PortId, state: LinkState) {
        self.outputs[port.index()].set_link_state(state);
    }

    /// The table behind a link is another one from now on, for look-ahead.
    pub fn set_next_table(&mut self, port: PortId, table: Arc<RouteTable>) {
        self.outputs[port.index()].set_next_table(table);
    }

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

    /// A packet at the head of an ingress queue may not go where it was routed to, since the table
    /// changed: it goes to `output`, or, if there is none, is removed. Table and request hold from
    /// the next tick on.
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

    /// `oq`: a packet that no output leads on is removed as it arrives, since it has no queue here;
    /// the first is reported.
    pub(super) fn strand_on_arrival(&mut self, input: PortId, id: PacketId, env: &mut impl Env) {
        let queue = QueueId(0);
        self.remove(input, id, |packet| Event::Stranded { packet, queue }, env);
    }

    /// The head of an ingress queue is removed, and its credit returned; the request of the queue
    /// is to be renewed.
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
    fn remove(
        &mut self,
        input: PortId,
        id: PacketId,
        why: impl FnOnce(PacketView) -> Event,
        env: &mut impl Env,
    ) {
        let packet = &env.packets()[id];
        let (class, cells, event) = (packet.class, u32::from(packet.cells), why(packet.view()));
        env.observe(self.inputs[input.index()].place(), event);
        env.packets().remove(id);
        self.outputs[input.index()].return_credit(class, cells);
    }
}
