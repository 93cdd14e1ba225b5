//! Latencies of messages and packets, by the window of their generation and by row.

use super::config::Window;
use super::latency::{Latency, LatencyCounts};
use units::{Tick, TimeBase};

/// Of messages, and of packets from injection on.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) messages: Latency,
    pub(super) packets: Latency,
    /// Of requests to the last tail of the reply; made when it is first used.
    round_trips: Option<Box<Latency>>,
}

impl Cell {
    /// Once for each cell, and only for those that are used: two histograms are half a megabyte.
    #[cold]
    #[inline(never)]
    fn new() -> Cell {
        Cell { messages: Latency::new(), packets: Latency::new(), round_trips: None }
    }

    pub(super) fn merge(&mut self, other: &Cell) {
        self.messages.merge(&other.messages);
        self.packets.merge(&other.packets);
        if let Some(others) = &other.round_trips {
            self.round_trips().merge(others);
        }
    }

    pub(super) fn round_trips(&mut self) -> &mut Latency {
        self.round_trips.get_or_insert_with(|| Box::new(Latency::new()))
    }

    fn counts(&self, time_base: &TimeBase) -> CellCounts {
        let round_trips = self.round_trips.as_ref().map(|r| r.counts(time_base));
        let [messages, packets] = [&self.messages, &self.packets].map(|of| of.counts(time_base));
        [messages, packets, round_trips.unwrap_or_default()]
    }

    fn arrived(&self) -> u64 {
        let replies = self.round_trips.as_ref().map_or(0, |r| r.arrived());
        self.messages.arrived() + replies
    }
}

/// Latencies of messages, of packets from injection on, and of requests to the last tail of the
/// reply, of a cell when the run has ended, or of several together.
pub(super) type CellCounts = [LatencyCounts; 3];

/// A cell for each segment between two edges of windows, and each row, made when it is first used.
/// The segment of the last message is nearly always that of the next.
#[derive(Debug, Clone)]
pub(super) struct Latencies {
    edges: Box<[Tick]>,
    /// By segment: whether it is in any window.
    wanted: Box<[bool]>,
    rows: usize,
    /// By segment, then row.
    cells: Vec<Option<Cell>>,
    recent: Recent,
}

/// Messages generated in `[start, end)` are in the cells from `first` on, or in none.
#[derive(Debug, Clone, Copy)]
struct Recent {
    start: Tick,
    end: Tick,
    first: Option<usize>,
}

impl Latencies {
    /// Nothing recorded yet; `edges` are those of `windows`, sorted.
    pub(super) fn new(edges: &[Tick], windows: &[Window], rows: usize) -> Latencies {
        let segments = edges.windows(2).map(|e| (e[0], e[1]));
        let is_in = |(start, end): Window| windows.iter().any(|s| s.0 <= start && end <= s.1);
        let wanted: Box<[bool]> = segments.map(is_in).collect();
        Latencies {
            edges: edges.into(),
            cells: vec![None; wanted.len() * rows],
            wanted,
            rows,
            recent: Recent { start: Tick::ZERO, end: Tick::ZERO, first: None },
        }
    }

    /// The cell of a message generated in tick `born`; `None` where it is not measured.
    #[inline]
    pub(super) fn cell(&mut self, born: Tick, row: usize) -> Option<&mut Cell> {
        if born < self.recent.start || born >= self.recent.end {
            self.find(born);
        }
        let at = self.recent.first? + row;
        let cell = &mut self.cells[at];
        Some(cell.get_or_insert_with(Cell::new))
    }

    #[cold]
    fn find(&mut self, born: Tick) {
        let after = self.edges.partition_point(|&edge| edge <= born);
        let wanted = after > 0 && self.wanted.get(after - 1) == Some(&true);
        self.recent = Recent {
            start: after.checked_sub(1).map_or(Tick::ZERO, |at| self.edges[at]),
            end: self.edges.get(after).copied().unwrap_or(Tick::MAX),
            first: wanted.then(|| (after - 1) * self.rows),
        };
    }

    /// What the cells hold, by segment and row: each is read once.
    pub(super) fn counted(&self, time_base: &TimeBase) -> Vec<Option<CellCounts>> {
        let cells = self.cells.iter();
        cells.map(|cell| cell.as_ref().map(|cell| cell.counts(time_base))).collect()
    }

    /// All that was recorded of messages generated in a window, of some rows.
    pub(super) fn sum(
        &self,
        counted: &[Option<CellCounts>],
        window: Window,
        wanted: impl Fn(usize) -> bool,
    ) -> CellCounts {
        let cells = self.segments(window, counted).filter(|(at, _)| wanted(at % self.rows));
        let cells: Vec<&CellCounts> = cells.map(|(_, cell)| cell).collect();
        [0, 1, 2].map(|of| LatencyCounts::sum(cells.iter().map(|cell| &cell[of])))
    }

    /// Those of `cells`, by segment and row, that are in the segments of a window.
    fn segments<'a, T>(
        &'a self,
        (start, end): Window,
        cells: &'a [Option<T>],
    ) -> impl Iterator<Item = (usize, &'a T)> {
        let cells = cells.iter().enumerate();
        let cells = cells.filter_map(|(at, cell)| Some((at, cell.as_ref()?)));
        cells.filter(move |(at, _)| {
            let segment = at / self.rows;
            self.edges[segment] >= start && self.edges[segment + 1] <= end
        })
    }

    /// Messages generated in a window that have arrived, and replies to them.
    pub(super) fn arrived(&self, window: Window) -> u64 {
        let cells = self.segments(window, &self.cells);
        cells.map(|(_, cell)| cell.arrived()).sum()
    }

    pub(super) fn merge(&mut self, other: Latencies) {
        for (own, others) in self.cells.iter_mut().zip(other.cells) {
            match (own.as_mut(), others) {
                (Some(own), Some(others)) => own.merge(&others),
                (None, others) => *own = others,
                (Some(_), None) => {}
            }
        }
    }
}
