//! Steps 2 and 3: stores, and moves of the PPU.

use super::Switch;
use super::heads::{At, route};
use crate::env::Env;
use crate::ingress::COLD;
use crate::must;
use observe::Event;
use plan::{Organisation, Params};
use recn::{Detection, IngressDetection};
use turnpool::Point;
use units::{PacketId, PortId, QueueId};

impl Switch {
    /// Step 2: the head that arrives at `input` is stored: RU, PPU or MU, MMU, then FCU and CDU.
    pub fn store(&mut self, params: &Params, input: PortId, id: PacketId, env: &mut impl Env) {
        let now = env.now();
        if params.pause.is_some() {
            self.stored_where_paused(input, id, env);
        }
        let packet = &mut env.packets()[id];
        let port = &mut self.inputs[input.index()];
        packet.sender = input;
        let mut found = must(port.ru.output(packet), port.unit(), now);
        // Where no output leads to its destination it is removed as it comes to the head.
        if self.counters.is_some() {
            found = self.decide(input, id, true, env);
        }
        let output = found.unwrap_or(PortId(0));
        let (packet, port) = (&mut env.packets()[id], &mut self.inputs[input.index()]);
        route(port, &self.outputs, packet, output, now);
        if params.config.faults {
            port.arriving = Some((packet.key(), packet.tail));
        }
        if params.config.organisation == Organisation::Oq {
            return match found {
                Some(_) => self.pass_to_output(input, id, env),
                // It has no queue here.
                None => {
                    let queue = QueueId(0);
                    self.remove(input, id, |packet| Event::Stranded { packet, queue }, env);
                }
            };
        }
        let (queue, is_saq) = port.queue_of(params, packet);
        let (cells, vc, place) = (packet.cells, packet.vc, port.place);
        port.memory.push(queue, id, cells, now);
        port.bypass.stored(id, vc);
        let packet = packet.view();
        env.observe(place, Event::Stored { packet, queue });
        if let Some(marking) = self.marking.as_deref_mut() {
            must(marking.store(params, input, id, env), self.unit, now);
        }
        let at = At { input, queue };
        if port.memory.packets(queue) == 1 {
            self.refresh(params, at, env);
            if self.decides_at_head(params) {
                self.decide_later(params, at, now);
            }
        }
        if params.recn.is_some() {
            self.stored_where_saqs_are(params, at, is_saq, output, env);
        }
    }

    /// Step 2, FCU and CDU.
    fn stored_where_saqs_are(
        &mut self,
        params: &Params,
        at: At,
        is_saq: bool,
        output: PortId,
        env: &mut impl Env,
    ) {
        let (now, At { input, queue }) = (env.now(), at);
        let (port, link) = (&mut self.inputs[input.index()], &mut self.outputs[input.index()].link);
        if is_saq {
            if let Some(xoff) = port.rose(params, queue, now) {
                link.control.push(xoff);
            }
            for control in port.propagate(params, queue, now) {
                link.control.push(control);
            }
            return;
        }
        let packets = port.memory.packets(queue);
        if let Some(config) = &params.recn
            && port.cdu.stored(output, packets, config)
            && port.recn().is_some()
        {
            self.detected_at_ingress(params, at, output, env);
        }
    }

    /// Step 2: ingress detection has fired: a SAQ for `output`, or the detection queue becomes it.
    fn detected_at_ingress(&mut self, params: &Params, at: At, output: PortId, env: &mut impl Env) {
        let (now, ports, At { input, queue }) = (env.now(), self.ports() as u32, at);
        let turn = turnpool::turn(u32::from(input.0), u32::from(output.0), ports);
        let point = Point::from_turn(turn, self.width);
        let port = &mut self.inputs[input.index()];
        let (place, unit) = (port.place, port.unit());
        let (Some(config), Some((recn, queues))) = (&params.recn, port.recn_mut()) else {
            return;
        };
        let detection = recn.ingress_detection(queues, queue, point, now, config);
        let (line, controls) = match must(detection, unit, now) {
            Detection::Root { line, controls } => (line, controls),
            Detection::Known => return,
            Detection::Refused => return env.observe(place, Event::SaqRefused(point)),
        };
        let (in_use, saq) = (recn.cam().in_use(), recn.queue(line));
        env.observe(place, Event::SaqAllocated { line, point, in_use });
        let swaps = |rules: recn::Rules| rules.ingress_detection == IngressDetection::Swap;
        if params.rules.is_some_and(swaps) {
            env.observe(place, Event::Swapped { queue, saq });
            self.renew(params, at, env);
            self.renew(params, At { input, queue: saq }, env);
            for control in controls {
                self.outputs[input.index()].link.control.push(control);
            }
        }
        self.cold_head_changed(params, input, env);
    }

    /// Lines came or went at `input`: the head of a cold queue requests, or is moved.
    pub(super) fn cold_head_changed(&mut self, params: &Params, input: PortId, env: &mut impl Env) {
        if self.inputs[input.index()].ppu.has_cold_queue() {
            self.refresh(params, At { input, queue: COLD }, env);
        }
    }

    /// `oq`: the head goes through to the output memory, in which every input has its own share.
    /// Heads that come to one output in one tick are stored in the order of their inputs.
    fn pass_to_output(&mut self, input: PortId, id: PacketId, env: &mut impl Env) {
        let now = env.now();
        let packet = &mut env.packets()[id];
        let port = &self.inputs[input.index()];
        must(port.ru.leave(packet), port.unit(), now);
        let (output, class, cells) = (packet.output, packet.class, u32::from(packet.cells));
        let port = &mut self.outputs[output.index()];
        port.reserve(class, cells, now);
        port.expect_now(id, env.packets());
    }

    /// Step 2: the head that crossed to `output` is stored: PPU or MU, MMU, then FCU and CDU.
    pub fn store_egress(&mut self, params: &Params, output: PortId, env: &mut impl Env) {
        // In `oq` several heads may come to one output.
        while let Some(id) = self.outputs[output.index()].take_arrival(env) {
            self.red_at_egress(params, output, id, env);
            let port = &mut self.outputs[output.index()];
            let sender = env.packets()[id].sender;
            let queue = port.store(params, id, env);
            port.rose(params, queue, sender, &mut self.messages, env.now());
        }
    }

    /// Step 3: the PPU moves the head of the cold queue into its SAQ; an arriving tail goes along.
    pub fn ppu_step(&mut self, params: &Params, input: PortId, env: &mut impl Env) {
        let now = env.now();
        let port = &mut self.inputs[input.index()];
        if !port.ppu.has_cold_queue() || port.ppu.may_move_from(now) > now {
            return;
        }
        let Some(id) = port.memory().front(COLD) else {
            return;
        };
        let packet = &env.packets()[id];
        let Some(saq) = port.ppu.saq_of_head(port.recn(), COLD, &packet.route) else {
            return;
        };
        must(port.memory.queues_mut().move_front(COLD, saq), port.unit(), now);
        port.ppu.moved(now);
        port.cdu.left(COLD, packet.output);
        let packet = packet.view();
        env.observe(port.place, Event::Moved { packet, queue: saq });
        self.renew(params, At { input, queue: COLD }, env);
        if self.inputs[input.index()].memory().packets(saq) == 1 {
            self.renew(params, At { input, queue: saq }, env);
        }
        if let Some(xoff) = self.inputs[input.index()].rose(params, saq, now) {
            self.outputs[input.index()].link.control.push(xoff);
        }
    }
}
