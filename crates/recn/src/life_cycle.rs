//! The life cycle of a SAQ. The bits of a CAM line are the state; every change of them is a row of
//! the tables, and what is not a row is a broken invariant. Docs and picture are made from them.

units::named! {
    /// State of a CAM line: valid, ready (no marker points at it), blocked (Xoff received), leaf.
    ///
    /// In the DD versions the leaf bit is unused and stays set.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LifeState: "state" {
        /// Not valid.
        Idle = "idle",
        /// Its marker is ahead: does not request.
        Waiting = "waiting",
        /// Waiting, and blocked.
        WaitingBlocked = "waiting, blocked",
        /// Waiting, with a child.
        WaitingParent = "waiting, parent",
        /// Waiting, blocked, with a child.
        WaitingBlockedParent = "waiting, blocked, parent",
        /// Ready: may request.
        Open = "open",
        /// Ready, but blocked.
        Blocked = "blocked",
        /// Ready, with a child.
        OpenParent = "open, parent",
        /// Ready, blocked, with a child.
        BlockedParent = "blocked, parent",
    }
}

units::named! {
    /// What happens to a CAM line.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LifeEvent: "event" {
        /// Allocated, with a marker in its host queue.
        AllocateWaiting = "allocated behind a marker",
        /// Allocated, ready at once.
        AllocateReady = "allocated ready",
        /// Its marker was consumed.
        Marker = "marker consumed",
        /// Xoff came.
        Xoff = "Xoff",
        /// Xon came.
        Xon = "Xon",
        /// The first child was notified.
        Child = "child notified",
        /// The last child's token or NACK came.
        Childless = "last child home",
        /// Freed.
        Free = "freed",
    }
}

use LifeEvent as E;
use LifeState as S;

/// A row: in this state, on this event, to that state.
pub type Row = (LifeState, LifeEvent, LifeState);

/// The rows of a version, by state, then event.
pub fn rows(tokens: bool) -> impl Iterator<Item = Row> {
    let of = move |&from: &S| E::ALL.iter().map(move |&event| (from, event));
    let next = move |(from, event): (S, E)| Some((from, event, from.next(tokens, event).ok()?));
    S::ALL.iter().flat_map(of).filter_map(next)
}

/// A transition that no table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("SAQ life cycle: {event} in state {state}")]
pub struct Illegal {
    /// State.
    pub state: LifeState,
    /// Event.
    pub event: LifeEvent,
}

impl LifeState {
    /// The state that these bits of a valid line are.
    pub fn of(ready: bool, blocked: bool, leaf: bool) -> LifeState {
        let valid = S::ALL.iter().filter(|state| **state != S::Idle);
        let mut those = valid.filter(|state| state.bits() == (ready, blocked, leaf));
        *those.next().expect("three bits are eight states")
    }

    /// (ready, blocked, leaf) of this state.
    pub const fn bits(self) -> (bool, bool, bool) {
        match self {
            S::Idle => (false, false, false),
            S::Waiting => (false, false, true),
            S::WaitingBlocked => (false, true, true),
            S::WaitingParent => (false, false, false),
            S::WaitingBlockedParent => (false, true, false),
            S::Open => (true, false, true),
            S::Blocked => (true, true, true),
            S::OpenParent => (true, false, false),
            S::BlockedParent => (true, true, false),
        }
    }

    /// Where `event` leads. An allocation by Xoff is followed by that Xoff; repeated Xoff and Xon
    /// are legal. The DD versions (`tokens` false) know no children: Xoff is the notification,
    /// deallocation is local.
    ///
    /// # Errors
    /// [`Illegal`] where the table has no such row.
    pub fn next(self, tokens: bool, event: LifeEvent) -> Result<LifeState, Illegal> {
        let (ready, blocked, leaf) = self.bits();
        let is_valid = self != S::Idle && (tokens || leaf);
        Ok(match event {
            E::AllocateWaiting if self == S::Idle => S::Waiting,
            E::AllocateReady if self == S::Idle => S::Open,
            E::Marker if is_valid && !ready => S::of(true, blocked, leaf),
            E::Xoff if is_valid => S::of(ready, true, leaf),
            E::Xon if is_valid => S::of(ready, false, leaf),
            E::Child if is_valid && tokens => S::of(ready, blocked, false),
            E::Childless if is_valid && !leaf => S::of(ready, blocked, true),
            E::Free if self == S::Open => S::Idle,
            _ => return Err(Illegal { state: self, event }),
        })
    }
}
