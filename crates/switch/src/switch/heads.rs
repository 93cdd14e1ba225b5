//! Heads of ingress queues and what they request: kept in step with queues, CAM and tables.

use super::Switch;
use crate::egress::Egress;
use crate::env::Env;
use crate::ingress::Ingress;
use crate::memory::Head;
use crate::must;
use crate::packet::Packet;
use plan::Params;
use units::{PortId, QueueId, Tick};

/// An ingress queue of a switch.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) input: PortId,
    pub(super) queue: QueueId,
}

impl Switch {
    /// Brings the request of an ingress queue up to date, where its head is the one that it was. A
    /// request keeps its age; one that is raised counts from the next tick on.
    pub(super) fn refresh(&mut self, params: &Params, at: At, env: &mut impl Env) {
        self.update(params, at, self.requests_since(at, env.now()), env);
    }

    /// Every head of an input is evaluated again.
    pub(super) fn refresh_input(&mut self, params: &Params, input: PortId, env: &mut impl Env) {
        for queue in (0..self.inputs[input.index()].memory().queues()).map(QueueId::at) {
            self.refresh(params, At { input, queue }, env);
        }
    }

    /// Since when the head of an ingress queue requests, if it has not changed: its output may.
    pub(super) fn requests_since(&self, at: At, now: Tick) -> Tick {
        let head = self.inputs[at.input.index()].memory().head(at.queue);
        if head.requests { head.visible } else { now.next() }
    }

    /// Brings it up to date where another packet has come to the head, or none.
    pub(super) fn renew(&mut self, params: &Params, at: At, env: &mut impl Env) {
        self.update(params, at, env.now().next(), env);
        if self.decides_at_head(params) {
            self.decide_head(params, at, env);
        }
    }

    /// The request of a queue, of a packet that is at its head from tick `since` on.
    fn update(&mut self, params: &Params, at: At, since: Tick, env: &mut impl Env) {
        let port = &mut self.inputs[at.input.index()];
        let Some(id) = port.memory().front(at.queue) else {
            return self.withdraw(at, env);
        };
        let packet = &env.packets()[id];
        if !port.may_request(at.queue, &packet.route) || !port.bypass.may_go(id) {
            return self.withdraw(at, env);
        }
        let output = port.ru.requested(packet);
        if output != Some(packet.output) {
            return self.reroute(params, at, output, env);
        }
        let head = head_of(params, &self.outputs, packet, since);
        self.request(at, head, env);
    }

    /// A packet is at the head of an ingress queue and may request.
    fn request(&mut self, at: At, head: Head, env: &mut impl Env) {
        let register = self.inputs[at.input.index()].memory.head_mut(at.queue);
        let old = std::mem::replace(register, head);
        if !old.requests || old.output != head.output {
            if old.requests {
                self.scheduler.withdraw(at.input, at.queue, old.output);
            }
            self.scheduler.request(at.input, at.queue, head.output);
        }
        if let Some(counters) = self.counters.as_deref_mut() {
            if old.requests {
                counters.requested(old.output, -i32::from(old.cells), env.now());
            }
            counters.requested(head.output, head.cells.into(), env.now());
        }
    }

    /// As [`Switch::request`], but what the queue may have reserved is free for others.
    pub(super) fn replace(&mut self, at: At, head: Head, env: &mut impl Env) {
        self.withdraw(at, env);
        self.request(at, head, env);
    }

    /// An ingress queue requests nothing any more.
    pub(super) fn withdraw(&mut self, at: At, env: &mut impl Env) {
        let register = self.inputs[at.input.index()].memory.head_mut(at.queue);
        if !std::mem::take(&mut register.requests) {
            return;
        }
        let old = *register;
        self.scheduler.withdraw(at.input, at.queue, old.output);
        if let Some(counters) = self.counters.as_deref_mut() {
            counters.requested(old.output, -i32::from(old.cells), env.now());
        }
    }
}

/// Register of the head of a queue that requests the output of its packet.
pub(super) fn head_of(params: &Params, ports: &[Egress], packet: &Packet, since: Tick) -> Head {
    Head {
        visible: (packet.stored + params.stages.arbitration).max(since),
        class: ports[packet.output.index()].class_behind_crossbar(params, packet),
        cells: packet.cells,
        output: packet.output,
        requests: true,
    }
}

/// The output of a packet, the VC behind it and the output that it will request after that.
pub(super) fn route(
    port: &Ingress,
    ports: &[Egress],
    packet: &mut Packet,
    output: PortId,
    now: Tick,
) {
    packet.output = output;
    packet.next_vc = port.ru.next_vc(packet, output);
    let ahead = ports[output.index()].look_ahead(packet, port.ru.width());
    packet.ahead = must(ahead, port.unit(), now);
}
