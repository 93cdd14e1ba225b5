//! SAQs in use on one side of the switches: in all, and the most at one port.

use units::{Span, Tick};

/// SAQs in use, with a histogram over ports so that the maximum is at hand at any time.
#[derive(Debug, Clone, Default)]
pub(super) struct SaqLevel {
    total: u32,
    /// Ports by SAQs in use, 0..=64.
    ports: Box<[u32]>,
    max_port: u32,
    pub(super) peak_port: u32,
    /// The same to the end of the drain.
    pub(super) peak_with_drain: u32,
    pub(super) bin_total: u32,
    pub(super) bin_max_port: u32,
    /// Tick of the last change: levels count as they are at the end of a tick.
    tick: Tick,
    /// There was a change since the end of a tick was evaluated.
    changed: bool,
    /// On several threads: totals since the parts met last, at the ends of ticks.
    log: Option<Vec<(Tick, u32)>>,
    /// On several threads, in the first part: all parts together.
    together: Option<Together>,
}

/// The most SAQs that all parts had together, by bin of the series.
#[derive(Debug, Clone)]
struct Together {
    /// By part, when they met last.
    totals: Vec<u32>,
    bins: Vec<u32>,
}

impl Together {
    fn now(&self) -> u32 {
        self.totals.iter().sum()
    }

    /// Goes on to bin `bin`: it starts with what there is.
    fn roll(&mut self, bin: usize) {
        let now = self.now();
        if self.bins.len() <= bin {
            self.bins.resize(bin + 1, now);
        }
    }
}

impl SaqLevel {
    pub(super) fn new() -> SaqLevel {
        SaqLevel { ports: vec![0; 65].into(), ..SaqLevel::default() }
    }

    pub(super) fn change(&mut self, now: Tick, in_use: u32, up: bool, in_run: bool) {
        if now != self.tick {
            self.end_tick();
            self.tick = now;
        }
        self.changed = true;
        let old = if up { in_use - 1 } else { in_use + 1 };
        // Ports with none in use are not counted.
        if old > 0 {
            self.ports[old as usize] -= 1;
        }
        if in_use > 0 {
            self.ports[in_use as usize] += 1;
        }
        if up {
            self.total += 1;
            self.max_port = self.max_port.max(in_use);
        } else {
            self.total -= 1;
            while self.max_port > 0 && self.ports[self.max_port as usize] == 0 {
                self.max_port -= 1;
            }
        }
        self.peak_with_drain = self.peak_with_drain.max(self.max_port);
        if in_run {
            self.peak_port = self.peak_with_drain;
        }
    }

    pub(super) fn end_tick(&mut self) {
        self.bin_total = self.bin_total.max(self.total);
        self.bin_max_port = self.bin_max_port.max(self.max_port);
        if std::mem::take(&mut self.changed)
            && let Some(log) = &mut self.log
        {
            log.push((self.tick, self.total));
        }
    }

    /// What a bin starts with is counted at the end of its first tick, or before its first change.
    pub(super) fn next_bin(&mut self) {
        self.bin_total = 0;
        self.bin_max_port = 0;
    }

    /// All parts have come to the same tick. The most of a sum is not the sum of the mosts:
    /// changes of all parts are put together in the order of time. Bins end at `duration`.
    pub(super) fn meet(levels: &mut [&mut SaqLevel], bin: Span, duration: Tick) {
        let mut changes = Vec::new();
        for (part, level) in levels.iter_mut().enumerate() {
            level.end_tick();
            let log = level.log.get_or_insert_default();
            changes.extend(log.drain(..).map(|(tick, total)| (tick, part, total)));
        }
        changes.sort_unstable();
        let parts = levels.len();
        let Some(first) = levels.first_mut() else {
            return;
        };
        let together = first
            .together
            .get_or_insert_with(|| Together { totals: vec![0; parts], bins: Vec::new() });
        for tick in changes.chunk_by(|a, b| a.0 == b.0) {
            if tick[0].0 >= duration {
                return;
            }
            let bin = (tick[0].0.0 / bin.0) as usize;
            together.roll(bin);
            for &(_, part, total) in tick {
                together.totals[part] = total;
            }
            together.bins[bin] = together.bins[bin].max(together.now());
        }
    }

    pub(super) fn merge_peak(&mut self, other: &SaqLevel) {
        self.peak_port = self.peak_port.max(other.peak_port);
        self.peak_with_drain = self.peak_with_drain.max(other.peak_with_drain);
    }

    /// The most SAQs of all parts together in each of `bins` bins; `None` on one thread.
    pub(super) fn together(&mut self, bins: usize) -> Option<&[u32]> {
        let together = self.together.as_mut()?;
        if let Some(last) = bins.checked_sub(1) {
            together.roll(last);
        }
        Some(&together.bins)
    }
}
