//! States of packets on their way, each looked at once.

use std::collections::BTreeMap;

use hierarchy::Trip;

/// A packet that has come over a link, or that its end node has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    /// Where it is.
    pub(crate) switch: u32,
    /// By which port it came.
    pub(crate) in_port: u8,
    /// The rest.
    pub(crate) header: Header,
}

/// What it brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Header {
    /// The virtual channel of the link.
    pub(crate) vc: u8,
    /// Links taken, those of end nodes not counted.
    pub(crate) hops: u8,
    /// Routing state.
    pub(crate) trip: Trip,
}

/// States that have been seen, and those of them that wait to be followed.
#[derive(Debug, Default)]
pub(crate) struct States {
    /// Numbers of headers: there are few.
    headers: BTreeMap<Header, usize>,
    /// Words of a row.
    words: usize,
    /// By place of the port, a row: a bit a header.
    seen: Vec<u64>,
    waiting: Vec<State>,
}

impl States {
    /// Forgets all, and makes room for this many ports.
    pub(crate) fn clear(&mut self, ports: usize) {
        self.headers.clear();
        self.waiting.clear();
        self.words = 1;
        self.seen.clear();
        self.seen.resize(ports, 0);
    }

    /// Adds a state; `place` is that of its port.
    pub(crate) fn add(&mut self, place: usize, state: State) {
        let next = self.headers.len();
        let number = *self.headers.entry(state.header).or_insert(next);
        if number >= 64 * self.words {
            self.widen();
        }
        let word = &mut self.seen[place * self.words + number / 64];
        let bit = 1 << (number % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.waiting.push(state);
        }
    }

    /// The next one to be followed.
    pub(crate) fn next(&mut self) -> Option<State> {
        self.waiting.pop()
    }

    /// Rows of twice the length.
    fn widen(&mut self) {
        let mut wide = Vec::with_capacity(2 * self.seen.len());
        for row in self.seen.chunks_exact(self.words) {
            wide.extend_from_slice(row);
            wide.extend(std::iter::repeat_n(0, self.words));
        }
        self.seen = wide;
        self.words *= 2;
    }
}
