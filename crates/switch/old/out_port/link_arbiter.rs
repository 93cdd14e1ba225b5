//! The link arbiter: what goes on the link behind an egress port in this tick.

use super::OutPort;
use crate::env::Env;
use crate::heads::Heads;
use crate::params::Params;
use crate::requests::find_in_word;
use saq::QueueId;
use units::Tick;

/// What the link does in this tick, decided on committed state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[must_use = "one that lacks credit has not asked for any wake-up yet"]
pub struct LinkGrant {
    /// A control packet starts.
    pub control: bool,
    /// The head of this queue starts.
    pub queue: Option<QueueId>,
    /// Not decided yet: a head lacks credit as far as is known here. Who can look at the other end of the link has it send what it
    /// can ([`crate::Link::return_credit`]); [`OutPort::evaluate_again`] is next.
    pub lacks_credit: bool,
}

impl LinkGrant {
    /// Nothing starts.
    #[inline]
    pub fn is_nothing(&self) -> bool {
        debug_assert!(!self.lacks_credit, "not decided yet");
        !self.control && self.queue.is_none()
    }
}

impl OutPort {
    /// Evaluate: control packets first, then round robin over the queues whose head is visible and has credit. Catches up on
    /// credit packets that have started before; changes nothing else that another evaluation reads. Asks to be woken for heads
    /// that are not visible yet.
    #[inline(always)]
    pub fn evaluate(&mut self, params: &Params, env: &mut impl Env) -> LinkGrant {
        let now = env.now();
        if !self.link.woken(now) {
            return LinkGrant::default();
        }
        self.link.catch_up(params, now, env);
        let mut grant = LinkGrant {
            control: self.link.grants_control(now),
            ..LinkGrant::default()
        };
        if self.link.open_for_data(now) && self.has_requests() {
            let found = self.look(now, env);
            if found.starved {
                grant.lacks_credit = true;
                return grant;
            }
            grant.queue = found.queue();
            if grant.queue.is_none() {
                self.link.kick(found.invisible, env);
            }
        } else if !self.link.is_idle(now) && (self.has_requests() || self.link.has_prompt_control())
        {
            let at = self.link.busy_until;
            self.link.kick(at, env);
        }
        if grant.queue.is_none() {
            self.kick_for_arrival(env);
        }
        grant
    }

    /// Evaluate, when the other end has sent what credit it could: as [`OutPort::evaluate`].
    pub fn evaluate_again(&mut self, grant: LinkGrant, env: &mut impl Env) -> LinkGrant {
        let found = self.look_with_credit(env);
        if found.first.is_none() {
            if found.invisible != Tick::MAX {
                self.link.kick(found.invisible, env);
            }
            if found.starved {
                env.wait_for_credit(self.link.place.port);
            }
            self.kick_for_arrival(env);
        }
        LinkGrant {
            queue: found.queue(),
            lacks_credit: false,
            ..grant
        }
    }

    /// The link is not free: an evaluation when it is, if there will be anything to do; `credit` is on its way to the queue.
    #[inline]
    pub(crate) fn kick_when_free(&mut self, credit: bool, env: &mut impl Env) {
        if !self.link.woken(env.now()) {
            return;
        }
        if credit || self.has_requests() || self.link.has_prompt_control() {
            let at = self.link.busy_until;
            self.link.kick(at, env);
        } else {
            self.kick_for_arrival(env);
        }
    }

    /// Stored late: an evaluation for the head that comes next, if one does.
    #[inline(always)]
    pub(super) fn kick_for_arrival(&mut self, env: &mut impl Env) {
        if self.next_arrival != Tick::MAX {
            self.link.kick(self.next_arrival, env);
        }
    }

    /// Looks at the heads, with credit that has come if one lacks it.
    #[inline(always)]
    fn look(&mut self, now: Tick, env: &mut impl Env) -> Heads {
        if self.link.credits.len() > env.classes_that_land() {
            return self.look_with_credit(env);
        }
        let found = self.look_at_heads(now);
        if found.starved {
            return self.look_with_credit(env);
        }
        found
    }

    #[inline(never)]
    fn look_with_credit(&mut self, env: &mut impl Env) -> Heads {
        self.link.receive_landed(env);
        self.look_at_heads(env.now())
    }

    /// The heads that request, in the order of the round robin, up to the first that is visible and has credit.
    #[inline(always)]
    fn look_at_heads(&self, now: Tick) -> Heads {
        match self.eligible.only_word() {
            Some(word) => {
                let mut found = Heads::default();
                find_in_word(word, self.pointer, |queue| {
                    self.look_at(queue, now, &mut found)
                });
                found
            }
            None => self.look_at_many_heads(now),
        }
    }

    #[inline(never)]
    fn look_at_many_heads(&self, now: Tick) -> Heads {
        let mut found = Heads::default();
        self.eligible.find(self.pointer as usize, |queue| {
            self.look_at(queue, now, &mut found)
        });
        found
    }

    #[inline(always)]
    fn look_at(&self, queue: usize, now: Tick, found: &mut Heads) -> bool {
        let head = self.memory.register(queue as QueueId);
        found.look_at(queue, head.visible, now, || {
            self.link.credits.available(head.class) >= u32::from(head.cells)
        })
    }
}
