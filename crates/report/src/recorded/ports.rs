//! `ports.csv` as cells: a port, a stretch of time, and the share of samples of each state.

use super::files::{PortRow, ports};
use crate::ReportError;
use std::collections::BTreeMap;
use std::path::Path;

/// What a port may be doing, in the order of [`Cell`]; idle is the rest.
pub(super) const STATES: [(&str, &str); 5] = [
    ("hu", "utilised"),
    ("hk", "credit-stalled"),
    ("hx", "stalled by Xoff"),
    ("ha", "lost arbitration"),
    ("hi", "idle"),
];
/// Place of idle in [`STATES`].
pub(super) const IDLE: usize = 4;
/// Percent of the samples from which on a colour is stronger; below the first it is not shown.
pub(super) const LEVELS: [u32; 4] = [10, 25, 50, 75];

/// Columns of time, at most.
const COLUMNS_MAX: usize = 160;

/// Percent of the samples: utilised, credit-stalled, stalled by Xoff, lost arbitration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cell(pub(super) [u8; 4]);

impl Cell {
    fn of(row: &PortRow<'_>) -> Cell {
        let shares = [row.utilised, row.stalled_credit, row.stalled_xoff, row.lost_arbitration];
        Cell(shares.map(|share| (share * 100.0).round().clamp(0.0, 100.0) as u8))
    }

    /// Held up: ready to go and not going.
    pub(super) fn waits(self) -> u32 {
        self.0[1..].iter().map(|&v| u32::from(v)).sum()
    }

    /// The one of two that is held up more; of equals the busier one.
    pub(super) fn worse(self, other: Cell) -> Cell {
        let rank = |cell: Cell| (cell.waits(), cell.0[0]);
        if rank(other) > rank(self) { other } else { self }
    }

    /// How it is drawn; `None` is idle. Waiting comes before busy, so that it is seen.
    pub(super) fn shown(self) -> Option<Shown> {
        let level = |share: u32| LEVELS.iter().rposition(|&least| share >= least);
        if let Some(level) = level(self.waits()) {
            // of equals the first
            let cause = (1..4).rev().max_by_key(|&state| self.0[state]);
            return cause.map(|state| Shown { state, level });
        }
        level(u32::from(self.0[0])).map(|level| Shown { state: 0, level })
    }
}

/// What a cell is coloured by: a place in [`STATES`], one in [`LEVELS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) state: usize,
    pub(super) level: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Port {
    /// `ingress`, `egress` or `injection`.
    pub(super) side: String,
    /// Of the switch or end node.
    pub(super) element: u32,
    pub(super) number: u32,
    /// As in the file, without `fabric.`.
    pub(super) name: String,
}

impl Port {
    fn of(row: &PortRow<'_>) -> Port {
        let digits = |text: &str| {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(0)
        };
        let name = row.port.trim_start_matches("fabric.");
        let (element, number) = name.split_once('.').unwrap_or((name, ""));
        let (element, number) = (digits(element), digits(number));
        Port { side: row.side.into(), element, number, name: name.into() }
    }
}

pub(super) struct Ports {
    /// Bins in a column; over 1 where there are more bins than columns.
    pub(super) bins_a_column: usize,
    pub(super) bin_ns: f64,
    pub(super) columns: usize,
    pub(super) cells: BTreeMap<Port, Vec<Cell>>,
    /// By column: the most CAM lines at one port with each bit set: leaf, blocked, ready.
    pub(super) lines: Vec<[f32; 3]>,
}

impl Ports {
    /// Where a column begins, ns.
    pub(super) fn start_ns(&self, column: usize) -> f64 {
        (column * self.bins_a_column) as f64 * self.bin_ns
    }

    /// Reads the file; bins are those of the series.
    pub(super) fn read(path: &Path, times: (f64, f64)) -> Result<Ports, ReportError> {
        let (bin_ns, duration_ns) = times;
        let bins =
            if bin_ns > 0.0 { (duration_ns / bin_ns - 1e-9).ceil().max(1.0) as usize } else { 1 };
        let bins_a_column = bins.div_ceil(COLUMNS_MAX);
        let columns = bins.div_ceil(bins_a_column);
        let mut read = Ports {
            bins_a_column,
            bin_ns,
            columns,
            cells: BTreeMap::new(),
            lines: vec![[0.0; 3]; columns],
        };
        ports(path, |row| {
            let bin = (row.t_ns / bin_ns.max(1e-9)).round() as usize;
            let column = (bin / bins_a_column).min(columns - 1);
            let cells = read.cells.entry(Port::of(&row));
            let cells = cells.or_insert_with(|| vec![Cell::default(); columns]);
            cells[column] = cells[column].worse(Cell::of(&row));
            let lines = [row.lines_leaf_max, row.lines_blocked_max, row.lines_ready_max];
            for (most, one) in read.lines[column].iter_mut().zip(lines) {
                *most = most.max(one);
            }
        })?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_shown_by_its_largest_cause_and_its_share() {
        let shown = |cell: [u8; 4]| Cell(cell).shown().map(|s| (s.state, s.level));
        assert_eq!(shown([0, 0, 0, 0]), None);
        assert_eq!(shown([9, 3, 3, 3]), None);
        // mostly busy or idle, and yet seen to wait
        assert_eq!(shown([60, 20, 0, 10]), Some((1, 1)));
        assert_eq!(shown([0, 0, 40, 0]), Some((2, 1)));
        assert_eq!(shown([30, 0, 0, 75]), Some((3, 3)));
        assert_eq!(shown([30, 20, 20, 10]), Some((1, 2)), "of equals the first");
        // no coin is flipped near half utilisation
        assert_eq!(shown([49, 0, 0, 9]), Some((0, 1)));
        assert_eq!(shown([51, 0, 0, 9]), Some((0, 2)));
    }

    #[test]
    fn of_two_cells_the_one_that_is_held_up_more_is_shown() {
        let (busy, stalled) = (Cell([95, 0, 0, 0]), Cell([50, 10, 0, 0]));
        assert_eq!(busy.worse(stalled), stalled);
        assert_eq!(stalled.worse(busy), stalled);
        assert_eq!(Cell::default().worse(busy), busy);
    }
}
