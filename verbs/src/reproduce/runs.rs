//! Many runs side by side, each stored as it finishes, so that a command that was stopped goes on.

use crate::page::root;
use fabric::Engine;
use observe::{LatencyFigure, LatencySummary, Record, SeriesRow, Summary};
use scenario::{Scenario, Set, Study};
use setaside::{Exit, Failure, build_info, simulate};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use study::{Interval, Manifest, RunDir, RunFiles, read_run};

/// Axes and what they have here.
pub(super) type Labels = Vec<(String, String)>;

/// A run that is to be done.
pub(super) struct Wanted {
    pub(super) labels: Labels,
    pub(super) scenario: Scenario,
    /// Nodes that send; 0: what each of them sends is not looked at.
    pub(super) sources: u32,
}

/// A run that is done.
pub(super) struct Done {
    pub(super) labels: Labels,
    pub(super) summary: Summary,
    /// Delivered of the source with the least and of the one with the most, bytes/ns.
    pub(super) of_sources: (f64, f64),
    /// Delivered of each source, bytes/ns.
    pub(super) by_source: BTreeMap<u32, f64>,
    /// Over time; of each row `groups` as these are named.
    pub(super) series: Vec<SeriesRow>,
    pub(super) groups: Vec<String>,
}

impl Done {
    pub(super) fn label(&self, axis: &str) -> &str {
        let found = self.labels.iter().find(|(key, _)| key == axis);
        found.map_or("", |(_, value)| value)
    }

    /// Whether it has these labels.
    pub(super) fn is(&self, labels: &[(&str, &str)]) -> bool {
        labels.iter().all(|(axis, value)| self.label(axis) == *value)
    }

    pub(super) fn load(&self) -> f64 {
        let load = self.labels.iter().find(|(key, _)| key.ends_with("load"));
        load.and_then(|(_, value)| value.parse().ok()).unwrap_or(0.0)
    }

    /// Delivered, of so many senders each, share of the link rate of 1 byte/ns.
    pub(super) fn delivered(&self, senders: u32) -> f64 {
        self.summary.delivered_bytes_per_ns.unwrap_or(0.0) / f64::from(senders)
    }
}

/// Runs of a shipped study.
pub(super) fn of_study(
    file: &str,
    sources: impl Fn(&Scenario) -> u32,
) -> Result<Vec<Wanted>, Failure> {
    let study = Study::load(&root().join("scenarios/studies").join(file), &[])?;
    let wanted = study.points().iter().map(|point| Wanted {
        labels: point.settings.clone(),
        sources: sources(&point.scenario),
        scenario: point.scenario.clone(),
    });
    Ok(wanted.collect())
}

/// Runs that end at their duration, where nothing else is said: what the pages were written of.
pub(super) const NO_DRAIN: (&str, &str) = ("run.drain_ns", "0");

/// A shipped scenario of a work, with sets over it.
pub(super) fn scenario(work: &str, file: &str, sets: &[(&str, &str)]) -> Result<Scenario, Failure> {
    let sets = [NO_DRAIN].iter().chain(sets);
    let sets: Vec<Set> = sets.map(|(k, v)| Set::new(k, v)).collect();
    let path = root().join("scenarios").join(work).join(file);
    Ok(Scenario::load(&path, &sets)?)
}

/// Runs all, in their order, on all cores, into `runs/reproduce/WORK/NAME`. With `resume` a run of
/// the same scenario that is stored there is taken as it is.
pub(super) fn run_all(
    (work, name): (&str, &str),
    wanted: &[Wanted],
    resume: bool,
) -> Result<Vec<Done>, Failure> {
    let start = Instant::now();
    let dir = root().join("runs/reproduce").join(work).join(name);
    std::fs::create_dir_all(&dir).map_err(crate::page::io(dir.display()))?;
    let next = AtomicUsize::new(0);
    let stored = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Result<Done, Failure>>> = Mutex::default();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(run) = wanted.get(at) else { return };
            let place = dir.join(format!("{:016x}", run.scenario.hash()));
            let found = resume.then(|| read(run, &place)).flatten();
            let result = match found {
                Some(done) => {
                    stored.fetch_add(1, Ordering::Relaxed);
                    Ok(done)
                }
                None => run_one(run, &place),
            };
            let failed = result.is_err();
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.insert(at, result);
            if failed {
                next.store(wanted.len(), Ordering::Relaxed);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let done: Vec<Done> = results.into_values().collect::<Result<_, _>>()?;
    let cpu = || done.iter().map(|run| run.summary.timing.cpu_seconds);
    eprintln!(
        "{name}: {} runs, {} of them stored before, {:.1} s on {workers} threads; CPU {:.1} s, \
         the longest run {:.2} s",
        done.len(),
        stored.into_inner(),
        start.elapsed().as_secs_f64(),
        cpu().sum::<f64>(),
        cpu().fold(0.0, f64::max),
    );
    Ok(done)
}

/// The stored run, if it is there, whole, of the same scenario and program.
fn read(run: &Wanted, place: &Path) -> Option<Done> {
    let stored = read_run(place).ok()?;
    let hash = format!("{:016x}", run.scenario.hash());
    let is_same = stored.manifest.hash == hash && stored.manifest.build == build_info();
    is_same.then(|| done(run, stored.record))
}

fn run_one(run: &Wanted, place: &Path) -> Result<Done, Failure> {
    let (scenario, start) = (&run.scenario, Instant::now());
    let mut record = simulate(scenario, Engine::Fast, &|| ())?;
    if run.sources == 0 {
        record.flows.clear();
    }
    let manifest = Manifest::new(
        &scenario.name,
        &build_info(),
        "fast",
        scenario.seed(),
        scenario.hash(),
        start.elapsed().as_secs_f64(),
        &record,
    );
    let files = RunFiles {
        scenario_text: &scenario.resolved_toml(),
        manifest: &manifest,
        record: &record,
        more: &[],
    };
    let failed = |e: study::StoreError| Failure::new(Exit::Failure, format!("error: {e}"));
    let dir = RunDir::take(place, scenario.hash(), true, &[]).map_err(failed)?;
    dir.write(&files).map_err(failed)?;
    Ok(done(run, record))
}

fn done(run: &Wanted, record: Record) -> Done {
    let get = |key: &str| run.scenario.get(key).and_then(|text| text.parse().ok());
    let warmup: f64 = get("run.warmup_ns").unwrap_or(0.0);
    let time = run.scenario.duration_ns().to_f64() - warmup;
    let mut bytes: BTreeMap<u32, u64> = BTreeMap::new();
    for flow in &record.flows {
        *bytes.entry(flow.source).or_default() += flow.bytes_measured;
    }
    let most = bytes.values().max().copied().unwrap_or(0);
    // A source of which nothing was delivered has no flow.
    let all = bytes.len() >= run.sources as usize;
    let least = bytes.values().min().copied().filter(|_| all).unwrap_or(0);
    Done {
        labels: run.labels.clone(),
        summary: record.summary,
        of_sources: (least as f64 / time, most as f64 / time),
        by_source: bytes.iter().map(|(&s, &b)| (s, b as f64 / time)).collect(),
        series: record.series,
        groups: record.groups,
    }
}

/// A latency in ns, marked where it is a lower bound.
pub(super) fn latency(l: &LatencySummary, figure: LatencyFigure) -> String {
    let value = match figure {
        LatencyFigure::Mean => l.mean,
        _ => l.p99,
    };
    let mark = if l.lower_bounds.contains(&figure) { ">= " } else { "" };
    value.map_or("-".to_string(), |v| format!("{mark}{v:.0}"))
}

/// A number of a run, as a table shows it; what is missing is 0 in no table.
pub(super) fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
}

/// 99th percentile of the latency of messages, us, and whether it is a lower bound.
pub(super) fn p99_us(latency: &LatencySummary) -> Option<(f64, bool)> {
    let bound = latency.lower_bounds.contains(&LatencyFigure::P99);
    Some((latency.p99? / 1000.0, bound))
}

/// As a table shows it.
pub(super) fn p99_text(p99: Option<(f64, bool)>) -> String {
    p99.map_or("-".to_string(), |(value, bound)| {
        format!("{}{value:.1}", if bound { ">= " } else { "" })
    })
}

/// Jain's fairness index of some rates: 1 where all are equal.
pub(super) fn jain(rates: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let n = rates.len() as f64;
    let (sum, squares) = rates.fold((0.0, 0.0), |(s, q), rate| (s + rate, q + rate * rate));
    (squares > 0.0).then(|| sum * sum / (n * squares))
}

/// Mean and half of its 95 % interval.
pub(super) fn interval(values: &[f64], digits: usize) -> String {
    match Interval::of(values) {
        None => "-".to_string(),
        Some(Interval { mean, half: None }) => format!("{mean:.digits$}"),
        Some(Interval { mean, half: Some(half) }) => format!("{mean:.digits$} ± {half:.digits$}"),
    }
}
