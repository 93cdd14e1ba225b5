//! Time that goes on: bins, windows and parts that end, and what is on its way when the run ends.

use super::Stats;
use units::Tick;

impl Stats {
    /// Closes all that ends by `now`: call it before anything of tick `now` is counted.
    #[inline]
    pub(super) fn roll(&mut self, now: Tick) {
        if now >= self.next_cut {
            self.cut(now);
        }
    }

    #[cold]
    fn cut(&mut self, now: Tick) {
        while now >= self.bin_end {
            self.close_bin();
        }
        self.bytes.roll(now);
        if now >= self.parts.next() {
            let counts = self.bytes.counts();
            let sum = |hot, _, _| counts.iter().skip(hot).step_by(2).sum();
            self.parts.take(now, sum);
        }
        self.is_measuring = self.config.is_measured(now);
        self.next_cut = self.bin_end.min(self.bytes.next()).min(self.parts.next());
    }

    /// The run is over: closes all that there is. Call it after [`Stats::never_arrived`], before
    /// results are read.
    pub fn end(&mut self) {
        // No bin, window or part ends later.
        let last = self.config.duration;
        self.cut(last);
        self.offered.roll(last);
        if let Some(pauses) = &mut self.pauses {
            pauses.end();
        }
    }
}
