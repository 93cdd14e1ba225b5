//! CDU: detects congestion on arrivals, and says where it is. Detection queues are one way to find the congested output
//! at an ingress, "not mandatory" (garcia-trees-2005), counters of the cold queue another: this file is the place for more.

use crate::env::{Env, Event};
use crate::messages::{Internal, must};
use crate::out_port::OutPort;
use crate::params::Params;
use crate::recn::{Detection, IngressDetection, RecnPort, Says};
use crate::switch::Switch;
use saq::QueueId;
use turnpool::Point;

impl Params {
    /// Whether so many packets of a normal queue of an ingress port are congestion. Late stores are checked against this and
    /// the next, apart from [`Params::quiet_cells`].
    pub(crate) fn detects_at_ingress(&self, packets: u32) -> bool {
        self.recn
            .as_ref()
            .zip(self.rules)
            .is_some_and(|(config, rules)| rules.detects_at_ingress(packets, config))
    }

    /// Whether so many packets of a normal queue of an egress port are congestion, or reason for Xoff.
    pub(crate) fn detects_at_egress(&self, packets: u32) -> bool {
        self.recn.as_ref().is_some_and(|config| {
            packets > config.detection_egress_packets
                || config.root_xoff_packets.is_some_and(|xoff| packets >= xoff)
        })
    }
}

impl Switch {
    /// A packet for `output` was stored in an ingress queue that is no SAQ.
    #[inline(always)]
    pub(crate) fn detect_at_ingress(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        output: u8,
        env: &mut impl Env,
    ) {
        let (Some(config), Some(rules)) = (&params.recn, &params.rules) else {
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
        let detects = |recn: &RecnPort| recn.detects_at_ingress(packets, config);
        if port.recn.as_deref().is_some_and(detects) {
            self.detected_at_ingress(params, input, queue, output, env);
        }
    }

    #[inline(never)]
    fn detected_at_ingress(
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
        self.stir(params, input, env);
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let now = env.now();
        let point = Point::from_turn(
            turnpool::turn(input as u32, u32::from(output), self.ports),
            self.width,
        );
        let detection = recn.ingress_detection(&mut port.memory, queue, point, now, &config);
        let (line, says) = match must(detection, port.unit, now) {
            Detection::Root { line, says } => (line, says),
            Detection::Known => return,
            Detection::Refused => return env.observe(port.place, Event::SaqRefused(point)),
        };
        let (in_use, saq) = (recn.cam.in_use(), recn.queue(line));
        env.observe(
            port.place,
            Event::SaqAllocated {
                line,
                point,
                in_use,
            },
        );
        if rules.ingress_detection == IngressDetection::Swap {
            self.renew(input, queue, env);
            self.renew(input, saq, env);
            self.say_upstream(input, says, env);
        }
        self.allocated(input, params, now, env);
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
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let Some(line) = recn.line(queue) else { return };
        let packets = port.memory.packets(queue);
        let says = recn.ingress_propagation(line, packets, env.now(), &config);
        let says = must(says, port.unit, env.now());
        self.say_upstream(input, says, env);
    }

    /// Sends control packets over the link upstream of `input`.
    #[inline]
    fn say_upstream(&mut self, input: usize, says: Says, env: &mut impl Env) {
        for control in says.into_iter().flatten() {
            self.outputs[input].link.push_control(control, env);
        }
    }
}

impl OutPort {
    /// A packet from `sender` was stored in `queue`: the normal queue detects a root, a SAQ propagates (token versions). Each
    /// turns to the ingress port that sent the packet, unless it is a child already. Returns whether there is a message.
    #[inline]
    pub(crate) fn detect(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        sender: u8,
        messages: &mut Vec<Internal>,
    ) -> bool {
        let (Some(config), Some(recn)) = (&params.recn, &self.recn) else {
            return false;
        };
        let packets = self.memory.packets(queue);
        let message = recn.egress_detection(queue, packets, sender, config);
        messages.extend(message.map(|(point, kind)| Internal {
            egress,
            queue,
            point,
            kind,
        }));
        message.is_some()
    }
}
