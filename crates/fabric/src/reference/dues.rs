//! When the clock visits whom next: a calendar.

use observe::Owner;
use std::cmp::Ordering;
use std::ops::Range;
use units::bits::Set;
use units::{ElementId, Span, Tick, WireId};

/// Lists of the calendar: one for each of so many ticks, and again for those after them.
const LISTS: usize = 64;

/// By port (the wire that ends there) and by element: nothing happens there before this tick.
#[derive(Debug)]
pub(crate) struct Dues {
    ports: Box<[Tick]>,
    /// With the ports that are due then, a bit each. Of one that is being visited tick 0.
    elements: Box<[(Tick, u64)]>,
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
    /// All are visited in the first tick: so many elements, with ports of these owners.
    pub(crate) fn new(owners: &[Owner], elements: usize) -> Dues {
        let mut dues = Dues {
            ports: vec![Tick::MAX; owners.len()].into(),
            elements: vec![(Tick::MAX, 0); elements].into(),
            lists: vec![Vec::new(); LISTS].into(),
            filled: Set::new(LISTS),
            from: Tick::ZERO,
        };
        for (wire, owner) in owners.iter().enumerate() {
            dues.hasten(owner, WireId::at(wire), Tick::ZERO);
        }
        dues
    }

    fn put(&mut self, element: ElementId, due: Tick, ports: u64) {
        self.elements[element.index()] = (due, ports);
        if due < Tick::MAX {
            self.lists[list_of(due)].push(element);
            self.filled.insert(list_of(due));
        }
    }

    /// Something happens at a port in tick `due`, or as soon as ticks go on.
    #[inline]
    pub(crate) fn hasten(&mut self, at: &Owner, wire: WireId, due: Tick) {
        let due = due.max(self.from);
        self.ports[wire.index()] = due.min(self.ports[wire.index()]);
        let (known, ports) = &mut self.elements[at.element.index()];
        match due.cmp(known) {
            Ordering::Less => self.put(at.element, due, 1 << at.port.0),
            Ordering::Equal => *ports |= 1 << at.port.0,
            Ordering::Greater => {}
        }
    }

    /// Nothing happens at a port before tick `due`.
    pub(crate) fn set_port(&mut self, wire: WireId, due: Tick) {
        self.ports[wire.index()] = due;
    }

    /// Nor at an element that was visited, but for these ports of it.
    pub(crate) fn set(&mut self, element: ElementId, due: Tick, ports: Range<usize>) {
        let (mut earliest, mut due_ports) = (due, 0);
        for (port, &due) in self.ports[ports].iter().enumerate() {
            if due < earliest {
                (earliest, due_ports) = (due, 0);
            }
            due_ports |= u64::from(due == earliest) << port;
        }
        self.put(element, earliest, due_ports);
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

    /// Takes the elements that are due in tick `now`, with those of their ports that are, a bit
    /// each: they are visited.
    pub(crate) fn take(&mut self, now: Tick, mut visit: impl FnMut(ElementId, u64)) {
        self.from = now.next();
        let (at, elements) = (list_of(now), &mut self.elements);
        self.lists[at].retain(|&element| {
            let (due, ports) = &mut elements[element.index()];
            if *due == now {
                *due = Tick::ZERO;
                visit(element, *ports);
            }
            // In a later round.
            *due > now && *due < Tick::MAX && list_of(*due) == at
        });
        if self.lists[at].is_empty() {
            self.filled.remove(at);
        }
    }
}
