//! MMU: maps packets to cells and queues. The unit itself is the crate [`saq`]; here is what a switch does with it on
//! the ingress side: keep the head registers and requests in step with the queues.

use crate::env::Env;
use crate::heads::{Head, NO_OUTPUT};
use crate::switch::Switch;
use saq::QueueId;

impl Switch {
    /// Brings the head register and the request of an ingress queue up to date.
    #[inline(always)]
    pub(crate) fn refresh(&mut self, input: usize, queue: QueueId, env: &mut impl Env) {
        let port = &self.inputs[input];
        match port.memory.front(queue) {
            Some(id)
                if env.is_plain()
                    || (port.may_request(queue, env) && !port.head_is_moved(queue, env)) =>
            {
                self.request(input, queue, Head::of(&env.packets()[id]), env)
            }
            _ => self.withdraw(input, queue, env),
        }
    }

    /// A new packet is at the head of an ingress queue that may request.
    #[inline(always)]
    pub(crate) fn request(&mut self, input: usize, queue: QueueId, head: Head, env: &mut impl Env) {
        self.raise(input, queue, head, env);
        let at = head.visible.max(env.now() + 1);
        // A busy input is looked at again when its transfer ends.
        if self.crossings[input].end >= at {
            self.await_transfer(input, env);
        } else {
            self.ask(usize::from(head.output), at, env);
        }
    }

    /// The same, for somebody who sees to it that the crossbar is evaluated.
    #[inline(always)]
    pub(crate) fn raise(&mut self, input: usize, queue: QueueId, head: Head, env: &impl Env) {
        let port = &mut self.inputs[input];
        let (class, number) = port.class_of(queue, env);
        let register = port.memory.register_mut(queue);
        let old = register.output;
        *register = head;
        if old != head.output {
            if old != NO_OUTPUT {
                self.requests.clear(class, input, usize::from(old), number);
            }
            self.requests
                .set(class, input, usize::from(head.output), number);
        }
    }

    /// An ingress queue requests nothing any more.
    #[inline(always)]
    fn withdraw(&mut self, input: usize, queue: QueueId, env: &impl Env) {
        let port = &mut self.inputs[input];
        let (class, number) = port.class_of(queue, env);
        let old = std::mem::replace(&mut port.memory.register_mut(queue).output, NO_OUTPUT);
        if old != NO_OUTPUT {
            self.requests.clear(class, input, usize::from(old), number);
        }
    }
}
