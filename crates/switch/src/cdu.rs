//! CDU: detects congestion on arrivals, and says where it is. Detection queues are one way to find the congested output
//! at an ingress, "not mandatory" (garcia-trees-2005), counters of the cold queue another: this file is the place for more.

use crate::env::{Env, Event};
use crate::messages::{Internal, InternalKind, must};
use crate::out_port::OutPort;
use crate::params::Params;
use crate::recn::IngressDetection;
use crate::switch::Switch;
use flow_control::Control;
use saq::QueueId;
use turnpool::Point;

impl Switch {
    /// A packet for `output` was stored in an ingress queue that is no SAQ.
    pub(crate) fn detect_at_ingress(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        output: u8,
        env: &mut impl Env,
    ) {
        let (Some(config), Some(rules)) = (params.recn, params.rules) else {
            return;
        };
        let port = &mut self.inputs[input];
        let packets = match rules.ingress_detection {
            IngressDetection::None => return,
            IngressDetection::Swap => port.memory.packets(queue),
            IngressDetection::Count => {
                port.cold_by_output[usize::from(output)] += 1;
                port.cold_by_output[usize::from(output)]
            }
        };
        if packets < config.detection_ingress_packets {
            return;
        }
        let now = env.now();
        let point = Point::from_turn(
            turnpool::turn(input as u32, u32::from(output), self.ports),
            self.width,
        );
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let line = match must(
            recn.found_root(&mut port.memory, point, now),
            port.unit,
            now,
        ) {
            Ok(line) => line,
            Err(false) => return,
            Err(true) => return env.observe(port.place, Event::SaqRefused(point)),
        };
        let in_use = recn.cam.in_use();
        env.observe(
            port.place,
            Event::SaqAllocated {
                line,
                point,
                in_use,
            },
        );
        if rules.ingress_detection == IngressDetection::Swap {
            self.swap(params, input, queue, line, env);
        }
        self.allocated(input, params, now, env);
    }

    /// The full detection queue becomes the SAQ, an empty one takes its place. It counts as congested: upstream is told at
    /// once, by a notification or (DD versions) by Xoff if that is met.
    fn swap(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        line: u8,
        env: &mut impl Env,
    ) {
        let Some(config) = params.recn else { return };
        let now = env.now();
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let saq = recn.queue(line);
        must(
            port.memory.swap(queue, saq).map_err(Into::into),
            port.unit,
            now,
        );
        let registers = recn.registers(line);
        let risen = registers
            .xoff
            .rise(port.memory.packets(saq), &config.thresholds);
        registers.xoff_at = now;
        let (tokens, point) = (recn.rules.tokens, recn.cam.point(line));
        self.refresh(input, queue, env);
        self.refresh(input, saq, env);
        if tokens {
            self.notify_upstream(input, line, env);
        } else if risen {
            self.outputs[input]
                .link
                .push_control(Control::Xoff(point), env);
        }
    }

    /// A packet was stored in an ingress SAQ: beyond the propagation threshold the upstream egress is notified, once,
    /// until it has answered (token versions).
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
        if recn.rules.tokens
            && recn.propagates(line, port.memory.packets(queue), env.now(), &config)
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
        let (point, xoff) = must(recn.notify(line), port.unit, env.now());
        let link = &mut self.outputs[input].link;
        link.push_control(Control::Notification(point), env);
        if xoff {
            link.push_control(Control::Xoff(point), env);
        }
    }
}

impl OutPort {
    /// A packet from `sender` was stored in `queue`: the normal queue detects a root, a SAQ propagates (token versions). Each
    /// turns to the ingress port that sent the packet, unless it is a child already.
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
        let root = packets > config.detection_egress_packets;
        let (point, notifies, kind) = match (recn.line(queue), recn.rules.tokens) {
            (None, true) => (
                Point::EMPTY,
                root && recn.root_children >> sender & 1 == 0,
                InternalKind::Notify { sender },
            ),
            (None, false) => (
                Point::EMPTY,
                root,
                InternalKind::Request {
                    sender,
                    blocked: false,
                },
            ),
            (Some(_), false) => return,
            (Some(line), true) => {
                let child = recn.lines[usize::from(line)].children >> sender & 1 == 1;
                let beyond = packets > config.propagation_packets;
                (
                    recn.cam.point(line),
                    beyond && !child,
                    InternalKind::Notify { sender },
                )
            }
        };
        if notifies {
            messages.push(Internal {
                egress,
                queue,
                point,
                kind,
            });
        }
    }
}
