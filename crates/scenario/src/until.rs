//! `run.until`: when a run is long enough.

use crate::error::ScenarioError;
use crate::keys;
use crate::plain::Plain;
use crate::resolved::Resolved;
use crate::settings::Settings;
use crate::traced;
use units::Ratio;

pub(crate) const METRIC: &str = "run.until.metric";
pub(crate) const HALF_WIDTH: &str = "run.until.half_width";
pub(crate) const CONFIDENCE: &str = "run.until.confidence";
pub(crate) const DURATION: &str = "run.duration_ns";
pub(crate) const WARMUP: &str = "run.warmup_ns";
pub(crate) const BIN: &str = "run.series_bin_ns";

/// Fewer bins of the series tell nothing of a warm-up, nor of what bins have in common.
pub(crate) const BINS_MIN: u64 = 100;

/// The word for a run of a given length.
const NONE: &str = "none";
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
pub(crate) fn defaults(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    if settings.word(METRIC) == NONE {
        for key in [METRIC, HALF_WIDTH, CONFIDENCE] {
            settings.remove(key);
        }
        return;
    }
    if settings.word(METRIC).is_empty() {
        let mut given = [HALF_WIDTH, CONFIDENCE].into_iter();
        if let Some(key) = given.find(|key| settings.given(key)) {
            errors.push(settings.refuse(
                key,
                format!("it has no effect without {METRIC}"),
                format!("legal with a {METRIC}: {}", keys::METRICS.join(", ")),
            ));
        }
        return;
    }
    let share = |num, den| Plain::Ratio(Ratio::new(num, den).ok());
    settings.fill(HALF_WIDTH, share(1, 100));
    settings.fill(CONFIDENCE, share(95, 100));
    for key in [HALF_WIDTH, CONFIDENCE] {
        if settings.ratio(key).is_some_and(|share| share >= Ratio::ONE) {
            errors.push(settings.refuse(key, "1 is not below 1", "legal: above 0 and below 1"));
        }
    }
    if let Some(bins) = bins(settings, DURATION)
        && bins < BINS_MIN
    {
        let key = settings.first_given(&[BIN, DURATION]);
        errors.push(settings.refuse(
            key,
            format!("{METRIC} with {bins} whole bins of the series"),
            format!("legal: {DURATION} / {BIN} of at least {BINS_MIN}"),
        ));
    }
}

/// Whole bins of the series in a time.
pub(crate) fn bins(settings: &Settings, key: &str) -> Option<u64> {
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
    let of_victims = settings.word(METRIC).starts_with("victims");
    if of_victims && resolved.hot_destinations().is_empty() {
        return Err(settings.refuse(
            METRIC,
            "no destination is hot, so that there are no victims",
            "legal: delivered_bytes_per_ns, or a group with the pattern hot",
        ));
    }
    let windows = resolved.windows.first();
    let why = if let Some(window) = windows.filter(|_| settings.windows().next().is_some()) {
        format!("the window {}.{}_ns", keys::WINDOWS, window.name)
    } else if windows.is_some() {
        "sources that start or stop".to_owned()
    } else if !resolved.faults.events.is_empty() || resolved.faults.random.is_some() {
        "faults".to_owned()
    } else if traced::is_given(settings) {
        "a trace".to_owned()
    } else {
        return Ok(());
    };
    Err(settings.refuse(
        METRIC,
        format!("{why}: the run has no steady state to wait for"),
        format!("legal: traffic that stays the same; else {METRIC} = \"{NONE}\""),
    ))
}
