//! Closed loops: how many requests of a source are outstanding, and when the next may be made.

use std::collections::VecDeque;

use units::{Span, Tick};

/// What makes a group closed-loop (keys `window` and `think_ns`; switch.md, request and reply).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// Requests that each source may have outstanding, at least 1.
    pub window: u32,
    /// From a reply to the next request.
    pub think: Span,
}

/// The places of a window: each is taken by a request and free again some time after its reply.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    think: Span,
    unused: u32,
    /// From when on the others are free, in order of time; outstanding ones are not here.
    free_from: VecDeque<Tick>,
}

impl Places {
    pub(crate) fn new(closed: Closed) -> Places {
        Places { think: closed.think, unused: closed.window, free_from: VecDeque::new() }
    }

    /// From when on there is a free place; `None` if all are taken.
    pub(crate) fn free_from(&self) -> Option<Tick> {
        if self.unused > 0 { Some(Tick::ZERO) } else { self.free_from.front().copied() }
    }

    pub(crate) fn take(&mut self) {
        if self.unused > 0 {
            self.unused -= 1;
        } else {
            self.free_from.pop_front();
        }
    }

    pub(crate) fn answered(&mut self, now: Tick) {
        self.free_from.push_back(now.saturating_add(self.think));
    }
}
