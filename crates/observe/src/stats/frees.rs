//! SAQs that are allocated again soon after they were freed.

use crate::event::Place;
use turnpool::Point;
use units::{Span, Tick, TimeBase};

/// An early free: a point that is allocated again within this time of being freed (spec: recn.md,
/// What to record).
const EARLY_NS: f64 = 2000.0;

/// When points were freed last, where that is not longer ago.
#[derive(Debug, Clone, Default)]
pub(super) struct Frees {
    /// By dense port number and side.
    places: Vec<Vec<(Point, Tick)>>,
}

impl Frees {
    pub(super) fn freed(&mut self, place: Place, point: Point, now: Tick, time_base: &TimeBase) {
        let at = index(place);
        if at >= self.places.len() {
            self.places.resize(at + 1, Vec::new());
        }
        let frees = &mut self.places[at];
        frees.retain(|&(_, then)| is_early(now - then, time_base));
        frees.push((point, now));
    }

    /// The point is set aside again; whether that is early.
    pub(super) fn allocated(
        &mut self,
        place: Place,
        point: Point,
        now: Tick,
        time_base: &TimeBase,
    ) -> bool {
        let Some(frees) = self.places.get_mut(index(place)) else {
            return false;
        };
        let found = frees.iter().position(|&(freed, _)| freed == point);
        found.is_some_and(|at| is_early(now - frees.swap_remove(at).1, time_base))
    }
}

fn index(place: Place) -> usize {
    place.port.index() * 2 + place.side as usize
}

/// Whether a time from a free to the next allocation is short.
pub fn is_early(span: Span, time_base: &TimeBase) -> bool {
    time_base.span_to_ns(span) <= EARLY_NS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Side;
    use units::{Ratio, WireId};

    // "Early frees (the same T allocated again at that port within 2 us of being freed)"
    // (recn.md): 2 us and no tick more, of that point at that side of that port.
    #[test]
    fn two_microseconds_are_early_and_a_tick_more_is_not() {
        let time_base = TimeBase::new(2, Ratio::ONE, Ratio::ONE).expect("legal");
        let limit = time_base.ns_to_ticks_ceil(2000);
        let place = |side| Place { port: WireId(3), side };
        let point = |turn| Point::from_turn(turn, 3);
        for (after, early) in
            [(Span(1), true), (limit / 2 + Span(1), true), (limit, true), (limit + Span(1), false)]
        {
            let mut frees = Frees::default();
            frees.freed(place(Side::Ingress), point(1), Tick(100), &time_base);
            let mut again = |side, turn| {
                frees.allocated(place(side), point(turn), Tick(100) + after, &time_base)
            };
            assert!(!again(Side::Egress, 1) && !again(Side::Ingress, 2));
            assert_eq!(again(Side::Ingress, 1), early, "{after} ticks");
            assert!(!again(Side::Ingress, 1), "one free, one allocation");
        }
    }
}
