//! Step 4: control packets from the links.

use super::Switch;
use crate::env::Env;
use crate::must;
use flow_control::Control;
use plan::Params;
use recn::{Internal, InternalKind};
use turnpool::Point;
use units::{ClassId, PortId, QueueId, Tick, broken};

impl Switch {
    /// Credit from the link at `port`, for its egress side.
    pub fn credit(&mut self, port: PortId, class: ClassId, cells: u32, now: Tick) {
        self.outputs[port.index()].credit(class, cells, now);
        self.credit_where_marked(port, class, now);
    }

    /// Another control packet from the link at `port`. Notifications, Xon/Xoff and pauses are for
    /// its egress side, tokens and NACKs for its ingress side.
    pub fn control(&mut self, params: &Params, port: PortId, control: Control, env: &mut impl Env) {
        let now = env.now();
        match control {
            Control::Xoff(point) | Control::Xon(point) if params.moves() => {
                self.broadcast(port, point, matches!(control, Control::Xoff(_)), env);
            }
            Control::Notification(_) | Control::Xoff(_) | Control::Xon(_) => {
                self.outputs[port.index()].control(params, control, env);
            }
            Control::Recovery(message) => self.recovery_message(port, message, now),
            Control::Pause(word, vc) => {
                self.outputs[port.index()].hear(word, vc, env);
            }
            Control::Token(_) | Control::Nack(_) => {
                let input = &mut self.inputs[port.index()];
                let unit = input.unit();
                let (Some(config), Some((recn, _))) = (&params.recn, input.recn_mut()) else {
                    let what = format_args!("{} at a port without SAQs", control.name());
                    broken(unit, now, &what)
                };
                must(recn.ingress_control(control, now, config), unit, now);
            }
        }
    }

    /// `recn-dd-iq`: Xoff or Xon for a point behind `output` goes on to all inputs. Without lines
    /// at outputs the last sender allocates if it has no match; else inputs as matching packets
    /// start.
    fn broadcast(&mut self, output: PortId, point: Point, xoff: bool, env: &mut impl Env) {
        let port = &mut self.outputs[output.index()];
        let mut sender = self.scheduler.last_sender(output);
        if port.recn().is_some() {
            sender = None;
            port.line_without_queue(point, xoff, env);
        }
        let kind = if xoff { InternalKind::Xoff { sender } } else { InternalKind::Xon };
        self.messages.push(Internal { egress: output, queue: QueueId(0), point, kind });
    }
}
