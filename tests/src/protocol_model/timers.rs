//! Times of a model, which has no clock: a timer runs, or it is over.

use super::events::Commit;
use super::mutants::Mutant;
use recn::Line;
use units::bits::ones;
use units::{LineId, Span, Tick};

/// The present: what this commit has stamped.
pub(super) const NOW: Tick = Tick(2);
/// What an earlier commit has stamped, whose timer still runs.
const RUNNING: Tick = Tick(1);
/// What was stamped so long ago that its timer is over.
pub(super) const OVER: Tick = Tick(0);

/// Timers of SAQs and of repeated Xoff: over where the stamp is [`OVER`], not where it is
/// [`RUNNING`] or [`NOW`].
pub(super) const TIMER: Span = Span(2);
/// Between notifications: over in no commit, before its event.
pub(super) const RETRY: Span = Span::TICK;

/// Whether the SAQ timer of a line runs.
pub(super) fn saq_timer_runs(line: &Line) -> bool {
    line.allocated != OVER
}

impl Commit<'_> {
    /// Short timers: all that run at the element end with this commit.
    pub(super) fn end_timers(&mut self) {
        for unit in self.units() {
            for line in ones(self.state.ports[unit].recn.cam().valid()).map(LineId::at) {
                let registers = *self.state.ports[unit].recn.registers(line);
                if saq_timer_runs(&registers) {
                    self.end_saq_timer(unit, line);
                }
                if registers.retry_at != OVER || registers.xoff_at != OVER {
                    let registers = self.state.port(unit).recn.registers_mut(line);
                    (registers.retry_at, registers.xoff_at) = (OVER, OVER);
                }
            }
        }
    }

    pub(super) fn end_saq_timer(&mut self, unit: usize, line: LineId) {
        let forgotten = self.mutant(Mutant::TimerForgotten);
        let recn = &mut self.state.port(unit).recn;
        recn.registers_mut(line).allocated = OVER;
        if !forgotten {
            recn.mark_check(line);
        }
    }

    /// The commit is over: what it has allocated is no longer of the present tick.
    pub(super) fn end(&mut self) {
        for unit in self.units() {
            for line in ones(self.state.ports[unit].recn.cam().valid()).map(LineId::at) {
                if self.state.ports[unit].recn.registers(line).allocated == NOW {
                    self.state.port(unit).recn.registers_mut(line).allocated = RUNNING;
                }
            }
        }
    }
}
