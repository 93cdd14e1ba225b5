//! The sending end of a link: control packets that wait, and the wire (spec: clock.md, Links).

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
    /// Credit of a class, cells.
    Credit(ClassId, u32),
    /// Any other.
    Named(Control),
}

/// Sending end of one link direction.
///
/// ```
#[doc = include_str!("of_examples.txt")]
/// let mut link = Link::new(&params(|_| {}), peer, 1);
/// assert!(link.is_idle(Tick(10)) && link.open_for_data(Tick(10)) && !link.has_control());
/// assert_eq!((link.state, link.peer.latency), (LinkState::Up, Span(5)));
/// // Control packets go ahead of data that waits.
/// link.control.add_credit(ClassId(0), 2);
/// assert!(link.has_control() && link.grants_control(Tick(10)));
/// assert!(!link.open_for_data(Tick(10)));
/// ```
#[derive(Debug)]
pub struct Link {
    /// The wire is taken until this tick.
    pub(crate) busy_until: Tick,
    /// Whether it carries anything.
    pub state: LinkState,
    out_of_band: bool,
    /// The other end.
    pub peer: Peer,
    /// Control packets that wait for the link.
    pub control: ControlQueue,
}

impl Link {
    /// An idle link, which returns the credits of `own_classes` classes of the memory on this side.
    pub fn new(params: &Params, peer: Peer, own_classes: u32) -> Link {
        Link {
            busy_until: Tick::ZERO,
            state: LinkState::Up,
            out_of_band: params.credit_span.is_zero() && params.pause.is_none(),
            peer,
            control: ControlQueue::new(own_classes as usize),
        }
    }

    /// The wire is taken until this tick.
    pub fn busy_until(&self) -> Tick {
        self.busy_until
    }

    /// Whether the wire is free.
    pub fn is_idle(&self, now: Tick) -> bool {
        self.busy_until <= now
    }

    /// Whether a control packet waits.
    #[inline]
    pub fn has_control(&self) -> bool {
        !self.control.is_empty()
    }

    /// The first tick from `at` on at which a control packet that waits may start: out of band it
    /// needs no idle link. `None` while the link is down.
    pub fn open_from(&self, at: Tick) -> Option<Tick> {
        let from = if self.out_of_band { at } else { at.max(self.busy_until) };
        (self.state == LinkState::Up).then_some(from)
    }

    /// Evaluate: whether a control packet starts now: in band on the idle link, ahead of data.
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

    /// Step 1: a control packet starts, credit last; out of band all that wait do. Each with the
    /// tick in which it counts at the other end.
    pub fn start_control(
        &mut self,
        params: &Params,
        now: Tick,
        mut started: impl FnMut(Tick, Started),
    ) {
        while self.has_control() {
            let (packet, span, stage) = if let Some(control) = self.control.next() {
                (Started::Named(control), params.named_span(control), Span::ZERO)
            } else if let Some((class, cells)) = self.control.next_credit() {
                let stage = params.stages.credit_return;
                (Started::Credit(class, cells), params.credit_span, stage)
            } else {
                return;
            };
            started(now + span + self.peer.latency + stage, packet);
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
