//! What happened at one side of a port, counted from events.

use super::Recorder;
use flow_control::Control;
use observe::{Event, is_early};
use units::Tick;

/// Names of [`Counts::events`], the columns of `ports.csv`.
pub(super) const COUNTS: [&str; 14] = [
    "allocations",
    "frees",
    "early_frees",
    "refusals",
    "ignored",
    "notifications",
    "xoffs",
    "xons",
    "tokens",
    "nacks",
    "internal_notifications",
    "internal_xoffs",
    "internal_xons",
    "internal_tokens",
];

const EARLY_FREES: usize = 2;

/// What happened at one side of a port in a bin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) events: [u32; COUNTS.len()],
    pub(super) saqs: u32,
    pub(super) saqs_max: u32,
}

impl Counts {
    /// Those of the next bin: it starts with the SAQs that there are.
    pub(super) fn next_bin(self) -> Counts {
        Counts { saqs: self.saqs, saqs_max: self.saqs, ..Counts::default() }
    }
}

/// The column that an event counts in.
fn column(event: Event) -> Option<usize> {
    Some(match event {
        Event::SaqAllocated { .. } => 0,
        Event::SaqFreed { .. } => 1,
        Event::SaqRefused(_) => 3,
        Event::Ignored(_) => 4,
        Event::ControlSent(Control::Notification(_)) => 5,
        Event::ControlSent(Control::Xoff(_)) => 6,
        Event::ControlSent(Control::Xon(_)) => 7,
        Event::ControlSent(Control::Token(_)) => 8,
        Event::ControlSent(Control::Nack(_)) => 9,
        Event::Internal(Control::Notification(_)) => 10,
        Event::Internal(Control::Xoff(_)) => 11,
        Event::Internal(Control::Xon(_)) => 12,
        Event::Internal(Control::Token(_)) => 13,
        _ => return None,
    })
}

impl Recorder {
    /// Counts what happened at a slot in tick `now`.
    pub(super) fn count(&mut self, now: Tick, at: usize, event: Event) {
        match event {
            Event::SaqAllocated { point, in_use, .. } => {
                self.change(now, at, in_use);
                if let Some(freed) = self.freed.remove(&(at, point))
                    && is_early(now - freed, &self.config.time_base)
                {
                    self.counts[at].events[EARLY_FREES] += 1;
                }
            }
            Event::SaqFreed { point, in_use, .. } => {
                self.change(now, at, in_use);
                self.freed.insert((at, point), now);
            }
            _ => {}
        }
        if let Some(column) = column(event) {
            self.counts[at].events[column] += 1;
        }
    }

    /// A slot has so many SAQs in use now.
    fn change(&mut self, now: Tick, at: usize, in_use: u32) {
        if now != self.changed {
            self.end_tick();
            self.changed = now;
        }
        let side = self.side(at);
        let (counts, level) = (&mut self.counts[at], &mut self.levels[side]);
        level.saqs = level.saqs + in_use - counts.saqs;
        counts.saqs = in_use;
        counts.saqs_max = counts.saqs_max.max(in_use);
    }

    /// All ports together count as they are at the end of a tick, whichever changed first in it.
    pub(super) fn end_tick(&mut self) {
        for level in &mut self.levels {
            level.saqs_max = level.saqs_max.max(level.saqs);
        }
    }
}
