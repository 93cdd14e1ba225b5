//! Heads of ingress queues and what they request: kept in step with queues, CAM and tables.

use super::{Switch, ask};
use crate::env::Env;
use crate::heads::{Head, Requested};
use crate::ingress::Ingress;
use crate::packet::Packet;
use crate::params::Params;
use units::{PortId, QueueId, Tick};

impl Switch {
    /// Brings the request of an ingress queue up to date, where its head is the one that it was. A
    /// request that stands goes on standing; one that is raised stands from the next tick on.
    #[inline(always)]
    pub(super) fn refresh(
        &mut self,
        params: &Params,
        input: PortId,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let head = self.inputs[input.index()].memory().head(queue);
        let since = match head.requested {
            Requested::Nothing => env.now().next(),
            Requested::One | Requested::Several => head.visible,
        };
        self.update(params, input, queue, since, env);
    }

    /// Brings it up to date where another packet has come to the head, or none.
    #[inline(always)]
    pub(super) fn renew(
        &mut self,
        params: &Params,
        input: PortId,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        self.update(params, input, queue, env.now().next(), env);
    }

    /// The request of a queue, of a packet that is at its head from tick `since` on.
    #[inline(always)]
    fn update(
        &mut self,
        params: &Params,
        input: PortId,
        queue: QueueId,
        since: Tick,
        env: &mut impl Env,
    ) {
        let port = &self.inputs[input.index()];
        let Some(id) = port.memory().front(queue) else {
            return self.withdraw(input, queue, env);
        };
        let packet = &env.packets()[id];
        if !port.may_request(queue, &packet.route) {
            return self.withdraw(input, queue, env);
        }
        let outputs = port.ru.requested(packet.output, &packet.destination);
        if outputs >> packet.output.0 & 1 == 0 {
            return self.reroute(params, input, queue, outputs, env);
        }
        let head = self.head_of(params, packet, outputs, since);
        self.request(input, queue, head, outputs, env);
    }

    /// Register of the head of a queue that requests `outputs`.
    #[inline(always)]
    pub(super) fn head_of(
        &self,
        params: &Params,
        packet: &Packet,
        outputs: u64,
        since: Tick,
    ) -> Head {
        let output = &self.outputs[packet.output.index()];
        Head {
            visible: (packet.stored + params.stages.arbitration).max(since),
            class: output.class_behind_crossbar(params, packet),
            cells: packet.cells,
            output: packet.output,
            requested: if outputs & (outputs - 1) == 0 {
                Requested::One
            } else {
                Requested::Several
            },
        }
    }

    /// What a queue requests now, a bit an output.
    #[inline(always)]
    fn requested(&self, input: PortId, queue: QueueId) -> u64 {
        let head = self.inputs[input.index()].memory().head(queue);
        match head.requested {
            Requested::Nothing => 0,
            Requested::One => 1 << head.output.0,
            Requested::Several => self.scheduler.requested_by(input, queue),
        }
    }

    /// A packet is at the head of an ingress queue and may request.
    #[inline(always)]
    pub(super) fn request(
        &mut self,
        input: PortId,
        queue: QueueId,
        head: Head,
        outputs: u64,
        env: &mut impl Env,
    ) {
        let old = self.requested(input, queue);
        self.scheduler.request(input, queue, old, outputs);
        *self.inputs[input.index()].memory.head_mut(queue) = head;
        for output in bits::ones(outputs) {
            let (output, now) = (PortId(output as u8), env.now());
            if let Some(again) = self.scheduler.ask(input, output, head.visible, now) {
                ask(again, env);
            }
        }
    }

    /// An ingress queue requests nothing any more.
    #[inline(always)]
    fn withdraw(&mut self, input: PortId, queue: QueueId, env: &mut impl Env) {
        let old = self.requested(input, queue);
        if old == 0 {
            return;
        }
        let head = self.inputs[input.index()].memory.head_mut(queue);
        head.requested = Requested::Nothing;
        if let Some(again) = self.scheduler.withdraw(input, queue, old, env.now()) {
            ask(again, env);
        }
    }

    /// The output of a packet, the VC behind it and the output that it will request after that.
    #[inline(always)]
    pub(super) fn route(&self, port: &Ingress, packet: &mut Packet, output: PortId) {
        packet.output = output;
        packet.next_vc = port.ru.next_vc(packet.vc, output);
        packet.ahead = self.outputs[output.index()].look_ahead(packet, port.ru.skip());
    }
}
