//! Ports over time: what held them up, CAM lines by their bits, cells by kind of queue, protocol
//! counts.
//!
//! Counts and SAQs in use are exact, from events. What a port does, its cells and the bits of its
//! CAM lines are looked at every `interval`, and summed up in bins. An interval that shares no
//! divisor with the time of a packet sees all phases of a steady flow alike.

mod counts;
mod csv;
mod sample;
mod sides;

pub use sample::Sample;

use counts::Counts;
use observe::{CellsInUse, Event, Observer, Place, View};
use sample::Seen;
use sides::{side_of, slot};
use std::collections::BTreeMap;
use turnpool::Point;
use units::{Span, Tick, TimeBase, WireId};

/// What a recorder must know beforehand.
#[derive(Debug, Clone)]
pub struct RecorderConfig {
    /// Ports of all switches and end nodes.
    pub ports: usize,
    /// The first end node's port; those below belong to switches.
    pub first_node_port: WireId,
    /// Length of a bin.
    pub bin: Span,
    /// Time between samples.
    pub interval: Span,
    /// The end of the measured time: what follows is in no bin.
    pub duration: Tick,
    /// For conversions.
    pub time_base: TimeBase,
}

/// All ports of one side together, in a bin.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    saqs: u32,
    saqs_max: u32,
    cells_max: CellsInUse,
    /// At the sample with the most lines in use: lines, leaf, blocked, ready.
    lines: [u32; 4],
}

/// A bin with the most SAQs of the run.
#[derive(Debug, Clone, Copy, Default)]
struct Peak {
    start: Tick,
    level: Level,
    saqs_max_port: u32,
}

/// The observer. `Run::step_recorded` of a fabric takes the samples.
#[derive(Debug, Clone)]
pub struct Recorder {
    config: RecorderConfig,
    next_sample: Tick,
    bin_start: Tick,
    /// The tick of the last change of SAQs in use.
    changed: Tick,
    /// By wire, then side.
    counts: Vec<Counts>,
    /// By wire, then side.
    seen: Vec<Seen>,
    levels: [Level; 3],
    peaks: [Peak; 3],
    freed: BTreeMap<(usize, Point), Tick>,
    ports_csv: String,
    cam_csv: String,
}

impl Recorder {
    /// Nothing has happened yet.
    pub fn new(config: RecorderConfig) -> Recorder {
        let slots = 2 * config.ports;
        let config = RecorderConfig {
            bin: config.bin.max(Span::TICK),
            interval: config.interval.max(Span(2)),
            ..config
        };
        Recorder {
            next_sample: Tick::ZERO + config.interval,
            bin_start: Tick::ZERO,
            changed: Tick::ZERO,
            counts: vec![Counts::default(); slots],
            seen: vec![Seen::default(); slots],
            levels: [Level::default(); 3],
            peaks: [Peak::default(); 3],
            freed: BTreeMap::new(),
            ports_csv: csv::ports_header(),
            cam_csv: csv::cam_header(),
            config,
        }
    }

    /// The tick that is to be sampled next.
    pub fn next_sample(&self) -> Tick {
        self.next_sample
    }

    /// Starts the sample of tick [`Recorder::next_sample`]; hand it back with
    /// [`Recorder::end_sample`].
    pub fn begin_sample(&mut self) -> Sample {
        self.roll(self.next_sample);
        Sample::new(std::mem::take(&mut self.seen), self.config.first_node_port)
    }

    /// Ends a sample.
    pub fn end_sample(&mut self, sample: Sample) {
        self.next_sample += self.config.interval;
        for (level, (cells, lines)) in self.levels.iter_mut().zip(sample.sides()) {
            level.cells_max = level.cells_max.most(cells);
            if lines[0] > level.lines[0] {
                level.lines = lines;
            }
        }
        self.seen = sample.into_seen();
    }

    /// The side of the slot.
    fn side(&self, at: usize) -> usize {
        side_of(at, self.config.first_node_port)
    }
}

impl Observer for Recorder {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if event.is_of_saqs() {
            self.roll(view.now);
            self.count(view.now, slot(place), event);
        }
    }
}
