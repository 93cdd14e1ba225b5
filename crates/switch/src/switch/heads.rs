//! Heads of ingress queues and what they request: kept in step with queues, CAM and tables.

use super::Switch;
use crate::egress::Egress;
use crate::env::Env;
use crate::heads::{Head, Requested};
use crate::ingress::Ingress;
use crate::must;
use crate::packet::Packet;
use crate::scheduler::Scheduler;
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
    /// request that stands goes on standing; one that is raised stands from the next tick on.
    pub(super) fn refresh(
        &mut self,
        params: &Params,
        input: PortId,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let at = At { input, queue };
        self.update(params, at, self.stands_since(at, env.now()), env);
    }

    /// Since when the head of an ingress queue stands, if it has not changed: what it requests may.
    pub(super) fn stands_since(&self, at: At, now: Tick) -> Tick {
        let head = self.inputs[at.input.index()].memory().head(at.queue);
        match head.requested {
            Requested::Nothing => now.next(),
            Requested::One | Requested::Several => head.visible,
        }
    }

    /// Brings it up to date where another packet has come to the head, or none.
    pub(super) fn renew(
        &mut self,
        params: &Params,
        input: PortId,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        self.update(params, At { input, queue }, env.now().next(), env);
        if self.counters.is_some() {
            self.decide_new_head(params, At { input, queue }, env);
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
        let outputs = port.ru.requested(packet);
        if outputs >> packet.output.0 & 1 == 0 {
            return self.reroute(params, at, outputs, env);
        }
        let head = head_of(params, &self.outputs, packet, outputs, since);
        self.request(at, head, outputs, env);
    }

    /// A packet is at the head of an ingress queue and may request.
    pub(super) fn request(&mut self, at: At, head: Head, outputs: u64, env: &mut impl Env) {
        let (port, now) = (&mut self.inputs[at.input.index()], env.now());
        let register = port.memory.head_mut(at.queue);
        let old = *register;
        let asked = requested(&old, &self.scheduler, at);
        *register = head;
        if asked != outputs {
            self.scheduler.request(at.input, at.queue, asked, outputs);
        }
        self.count_head(&old, asked, now);
        if head.requested == Requested::One
            && let Some(counters) = self.counters.as_deref_mut()
        {
            counters.raised(head.output, head.cells, now);
        }
    }

    /// As [`Switch::request`], in the place of what the queue requested: others can have now what
    /// that may have reserved.
    pub(super) fn replace(&mut self, at: At, head: Head, outputs: u64, env: &mut impl Env) {
        self.withdraw(at, env);
        self.request(at, head, outputs, env);
    }

    /// An ingress queue requests nothing any more.
    pub(super) fn withdraw(&mut self, at: At, env: &mut impl Env) {
        let now = env.now();
        let register = self.inputs[at.input.index()].memory.head_mut(at.queue);
        let old = *register;
        let asked = requested(&old, &self.scheduler, at);
        if asked == 0 {
            return;
        }
        register.requested = Requested::Nothing;
        self.scheduler.withdraw(at.input, at.queue, asked);
        self.count_head(&old, asked, now);
    }

    /// What was requested is so no longer.
    fn count_head(&mut self, old: &Head, asked: u64, now: Tick) {
        if let Some(counters) = self.counters.as_deref_mut()
            && asked != 0
        {
            counters.withdrawn(old.output, old.cells, now);
        }
    }
}

/// Register of the head of a queue that requests `outputs`.
pub(super) fn head_of(
    params: &Params,
    ports: &[Egress],
    packet: &Packet,
    outputs: u64,
    since: Tick,
) -> Head {
    Head {
        visible: (packet.stored + params.stages.arbitration).max(since),
        class: ports[packet.output.index()].class_behind_crossbar(params, packet),
        cells: packet.cells,
        output: packet.output,
        requested: if outputs & (outputs - 1) == 0 { Requested::One } else { Requested::Several },
    }
}

/// What a queue requests now, a bit an output.
fn requested(head: &Head, scheduler: &Scheduler, at: At) -> u64 {
    match head.requested {
        Requested::Nothing => 0,
        Requested::One => 1 << head.output.0,
        Requested::Several => scheduler.requested_by(at.input, at.queue),
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
    let ahead = ports[output.index()].look_ahead(packet, port.ru.skip());
    packet.ahead = must(ahead, port.unit(), now);
}
