//! FCU: Xon/Xoff ("Stop & Go") of SAQs, and what arrives over links: credits, Xon/Xoff, notifications, tokens, NACKs.

use crate::env::{Env, Event, Wake};
use crate::messages::{Internal, InternalKind, must};
use crate::out_port::OutPort;
use crate::params::Params;
use crate::recn::{Answer, root_thresholds};
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
        self.ingress_xoff(params, input, queue, true, env);
    }

    /// A packet left ingress `queue`: Xon when the SAQ has fallen to it; markers behind it come to the head.
    #[inline]
    pub(crate) fn ingress_fell(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        env: &mut impl Env,
    ) {
        let port = &mut self.inputs[input];
        if let Some(recn) = port.recn.as_mut() {
            if recn.head_left(&port.memory, queue) {
                env.wake(env.now(), Wake::Recn, self.index, 0);
            }
            self.ingress_xoff(params, input, queue, false, env);
        }
    }

    fn ingress_xoff(
        &mut self,
        params: &Params,
        input: usize,
        queue: QueueId,
        rise: bool,
        env: &mut impl Env,
    ) {
        let now = env.now();
        let port = &mut self.inputs[input];
        let (Some(config), Some(recn)) = (params.recn, port.recn.as_mut()) else {
            return;
        };
        let Some(line) = recn.line(queue) else { return };
        let packets = port.memory.packets(queue);
        let repeats = rise && recn.repeats_xoff(line, packets, now, &config);
        let tokens = recn.rules.tokens;
        let point = recn.cam.point(line);
        let registers = recn.registers(line);
        let changed = if rise {
            registers.xoff.rise(packets, &config.thresholds)
        } else {
            registers.xoff.fall(packets, &config.thresholds)
        };
        if !changed && !repeats {
            return;
        }
        registers.xoff_at = now;
        if registers.notified || !tokens {
            let control = if rise {
                Control::Xoff(point)
            } else {
                Control::Xon(point)
            };
            self.outputs[input].link.push_control(control, env);
        }
        if !rise {
            recn.check |= 1 << line;
            env.wake(now, Wake::Recn, self.index, 0);
        }
    }

    /// Step 4: a control packet from the link at `port`. Credits, notifications and Xon/Xoff are for its egress side,
    /// tokens and NACKs for its ingress side.
    pub fn control(&mut self, params: &Params, port: usize, control: Control, env: &mut impl Env) {
        let now = env.now();
        match control {
            Control::Credit { class, cells } => {
                let output = &mut self.outputs[port];
                output.link.receive_credit(class, cells, now);
                if params.config.organisation == crate::Organisation::Iq {
                    self.mark_output(port, env);
                } else {
                    output.kick_if_waiting(env);
                }
            }
            Control::Xoff(point) | Control::Xon(point)
                if params.rules.is_some_and(|r| r.moves()) =>
            {
                self.broadcast(port, point, matches!(control, Control::Xoff(_)), env);
            }
            Control::Notification(_) | Control::Xoff(_) | Control::Xon(_) => {
                self.outputs[port].control(params, control, env);
                self.egress_timer(params, now);
            }
            Control::Token(point) | Control::Nack(point) => {
                let input = &mut self.inputs[port];
                let Some(recn) = input.recn.as_mut() else {
                    broken(
                        input.unit,
                        now,
                        &format_args!("{} at a port without SAQs", control.name()),
                    )
                };
                let retry_at = match control {
                    Control::Nack(_) => Some(now + params.recn.map_or(0, |c| c.retry)),
                    _ => None,
                };
                must(recn.answered(point, retry_at), input.unit, now);
                env.wake(now, Wake::Recn, self.index, 0);
            }
        }
    }

    /// `recn-dd-iq`: Xoff or Xon for a point behind `output` goes on to all inputs. Without lines at outputs, the input that
    /// sent the last packet allocates if it has no match; with lines, inputs allocate as matching packets start.
    fn broadcast(&mut self, output: usize, point: Point, xoff: bool, env: &mut impl Env) {
        let port = &mut self.outputs[output];
        let mut sender = port.last_sender;
        if let Some(recn) = port.recn.as_mut() {
            sender = crate::messages::NO_SENDER;
            let place = port.place;
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
                    port.unit,
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
    /// A packet from `sender` was stored in `queue`, or one left it (`None`): Xoff or Xon when the threshold is met.
    pub(crate) fn xoff(
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
        let line = recn.line(queue);
        let repeats =
            sender.is_some() && line.is_some_and(|l| recn.repeats_xoff(l, packets, now, &config));
        let tokens = recn.rules.tokens;
        let point = line.map_or(Point::EMPTY, |l| recn.cam.point(l));
        let (register, thresholds, children) = match line {
            Some(line) => {
                let registers = recn.registers(line);
                (&mut registers.xoff, config.thresholds, registers.children)
            }
            None => match root_thresholds(&config).filter(|_| tokens) {
                Some(thresholds) => (&mut recn.root_xoff, thresholds, recn.root_children),
                None => return false,
            },
        };
        let changed = match sender {
            Some(_) => register.rise(packets, &thresholds),
            None => register.fall(packets, &thresholds),
        };
        if !changed && !repeats {
            return false;
        }
        if children != 0 || !tokens {
            let kind = match sender {
                Some(sender) => InternalKind::Xoff { sender },
                None => InternalKind::Xon,
            };
            messages.push(Internal {
                egress,
                queue,
                point,
                kind,
            });
        }
        if let Some(line) = line {
            recn.registers(line).xoff_at = now;
            if sender.is_none() {
                recn.check |= 1 << line;
            }
        }
        true
    }

    /// Step 4 on the egress side (also of end nodes): notification, Xoff or Xon from the ingress port downstream.
    pub fn control(&mut self, params: &Params, control: Control, env: &mut impl Env) {
        let (now, unit, place) = (env.now(), self.unit, self.place);
        let Some(point) = control.point() else {
            broken(unit, now, &"a credit is no message for SAQs")
        };
        let Some(recn) = self.recn.as_mut() else {
            broken(
                unit,
                now,
                &format_args!("{} at a port without SAQs", control.name()),
            )
        };
        match control {
            Control::Notification(_) if recn.rules.tokens => {
                match must(
                    recn.notified(&mut self.memory, point, 0, false, now),
                    unit,
                    now,
                ) {
                    Answer::Accepted(line) | Answer::Adopted(line) => {
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
                    Answer::Refused => {
                        env.observe(place, Event::SaqRefused(point));
                        self.link.push_control(Control::Nack(point), env);
                    }
                }
            }
            Control::Xoff(_) | Control::Xon(_) => {
                let xoff = matches!(control, Control::Xoff(_));
                if let Some(line) = must(recn.flow(&point, xoff), unit, now) {
                    let queue = recn.queue(line);
                    if !xoff {
                        self.wake_recn(env);
                    }
                    self.refresh(queue, env);
                } else if xoff && !recn.rules.tokens {
                    self.allocate_blocked(params, point, env);
                } else {
                    env.observe(place, Event::Ignored(control));
                }
            }
            _ => broken(
                unit,
                now,
                &format_args!("{} at an egress port", control.name()),
            ),
        }
    }

    /// DD versions: an Xoff without a match is the notification.
    fn allocate_blocked(&mut self, params: &Params, point: Point, env: &mut impl Env) {
        let (now, unit, place) = (env.now(), self.unit, self.place);
        let Some(recn) = self.recn.as_mut() else {
            return;
        };
        match must(recn.requested(&mut self.memory, point, 0, now), unit, now) {
            Some(Answer::Accepted(line)) => {
                must(recn.flow(&point, true), unit, now);
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
            Some(Answer::Refused) => env.observe(place, Event::SaqRefused(point)),
            Some(Answer::Adopted(_)) | None => {}
        }
    }
}
