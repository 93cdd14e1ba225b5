//! The sending end of a link: control packets that wait, and the wire's time table. Source: spec
//! page clock.md, Links.

use flow_control::{Control, ControlQueue};
use plan::{LinkState, Params};
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

/// Sending end of one link direction.
///
/// ```
#[doc = include_str!("of_examples.txt")]
/// let mut link = Link::new(&params(|_| {}), peer, 1);
/// assert!(link.is_idle(Tick(10)) && link.open_for_data(Tick(10)) && !link.has_control());
/// assert_eq!((link.state(), link.peer().latency), (LinkState::Up, Span(5)));
/// // Control packets go ahead of data that waits.
/// link.push_credit(ClassId(0), 2);
/// assert!(link.has_control() && link.grants_control(Tick(10)));
/// assert!(!link.open_for_data(Tick(10)));
/// ```
#[derive(Debug)]
pub struct Link {
    /// The wire is taken until this tick.
    busy_until: Tick,
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
            state: LinkState::Up,
            out_of_band: params.credit_span.is_zero() && params.pause.is_none(),
            peer,
            waiting: ControlQueue::new(own_classes as usize),
        }
    }

    /// The other end.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The wire is taken until this tick.
    pub fn busy_until(&self) -> Tick {
        self.busy_until
    }

    /// Whether the wire is free.
    pub fn is_idle(&self, now: Tick) -> bool {
        self.busy_until <= now
    }

    /// Whether it carries anything.
    pub fn state(&self) -> LinkState {
        self.state
    }

    /// It goes down, or comes up again.
    pub fn set_state(&mut self, state: LinkState) {
        self.state = state;
    }

    /// Whether a control packet waits.
    #[inline]
    pub fn has_control(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Credit of a class that waits, in cells.
    pub fn credit_to_send(&self, class: ClassId) -> u32 {
        self.waiting.waiting_credit(class)
    }

    /// Queues a notification, Xoff, Xon, token or NACK for the other end.
    pub fn push(&mut self, control: Control) {
        self.waiting.push(control);
    }

    /// Takes a control packet back that waits.
    pub fn take_back(&mut self, control: Control) {
        self.waiting.take_back(control);
    }

    /// Drops waiting messages of fault recovery: the link is down.
    pub fn forget_recovery(&mut self) {
        self.waiting.forget_recovery();
    }

    /// Returns credit to the other end.
    pub fn push_credit(&mut self, class: ClassId, cells: u32) {
        self.waiting.add_credit(class, cells);
    }

    /// The first tick from `at` on at which a control packet that waits may start: out of band it
    /// needs no idle link. `None` while the link is down.
    pub fn open_from(&self, at: Tick) -> Option<Tick> {
        let from = if self.out_of_band { at } else { at.max(self.busy_until) };
        (self.state == LinkState::Up).then_some(from)
    }

    /// Evaluate: whether a control packet starts now. In band it needs the idle link and goes ahead
    /// of waiting data.
    #[inline]
    pub fn grants_control(&self, now: Tick) -> bool {
        self.has_control() && (self.is_idle(now) || self.out_of_band) && self.state == LinkState::Up
    }

    /// Evaluate: whether data may start now.
    #[inline]
    pub fn open_for_data(&self, now: Tick) -> bool {
        self.is_idle(now)
            && (!self.has_control() || self.out_of_band)
            && self.state == LinkState::Up
    }

    /// Step 1: the granted control packet starts; out of band all that wait do. Others go before
    /// credit.
    pub fn start_control(&mut self, params: &Params, now: Tick, mut started: impl FnMut(Started)) {
        let latency = self.peer.latency;
        while self.has_control() {
            let (packet, span) = match self.waiting.next() {
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
    pub fn start_packet(&mut self, end: Tick) {
        self.busy_until = end;
    }
}
