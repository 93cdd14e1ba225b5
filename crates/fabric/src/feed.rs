//! A trace that is read while the run goes on, a stretch of time after the other.

use crate::watch::RunError;
use std::iter::Peekable;
use units::{Span, Tick};
use workload::{Given, Messages, Trace};

/// The time that is read at once.
const STRETCH: Span = Span(1 << 14);

/// The messages of a trace that have not been given.
pub(crate) struct Feed {
    messages: Peekable<Messages>,
    /// All before this tick have been given.
    until: Tick,
}

impl Feed {
    pub(crate) fn new(trace: &Trace) -> Feed {
        Feed { messages: (trace.open)().peekable(), until: Tick::ZERO }
    }

    /// The tick before which it is to be read on, by its next message; [`Tick::MAX`] at its end.
    pub(crate) fn next(&mut self) -> Tick {
        match self.messages.peek() {
            Some(Ok(message)) => message.tick.max(self.until),
            Some(Err(_)) => self.until,
            None => Tick::MAX,
        }
    }

    /// Gives the messages of the next stretch, if it begins `now`.
    ///
    /// # Errors
    /// [`RunError::Trace`].
    pub(crate) fn give(&mut self, now: Tick, mut give: impl FnMut(Given)) -> Result<(), RunError> {
        if self.next() > now {
            return Ok(());
        }
        self.until = now.saturating_add(STRETCH);
        let until = self.until;
        let is_due = |next: &Result<Given, String>| match next {
            Ok(message) => message.tick < until,
            Err(_) => true,
        };
        while let Some(next) = self.messages.next_if(is_due) {
            give(next.map_err(|what| RunError::Trace { tick: now, what })?);
        }
        Ok(())
    }
}
