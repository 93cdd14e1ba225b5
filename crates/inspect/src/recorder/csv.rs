//! Bins that are closed, as lines of `ports.csv` and `cam.csv`.

use super::{Counts, Level, Peak, Recorder, Seen};
use observe::{CellsInUse, RecnCounts, Side};
use std::fmt::Write as _;
use units::Tick;

/// The name of a side of a port of a switch.
pub(crate) const fn name(side: Side) -> &'static str {
    match side {
        Side::Ingress => "ingress",
        Side::Egress => "egress",
    }
}

/// Sides of ports, by number; end nodes have one of their own.
pub(super) const SIDES: [&str; 3] = [name(Side::Ingress), name(Side::Egress), "injection"];

pub(super) const PORTS_HEADER: &str = concat!(
    "t_ns,port,side,samples,utilised,stalled_credit,stalled_xoff,lost_arbitration,idle,",
    "cells_normal_max,cells_saq_max,cells_leaving_max,saqs_max,lines_leaf_max,",
    "lines_blocked_max,lines_ready_max,allocations,frees,early_frees,refusals,ignored,",
    "notifications,xoffs,xons,tokens,nacks,internal_notifications,internal_xoffs,",
    "internal_xons,internal_tokens\n",
);

pub(super) const CAM_HEADER: &str = concat!(
    "row,t_ns,side,saqs_max,saqs_max_port,lines,lines_leaf,lines_blocked,lines_ready,",
    "cells_normal_max,cells_saq_max,cells_leaving_max\n",
);

impl Recorder {
    /// Closes the last bin; the run has ended.
    pub fn finish(&mut self) {
        self.roll(self.config.duration);
        if self.bin_start < self.config.duration {
            self.close_bin();
        }
        for side in 0..SIDES.len() {
            let peak = self.peaks[side];
            if peak.level.saqs_max > 0 {
                self.cam_row("peak", side, &peak);
            }
        }
    }

    /// `ports.csv`: a line for each bin and connected side of a port at which anything happened or
    /// any cell was in use.
    pub fn ports_csv(&self) -> &str {
        &self.ports_csv
    }

    /// `cam.csv`: a line for each bin and side, all ports together, then the bin of the peak of
    /// each side.
    pub fn cam_csv(&self) -> &str {
        &self.cam_csv
    }

    pub(super) fn roll(&mut self, now: Tick) {
        while now >= self.bin_start + self.config.bin {
            self.close_bin();
        }
    }

    fn close_bin(&mut self) {
        self.end_tick();
        for side in 0..SIDES.len() {
            self.close_level(side);
        }
        for at in 0..self.seen.len() {
            let (seen, counts) = (self.seen[at], self.counts[at]);
            self.seen[at] = Seen { unit: seen.unit, ..Seen::default() };
            // The next bin starts with the SAQs that there are.
            let saqs = counts.saqs;
            self.counts[at] = Counts { saqs, saqs_max: saqs, ..Counts::default() };
            self.ports_row(at, &seen, &counts);
        }
        self.bin_start += self.config.bin;
    }

    fn close_level(&mut self, side: usize) {
        let level = self.levels[side];
        let bin = Peak { start: self.bin_start, level, saqs_max_port: self.peak_port(side) };
        self.cam_row("bin", side, &bin);
        if level.saqs_max > self.peaks[side].level.saqs_max {
            self.peaks[side] = bin;
        }
        self.levels[side] = Level { saqs: level.saqs, saqs_max: level.saqs, ..Level::default() };
    }

    /// The most SAQs at one port of a side in this bin.
    fn peak_port(&self, side: usize) -> u32 {
        let counts = self.counts.iter().enumerate();
        let of_side = counts.filter(|(at, _)| self.side(*at) == side);
        of_side.map(|(_, counts)| counts.saqs_max).max().unwrap_or(0)
    }

    fn cam_row(&mut self, row: &str, side: usize, bin: &Peak) {
        let [lines, leaf, blocked, ready] = bin.level.lines;
        let CellsInUse { normal, saq, leaving } = bin.level.cells_max;
        let _ = writeln!(
            self.cam_csv,
            "{row},{},{},{},{},{lines},{leaf},{blocked},{ready},{normal},{saq},{leaving}",
            self.config.time_base.tick_to_ns(bin.start),
            SIDES[side],
            bin.level.saqs_max,
            bin.saqs_max_port,
        );
    }

    fn ports_row(&mut self, at: usize, seen: &Seen, counts: &Counts) {
        let is_quiet = seen.utilised == 0
            && seen.cells == CellsInUse::default()
            && counts.saqs_max == 0
            && counts.recn == RecnCounts::default();
        let Some(unit) = seen.unit.filter(|_| !is_quiet) else {
            return;
        };
        let side = SIDES[self.side(at)];
        let part = |n: u32| f64::from(n) / f64::from(seen.samples.max(1));
        let [nothing, xon, credit, arbitration] = seen.waited.map(part);
        let [_, leaf, blocked, ready] = seen.lines;
        let CellsInUse { normal, saq, leaving } = seen.cells;
        let _ = write!(
            self.ports_csv,
            "{},{unit},{side},{},{:.4},{credit:.4},{xon:.4},{arbitration:.4},{nothing:.4},\
             {normal},{saq},{leaving},{},{leaf},{blocked},{ready}",
            self.config.time_base.tick_to_ns(self.bin_start),
            seen.samples,
            part(seen.utilised),
            counts.saqs_max,
        );
        let recn = &counts.recn;
        for count in [
            recn.allocations,
            recn.frees,
            recn.early_frees,
            recn.refusals,
            recn.ignored,
            recn.notifications,
            recn.xoffs,
            recn.xons,
            recn.tokens,
            recn.nacks,
            recn.internal_notifications,
            recn.internal_xoffs,
            recn.internal_xons,
            recn.internal_tokens,
        ] {
            let _ = write!(self.ports_csv, ",{count}");
        }
        self.ports_csv.push('\n');
    }
}
