//! FCU: Xon/Xoff ("Stop & Go") of SAQs, and what arrives over links: credits, Xon/Xoff, notifications, tokens, NACKs.

use crate::env::{Env, Event, Wake};
use crate::messages::{Internal, InternalKind, must};
use crate::out_port::OutPort;
use crate::params::Params;
use crate::recn::Received;
use crate::switch::Switch;
use cam::Allocation;
use flow_control::Control;
use saq::QueueId;
use turnpool::Point;
use units::{Tick, broken};

impl Switch {
    /// A packet came to ingress `queue`: Xoff when the SAQ has reached it, repeated in the DD versions.
    #[inline]
    pub(crate) fn ingress_rose(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let now = env.now();
        let port = &mut self.inputs[input];
        let (Some(config), Some(recn)) = (params.recn, port.recn.as_mut()) else {
            return;
        };
        let Some(line) = recn.line(queue) else { return };
        let packets = port.memory.packets(queue);
        if let Some(control) = recn.ingress_rose(line, packets, now, &config) {
            self.outputs[input].link.push_control(control, env);
        }
    }

    /// A packet left ingress `queue`: Xon when the SAQ has fallen to it; markers behind it come to the head.
    #[inline(always)]
    pub(crate) fn ingress_fell(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let port = &self.inputs[input];
        if queue >= port.normal || port.memory.has_markers(queue) {
            self.ingress_fell_to(params, input, queue, env);
        }
    }

    #[inline(never)]
    fn ingress_fell_to(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let now = env.now();
        let port = &mut self.inputs[input];
        let (Some(config), Some(recn)) = (params.recn, port.recn.as_mut()) else {
            return;
        };
        let mut marked = recn.head_left(&port.memory, queue);
        if let Some(line) = recn.line(queue) {
            let packets = port.memory.packets(queue);
            let (ended, control) = recn.ingress_fell(line, packets, now, &config);
            marked |= ended;
            if let Some(control) = control {
                self.outputs[input].link.push_control(control, env);
            }
        }
        if marked {
            env.wake(now, Wake::Recn, self.index, 0);
        }
    }

    /// Step 4: a credit packet from the link at `port`, for its egress side.
    #[inline]
    pub fn credit(
        &mut self,
        params: &Params,
        port: usize,
        class: u16,
        cells: u32,
        env: &mut impl Env,
    ) {
        let output = &mut self.outputs[port];
        output.link.receive_credit(class, cells, env.now());
        if params.config.organisation == crate::Organisation::Iq {
            self.mark_output(port, env);
        } else {
            output.kick_if_waiting(env);
        }
    }

    /// Step 4: a control packet from the link at `port`. Credits, notifications and Xon/Xoff are for its egress side,
    /// tokens and NACKs for its ingress side.
    pub fn control(&mut self, params: &Params, port: usize, control: Control, env: &mut impl Env) {
        let now = env.now();
        match control {
            Control::Credit { class, cells } => self.credit(params, port, class, cells, env),
            Control::Xoff(point) | Control::Xon(point)
                if params.rules.is_some_and(|r| r.moves()) =>
            {
                self.broadcast(port, point, matches!(control, Control::Xoff(_)), env);
            }
            Control::Notification(_) | Control::Xoff(_) | Control::Xon(_) => {
                self.outputs[port].control(params, control, env);
                self.egress_timer(params, now);
            }
            Control::Token(_) | Control::Nack(_) => {
                let input = &mut self.inputs[port];
                let (Some(config), Some(recn)) = (params.recn, input.recn.as_mut()) else {
                    broken(
                        input.unit,
                        now,
                        &format_args!("{} at a port without SAQs", control.name()),
                    )
                };
                must(recn.ingress_control(control, now, &config), input.unit, now);
                env.wake(now, Wake::Recn, self.index, 0);
            }
        }
    }

    /// `recn-dd-iq`: Xoff or Xon for a point behind `output` goes on to all inputs. Without lines at outputs, the input that
    /// sent the last packet allocates if it has no match; with lines, inputs allocate as matching packets start.
    fn broadcast(&mut self, output: usize, point: Point, xoff: bool, env: &mut impl Env) {
        let port = &mut self.outputs[output];
        let mut sender = self.crossings[output].sender;
        if let Some(recn) = port.recn.as_mut() {
            sender = crate::messages::NO_SENDER;
            let place = port.link.place;
            if xoff {
                match recn.cam.allocate(point) {
                    Allocation::Allocated(line) => {
                        let in_use = recn.cam.in_use();
                        env.observe(
                            place,
                            Event::SaqAllocated {
                                line,
                                point,
                                in_use,
                            },
                        );
                    }
                    Allocation::Full => env.observe(place, Event::SaqRefused(point)),
                    Allocation::Present(_) => {}
                }
            } else if let Some(line) = recn.cam.find(&point) {
                must(
                    recn.cam.free(line).map_err(Into::into),
                    port.link.unit,
                    env.now(),
                );
                let in_use = recn.cam.in_use();
                env.observe(
                    place,
                    Event::SaqFreed {
                        line,
                        point,
                        in_use,
                    },
                );
            }
        }
        let kind = if xoff {
            InternalKind::Xoff { sender }
        } else {
            InternalKind::Xon
        };
        self.messages.push(Internal {
            egress: output as u8,
            queue: 0,
            point,
            kind,
        });
        env.wake(env.now(), Wake::Recn, self.index, 0);
    }
}

impl OutPort {
    /// A packet from `sender` was stored in `queue`, or one left it (`None`): Xoff or Xon when the threshold is met. Returns whether
    /// the register changed, or says again what it said; without children nobody is told.
    #[inline(always)]
    pub(crate) fn xoff(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        sender: Option<u8>,
        now: Tick,
        messages: &mut Vec<Internal>,
    ) -> bool {
        let (Some(config), Some(recn)) = (&params.recn, &self.recn) else {
            return false;
        };
        recn.has_xoff(queue, config) && self.xoff_at(params, egress, queue, sender, now, messages)
    }

    #[inline(never)]
    fn xoff_at(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        sender: Option<u8>,
        now: Tick,
        messages: &mut Vec<Internal>,
    ) -> bool {
        let (Some(config), Some(recn)) = (params.recn, self.recn.as_mut()) else {
            return false;
        };
        let packets = self.memory.packets(queue);
        let Some(said) = recn.egress_flow(queue, packets, sender, now, &config) else {
            return false;
        };
        if let Some((point, kind)) = said {
            messages.push(Internal {
                egress,
                queue,
                point,
                kind,
            });
        }
        true
    }

    /// Step 4 on the egress side (also of end nodes): notification, Xoff or Xon from the ingress port downstream.
    pub fn control(&mut self, params: &Params, control: Control, env: &mut impl Env) {
        let (now, unit, place) = (env.now(), self.link.unit, self.link.place);
        self.stir(params, env);
        let Some(recn) = self.recn.as_mut() else {
            broken(
                unit,
                now,
                &format_args!("{} at a port without SAQs", control.name()),
            )
        };
        match must(
            recn.egress_control(&mut self.memory, control, now),
            unit,
            now,
        ) {
            Received::Allocated { line, point } => {
                let in_use = recn.cam.in_use();
                env.observe(
                    place,
                    Event::SaqAllocated {
                        line,
                        point,
                        in_use,
                    },
                );
                self.set_timer(params, env);
            }
            Received::Refused { point, nack } => {
                env.observe(place, Event::SaqRefused(point));
                if let Some(nack) = nack {
                    self.link.push_control(nack, env);
                }
            }
            Received::Flow { line, xoff } => {
                let queue = recn.queue(line);
                if !xoff {
                    self.wake_recn(env);
                }
                self.refresh(queue, env);
            }
            Received::Ignored => env.observe(place, Event::Ignored(control)),
        }
    }
}
