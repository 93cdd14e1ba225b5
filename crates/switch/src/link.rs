//! The sending end of a link: control packets that wait, and the wire's time table. Source: spec
//! page clock.md, Links.

use crate::params::Params;
use flow_control::{Control, ControlQueue};
use units::{ClassId, Span, Tick, WireId};

/// What is at the other end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// The wire, by the port at which it ends; `None` if nothing is connected.
    pub wire: Option<WireId>,
    /// Whether that is a switch, not an end node.
    pub is_switch: bool,
    /// Wire latency, at least 1 tick.
    pub latency: Span,
}

/// Whether a link carries anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    /// It does.
    Up,
    /// Nothing starts on it.
    Down,
}

/// A control packet that starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Started {
    /// Credit.
    Credit {
        /// When it counts at the other end.
        due: Tick,
        /// Its class.
        class: ClassId,
        /// Cells.
        cells: u32,
    },
    /// Any other.
    Named {
        /// When it arrives at the other end.
        due: Tick,
        /// The packet.
        control: Control,
    },
}

/// Credit of a packet whose tail is still leaving.
#[derive(Debug, Clone, Copy)]
struct Owed {
    class: ClassId,
    cells: u32,
}

/// Sending end of one link direction.
///
/// ```
#[doc = include_str!("of_examples.txt")]
/// let mut link = Link::new(&params(|_| {}), peer, 1);
/// assert!(link.is_idle(Tick(10)) && link.open_for_data(Tick(10)) && link.is_at_rest());
/// assert_eq!((link.state(), link.peer().latency), (LinkState::Up, Span(5)));
/// // Control packets go ahead of data that waits.
/// link.push_credit(ClassId(0), 2);
/// assert!(link.has_control(Tick(10)) && link.grants_control(Tick(10)));
/// assert!(!link.open_for_data(Tick(10)));
/// ```
#[derive(Debug)]
#[repr(C)]
pub struct Link {
    /// The wire is taken until this tick.
    busy_until: Tick,
    /// From this tick on the owed credit waits with the others; [`Tick::MAX`]: none is owed.
    owed_from: Tick,
    owed: Owed,
    /// What is owed later, where several packets may leave a memory at once.
    owed_later: Vec<(Tick, Owed)>,
    state: LinkState,
    out_of_band: bool,
    peer: Peer,
    waiting: ControlQueue,
}

impl Link {
    /// An idle link. Over it the credits of `own_classes` classes are returned, of the memory on
    /// this side.
    pub fn new(params: &Params, peer: Peer, own_classes: u32) -> Link {
        Link {
            busy_until: Tick::ZERO,
            owed_from: Tick::MAX,
            owed: Owed {
                class: ClassId(0),
                cells: 0,
            },
            owed_later: Vec::new(),
            state: LinkState::Up,
            out_of_band: params.credit_span.is_zero() && params.pause.is_none(),
            peer,
            waiting: ControlQueue::new(own_classes as usize),
        }
    }

    /// The other end.
    #[inline(always)]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The wire is taken until this tick.
    #[inline(always)]
    pub fn busy_until(&self) -> Tick {
        self.busy_until
    }

    /// Whether the wire is free.
    #[inline(always)]
    pub fn is_idle(&self, now: Tick) -> bool {
        self.busy_until <= now
    }

    /// Whether it carries anything.
    pub fn state(&self) -> LinkState {
        self.state
    }

    /// It goes down, or comes up again. What is on the wire is not this end's business any more.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut link = Link::new(&params(|_| {}), peer, 1);
    /// link.set_state(LinkState::Down);
    /// assert!(link.is_idle(Tick(10)) && !link.open_for_data(Tick(10)));
    /// ```
    pub fn set_state(&mut self, state: LinkState) {
        self.state = state;
    }

    /// Control packets that wait, as of tick `now`: what is owed by then waits too.
    #[inline(always)]
    fn waiting(&mut self, now: Tick) -> &mut ControlQueue {
        while self.owed_from <= now {
            self.owed_from = Tick::MAX;
            self.waiting.add_credit(self.owed.class, self.owed.cells);
            if !self.owed_later.is_empty() {
                (self.owed_from, self.owed) = self.owed_later.remove(0);
            }
        }
        &mut self.waiting
    }

    /// Whether a control packet waits in tick `now`.
    #[inline(always)]
    pub fn has_control(&self, now: Tick) -> bool {
        self.owed_from <= now || !self.waiting.is_empty()
    }

    /// Credit of a class that waits or will, in cells.
    pub fn credit_to_send(&self, class: ClassId, now: Tick) -> u32 {
        let first = [(self.owed_from, self.owed)];
        let owed = first.iter().chain(&self.owed_later);
        let due = owed.filter(|(from, owed)| *from <= now && owed.class == class);
        self.waiting.waiting_credit(class) + due.map(|(_, owed)| owed.cells).sum::<u32>()
    }

    /// Queues a notification, Xoff, Xon, token or NACK for the other end.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut link = Link::new(&params(|_| {}), peer, 1);
    /// link.push(Control::Xoff(point));
    /// assert!(link.grants_control(Tick(10)));
    /// link.start_packet(Tick(42)); // a packet is on the wire: it is not preempted
    /// assert!(!link.grants_control(Tick(41)) && link.grants_control(Tick(42)));
    /// ```
    #[inline]
    pub fn push(&mut self, control: Control) {
        self.waiting.push(control);
    }

    /// Takes a control packet back that waits.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut link = Link::new(&params(|_| {}), peer, 1);
    /// let pause = Control::Pause(PauseWord::Pause, VcId(0));
    /// link.push(pause);
    /// link.take_back(pause);
    /// assert!(link.is_at_rest());
    /// ```
    pub fn take_back(&mut self, control: Control) {
        self.waiting.take_back(control);
    }

    /// What waits to be told of faults is forgotten: the link is down.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut link = Link::new(&params(|_| {}), peer, 1);
    /// link.push(Control::Recovery(recovery::Message::End));
    /// link.forget_recovery();
    /// assert!(link.is_at_rest());
    /// ```
    pub fn forget_recovery(&mut self) {
        self.waiting.forget_recovery();
    }

    /// Returns credit to the other end.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut link = Link::new(&params(|_| {}), peer, 1);
    /// link.push_credit(ClassId(0), 2);
    /// link.push_credit(ClassId(0), 1);
    /// assert_eq!(link.credit_to_send(ClassId(0), Tick(10)), 3); // in one packet
    /// ```
    #[inline]
    pub fn push_credit(&mut self, class: ClassId, cells: u32) {
        self.waiting.add_credit(class, cells);
    }

    /// Returns credit to the other end from tick `from` on: the tail of a packet leaves the tick
    /// before.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut link = Link::new(&params(|_| {}), peer, 1);
    /// link.owe(ClassId(0), 2, Tick(40), Tick(10)); // the tail leaves in tick 39
    /// assert_eq!([39, 40].map(|now| link.has_control(Tick(now))), [false, true]);
    /// assert_eq!((link.owed_start(), link.open_from(Tick(12))), (Some(Tick(40)), Tick(12)));
    /// ```
    #[inline(always)]
    pub fn owe(&mut self, class: ClassId, cells: u32, from: Tick, now: Tick) {
        self.waiting(now);
        let owed = Owed { class, cells };
        if self.owed_from != Tick::MAX {
            return self.owe_beside(owed, from);
        }
        self.owed = owed;
        self.owed_from = from;
    }

    /// Another tail is leaving already: by when they leave.
    #[inline(never)]
    fn owe_beside(&mut self, mut owed: Owed, mut from: Tick) {
        if from < self.owed_from {
            std::mem::swap(&mut self.owed, &mut owed);
            std::mem::swap(&mut self.owed_from, &mut from);
        }
        let at = self.owed_later.partition_point(|(other, _)| *other <= from);
        self.owed_later.insert(at, (from, owed));
    }

    /// The first tick from `at` on at which a control packet may start: out of band it needs no
    /// idle link.
    #[inline(always)]
    pub fn open_from(&self, at: Tick) -> Tick {
        if self.out_of_band {
            at
        } else {
            at.max(self.busy_until)
        }
    }

    /// When owed credit may start at the earliest, if any is owed.
    #[inline(always)]
    pub fn owed_start(&self) -> Option<Tick> {
        (self.owed_from != Tick::MAX).then(|| self.open_from(self.owed_from))
    }

    /// Evaluate: whether a control packet starts now. In band it needs the idle link and goes ahead
    /// of waiting data.
    #[inline(always)]
    pub fn grants_control(&self, now: Tick) -> bool {
        self.has_control(now)
            && (self.is_idle(now) || self.out_of_band)
            && self.state == LinkState::Up
    }

    /// Evaluate: whether data may start now.
    #[inline(always)]
    pub fn open_for_data(&self, now: Tick) -> bool {
        self.is_idle(now)
            && (!self.has_control(now) || self.out_of_band)
            && self.state == LinkState::Up
    }

    /// Step 1: the granted control packet starts; out of band all that wait do. Others go before
    /// credit.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let params = params(|_| {}); // control packets of 6 bytes: 3 ticks
    /// let mut link = Link::new(&params, peer, 1);
    /// link.push_credit(ClassId(0), 2);
    /// link.push(Control::Xoff(point));
    /// let mut started = Vec::new();
    /// link.start_control(&params, Tick(10), |packet| started.push(packet));
    /// // Named ones go before credit; 5 ticks on the wire.
    /// let (due, control) = (Tick(18), Control::Xoff(point));
    /// assert_eq!(started, [Started::Named { due, control }]);
    /// assert_eq!(link.busy_until(), Tick(13));
    /// ```
    #[inline(always)]
    pub fn start_control(&mut self, params: &Params, now: Tick, mut started: impl FnMut(Started)) {
        let latency = self.peer.latency;
        while self.has_control(now) {
            let (packet, span) = match self.waiting(now).next() {
                Some(control) => {
                    let span = params.named_span(control);
                    let due = now + span + latency;
                    (Started::Named { due, control }, span)
                }
                None => {
                    let Some((class, cells)) = self.waiting.next_credit() else {
                        return;
                    };
                    let due = now + params.credit_span + latency + params.stages.credit_return;
                    (Started::Credit { due, class, cells }, params.credit_span)
                }
            };
            started(packet);
            if !span.is_zero() {
                self.busy_until = now + span;
                return;
            }
        }
    }

    /// Step 1: a packet starts; the wire is taken until its tail has left.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut link = Link::new(&params(|_| {}), peer, 1);
    /// link.start_packet(Tick(42));
    /// assert_eq!([41, 42].map(|now| link.is_idle(Tick(now))), [false, true]);
    /// ```
    #[inline(always)]
    pub fn start_packet(&mut self, end: Tick) {
        self.busy_until = end;
    }

    /// Nothing waits or is owed.
    pub fn is_at_rest(&self) -> bool {
        self.waiting.is_empty() && self.owed_from == Tick::MAX
    }

    /// Asks for what every packet touches ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(&self.busy_until);
        prefetch::line(&self.peer);
        prefetch::line(&self.waiting);
    }
}
