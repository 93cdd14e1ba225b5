//! MMU: maps packets to cells and queues. The unit itself is the crate [`saq`]; here is what a switch does with it on
//! the ingress side: keep the head registers and requests in step with the queues.

use crate::env::Env;
use crate::heads::{Head, NO_OUTPUT};
use crate::switch::Switch;
use saq::QueueId;
use units::Tick;

impl Switch {
    /// Brings the request of an ingress queue up to date, where its head is the one that it was. A
    /// request that stands goes on standing; one that is raised stands from the next tick on.
    #[inline(always)]
    pub(crate) fn refresh(&mut self, input: usize, queue: QueueId, env: &mut impl Env) {
        let register = self.inputs[input].memory.register(queue);
        let since = match register.output {
            NO_OUTPUT => env.now() + 1,
            _ => register.visible,
        };
        self.update(input, queue, since, env);
    }

    /// The same where another packet has come to the head, or none.
    #[inline(always)]
    pub(crate) fn renew(&mut self, input: usize, queue: QueueId, env: &mut impl Env) {
        self.update(input, queue, env.now() + 1, env);
    }

    /// The request of a queue, of a packet that is at its head from tick `since` on.
    #[inline(always)]
    fn update(&mut self, input: usize, queue: QueueId, since: Tick, env: &mut impl Env) {
        let port = &self.inputs[input];
        match port.memory.front(queue) {
            Some(id)
                if env.is_plain()
                    || (port.may_request(queue, env) && !port.head_is_moved(queue, env)) =>
            {
                let mut head = Head::of(&env.packets()[id]);
                head.visible = head.visible.max(since);
                self.request(input, queue, head, env)
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
    fn withdraw(&mut self, input: usize, queue: QueueId, env: &mut impl Env) {
        let port = &mut self.inputs[input];
        let (class, number) = port.class_of(queue, env);
        let old = std::mem::replace(&mut port.memory.register_mut(queue).output, NO_OUTPUT);
        if old != NO_OUTPUT {
            self.requests.clear(class, input, usize::from(old), number);
            if env.now() >= self.overdue.from {
                // It may have reserved what others can have now.
                self.arm(1 << old, env);
            }
        }
    }
}
