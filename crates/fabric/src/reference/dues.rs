//! When the clock visits whom next: a calendar.

use std::ops::Range;
use units::bits::Set;
use units::{ElementId, Span, Tick, WireId};

/// Lists of the calendar: one for each of so many ticks, and again for those after them.
const LISTS: usize = 256;

/// By port (the wire that ends there) and by element: nothing happens there before this tick.
#[derive(Debug)]
pub(crate) struct Dues {
    ports: Box<[Tick]>,
    /// Of one that is being visited tick 0.
    elements: Box<[Tick]>,
    /// By tick: elements that are due then, or that were to be before an earlier tick was found.
    lists: Box<[Vec<ElementId>]>,
    /// Lists that are not empty.
    filled: Set,
    /// The first tick that is not over.
    from: Tick,
}

fn list_of(tick: Tick) -> usize {
    (tick.0 % LISTS as u64) as usize
}

impl Dues {
    /// All are visited in the first tick.
    pub(crate) fn new(ports: usize, elements: usize) -> Dues {
        let mut dues = Dues {
            ports: vec![Tick::ZERO; ports].into(),
            elements: vec![Tick::ZERO; elements].into(),
            lists: vec![Vec::new(); LISTS].into(),
            filled: Set::new(LISTS),
            from: Tick::ZERO,
        };
        (0..elements).for_each(|element| dues.put(ElementId::at(element), Tick::ZERO));
        dues
    }

    fn put(&mut self, element: ElementId, due: Tick) {
        self.elements[element.index()] = due;
        if due < Tick::MAX {
            self.lists[list_of(due)].push(element);
            self.filled.insert(list_of(due));
        }
    }

    /// Something happens at a port of an element in tick `due`, or as soon as ticks go on.
    #[inline]
    pub(crate) fn hasten(&mut self, element: ElementId, port: WireId, due: Tick) {
        let due = due.max(self.from);
        self.ports[port.index()] = due.min(self.ports[port.index()]);
        if due < self.elements[element.index()] {
            self.put(element, due);
        }
    }

    /// Nothing happens at a port before tick `due`.
    pub(crate) fn set_port(&mut self, port: WireId, due: Tick) {
        self.ports[port.index()] = due;
    }

    /// Nor at an element that was visited, but for these ports of it.
    pub(crate) fn set(&mut self, element: ElementId, due: Tick, ports: Range<usize>) {
        let mut earliest = due;
        for port in &self.ports[ports] {
            earliest = earliest.min(*port);
            // There is none before it.
            if earliest == self.from {
                break;
            }
        }
        self.put(element, earliest);
    }

    /// The next tick in which an element may be due.
    pub(crate) fn next(&self) -> Tick {
        let first = list_of(self.from);
        let next = self.filled.first_from(first, |_| true);
        let ahead = next.map(|list| Span(((list + LISTS - first) % LISTS) as u64));
        ahead.map_or(Tick::MAX, |ahead| self.from + ahead)
    }

    /// Ticks before this one are over.
    pub(crate) fn go_on_from(&mut self, tick: Tick) {
        self.from = tick;
    }

    /// Takes the elements that are due in tick `now`: they are visited. `visit` gets the ticks of
    /// all ports too.
    pub(crate) fn take(&mut self, now: Tick, mut visit: impl FnMut(ElementId, &[Tick])) {
        self.from = now.next();
        let (at, elements) = (list_of(now), &mut self.elements);
        self.lists[at].retain(|&element| {
            let due = &mut elements[element.index()];
            if *due == now {
                *due = Tick::ZERO;
                visit(element, &self.ports);
            }
            // In a later round.
            *due > now && *due < Tick::MAX && list_of(*due) == at
        });
        if self.lists[at].is_empty() {
            self.filled.remove(at);
        }
    }
}
