//! Ports over time: what held them up, CAM lines by their bits, cells by kind of queue, protocol counts.
//!
//! Counts and SAQs in use are exact, from events. What a port does, its cells and the bits of its CAM lines are looked at every
//! `interval` ticks (see `Run::step_recorded`), and summed up in bins. An interval that shares no divisor with the time of a
//! packet sees all phases of a steady flow alike.

use super::stats::is_early;
use crate::fabric::PortProbe;
use crate::observer::{Observer, View};
use flow_control::Control;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use switch::{CellsInUse, Event, Place, Side, Waits};
use turnpool::Point;
use units::{Tick, Ticks, TimeBase, Unit};

/// What a recorder must know beforehand.
#[derive(Debug, Clone)]
pub struct RecorderConfig {
    /// Ports of all switches and end nodes.
    pub ports: usize,
    /// Dense number of the first end node's port.
    pub first_node_port: u32,
    /// Length of a bin.
    pub bin: Ticks,
    /// Time between samples.
    pub interval: Ticks,
    /// The run covers ticks `0..duration`.
    pub duration: Ticks,
    /// For conversions.
    pub time_base: TimeBase,
}

const SIDES: [&str; 3] = ["ingress", "egress", "injection"];

/// Names of [`Counts::events`].
const COUNTS: [&str; 14] = [
    "allocations",
    "frees",
    "early_frees",
    "refusals",
    "ignored",
    "notifications",
    "xoffs",
    "xons",
    "tokens",
    "nacks",
    "internal_notifications",
    "internal_xoffs",
    "internal_xons",
    "internal_tokens",
];

/// What happened at one side of a port in a bin.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    events: [u32; COUNTS.len()],
    saqs: u32,
    saqs_max: u32,
}

/// What samples saw at one side of a port in a bin.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    unit: Option<Unit>,
    was_busy: bool,
    waits: Option<Waits>,
    samples: u32,
    utilised: u32,
    /// By [`Waits`]: nothing, Xon, credit, arbitration.
    waited: [u32; 4],
    cells: CellsInUse,
    leaf: u32,
    blocked: u32,
    ready: u32,
}

/// All ports of one side together.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    saqs: u32,
    saqs_max: u32,
    cells_max: CellsInUse,
    /// At the sample with the most lines in use: lines, leaf, blocked, ready.
    lines: [u32; 4],
}

/// One look at all ports, before and after a tick.
#[derive(Debug, Clone)]
pub struct Sample {
    seen: Vec<Seen>,
    cells: [CellsInUse; 3],
    lines: [[u32; 4]; 3],
    first_node_port: u32,
}

/// The observer.
#[derive(Debug, Clone)]
pub struct Recorder {
    config: RecorderConfig,
    next_sample: Tick,
    bin_start: Tick,
    counts: Vec<Counts>,
    seen: Vec<Seen>,
    levels: [Level; 3],
    /// By side: the bin with the most SAQs of the run: its start, all ports, the most at one port.
    peaks: [(Tick, Level, u32); 3],
    freed: BTreeMap<(usize, Point), Tick>,
    ports_csv: String,
    cam_csv: String,
}

fn slot(place: Place) -> usize {
    2 * place.port as usize + place.side as usize
}

fn side_of(slot: usize, first_node_port: u32) -> usize {
    match slot % 2 {
        0 => 0,
        _ if slot / 2 >= first_node_port as usize => 2,
        _ => 1,
    }
}

impl Sample {
    /// A port before the sampled tick.
    pub fn before(&mut self, port: &PortProbe<'_>) {
        let seen = &mut self.seen[slot(port.place)];
        seen.unit = Some(port.unit);
        seen.was_busy = port.is_busy && port.place.side == Side::Ingress;
        seen.waits = Some(port.waits);
    }

    /// The same port after the sampled tick.
    pub fn after(&mut self, port: &PortProbe<'_>) {
        let at = slot(port.place);
        let seen = &mut self.seen[at];
        let Some(waits) = seen.waits.take() else {
            return;
        };
        seen.samples += 1;
        if seen.was_busy || port.is_busy {
            seen.utilised += 1;
        } else {
            seen.waited[waits as usize] += 1;
        }
        seen.cells = most(seen.cells, port.cells);
        let side = side_of(at, self.first_node_port);
        self.cells[side] = sum(self.cells[side], port.cells);
        if let Some(cam) = port.cam {
            let ones = |bits: u64| (bits & cam.valid()).count_ones();
            let (leaf, blocked, ready) = (
                ones(cam.leaf_lines()),
                ones(cam.blocked_lines()),
                ones(cam.ready_lines()),
            );
            seen.leaf = seen.leaf.max(leaf);
            seen.blocked = seen.blocked.max(blocked);
            seen.ready = seen.ready.max(ready);
            for (total, one) in
                self.lines[side]
                    .iter_mut()
                    .zip([cam.in_use(), leaf, blocked, ready])
            {
                *total += one;
            }
        }
    }
}

fn most(a: CellsInUse, b: CellsInUse) -> CellsInUse {
    CellsInUse {
        normal: a.normal.max(b.normal),
        saq: a.saq.max(b.saq),
        leaving: a.leaving.max(b.leaving),
    }
}

fn sum(a: CellsInUse, b: CellsInUse) -> CellsInUse {
    CellsInUse {
        normal: a.normal + b.normal,
        saq: a.saq + b.saq,
        leaving: a.leaving + b.leaving,
    }
}

impl Recorder {
    /// Nothing has happened yet.
    pub fn new(config: RecorderConfig) -> Recorder {
        let slots = 2 * config.ports;
        let config = RecorderConfig {
            bin: config.bin.max(1),
            interval: config.interval.max(2),
            ..config
        };
        Recorder {
            next_sample: config.interval,
            bin_start: 0,
            counts: vec![Counts::default(); slots],
            seen: vec![Seen::default(); slots],
            levels: [Level::default(); 3],
            peaks: [(0, Level::default(), 0); 3],
            freed: BTreeMap::new(),
            ports_csv: format!(
                "t_ns,port,side,samples,utilised,stalled_credit,stalled_xoff,lost_arbitration,idle,cells_normal_max,cells_saq_max,\
                 cells_leaving_max,saqs_max,lines_leaf_max,lines_blocked_max,lines_ready_max,{}\n",
                COUNTS.join(",")
            ),
            cam_csv: String::from(
                "row,t_ns,side,saqs_max,saqs_max_port,lines,lines_leaf,lines_blocked,lines_ready,cells_normal_max,cells_saq_max,\
                 cells_leaving_max\n",
            ),
            config,
        }
    }

    /// The tick that is to be sampled next.
    pub fn next_sample(&self) -> Tick {
        self.next_sample
    }

    /// Starts the sample of tick [`Recorder::next_sample`]; hand it back with [`Recorder::end_sample`].
    pub fn begin_sample(&mut self) -> Sample {
        self.roll(self.next_sample);
        Sample {
            seen: std::mem::take(&mut self.seen),
            cells: [CellsInUse::default(); 3],
            lines: [[0; 4]; 3],
            first_node_port: self.config.first_node_port,
        }
    }

    /// Ends a sample.
    pub fn end_sample(&mut self, sample: Sample) {
        self.next_sample += self.config.interval;
        self.seen = sample.seen;
        for side in 0..SIDES.len() {
            let level = &mut self.levels[side];
            level.cells_max = most(level.cells_max, sample.cells[side]);
            if sample.lines[side][0] > level.lines[0] {
                level.lines = sample.lines[side];
            }
        }
    }

    /// Closes the last bin; the run has ended.
    pub fn finish(&mut self) {
        self.roll(self.config.duration);
        if self.bin_start < self.config.duration {
            self.close_bin();
        }
        for side in 0..SIDES.len() {
            let (start, level, port) = self.peaks[side];
            if level.saqs_max > 0 {
                self.cam_row("peak", start, side, &level, port);
            }
        }
    }

    /// `ports.csv`: a line for each bin and connected side of a port at which anything happened or any cell was in use.
    pub fn ports_csv(&self) -> &str {
        &self.ports_csv
    }

    /// `cam.csv`: a line for each bin and side, all ports together, then the bin of the peak of each side.
    pub fn cam_csv(&self) -> &str {
        &self.cam_csv
    }

    fn roll(&mut self, now: Tick) {
        while now >= self.bin_start + self.config.bin {
            self.close_bin();
        }
    }

    /// The most SAQs at one port of a side in this bin.
    fn peak_port(&self, side: usize) -> u32 {
        let first = self.config.first_node_port;
        let of_side = self.counts.iter().enumerate();
        of_side
            .filter(|(at, _)| side_of(*at, first) == side)
            .map(|(_, c)| c.saqs_max)
            .max()
            .unwrap_or(0)
    }

    fn cam_row(&mut self, row: &str, start: Tick, side: usize, level: &Level, port: u32) {
        let [lines, leaf, blocked, ready] = level.lines;
        let cells = level.cells_max;
        let _ = writeln!(
            self.cam_csv,
            "{row},{},{},{},{port},{lines},{leaf},{blocked},{ready},{},{},{}",
            self.config.time_base.ticks_to_ns(start),
            SIDES[side],
            level.saqs_max,
            cells.normal,
            cells.saq,
            cells.leaving,
        );
    }

    fn close_bin(&mut self) {
        let (start, time) = (self.bin_start, self.config.time_base);
        for side in 0..SIDES.len() {
            let level = self.levels[side];
            let port = self.peak_port(side);
            self.cam_row("bin", start, side, &level, port);
            if level.saqs_max > self.peaks[side].1.saqs_max {
                self.peaks[side] = (start, level, port);
            }
            self.levels[side] = Level {
                saqs: level.saqs,
                saqs_max: level.saqs,
                ..Level::default()
            };
        }
        for (at, (seen, counts)) in self.seen.iter_mut().zip(&mut self.counts).enumerate() {
            let (bin, events) = (*seen, *counts);
            *seen = Seen {
                unit: bin.unit,
                ..Seen::default()
            };
            *counts = Counts {
                saqs: events.saqs,
                saqs_max: events.saqs,
                ..Counts::default()
            };
            let quiet = bin.utilised == 0
                && bin.cells == CellsInUse::default()
                && events.saqs_max == 0
                && events.events == [0; COUNTS.len()];
            let Some(unit) = bin.unit.filter(|_| !quiet) else {
                continue;
            };
            let side = SIDES[side_of(at, self.config.first_node_port)];
            let part = |n: u32| f64::from(n) / f64::from(bin.samples.max(1));
            let [nothing, xon, credit, arbitration] = bin.waited.map(part);
            let _ = write!(
                self.ports_csv,
                "{},{unit},{side},{},{:.4},{credit:.4},{xon:.4},{arbitration:.4},{nothing:.4},{},{},{},{},{},{},{}",
                time.ticks_to_ns(start),
                bin.samples,
                part(bin.utilised),
                bin.cells.normal,
                bin.cells.saq,
                bin.cells.leaving,
                events.saqs_max,
                bin.leaf,
                bin.blocked,
                bin.ready,
            );
            for count in events.events {
                let _ = write!(self.ports_csv, ",{count}");
            }
            self.ports_csv.push('\n');
        }
        self.bin_start += self.config.bin;
    }

    fn change(&mut self, at: usize, in_use: u32) {
        let counts = &mut self.counts[at];
        let level = &mut self.levels[side_of(at, self.config.first_node_port)];
        level.saqs = level.saqs + in_use - counts.saqs;
        level.saqs_max = level.saqs_max.max(level.saqs);
        counts.saqs = in_use;
        counts.saqs_max = counts.saqs_max.max(in_use);
    }

    fn count(&mut self, now: Tick, at: usize, event: Event) {
        let kind = match event {
            Event::SaqAllocated { point, in_use, .. } => {
                self.change(at, in_use);
                if let Some(freed) = self.freed.remove(&(at, point))
                    && is_early(now - freed, &self.config.time_base)
                {
                    self.counts[at].events[2] += 1;
                }
                0
            }
            Event::SaqFreed { point, in_use, .. } => {
                self.change(at, in_use);
                self.freed.insert((at, point), now);
                1
            }
            Event::SaqRefused(_) => 3,
            Event::Ignored(_) => 4,
            Event::ControlSent(control) => match control {
                Control::Notification(_) => 5,
                Control::Xoff(_) => 6,
                Control::Xon(_) => 7,
                Control::Token(_) => 8,
                Control::Nack(_) => 9,
                Control::Credit { .. } => return,
            },
            Event::Internal(control) => match control {
                Control::Notification(_) => 10,
                Control::Xoff(_) => 11,
                Control::Xon(_) => 12,
                Control::Token(_) => 13,
                Control::Nack(_) | Control::Credit { .. } => return,
            },
            Event::Stored { .. }
            | Event::Moved { .. }
            | Event::Departed { .. }
            | Event::Hop { .. } => return,
        };
        self.counts[at].events[kind] += 1;
    }
}

impl Observer for Recorder {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if matches!(
            event,
            Event::Stored { .. }
                | Event::Departed { .. }
                | Event::Hop { .. }
                | Event::Moved { .. }
                | Event::ControlSent(Control::Credit { .. })
        ) {
            return;
        }
        // What comes while the run drains is in no bin.
        if view.now < self.config.duration {
            self.roll(view.now);
            self.count(view.now, slot(place), event);
        }
    }
}
