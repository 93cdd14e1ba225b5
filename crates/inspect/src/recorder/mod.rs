//! Ports over time: what stalled them, CAM lines by their bits, cells by queue, protocol counts.
//!
//! Counts and SAQs in use are exact, from events. What a port does, its cells and the bits of its
//! CAM lines are sampled every `interval`, and summed up in bins. An interval that shares no
//! divisor with the time of a packet sees all phases of a steady flow alike.

mod csv;

use csv::SIDES;
pub(crate) use csv::name;
use observe::{
    CellsInUse, Event, Frees, Observer, Place, PortProbe, RecnCounts, Side, View, Waits,
};
use units::{Span, Tick, TimeBase, Unit, WireId};

/// Configuration of a recorder.
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

/// What happened at one side of a port in a bin.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    recn: RecnCounts,
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
    /// Lines, leaf, blocked, ready.
    lines: [u32; 4],
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
    /// By slot.
    counts: Vec<Counts>,
    /// By slot.
    seen: Vec<Seen>,
    levels: [Level; SIDES.len()],
    peaks: [Peak; SIDES.len()],
    frees: Frees,
    ports_csv: String,
    cam_csv: String,
}

/// Index of one side of a port.
fn slot(place: Place) -> usize {
    2 * place.port.index() + place.side as usize
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
            levels: Default::default(),
            peaks: Default::default(),
            frees: Frees::default(),
            ports_csv: csv::PORTS_HEADER.to_owned(),
            cam_csv: csv::CAM_HEADER.to_owned(),
            config,
        }
    }

    /// The tick that is to be sampled next.
    pub fn next_sample(&self) -> Tick {
        self.next_sample
    }

    /// All ports before tick [`Recorder::next_sample`].
    pub fn before(&mut self, ports: &[PortProbe]) {
        self.roll(self.next_sample);
        for port in ports {
            let seen = &mut self.seen[slot(port.place)];
            seen.unit = Some(port.unit);
            seen.was_busy = port.is_busy && port.place.side == Side::Ingress;
            seen.waits = Some(port.waits);
        }
    }

    /// All ports after that tick: the sample is taken.
    pub fn after(&mut self, ports: &[PortProbe]) {
        let mut sides = [(CellsInUse::default(), [0; 4]); SIDES.len()];
        for port in ports {
            let at = slot(port.place);
            let (cells, lines) = &mut sides[self.side(at)];
            let seen = &mut self.seen[at];
            let Some(waits) = seen.waits.take() else {
                continue;
            };
            seen.samples += 1;
            if seen.was_busy || port.is_busy {
                seen.utilised += 1;
            } else {
                seen.waited[waits as usize] += 1;
            }
            seen.cells = seen.cells.most(port.cells);
            *cells = cells.plus(port.cells);
            if let Some(cam) = port.lines {
                let bits = [cam.lines, cam.leaf, cam.blocked, cam.ready];
                lines.iter_mut().zip(bits).for_each(|(total, one)| *total += one);
                seen.lines.iter_mut().zip(bits).for_each(|(most, one)| *most = one.max(*most));
            }
        }
        self.next_sample += self.config.interval;
        for (level, (cells, lines)) in self.levels.iter_mut().zip(sides) {
            level.cells_max = level.cells_max.most(cells);
            if lines[0] > level.lines[0] {
                level.lines = lines;
            }
        }
    }

    /// Index into [`SIDES`] of the side of a slot.
    fn side(&self, slot: usize) -> usize {
        match slot % 2 {
            0 => 0,
            _ if slot / 2 >= self.config.first_node_port.index() => 2,
            _ => 1,
        }
    }

    fn change(&mut self, now: Tick, at: usize, in_use: u32) {
        if now != self.changed {
            self.end_tick();
            self.changed = now;
        }
        let side = self.side(at);
        let (counts, level) = (&mut self.counts[at], &mut self.levels[side]);
        level.saqs = level.saqs + in_use - counts.saqs;
        counts.saqs = in_use;
        counts.saqs_max = counts.saqs_max.max(in_use);
    }

    /// All ports together count as they are at the end of a tick, whichever changed first in it.
    fn end_tick(&mut self) {
        for level in &mut self.levels {
            level.saqs_max = level.saqs_max.max(level.saqs);
        }
    }
}

impl Observer for Recorder {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if !event.is_of_saqs() {
            return;
        }
        self.roll(view.now);
        let at = slot(place);
        if let Event::SaqAllocated { in_use, .. } | Event::SaqFreed { in_use, .. } = event {
            self.change(view.now, at, in_use);
        }
        let early = self.frees.event(view, place, event, &self.config.time_base);
        let recn = &mut self.counts[at].recn;
        recn.count(event);
        recn.early_frees += u64::from(early);
    }
}
