//! FCU: Xon/Xoff ("Stop & Go") of SAQs, and what arrives over links: credits, Xon/Xoff, notifications, tokens, NACKs.

use crate::env::{Env, Event, Wake};
use crate::out_port::{Internal, InternalKind, OutPort};
use crate::params::Params;
use crate::recn::root_thresholds;
use crate::switch::Switch;
use cam::Allocation;
use flow_control::Control;
use saq::QueueId;
use units::broken;

impl Switch {
    /// A packet was stored in ingress `queue`: Xoff when the SAQ has reached it.
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
        let port = &mut self.inputs[input];
        let (Some(config), Some(recn)) = (params.recn, port.recn.as_mut()) else {
            return;
        };
        let Some(line) = recn.line(queue) else { return };
        let packets = port.memory.packets(queue);
        let registers = &mut recn.lines[usize::from(line)];
        let changed = if rise {
            registers.xoff.rise(packets, &config.thresholds)
        } else {
            registers.xoff.fall(packets, &config.thresholds)
        };
        if !changed {
            return;
        }
        if registers.notified {
            let point = recn.cam.point(line);
            let control = if rise {
                Control::Xoff(point)
            } else {
                Control::Xon(point)
            };
            self.outputs[input].link.push_control(control, env);
        }
        if !rise {
            recn.check |= 1 << line;
            env.wake(env.now(), Wake::Recn, self.index, 0);
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
            Control::Notification(_) | Control::Xoff(_) | Control::Xon(_) => {
                self.outputs[port].control(params, control, env);
                self.egress_timer(params, now);
            }
            Control::Token(point) | Control::Nack(point) => {
                let input = &mut self.inputs[port];
                let line = input.recn.as_ref().and_then(|r| r.cam.find(&point));
                let (Some(recn), Some(line)) = (input.recn.as_mut(), line) else {
                    broken(
                        input.unit,
                        now,
                        &format_args!("{} for a point {point:?} that has no SAQ", control.name()),
                    )
                };
                let registers = &mut recn.lines[usize::from(line)];
                if !registers.notified {
                    broken(
                        input.unit,
                        now,
                        &format_args!(
                            "{} for {point:?}, which has no child upstream",
                            control.name()
                        ),
                    );
                }
                registers.notified = false;
                if let Control::Nack(_) = control {
                    registers.retry_at = now + params.recn.map_or(0, |c| c.retry);
                }
                recn.cam.set_leaf(line, true);
                recn.check |= 1 << line;
                env.wake(now, Wake::Recn, self.index, 0);
            }
        }
    }
}

impl OutPort {
    /// A packet was stored in (`rise`) or left `queue`: Xoff or Xon to the child ports when the threshold is met.
    pub(crate) fn xoff(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        rise: bool,
        messages: &mut Vec<Internal>,
    ) -> bool {
        let (Some(config), Some(recn)) = (params.recn, self.recn.as_mut()) else {
            return false;
        };
        let packets = self.memory.packets(queue);
        let (register, thresholds, children) = match recn.line(queue) {
            Some(line) => {
                let registers = &mut recn.lines[usize::from(line)];
                (&mut registers.xoff, config.thresholds, registers.children)
            }
            None => match root_thresholds(&config) {
                Some(thresholds) => (&mut recn.root_xoff, thresholds, recn.root_children),
                None => return false,
            },
        };
        let changed = if rise {
            register.rise(packets, &thresholds)
        } else {
            register.fall(packets, &thresholds)
        };
        if changed {
            if children != 0 {
                let kind = if rise {
                    InternalKind::Xoff
                } else {
                    InternalKind::Xon
                };
                messages.push(Internal {
                    egress,
                    queue,
                    kind,
                });
            }
            if let (false, Some(line)) = (rise, recn.line(queue)) {
                recn.check |= 1 << line;
            }
        }
        changed
    }

    /// Step 4 on the egress side (also of end nodes): notification, Xoff or Xon from the ingress port downstream.
    pub fn control(&mut self, params: &Params, control: Control, env: &mut impl Env) {
        let now = env.now();
        let Some(point) = control.point() else {
            broken(self.unit, now, &"a credit is no message for SAQs")
        };
        let Some(recn) = self.recn.as_mut() else {
            broken(
                self.unit,
                now,
                &format_args!("{} at a port without SAQs", control.name()),
            )
        };
        match control {
            Control::Notification(_) => {
                let host = recn.host(&point, 0);
                match recn.allocate(&mut self.memory, point, host, now) {
                    Allocation::Allocated(line) => {
                        let in_use = recn.cam.in_use();
                        env.observe(
                            self.place,
                            Event::SaqAllocated {
                                line,
                                point,
                                in_use,
                            },
                        );
                        self.set_timer(params, env);
                    }
                    Allocation::Full => {
                        env.observe(self.place, Event::SaqRefused(point));
                        self.link.push_control(Control::Nack(point), env);
                    }
                    Allocation::Present(_) => broken(
                        self.unit,
                        now,
                        &format_args!("second notification for {point:?} over a link"),
                    ),
                }
            }
            Control::Xoff(_) | Control::Xon(_) => {
                let Some(line) = recn.cam.find(&point) else {
                    return env.observe(self.place, Event::Ignored(control));
                };
                let blocked = matches!(control, Control::Xoff(_));
                recn.cam.set_blocked(line, blocked);
                let queue = recn.queue(line);
                if !blocked {
                    recn.check |= 1 << line;
                    self.wake_recn(env);
                }
                self.refresh(queue, env);
            }
            Control::Credit { .. } | Control::Token(_) | Control::Nack(_) => broken(
                self.unit,
                now,
                &format_args!("{} at an egress port", control.name()),
            ),
        }
    }
}
