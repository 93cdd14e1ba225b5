//! MMU: maps packets to cells and queues. The unit itself is the crate [`saq`]; here is what a switch does with it on
//! the ingress side: keep the head registers and requests in step with the queues.

use crate::env::{Env, Wake};
use crate::in_port::{Head, NO_OUTPUT};
use crate::switch::Switch;
use saq::QueueId;

impl Switch {
    /// Brings the head register and the request of an ingress queue up to date.
    #[inline]
    pub(crate) fn refresh(&mut self, input: usize, queue: QueueId, env: &mut impl Env) {
        let port = &self.inputs[input];
        let may = port.recn.as_ref().is_none_or(|r| r.may_request(queue));
        let (class, number) = port.class_of(queue);
        let old = port.heads[usize::from(queue)].output;
        let may = may && !port.head_is_moved(queue, env);
        let front = if may { port.memory.front(queue) } else { None };
        let port = &mut self.inputs[input];
        let Some(id) = front else {
            if old != NO_OUTPUT {
                port.heads[usize::from(queue)].output = NO_OUTPUT;
                self.requests.clear(class, input, usize::from(old), number);
            }
            return;
        };
        let packet = &env.packets()[id];
        let head = Head {
            visible: packet.visible,
            class: packet.class,
            cells: packet.cells,
            output: packet.output,
        };
        port.heads[usize::from(queue)] = head;
        let busy = port.transfer.is_some();
        if old != head.output {
            if old != NO_OUTPUT {
                self.requests.clear(class, input, usize::from(old), number);
            }
            self.requests
                .set(class, input, usize::from(head.output), number);
        }
        // A busy input is looked at again when its transfer ends.
        if !busy {
            let next = env.now() + 1;
            if head.visible <= next {
                self.mark_output(usize::from(head.output), env);
            } else {
                env.wake(head.visible, Wake::Request, self.index, input as u8);
            }
        }
    }
}
