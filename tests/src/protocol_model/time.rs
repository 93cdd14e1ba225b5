//! Time in a model that has no clock: a timer runs, or it is over.

use recn::Line;
use units::{Span, Tick};

/// The present: what this commit has stamped.
pub(super) const NOW: Tick = Tick(2);
/// What an earlier commit has stamped, whose timer still runs.
pub(super) const RUNNING: Tick = Tick(1);
/// What was stamped so long ago that its timer is over.
pub(super) const OVER: Tick = Tick(0);

/// Timers of SAQs and of repeated Xoff: over where the stamp is [`OVER`], not where it is
/// [`RUNNING`] or [`NOW`].
pub(super) const TIMER: Span = Span(2);
/// Between notifications: over in no commit, before its event says so.
pub(super) const RETRY: Span = Span::TICK;

/// Whether the SAQ timer of a line runs.
pub(super) fn saq_timer_runs(line: &Line) -> bool {
    line.allocated != OVER
}
