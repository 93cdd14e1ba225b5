//! How long the run of a scenario is: until when, and in bins of the series.

use crate::error::Errors;
use crate::plain::Plain;
use crate::scenario::Scenario;
use crate::until::{BIN, CONFIDENCE, DURATION, HALF_WIDTH, METRIC, Until, WARMUP, bins};
use units::Ratio;

const DRAIN: &str = "run.drain_ns";

impl Scenario {
    /// When its run is long enough; `None` if it has a given length.
    pub fn until(&self) -> Option<Until> {
        let settings = self.settings();
        let share = |key| settings.ratio(key).map_or(0.0, Ratio::to_f64);
        let metric = settings.word(METRIC);
        (!metric.is_empty()).then(|| Until {
            metric: metric.to_owned(),
            half_width: share(HALF_WIDTH),
            confidence: share(CONFIDENCE),
            // What is not whole counts as one more.
            warmup_bins: bins(settings, WARMUP).map_or(0, |bins| {
                let whole = self.bins_ns(bins).unwrap_or(None);
                bins + u64::from(whole != settings.ratio(WARMUP))
            }),
            bins_max: bins(settings, DURATION).unwrap_or(0),
        })
    }

    /// This scenario without `run.until`, its warm-up and its duration so many bins of the series.
    ///
    /// # Errors
    /// A warm-up that is not below the duration, and times beyond what a scenario can have.
    pub fn with_bins(&self, warmup: u64, bins: u64) -> Result<Scenario, Errors> {
        let mut settings = self.settings().clone();
        for key in [METRIC, HALF_WIDTH, CONFIDENCE] {
            settings.remove(key);
        }
        if !settings.given(DRAIN) {
            settings.remove(DRAIN); // it follows from the duration
        }
        for (key, bins) in [(WARMUP, warmup), (DURATION, bins)] {
            let ns = self
                .bins_ns(bins)
                .map_err(|error| settings.refuse(key, error.to_string(), "legal: fewer bins"))?;
            settings.replace(key, Plain::Ratio(ns));
        }
        self.with_settings(settings)
    }

    /// Length of so many bins of the series; `None` is 0.
    fn bins_ns(&self, bins: u64) -> Result<Option<Ratio>, units::RatioError> {
        let bin = self.settings().ratio(BIN).unwrap_or(Ratio::ONE);
        match bins {
            0 => Ok(None),
            bins => Ratio::new(bins, 1)?.mul(bin).map(Some),
        }
    }
}
