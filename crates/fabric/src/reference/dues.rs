//! When the clock visits whom next: a calendar of wires, ports and switches.

use units::{ElementId, Span, Tick, WireId};

/// Lists of the calendar: one for each of so many ticks, and again for those after them.
const LISTS: usize = u64::BITS as usize;

/// Who is due in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// Something comes over the wire to a port.
    Wire(WireId),
    /// The port at the end of a wire, of a switch or an end node, does something by itself.
    Port(WireId),
    /// The crossbar of a switch, or its steps 5 to 8.
    Switch(ElementId),
}

/// The calendar. Its entries are the wires, then the ports at which they end, then the switches.
#[derive(Debug)]
pub(crate) struct Dues {
    wires: usize,
    /// By entry: nothing happens there before this tick. Of one that is being visited tick 0.
    due: Box<[Tick]>,
    /// By tick: entries that are due then, or that were to be before another tick was found.
    lists: Box<[Vec<u32>]>,
    /// Lists that are not empty, a bit each.
    filled: u64,
    /// An empty one.
    spare: Vec<u32>,
    /// The first tick that is not over.
    pub(crate) from: Tick,
}

fn list_of(tick: Tick) -> usize {
    (tick.0 % LISTS as u64) as usize
}

impl Dues {
    /// All are visited in the first tick: so many wires, and so many switches.
    pub(crate) fn new(wires: usize, switches: usize) -> Dues {
        let entries = 2 * wires + switches;
        let mut dues = Dues {
            wires,
            due: vec![Tick::MAX; entries].into(),
            lists: vec![Vec::new(); LISTS].into(),
            filled: 0,
            spare: Vec::new(),
            from: Tick::ZERO,
        };
        (0..entries).for_each(|entry| dues.put(entry, Tick::ZERO));
        dues
    }

    #[inline]
    fn entry(&self, who: Due) -> usize {
        match who {
            Due::Wire(wire) => wire.index(),
            Due::Port(wire) => self.wires + wire.index(),
            Due::Switch(switch) => 2 * self.wires + switch.index(),
        }
    }

    #[inline]
    fn put(&mut self, entry: usize, due: Tick) {
        let known = std::mem::replace(&mut self.due[entry], due);
        if due < Tick::MAX && due != known {
            self.lists[list_of(due)].push(entry as u32);
            self.filled |= 1 << list_of(due);
        }
    }

    /// Something happens in tick `due`, or as soon as ticks go on.
    #[inline]
    pub(crate) fn hasten(&mut self, who: Due, due: Tick) {
        let (entry, due) = (self.entry(who), due.max(self.from));
        if due < self.due[entry] {
            self.put(entry, due);
        }
    }

    /// Nothing happens there by itself before tick `due`.
    #[inline]
    pub(crate) fn set(&mut self, who: Due, due: Tick) {
        self.put(self.entry(who), due);
    }

    /// The next tick in which anybody may be due.
    pub(crate) fn next(&self) -> Tick {
        let ahead = self.filled.rotate_right(list_of(self.from) as u32).trailing_zeros();
        if self.filled == 0 { Tick::MAX } else { self.from + Span(ahead.into()) }
    }

    /// Takes those that are due in tick `now`: they are visited.
    pub(crate) fn take(&mut self, now: Tick, mut visit: impl FnMut(Due)) {
        self.from = now.next();
        let at = list_of(now);
        let mut list = std::mem::replace(&mut self.lists[at], std::mem::take(&mut self.spare));
        for entry in list.drain(..) {
            let due = &mut self.due[entry as usize];
            if *due == now {
                *due = Tick::ZERO;
                let wires = self.wires;
                visit(match entry as usize {
                    wire if wire < wires => Due::Wire(WireId::at(wire)),
                    port if port < 2 * wires => Due::Port(WireId::at(port - wires)),
                    switch => Due::Switch(ElementId::at(switch - 2 * wires)),
                });
            } else if *due > now && *due < Tick::MAX && list_of(*due) == at {
                // In a later round.
                self.lists[at].push(entry);
            }
        }
        self.spare = list;
        if self.lists[at].is_empty() {
            self.filled &= !(1 << at);
        }
    }
}
