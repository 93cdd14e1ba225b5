//! Many runs side by side, each stored as it finishes, so that a command that was stopped goes on.

use super::figure::Figure;
use crate::page::{self, failed, io, root};
use crate::pool::on_all_cores;
use fabric::Engine;
use observe::{Record, SeriesRow, Summary};
use scenario::{Scenario, Set, Study};
use serde::Deserialize;
use serde_json::{Map, Value};
use setaside::{Failure, build_info, simulate, store};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use study::{Interval, RunDir, read_run};

/// Axes and what they have here.
pub(super) type Labels = Vec<(String, String)>;

/// Parts that the summary of a run without them leaves out: names in these are not checked.
const LEFT_OUT: [&str; 7] =
    ["drain.", "ecn.", "faults.", "pause.", "reorder_buffer_peak.", "round_trip_ns.", "until."];

/// Keys and what is set over a scenario.
pub(super) type Sets<'a> = &'a [(&'a str, &'a str)];

pub(super) fn labels<const N: usize>(labels: [(&str, &str); N]) -> Labels {
    labels.map(|(axis, value)| (axis.to_string(), value.to_string())).to_vec()
}

pub(super) struct Wanted {
    pub(super) labels: Labels,
    pub(super) scenario: Scenario,
    pub(super) senders: u32,
    /// Whether the flow of each of them is measured.
    pub(super) flows: bool,
}

pub(super) struct Done {
    pub(super) labels: Labels,
    pub(super) summary: Summary,
    /// Delivered of each source, bytes/ns.
    pub(super) by_source: BTreeMap<u32, f64>,
    /// Over time; of each row `groups` as these are named.
    pub(super) series: Vec<SeriesRow>,
    pub(super) groups: Vec<String>,
    values: Map<String, Value>,
}

impl Done {
    /// Of a run that measured for so many ns. Beside labels and summary it has values `senders`;
    /// `load`; `least` and `most`, delivered of the source with the least and of that with the
    /// most, bytes/ns.
    pub(super) fn new(labels: Labels, senders: u32, time: f64, record: Record) -> Done {
        let mut bytes: BTreeMap<u32, u64> = BTreeMap::new();
        for flow in &record.flows {
            *bytes.entry(flow.source).or_default() += flow.bytes_measured;
        }
        let rate = |bytes: Option<&u64>| bytes.map_or(0.0, |&bytes| bytes as f64 / time);
        // A source of which nothing was delivered has no flow.
        let all = bytes.len() >= senders as usize;
        let least = rate(bytes.values().min().filter(|_| all));
        let most = rate(bytes.values().max());
        let mut values = match serde_json::to_value(&record.summary) {
            Ok(Value::Object(values)) => values,
            _ => Map::new(),
        };
        values.extend(labels.iter().map(|(axis, value)| (axis.clone(), value.clone().into())));
        let mut done = Done {
            labels,
            summary: record.summary,
            by_source: bytes.iter().map(|(&s, b)| (s, rate(Some(b)))).collect(),
            series: record.series,
            groups: record.groups,
            values,
        };
        let load = done.labels.iter().find(|(key, _)| key.ends_with("load"));
        let load: Option<f64> = load.and_then(|(_, value)| value.parse().ok());
        done.set("load", load.unwrap_or(0.0));
        done.set("senders", senders);
        done.set("least", least);
        done.set("most", most);
        done
    }

    pub(super) fn label(&self, axis: &str) -> &str {
        let found = self.labels.iter().find(|(key, _)| key == axis);
        found.map_or("", |(_, value)| value)
    }

    pub(super) fn is(&self, labels: &[(&str, &str)]) -> bool {
        labels.iter().all(|(axis, value)| self.label(axis) == *value)
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.values.insert(name.to_string(), value.into());
    }

    /// What a source gets, bytes/ns.
    pub(super) fn rate(&self, source: u32) -> f64 {
        self.by_source.get(&source).copied().unwrap_or(0.0)
    }

    /// What has this name, or this path in the summary; of what is null all parts are, whatever
    /// their names.
    fn found(&self, path: &str) -> Option<&Value> {
        self.values.get(path).or_else(|| {
            let mut parts = path.split('.');
            let first = self.values.get(parts.next()?)?;
            parts.try_fold(
                first,
                |value, part| if value.is_null() { Some(value) } else { value.get(part) },
            )
        })
    }

    fn value(&self, path: &str) -> Option<&Value> {
        self.found(path).filter(|value| !value.is_null())
    }

    /// Whether a page may name it: the run has it, or it begins with a part that a summary may
    /// leave out; what follows in such a part is not checked.
    pub(super) fn has(&self, path: &str) -> bool {
        self.found(path).is_some() || LEFT_OUT.iter().any(|part| path.starts_with(part))
    }

    pub(super) fn text(&self, value: &str) -> String {
        let (path, default) = value.split_once('|').unwrap_or((value, "-"));
        match self.value(path) {
            None => default.to_string(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) if number.is_f64() => {
                number.as_f64().unwrap_or_default().to_string()
            }
            Some(value) => value.to_string(),
        }
    }

    pub(super) fn number(&self, value: &str) -> Option<f64> {
        let (value, default) = value.split_once('|').unwrap_or((value, ""));
        let operand = |path: &str| match self.value(path) {
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_f64(),
            None => path.parse().ok(),
        };
        let product = || {
            let mut factors = value.split('*');
            let mut quotient = factors.next()?.split('/');
            let first = operand(quotient.next()?)?;
            let of = quotient.try_fold(first, |of, by| Some(of / operand(by)?))?;
            factors.try_fold(of, |of, by| Some(of * operand(by)?))
        };
        product().or_else(|| default.parse().ok())
    }

    /// Whether a latency is marked as one.
    pub(super) fn is_lower_bound(&self, value: &str) -> bool {
        let path = value.split(['/', '*', '|']).next().unwrap_or_default();
        let Some((latency, figure)) = path.rsplit_once('.') else {
            return false;
        };
        let marks = self.value(&format!("{latency}.lower_bounds")).and_then(Value::as_array);
        self.value(path).is_some() && marks.is_some_and(|marks| marks.iter().any(|m| m == figure))
    }
}

/// Runs with these labels; without any all.
pub(super) fn with<'a>(done: &'a [Done], labels: &[(&str, &str)]) -> Vec<&'a Done> {
    done.iter().filter(|run| run.is(labels)).collect()
}

/// Runs that end at their duration, by default: what the pages were written of.
const NO_DRAIN: (&str, &str) = ("run.drain_ns", "0");

/// A shipped scenario, by its path below `scenarios`, with sets over it.
pub(super) fn scenario(file: &str, sets: Sets<'_>) -> Result<Scenario, Failure> {
    let sets = [NO_DRAIN].iter().chain(sets);
    let sets: Vec<Set> = sets.map(|(k, v)| Set::new(k, v)).collect();
    Ok(Scenario::load(&root().join("scenarios").join(file), &sets)?)
}

/// What is `KEY=VALUE`, split.
pub(super) fn pairs(sets: &[String]) -> Vec<(&str, &str)> {
    sets.iter().filter_map(|set| set.split_once('=')).collect()
}

/// A name, then what it stands for: labels `AXIS=VALUE` of runs, or `KEY=VALUE` over a scenario.
pub(super) type Named = Vec<String>;

/// Runs of a page: each value of an axis with each of the axes below it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grid {
    /// `KEY=VALUE` of all; what has no `=` is the scenario, below `scenarios`.
    #[serde(default)]
    sets: Vec<String>,
    axis: Vec<GridAxis>,
    /// Labels `AXIS=VALUE` of runs that are left out.
    #[serde(default)]
    skip: Vec<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GridAxis {
    /// `seed` is no label: runs that differ by their seeds alone make one group.
    name: String,
    value: Vec<Named>,
}

impl Grid {
    fn wanted(&self, more: Sets<'_>) -> Result<Vec<Wanted>, Failure> {
        let mut all = vec![(Labels::new(), self.sets.clone())];
        for GridAxis { name, value } in &self.axis {
            let with = |(labels, sets): &(Labels, Vec<String>), named: &Named| {
                let label = (name.clone(), named.first().cloned().unwrap_or_default());
                let own = named.get(1..).unwrap_or_default();
                ([&labels[..], &[label]].concat(), [&sets[..], own].concat())
            };
            let longer = all.iter().flat_map(|run| value.iter().map(move |named| with(run, named)));
            all = longer.collect();
        }
        let is_run = |(labels, _): &(Labels, _)| {
            let has = |(axis, value)| {
                labels.iter().any(|(a, v)| (a.as_str(), v.as_str()) == (axis, value))
            };
            !self.skip.iter().any(|skip| pairs(skip).into_iter().all(has))
        };
        let wanted = all.into_iter().filter(is_run).map(|(mut labels, sets)| {
            labels.retain(|(axis, _)| axis != "seed");
            let file = sets.iter().rfind(|set| !set.contains('='));
            let file = file.ok_or_else(|| failed(format!("no scenario: {labels:?}")))?;
            let scenario = scenario(file, &[&pairs(&sets), more].concat())?;
            Ok(Wanted { labels, senders: scenario.nodes(), scenario, flows: true })
        });
        wanted.collect()
    }
}

/// `verbs/pages/NAME.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Needs {
    #[serde(default)]
    figure: BTreeMap<String, Figure>,
    #[serde(default)]
    runs: BTreeMap<String, Grid>,
}

impl Needs {
    fn of(page: &str) -> Result<Needs, Failure> {
        let file = format!("verbs/pages/{page}.toml");
        toml::from_str(&page::read(&file)?).map_err(|e| failed(format!("{file}: {e}")))
    }
}

pub(super) struct Runner {
    pub(super) work: &'static str,
    /// Takes what is stored.
    pub(super) resume: bool,
}

impl Runner {
    /// The runs that its page lists under a name, with more set over each.
    pub(super) fn wanted(&self, name: &str, more: Sets<'_>) -> Result<Vec<Wanted>, Failure> {
        let found = Needs::of(self.work)?.runs.remove(name);
        found.ok_or_else(|| failed(format!("{}: no runs `{name}`", self.work)))?.wanted(more)
    }

    /// The picture that its page lists under a name.
    pub(super) fn figure(&self, name: &str) -> Result<Figure, Failure> {
        let found = Needs::of(self.work)?.figure.remove(name);
        found.ok_or_else(|| failed(format!("{}: no figure `{name}`", self.work)))
    }

    /// Runs a shipped study with `sets`; flows are measured where the number of senders is given.
    pub(super) fn study(
        &self,
        name: &str,
        file: &str,
        sets: Sets<'_>,
        senders: Option<fn(&Scenario) -> u32>,
    ) -> Result<Vec<Done>, Failure> {
        let sets: Vec<Set> = sets.iter().map(|(k, v)| Set::new(k, v)).collect();
        let study = Study::load(&root().join("scenarios/studies").join(file), &sets)?;
        let wanted = study.points().iter().map(|point| Wanted {
            labels: point.settings.clone(),
            senders: senders.map_or(point.scenario.nodes(), |senders| senders(&point.scenario)),
            flows: senders.is_some(),
            scenario: point.scenario.clone(),
        });
        self.all(name, &wanted.collect::<Vec<_>>())
    }

    /// Runs all, in order, into `runs/reproduce/WORK/NAME`; resuming takes equal runs stored there.
    pub(super) fn all(&self, name: &str, wanted: &[Wanted]) -> Result<Vec<Done>, Failure> {
        let start = Instant::now();
        let dir = root().join("runs/reproduce").join(self.work).join(name);
        std::fs::create_dir_all(&dir).map_err(io(dir.display()))?;
        let stored = AtomicUsize::new(0);
        let results = on_all_cores(wanted, |run| {
            let place = dir.join(format!("{:016x}", run.scenario.hash()));
            if let Some(record) = self.resume.then(|| read(run, &place)).flatten() {
                stored.fetch_add(1, Ordering::Relaxed);
                return Ok(record);
            }
            run_one(run, &place)
        })?;
        let done = wanted.iter().zip(results).map(|(run, record)| done(run, record));
        let done: Vec<Done> = done.collect();
        let cpu = || done.iter().map(|run| run.summary.timing.cpu_seconds);
        eprintln!(
            "{name}: {} runs, {} of them stored before, {:.1} s on {} threads; CPU {:.1} s, \
             the longest run {:.2} s",
            done.len(),
            stored.into_inner(),
            start.elapsed().as_secs_f64(),
            crate::pool::cores(),
            cpu().sum::<f64>(),
            cpu().fold(0.0, f64::max),
        );
        Ok(done)
    }
}

/// The stored run, if it is there, whole, of the same scenario and program.
fn read(run: &Wanted, place: &Path) -> Option<Record> {
    let stored = read_run(place).ok()?;
    let hash = format!("{:016x}", run.scenario.hash());
    let is_same = stored.manifest.hash == hash && stored.manifest.build == build_info();
    is_same.then_some(stored.record)
}

fn run_one(run: &Wanted, place: &Path) -> Result<Record, Failure> {
    let (scenario, start) = (&run.scenario, Instant::now());
    let mut record = simulate(scenario, Engine::Fast, &|| ())?;
    if !run.flows {
        record.flows.clear();
    }
    let seconds = start.elapsed().as_secs_f64();
    let dir = RunDir::take(place, scenario.hash(), true, &[]).map_err(failed)?;
    store(&dir, scenario, "fast", seconds, &record, &[])?;
    Ok(record)
}

fn done(run: &Wanted, record: Record) -> Done {
    let warmup = run.scenario.get("run.warmup_ns").and_then(|text| text.parse().ok());
    let time = run.scenario.duration_ns().to_f64() - warmup.unwrap_or(0.0);
    Done::new(run.labels.clone(), run.senders, time, record)
}

/// A number of a run, as a table shows it; what is missing is 0 in no table.
pub(super) fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
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

#[cfg(test)]
mod tests {
    use super::Needs;

    /// The runs of these pages take hours: what they are is read here.
    #[test]
    fn listed_runs_are_legal() {
        for page in ["ecn-beside-recn", "lai-rsi", "pfc", "priya-recn-iq-2017", "santos-ecn-2002"] {
            for (name, grid) in Needs::of(page).expect("lists").runs {
                assert!(!grid.wanted(&[]).expect(&name).is_empty(), "{page}: {name}");
            }
        }
    }
}
