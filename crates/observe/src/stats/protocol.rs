//! SAQs and messages of the RECN protocol.

use super::Stats;
use crate::event::{Event, Place, Side};
use crate::observer::View;
use crate::record::RecnCounts;
use flow_control::Control;
use turnpool::Point;
use units::{Span, Tick, TimeBase};

/// A free is early if its point is allocated again within this time (spec: recn.md).
const EARLY_NS: f64 = 2000.0;

/// When points were freed last, where that is not longer ago.
#[derive(Debug, Clone, Default)]
pub struct Frees {
    /// By dense port number and side.
    places: Vec<Vec<(Point, Tick)>>,
}

impl Frees {
    /// Takes in what happens to SAQs; whether it sets a point aside early.
    pub fn event(&mut self, view: View<'_>, place: Place, event: Event, time: &TimeBase) -> bool {
        let at = place.port.index() * 2 + place.side as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, Vec::new());
        }
        let frees = &mut self.places[at];
        match event {
            Event::SaqAllocated { point, .. } => {
                let found = frees.iter().position(|&(freed, _)| freed == point);
                found.is_some_and(|at| is_early(view.now - frees.swap_remove(at).1, time))
            }
            Event::SaqFreed { point, .. } => {
                frees.retain(|&(_, then)| is_early(view.now - then, time));
                frees.push((point, view.now));
                false
            }
            _ => false,
        }
    }
}

/// Whether a time from a free to the next allocation is short.
pub fn is_early(span: Span, time_base: &TimeBase) -> bool {
    time_base.span_to_ns(span) <= EARLY_NS
}

impl Stats {
    fn change_level(&mut self, now: Tick, place: Place, in_use: u32, up: bool) {
        let in_run = now < self.config.duration;
        let level = match place.side {
            Side::Ingress => &mut self.ingress,
            Side::Egress if place.port >= self.config.first_node_port => &mut self.injection,
            Side::Egress => &mut self.egress,
        };
        level.change(now, in_use, up, in_run);
    }

    /// Events of SAQs and their messages; all others are ignored.
    pub(super) fn saq_event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.roll(view.now);
        if let Some(pauses) = &mut self.pauses {
            return pauses.event(view, place, event);
        }
        self.at(view.now).recn.count(event);
        let (in_use, up) = match event {
            Event::SaqAllocated { in_use, .. } => (in_use, true),
            Event::SaqFreed { in_use, .. } => (in_use, false),
            _ => return,
        };
        let early = self.frees.event(view, place, event, &self.config.time_base);
        self.at(view.now).recn.early_frees += u64::from(early);
        self.change_level(view.now, place, in_use, up);
    }
}

impl RecnCounts {
    /// Counts an event; [`Frees`] decides whether a free was early.
    pub fn count(&mut self, event: Event) {
        let count = match event {
            Event::SaqAllocated { .. } => &mut self.allocations,
            Event::SaqFreed { .. } => &mut self.frees,
            Event::SaqRefused(_) => &mut self.refusals,
            Event::Ignored(_) => &mut self.ignored,
            Event::ControlSent(Control::Notification(_)) => &mut self.notifications,
            Event::ControlSent(Control::Xoff(_)) => &mut self.xoffs,
            Event::ControlSent(Control::Xon(_)) => &mut self.xons,
            Event::ControlSent(Control::Token(_)) => &mut self.tokens,
            Event::ControlSent(Control::Nack(_)) => &mut self.nacks,
            Event::Internal(Control::Notification(_)) => &mut self.internal_notifications,
            Event::Internal(Control::Xoff(_)) => &mut self.internal_xoffs,
            Event::Internal(Control::Xon(_)) => &mut self.internal_xons,
            Event::Internal(Control::Token(_)) => &mut self.internal_tokens,
            // Inside a switch the answer of a refusal is immediate and no message.
            _ => return,
        };
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::{LineId, Ratio, WireId};

    // "Early frees (the same T allocated again at that port within 2 us of being freed)"
    // (recn.md): 2 us and no tick more, of that point at that side of that port.
    #[test]
    fn two_microseconds_are_early_and_a_tick_more_is_not() {
        let time_base = TimeBase::new(2, Ratio::ONE, Ratio::ONE).expect("legal");
        let limit = time_base.ns_to_ticks_ceil(2000);
        let (line, in_use) = (LineId(0), 0);
        let place = |side| Place { port: WireId(3), side };
        let view = |now| View { now, owners: &[] };
        for (after, early) in
            [(Span(1), true), (limit / 2 + Span(1), true), (limit, true), (limit + Span(1), false)]
        {
            let mut frees = Frees::default();
            let freed = Event::SaqFreed { line, point: Point::from_turn(1, 3), in_use };
            frees.event(view(Tick(100)), place(Side::Ingress), freed, &time_base);
            let mut again = |side, turn| {
                let event = Event::SaqAllocated { line, point: Point::from_turn(turn, 3), in_use };
                frees.event(view(Tick(100) + after), place(side), event, &time_base)
            };
            assert!(!again(Side::Egress, 1) && !again(Side::Ingress, 2));
            assert_eq!(again(Side::Ingress, 1), early, "{after} ticks");
            assert!(!again(Side::Ingress, 1), "one free, one allocation");
        }
    }
}
