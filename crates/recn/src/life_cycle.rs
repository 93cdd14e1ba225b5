//! The life cycle of a SAQ as transition tables. The bits of a CAM line are the state; every change
//! of them is a row here, and what is not a row is a broken invariant. Docs and their picture are
//! generated from these tables.

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

/// Those of `recn-basic` and `recn`: notifications, tokens, leaf bits.
const ROWS: &[Row] = &[
    (S::Idle, E::AllocateWaiting, S::Waiting),
    (S::Idle, E::AllocateReady, S::Open),
    (S::Waiting, E::Marker, S::Open),
    (S::Waiting, E::Xoff, S::WaitingBlocked),
    (S::Waiting, E::Xon, S::Waiting),
    (S::Waiting, E::Child, S::WaitingParent),
    (S::WaitingBlocked, E::Marker, S::Blocked),
    (S::WaitingBlocked, E::Xoff, S::WaitingBlocked),
    (S::WaitingBlocked, E::Xon, S::Waiting),
    (S::WaitingBlocked, E::Child, S::WaitingBlockedParent),
    (S::WaitingParent, E::Marker, S::OpenParent),
    (S::WaitingParent, E::Xoff, S::WaitingBlockedParent),
    (S::WaitingParent, E::Xon, S::WaitingParent),
    (S::WaitingParent, E::Child, S::WaitingParent),
    (S::WaitingParent, E::Childless, S::Waiting),
    (S::WaitingBlockedParent, E::Marker, S::BlockedParent),
    (S::WaitingBlockedParent, E::Xoff, S::WaitingBlockedParent),
    (S::WaitingBlockedParent, E::Xon, S::WaitingParent),
    (S::WaitingBlockedParent, E::Child, S::WaitingBlockedParent),
    (S::WaitingBlockedParent, E::Childless, S::WaitingBlocked),
    (S::Open, E::Xoff, S::Blocked),
    (S::Open, E::Xon, S::Open),
    (S::Open, E::Child, S::OpenParent),
    (S::Open, E::Free, S::Idle),
    (S::Blocked, E::Xoff, S::Blocked),
    (S::Blocked, E::Xon, S::Open),
    (S::Blocked, E::Child, S::BlockedParent),
    (S::OpenParent, E::Xoff, S::BlockedParent),
    (S::OpenParent, E::Xon, S::OpenParent),
    (S::OpenParent, E::Child, S::OpenParent),
    (S::OpenParent, E::Childless, S::Open),
    (S::BlockedParent, E::Xoff, S::BlockedParent),
    (S::BlockedParent, E::Xon, S::OpenParent),
    (S::BlockedParent, E::Child, S::BlockedParent),
    (S::BlockedParent, E::Childless, S::Blocked),
];

/// The rows of a version. The DD versions (`tokens` false) know no children: Xoff is the
/// notification, deallocation is local. An allocation by Xoff is followed by that Xoff; repeated
/// Xoff and Xon are legal.
pub fn rows(tokens: bool) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| is_of(row, tokens))
}

fn is_of(row: &Row, tokens: bool) -> bool {
    tokens || !row.0.is_parent() && !row.2.is_parent()
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
    pub const fn of(ready: bool, blocked: bool, leaf: bool) -> LifeState {
        match (ready, blocked, leaf) {
            (false, false, true) => S::Waiting,
            (false, true, true) => S::WaitingBlocked,
            (false, false, false) => S::WaitingParent,
            (false, true, false) => S::WaitingBlockedParent,
            (true, false, true) => S::Open,
            (true, true, true) => S::Blocked,
            (true, false, false) => S::OpenParent,
            (true, true, false) => S::BlockedParent,
        }
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

    fn is_parent(self) -> bool {
        self != S::Idle && !self.bits().2
    }

    /// Where `event` leads.
    ///
    /// # Errors
    /// [`Illegal`] where the table has no such row.
    pub fn next(self, tokens: bool, event: LifeEvent) -> Result<LifeState, Illegal> {
        let row = ROWS.iter().find(|row| row.0 == self && row.1 == event);
        let row = row.filter(|row| is_of(row, tokens));
        row.map(|row| row.2).ok_or(Illegal { state: self, event })
    }
}
