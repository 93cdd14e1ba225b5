//! Links that go down and come up, tables that change, and packets that no output leads on.

use super::Switch;
use super::heads::{At, head_of, route};
use crate::env::Env;
use crate::routing::lowest;
use observe::{Event, PacketView};
use plan::LinkState;
use plan::Params;
use plan::RouteTable;
use std::sync::Arc;
use units::{PacketId, PortId, QueueId};

impl Switch {
    /// The link behind a port goes down, or comes up again. What is on the wire is lost, or not, by
    /// whoever has the wires.
    pub fn set_link_state(&mut self, port: PortId, state: LinkState) {
        self.outputs[port.index()].set_link_state(state);
    }

    /// The table behind a link is another one from now on: what is looked ahead for.
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

    /// Every head of an input is looked at again.
    pub(super) fn refresh_input(&mut self, params: &Params, input: PortId, env: &mut impl Env) {
        for queue in 0..self.inputs[input.index()].memory().queues() {
            self.refresh(params, input, QueueId::at(queue), env);
        }
    }

    /// A packet at the head of an ingress queue may not go where it was routed to, since the table
    /// changed: it goes to the lowest of `outputs`, or, if there is none, is removed. The table
    /// stands from the next tick on, and so does the head.
    pub(super) fn reroute(&mut self, params: &Params, at: At, outputs: u64, env: &mut impl Env) {
        let port = &mut self.inputs[at.input.index()];
        let Some(id) = port.memory().front(at.queue) else {
            return;
        };
        let now = env.now();
        if outputs == 0 {
            if self.counters.is_none() || !self.assign_head(params, at, now.next(), env) {
                self.strand(params, at.input, at.queue, env);
            }
            return;
        }
        let packet = &mut env.packets()[id];
        route(port, &self.outputs, packet, lowest(outputs), now);
        let head = head_of(params, &self.outputs, packet, outputs, now.next());
        self.replace(at, head, outputs, env);
    }

    /// The head of an ingress queue can go nowhere: it is removed at once, its credit returned. A
    /// blocked head would hold up its queue for ever.
    pub(super) fn strand(
        &mut self,
        params: &Params,
        input: PortId,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let stranded = |packet| Event::Stranded { packet, queue };
        self.discard(input, queue, stranded, env);
        self.renew(params, input, queue, env);
        if params.config.max_bypass.is_some() {
            self.refresh_input(params, input, env);
        }
    }

    /// `oq`: a packet that no output leads on is removed as it arrives, since it has no queue here;
    /// observers are told of the first.
    pub(super) fn strand_on_arrival(&mut self, input: PortId, id: PacketId, env: &mut impl Env) {
        let queue = QueueId(0);
        self.remove(input, id, |packet| Event::Stranded { packet, queue }, env);
    }

    /// The head of an ingress queue is removed, and its credit returned; the request of the queue
    /// is to be renewed.
    pub(super) fn discard(
        &mut self,
        input: PortId,
        queue: QueueId,
        why: impl FnOnce(PacketView) -> Event,
        env: &mut impl Env,
    ) {
        if let Some(id) = self.inputs[input.index()].memory().front(queue) {
            self.release(id, env);
        }
        self.withdraw(At { input, queue }, env);
        let packet = self.inputs[input.index()].memory.discard(queue, env.now());
        self.inputs[input.index()].bypass.left(packet);
        self.removed_where_marked(input, packet, env.now());
        self.remove(input, packet, why, env);
    }

    /// A packet is gone, and the sender has its credit again.
    fn remove(
        &mut self,
        input: PortId,
        packet: PacketId,
        why: impl FnOnce(PacketView) -> Event,
        env: &mut impl Env,
    ) {
        let place = self.inputs[input.index()].place();
        let gone = &env.packets()[packet];
        let (class, cells) = (gone.class, u32::from(gone.cells));
        let event = why(gone.view());
        env.observe(place, event);
        env.packets().remove(packet);
        self.outputs[input.index()].return_credit(class, cells);
    }
}
