//! CDU: detects congestion on arrivals, and says where it is. Detection queues are one way to find the congested output
//! at an ingress, "not mandatory" (garcia-trees-2005): this file is the place to put another.

use crate::env::{Env, Event};
use crate::out_port::{Internal, InternalKind, OutPort};
use crate::params::Params;
use crate::switch::Switch;
use cam::Allocation;
use flow_control::Control;
use saq::QueueId;
use turnpool::Point;

impl Switch {
    /// A packet was stored in the detection queue of `output`. When it holds enough packets, a SAQ for that output is
    /// allocated and swapped with it: the full queue becomes the SAQ, ready at once, and is congested already.
    pub(crate) fn detect_at_ingress(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        output: u8,
        env: &mut impl Env,
    ) {
        let Some(config) = params.recn else { return };
        let port = &mut self.inputs[input];
        if port.memory.packets(queue) < config.detection_ingress_packets {
            return;
        }
        let now = env.now();
        let turn = turnpool::turn(input as u32, u32::from(output), self.ports);
        let point = Point::from_turn(turn, self.width);
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let line = match recn.allocate_root(point, now) {
            Allocation::Allocated(line) => line,
            Allocation::Present(_) => return,
            Allocation::Full => return env.observe(port.place, Event::SaqRefused(point)),
        };
        let saq = recn.queue(line);
        port.memory
            .swap(queue, saq)
            .unwrap_or_else(|error| units::broken(port.unit, now, &error));
        let in_use = recn.cam.in_use();
        recn.lines[usize::from(line)]
            .xoff
            .rise(port.memory.packets(saq), &config.thresholds);
        env.observe(
            port.place,
            Event::SaqAllocated {
                line,
                point,
                in_use,
            },
        );
        self.allocated(input, params, env);
        self.refresh(input, queue, env);
        self.refresh(input, saq, env);
        self.notify_upstream(input, line, env);
    }

    /// A packet was stored in an ingress SAQ: beyond the propagation threshold the upstream egress is notified, once,
    /// until it has answered.
    pub(crate) fn propagate_upstream(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let Some(config) = params.recn else { return };
        let port = &self.inputs[input];
        let Some(recn) = port.recn.as_ref() else {
            return;
        };
        let Some(line) = recn.line(queue) else { return };
        let registers = &recn.lines[usize::from(line)];
        if port.memory.packets(queue) > config.propagation_packets
            && !registers.notified
            && env.now() >= registers.retry_at
        {
            self.notify_upstream(input, line, env);
        }
    }

    /// Sends a notification over the link, followed by Xoff where that is in force. The leaf bit clears with it.
    fn notify_upstream(&mut self, input: usize, line: u8, env: &mut impl Env) {
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let point = recn.cam.point(line);
        let registers = &mut recn.lines[usize::from(line)];
        registers.notified = true;
        let xoff = registers.xoff.is_set();
        recn.cam.set_leaf(line, false);
        let link = &mut self.outputs[input].link;
        link.push_control(Control::Notification(point), env);
        if xoff {
            link.push_control(Control::Xoff(point), env);
        }
    }
}

impl OutPort {
    /// A packet from `sender` was stored in `queue`: the normal queue detects a root, a SAQ propagates. Each notifies the
    /// ingress port that sent the packet, unless it is a child already.
    pub(crate) fn detect(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        sender: u8,
        messages: &mut Vec<Internal>,
    ) {
        let (Some(config), Some(recn)) = (params.recn, self.recn.as_ref()) else {
            return;
        };
        let packets = self.memory.packets(queue);
        let (beyond, children) = match recn.line(queue) {
            None => (
                packets > config.detection_egress_packets,
                recn.root_children,
            ),
            Some(line) => (
                packets > config.propagation_packets,
                recn.lines[usize::from(line)].children,
            ),
        };
        if beyond && children >> sender & 1 == 0 {
            messages.push(Internal {
                egress,
                queue,
                kind: InternalKind::Notify { sender },
            });
        }
    }
}
