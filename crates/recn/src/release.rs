//! Release: when a SAQ is freed, and its tokens.

use crate::{LifeEvent, MarkedQueues, ProtocolError, RecnConfig, RecnPort};
use turnpool::Point;
use units::bits::ones;
use units::{LineId, PortId, Tick};

/// A line that was freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freed {
    /// Line.
    pub line: LineId,
    /// Its point.
    pub point: Point,
    /// Ingress: a token is due to an egress port of its switch.
    pub owned: bool,
}

impl RecnPort {
    /// Notes that a line may have become free.
    #[inline]
    pub fn mark_check(&mut self, line: LineId) {
        self.check |= 1 << line.0;
    }

    /// Whether `line` may be freed: never while it is not empty, holds markers, is not ready, is
    /// blocked or has Xoff in force, nor in the tick of its allocation; in the token versions it
    /// must also be a leaf and old enough (spec page `recn.md`). What happens to a line of the DD
    /// versions in its first tick is made up for when its timer ends.
    pub fn may_free(
        &self,
        memory: &impl MarkedQueues,
        line: LineId,
        now: Tick,
        config: &RecnConfig,
    ) -> bool {
        let registers = self.registers(line);
        self.cam.is_valid(line)
            && self.cam.ready(line)
            && !self.cam.blocked(line)
            && !registers.xoff.is_set()
            && memory.is_vacant(self.queue(line))
            && if self.rules.tokens {
                self.cam.leaf(line) && now >= config.timer_end(registers.allocated)
            } else {
                now > registers.allocated
            }
    }

    /// Step 7: the lines to evaluate, as a set. Where the conditions alone decide (token versions)
    /// `all` takes every line; in the DD versions a line is evaluated only after an event.
    pub fn take_checks(&mut self, all: bool) -> u64 {
        let marked = std::mem::take(&mut self.check);
        if all && self.rules.tokens { self.cam.valid() } else { marked }
    }

    /// Step 7: frees the first of the lines in `checks` that may be, and takes those evaluated out
    /// of it.
    pub fn free_next(
        &mut self,
        memory: &impl MarkedQueues,
        checks: &mut u64,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<Option<Freed>, ProtocolError> {
        while let Some(line) = ones(*checks).next().map(LineId::at) {
            *checks &= *checks - 1;
            if self.may_free(memory, line, now, config) {
                return self.free(line).map(Some);
            }
        }
        Ok(None)
    }

    /// Frees a line.
    pub fn free(&mut self, line: LineId) -> Result<Freed, ProtocolError> {
        self.state(line).next(self.rules.tokens, LifeEvent::Free)?;
        let registers = std::mem::take(self.registers_mut(line));
        Ok(Freed { line, point: self.cam.free(line)?, owned: registers.owned })
    }

    /// Marks the lines whose timer ends now; when the next one ends.
    pub fn mark_timers(&mut self, now: Tick, config: &RecnConfig) -> Option<Tick> {
        let mut next = None;
        for line in ones(self.cam.valid()).map(LineId::at) {
            let ends = config.timer_end(self.registers(line).allocated);
            if ends == now {
                self.mark_check(line);
            } else if ends > now {
                next = Some(next.map_or(ends, |next: Tick| next.min(ends)));
            }
        }
        next
    }

    /// Egress: the token of the child at `input` for `point`, whose first turn, `width` bits, is in
    /// this switch; nothing behind it: the root. Whether the line is a leaf again.
    ///
    /// # Errors
    /// A token that no line waits for is a broken invariant.
    pub fn internal_token(
        &mut self,
        point: Point,
        width: u32,
        input: PortId,
    ) -> Result<bool, ProtocolError> {
        let rest = point.without_first(width).unwrap_or(Point::EMPTY);
        let line = match rest.bits() {
            0 => None,
            _ => Some(self.cam.find(&rest).ok_or(ProtocolError::Unknown(rest))?),
        };
        let children = match line {
            None => &mut self.root_children,
            Some(line) => &mut self.registers_mut(line).children,
        };
        let bit = 1 << input.0;
        if *children & bit == 0 {
            return Err(ProtocolError::NoChild(rest));
        }
        *children &= !bit;
        let leaf = line.filter(|_| *children == 0);
        if let Some(line) = leaf {
            self.step(line, LifeEvent::Childless)?;
            self.mark_check(line);
        }
        Ok(leaf.is_some())
    }
}
