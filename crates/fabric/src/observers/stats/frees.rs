//! SAQs that are allocated again soon after they were freed.

use switch::Place;
use turnpool::Point;
use units::{Tick, Ticks, TimeBase};

/// Sooner than this is early.
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
    place.port as usize * 2 + place.side as usize
}

fn is_early(ticks: Ticks, time_base: &TimeBase) -> bool {
    time_base.ticks_to_ns(ticks) <= EARLY_NS
}
