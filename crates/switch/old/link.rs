//! The sending end of a link: control queue, credits for the next memory, and the wire's time table (FCU, global flow
//! control). Source: spec page clock.md, Links.

use crate::env::{Env, Event, Place, Wake};
use crate::packet::PacketId;
use crate::params::{Params, short};
use crossbar::TransferTiming;
use flow_control::{ClassCredits, Control, ControlQueue};
use units::{Tick, Ticks, Unit, broken};

/// What is at the other end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// Dense number of the port there.
    pub to: u32,
    /// The switch there; `None` for an end node.
    pub switch: Option<PeerSwitch>,
    /// Wire latency, at least 1 tick.
    pub wire: Ticks,
}

/// What look-ahead needs to know of the next switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerSwitch {
    /// Its ingress port on this link.
    pub in_port: u8,
    /// Its ports.
    pub ports: u8,
    /// Width of its turns.
    pub width: u8,
}

/// Sending end of one link direction.
// In the order of use: two cache lines of what every packet touches, and credit that passes the control queue or waits there
// alone. Whatever else waits there comes behind.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub struct Link {
    /// The wire is taken until this tick.
    pub busy_until: Tick,
    wake_at: Tick,
    /// Free cells of the next memory, by class.
    pub credits: ClassCredits,
    /// Name for observers.
    pub place: Place,
    evaluated: Tick,
    /// The other end.
    pub peer: Peer,
    pub(crate) element: u32,
    pub(crate) port: u8,
    out_of_band: bool,
    /// Credit packets start when they may, with a wake-up: the other end waits for them, or has not yet let one come. Else they
    /// start when somebody looks ([`Link::catch_up`]).
    prompt: bool,
    /// When the credit that waits may start.
    ready: Tick,
    /// When the first other control packet that waits may start.
    named_ready: Tick,
    /// Control packets that wait, for the other end of this very link.
    pub control: ControlQueue,
    /// Name in messages.
    pub unit: Unit,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(Link, evaluated) == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(Link, control) == 112);

impl Link {
    /// An idle link. `credit_cells` of each of `classes` classes of the next memory; `control_classes` are those of the
    /// memory on this side, whose credits are returned over this link.
    ///
    /// # Panics
    /// With no class, or more cells or classes than [`crate::CELLS_MAX`] and [`crate::QUEUES_MAX`] allow.
    #[allow(clippy::too_many_arguments, reason = "one call, in the builder")]
    pub fn new(
        peer: Peer,
        classes: u32,
        credit_cells: u32,
        control_classes: u32,
        out_of_band: bool,
        element: u32,
        port: u8,
        place: Place,
        unit: Unit,
    ) -> Link {
        Link {
            peer,
            control: ControlQueue::new(control_classes as usize),
            credits: ClassCredits::new(short(credit_cells), short(classes)),
            busy_until: 0,
            out_of_band,
            prompt: true,
            ready: 0,
            named_ready: Tick::MAX,
            wake_at: Tick::MAX,
            evaluated: Tick::MAX,
            element,
            port,
            place,
            unit,
        }
    }

    /// Asks for an evaluation of this link as soon as it may do something, at `at` or later.
    #[inline(always)]
    pub fn kick(&mut self, at: Tick, env: &mut impl Env) {
        let at = self.open_from(at);
        if self.wake_at > at {
            self.wake_at = at;
            env.wake(at, Wake::Link, self.element, self.port);
        }
    }

    /// A credit for the other end will wait here at `at`: if it is to start promptly, an evaluation then, or when the link is
    /// free.
    #[inline(always)]
    pub fn expect_credit(&self, at: Tick, env: &mut impl Env) {
        if self.prompt {
            env.wake(self.open_from(at), Wake::Link, self.element, self.port);
        }
    }

    /// Whether credit packets start when they may.
    #[inline(always)]
    pub(crate) fn is_prompt(&self) -> bool {
        self.prompt
    }

    /// Whether control packets wait that an evaluation must start.
    #[inline(always)]
    pub(crate) fn has_prompt_control(&self) -> bool {
        !self.control.is_empty() && (self.prompt || self.control.has_named())
    }

    /// The other end waits for credit: what has started by now is on the wire, and from now on it starts promptly.
    pub fn return_credit(&mut self, params: &Params, env: &mut impl Env) {
        self.catch_up(params, env.now(), env);
        self.prompt = true;
        if !self.control.is_empty() {
            self.kick(env.now(), env);
        }
    }

    /// The first tick from `at` on at which anything may start: out of band control packets need no idle link.
    #[inline(always)]
    fn open_from(&self, at: Tick) -> Tick {
        if self.out_of_band {
            at
        } else {
            at.max(self.busy_until)
        }
    }

    /// The wake-up of this tick is being served. Returns whether it is the first in this tick.
    #[inline]
    pub fn woken(&mut self, now: Tick) -> bool {
        if self.wake_at <= now {
            self.wake_at = Tick::MAX;
        }
        let first = self.evaluated != now;
        self.evaluated = now;
        first
    }

    /// Whether a transmission may start now.
    #[inline]
    pub fn is_idle(&self, now: Tick) -> bool {
        self.busy_until <= now
    }

    /// Queues a notification, Xoff, Xon, token or NACK for the other end.
    #[inline]
    pub fn push_control(&mut self, control: Control, env: &mut impl Env) {
        assert!(
            !matches!(control, Control::Credit { .. }),
            "credit is pushed by `push_credit`"
        );
        let next = env.now() + 1;
        self.named_ready = self.named_ready.min(next);
        self.control.push(control);
        self.kick(next, env);
    }

    /// Returns credit for `cells` of `class` to the other end.
    #[inline]
    pub fn push_credit(&mut self, params: &Params, class: u16, cells: u32, env: &mut impl Env) {
        let next = env.now() + 1;
        self.add_credit(params, class, cells, next, env);
        if self.prompt {
            self.kick(next, env);
        }
    }

    /// Credit that waits from `at` on, which is past or the next tick.
    #[inline(always)]
    pub(crate) fn add_credit(
        &mut self,
        params: &Params,
        class: u16,
        cells: u32,
        at: Tick,
        env: &mut impl Env,
    ) {
        // What started before it does not take it along.
        self.catch_up(params, at, env);
        // Credit that would merge with it cannot come any more: an input's next transfer starts, and looks here, no earlier
        // than now, and all other credit waits from the next tick on.
        if !self.prompt && self.control.is_empty() {
            debug_assert!(self.named_ready == Tick::MAX, "no named packet waits");
            let start = self.open_from(at);
            if start < env.now() {
                self.control.pass_credit(class);
                return self.send_credit(params, start, (class, cells), env);
            }
        }
        if !self.control.has_credit() {
            self.ready = at;
        }
        self.control.add_credit(class, cells);
    }

    /// Step 1 of ticks before `now`: credit packets that nobody waited for have started as soon as the link was free. Nobody
    /// sees it before they look: whoever reads whether the link is free, or what credit is on it, calls this first.
    #[inline(always)]
    pub fn catch_up(&mut self, params: &Params, now: Tick, env: &mut impl Env) {
        if !self.prompt && self.control.has_credit() {
            self.start_past_credits(params, now, env);
        }
    }

    #[inline(never)]
    fn start_past_credits(&mut self, params: &Params, now: Tick, env: &mut impl Env) {
        let end = now.min(self.named_ready);
        while self.control.has_credit() {
            let start = self.open_from(self.ready);
            if start >= end {
                return;
            }
            self.start_credit(params, start, env);
        }
    }

    /// Credit has come back from the other end.
    #[inline]
    pub fn receive_credit(&mut self, class: u16, cells: u32, now: Tick) {
        if let Err(error) = self.credits.give(class, cells) {
            broken(self.unit, now, &error);
        }
    }

    /// Whether anything may start now: out of band control packets need no idle link.
    #[inline]
    pub fn may_start(&self, now: Tick) -> bool {
        self.is_idle(now) || self.out_of_band
    }

    /// Evaluate: whether a control packet starts now. In band it needs the idle link and goes ahead of waiting data.
    #[inline]
    pub fn grants_control(&self, now: Tick) -> bool {
        !self.control.is_empty() && self.may_start(now)
    }

    /// Evaluate: whether data may start now.
    #[inline]
    pub fn open_for_data(&self, now: Tick) -> bool {
        self.is_idle(now) && (self.control.is_empty() || self.out_of_band)
    }

    /// Commit 1: the granted control packet starts; out of band all that wait do.
    #[inline(always)]
    pub fn start_control(&mut self, params: &Params, env: &mut impl Env) {
        let now = env.now();
        loop {
            let ticks = if self.control.has_named() {
                self.start_named(params, env)
            } else if self.start_credit(params, now, env) {
                params.credit_ticks
            } else {
                return;
            };
            if ticks > 0 {
                if self.has_prompt_control() {
                    self.kick(self.busy_until, env);
                }
                return;
            }
        }
    }

    /// The next credit packet starts at `start`, if one waits.
    #[inline]
    fn start_credit(&mut self, params: &Params, start: Tick, env: &mut impl Env) -> bool {
        let credit = self.control.next_credit();
        if let Some(credit) = credit {
            self.send_credit(params, start, credit, env);
        }
        credit.is_some()
    }

    /// A credit packet, class and cells, starts at `start`.
    #[inline(always)]
    fn send_credit(
        &mut self,
        params: &Params,
        start: Tick,
        (class, cells): (u16, u32),
        env: &mut impl Env,
    ) {
        let end = start + params.credit_ticks;
        if params.credit_ticks > 0 {
            self.busy_until = end;
        }
        let due = end + self.peer.wire + params.stages.credit_return;
        self.prompt = env.send_credit(self.place, self.peer.to, (start, due), class, cells);
    }

    /// The next control packet other than credit starts now. Returns the ticks that it holds the link.
    #[inline(never)]
    fn start_named(&mut self, params: &Params, env: &mut impl Env) -> Ticks {
        let end = env.now() + params.named_ticks;
        if let Some(control) = self.control.next() {
            env.observe(self.place, Event::ControlSent(control));
            env.send_control(self.peer.to, end + self.peer.wire, control);
        }
        if params.named_ticks > 0 {
            self.busy_until = end;
        }
        if !self.control.has_named() {
            self.named_ready = Tick::MAX;
        }
        params.named_ticks
    }

    /// Commit 1: a packet starts on the link; its head is `stage` ticks late (crossbar stage of `iq`). Consumes credit
    /// and returns the tick at which the link is free again.
    #[inline(always)]
    pub fn start_packet(
        &mut self,
        params: &Params,
        id: PacketId,
        stage: Ticks,
        env: &mut impl Env,
    ) -> Tick {
        let now = env.now();
        let packet = &mut env.packets()[id];
        if let Err(error) = self.credits.take(packet.class, u32::from(packet.cells)) {
            broken(self.unit, now, &error);
        }
        let end = TransferTiming::end(
            now,
            u64::from(packet.link_ticks),
            packet.tail,
            params.link_phit,
        );
        let on_the_way = stage + self.peer.wire;
        packet.due = if self.peer.switch.is_some() {
            packet.tail = end + on_the_way + params.stages.ingress;
            if params.store_and_forward {
                packet.tail
            } else {
                now + on_the_way + params.stages.ingress
            }
        } else {
            packet.tail = end + on_the_way;
            packet.tail
        };
        let class = packet.class;
        self.busy_until = end;
        let few = self.few_are_there(params, class, env);
        env.send_packet(self.peer.to, id, few);
        end
    }

    /// Whether so little of the next memory is taken, by a packet that has taken its credit too, that it cannot be congestion there.
    /// If it seems otherwise, credit that has come is counted first.
    #[inline(always)]
    fn few_are_there(&mut self, params: &Params, class: u16, env: &mut impl Env) -> bool {
        let few = |link: &Link| link.credits.class(class).in_use() < params.quiet_cells.ingress;
        if env.is_plain() || !env.stores_late() || self.peer.switch.is_none() {
            return env.stores_late();
        }
        if !few(self) {
            self.receive_landed(env);
        }
        few(self)
    }

    /// Credit that came while nobody needed it counts from now on.
    #[inline(never)]
    pub(crate) fn receive_landed(&mut self, env: &mut impl Env) {
        while let Some((class, cells)) = env.take_credit(self.place.port) {
            self.receive_credit(class, cells, env.now());
        }
    }

    /// Asks for what every packet touches ahead of its use: a field of each cache line.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(&self.busy_until);
        self.prefetch_peer();
    }

    /// Asks for the line with the other end.
    #[inline(always)]
    pub(crate) fn prefetch_peer(&self) {
        prefetch::line(&self.peer);
    }

    /// Output port that a packet will request in the next switch, whose turn is `skip` bits on; 0 before an end node
    /// (look-ahead).
    #[inline]
    pub fn next_output(&self, route: &turnpool::Route, skip: u32) -> u32 {
        match &self.peer.switch {
            Some(there) => {
                let turn = route.later(skip, u32::from(there.width));
                turnpool::forward(u32::from(there.in_port), turn, u32::from(there.ports))
            }
            None => 0,
        }
    }
}
