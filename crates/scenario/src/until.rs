//! `run.until`: when a run is long enough.

use crate::draft::Draft;
use crate::error::{Errors, ScenarioError};
use crate::keys::{self, BIN, DURATION, Fallback, WARMUP};
use crate::resolve::Resolved;
use crate::scenario::Scenario;
use crate::settings::Settings;
use crate::traced;
use units::{Ratio, RatioError};

const METRIC: &str = "run.until.metric";
const HALF_WIDTH: &str = "run.until.half_width";
const CONFIDENCE: &str = "run.until.confidence";
const KEYS: [&str; 3] = [METRIC, HALF_WIDTH, CONFIDENCE];

/// With fewer bins neither a warm-up nor the correlation of bins is estimated.
const BINS_MIN: u64 = 100;

/// When a run is long enough: as soon as the interval of the mean of a metric is narrow enough.
#[derive(Debug, Clone, PartialEq)]
pub struct Until {
    /// As the key has it.
    pub metric: String,
    /// Half of the interval over the mean.
    pub half_width: f64,
    /// Of the interval.
    pub confidence: f64,
    /// The least warm-up, whole bins of the series.
    pub warmup_bins: u64,
    /// The longest run, whole bins of the series.
    pub bins_max: u64,
}

impl Until {
    /// Whether the metric is of the victims alone.
    pub fn is_of_victims(&self) -> bool {
        self.metric.starts_with("victims")
    }
}

/// Defaults, and the check of what needs no more than the keys. `none` is as if nothing was given.
pub(crate) fn defaults(draft: &mut Draft) {
    match draft.word(METRIC) {
        "none" => {
            KEYS.iter().for_each(|key| draft.remove(key));
            return;
        }
        "" => {
            if let Some(key) = KEYS.iter().find(|key| draft.given(key)) {
                let help = format!("legal with a {METRIC}: {}", keys::METRICS.join(", "));
                draft.refuse(&[key], format!("it has no effect without {METRIC}"), help);
            }
            return;
        }
        _ => {}
    }
    draft
        .fill_all(&[(HALF_WIDTH, Fallback::Ratio(1, 100)), (CONFIDENCE, Fallback::Ratio(95, 100))]);
    for key in [HALF_WIDTH, CONFIDENCE] {
        if draft.ratio(key).is_some_and(|share| share >= Ratio::ONE) {
            draft.refuse(&[key], "1 is not below 1", "legal: above 0 and below 1");
        }
    }
    if let Some(bins) = bins(draft, DURATION)
        && bins < BINS_MIN
    {
        let what = format!("{METRIC} with {bins} whole bins of the series");
        let help = format!("legal: {DURATION} / {BIN} of at least {BINS_MIN}");
        draft.refuse(&[BIN, DURATION], what, help);
    }
}

fn bins(settings: &Settings, key: &str) -> Option<u64> {
    let Some(time) = settings.ratio(key) else {
        return Some(0);
    };
    let bins = time.div(settings.ratio(BIN)?).ok()?;
    Some(bins.num() / bins.den())
}

/// Refuses a run that has no steady state, or not the flows that are asked for.
pub(crate) fn check(settings: &Settings, resolved: &Resolved) -> Result<(), ScenarioError> {
    if settings.word(METRIC).is_empty() {
        return Ok(());
    }
    if settings.word(METRIC).starts_with("victims") && resolved.hot_destinations().is_empty() {
        return Err(settings.error(
            &[METRIC],
            "no destination is hot, so that there are no victims",
            "legal: delivered_bytes_per_ns, or a group with the pattern hot",
        ));
    }
    let window = resolved.windows.first();
    let why = if let Some(window) = window.filter(|_| settings.windows().next().is_some()) {
        format!("the window {}.{}_ns", keys::WINDOWS, window.name)
    } else if window.is_some() {
        "sources that start or stop".to_owned()
    } else if !resolved.faults.events.is_empty() || resolved.faults.random.is_some() {
        "faults".to_owned()
    } else if traced::is_given(settings) {
        "a trace".to_owned()
    } else {
        return Ok(());
    };
    let what = format!("{why}: the run has no steady state to wait for");
    let help = format!("legal: traffic that stays the same; else {METRIC} = \"none\"");
    Err(settings.error(&[METRIC], what, help))
}

impl Scenario {
    /// When its run is long enough; `None` if it has a given length.
    pub fn until(&self) -> Option<Until> {
        let settings = &self.settings;
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

    /// This scenario without `run.until`, its warm-up and duration so many bins, if it is one.
    pub fn with_bins(&self, warmup: u64, bins: u64) -> Result<Scenario, Errors> {
        let mut settings = self.settings.clone();
        KEYS.iter().for_each(|key| settings.remove(key));
        if !settings.given("run.drain_ns") {
            settings.remove("run.drain_ns"); // it follows from the duration
        }
        for (key, bins) in [(WARMUP, warmup), (DURATION, bins)] {
            let too_long =
                |error: RatioError| settings.error(&[key], error.to_string(), "legal: fewer bins");
            let ns = self.bins_ns(bins).map_err(too_long)?;
            settings.replace(key, ns);
        }
        self.with_settings(settings)
    }

    /// Length of so many bins of the series; `None` is 0.
    fn bins_ns(&self, bins: u64) -> Result<Option<Ratio>, RatioError> {
        let bin = self.settings.ratio(BIN).unwrap_or(Ratio::ONE);
        match bins {
            0 => Ok(None),
            bins => Ratio::new(bins, 1)?.mul(bin).map(Some),
        }
    }
}
