//! What a study takes, before it is run: `--dry-run`, and the sizes of runs for the sweep.

use crate::built_in::build_info;
use crate::drive::{Pace, build, times};
use crate::exit::{Failure, print};
use crate::options::{EngineArg, StudyArgs};
use crate::sweep::OF_SAQS;
use crate::{log, memory};
use fabric::Run;
use scenario::Scenario;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};
use study::{Job, Manifest, RunFiles, is_finished};
use units::Tick;

/// A probe simulates this long, or the whole run.
const PROBE: Duration = Duration::from_millis(500);
/// Keys that change neither what is built nor how much of it there is, beside those of RECN.
const OF_NO_SIZE: [&str; 5] =
    ["run.seed", "run.duration_ns", "run.drain_ns", "run.warmup_ns", "workload.load"];

/// Memory of the runs of a study; of those that are built alike it is found out once.
#[derive(Debug, Default)]
pub(crate) struct Sizes(BTreeMap<u64, u64>);

impl Sizes {
    /// An estimate; 0 of a run that cannot be built, which reports that itself.
    pub(crate) fn memory_bytes(&mut self, scenario: &Scenario) -> u64 {
        let find = || memory::of_run(&scenario.build().ok()?).ok();
        let of_no_size = [&OF_NO_SIZE[..], &OF_SAQS].concat();
        let known = self.0.entry(scenario.hash_without(&of_no_size));
        *known.or_insert_with(|| find().unwrap_or_default())
    }
}

/// What a run takes of time at most, in simulated ns of an end node.
pub(crate) fn cost(scenario: &Scenario) -> f64 {
    scenario.longest_ns() * f64::from(scenario.nodes())
}

/// What a part of a run took.
pub(crate) struct Probe {
    nodes: u32,
    /// To build it, s.
    build_seconds: f64,
    /// Of each unit of [`cost`].
    seconds_a_cost: f64,
    /// Of files that grow with the simulated time, by unit of cost; of the others, by run.
    disk_bytes: [f64; 2],
}

impl Probe {
    /// What a run of this cost takes, if it continues as this one began, s.
    pub(crate) fn seconds(&self, cost: f64) -> f64 {
        self.build_seconds + self.seconds_a_cost * cost
    }
}

pub(crate) fn probe(scenario: &Scenario, engine: EngineArg) -> Result<Probe, Failure> {
    let start = Instant::now();
    let config = build(scenario)?;
    let mut run = Run::new(&config, engine.engine())?;
    let build_seconds = start.elapsed().as_secs_f64();
    let (mut pace, start) = (Pace::new(), Instant::now());
    let end = loop {
        let (at, end) = run.progress();
        if at >= end || start.elapsed() >= PROBE {
            break at;
        }
        pace.step(at, |until| run.advance(until))?;
    };
    let seconds = start.elapsed().as_secs_f64();
    let simulated_ns = config.time_base.span_to_ns(end.since(Tick::ZERO));
    let cost = simulated_ns * f64::from(scenario.nodes());
    let record = run.finish(0.0).0;
    let files = RunFiles {
        scenario_text: &scenario.resolved_toml(),
        manifest: &Manifest { times: times(scenario), ..Manifest::default() },
        record: &record,
        more: &[],
    };
    let [growing, fixed] = files.sizes()?.map(|bytes| bytes as f64);
    Ok(Probe {
        nodes: scenario.nodes(),
        build_seconds,
        seconds_a_cost: seconds / cost.max(1.0),
        disk_bytes: [growing / cost.max(1.0), fixed],
    })
}

/// Runs that are only planned.
pub(crate) struct Plan<'a> {
    pub(crate) jobs: &'a [Job],
    /// By [`Job::index`].
    pub(crate) scenarios: &'a [&'a Scenario],
    pub(crate) out: &'a Path,
    /// Of the study or search, as its runs have it in their manifests.
    pub(crate) hash: u64,
}

impl Plan<'_> {
    /// Prints it: on stdout what would be run, on stderr what unfinished runs take, by a short
    /// probe now of their smallest and largest network. `all`: every run.
    pub(crate) fn print(&self, question: &str, all: bool, args: &StudyArgs) -> Result<(), Failure> {
        let &Plan { jobs, scenarios, out, hash } = self;
        let build = build_info();
        let is_open = |job: &&Job| args.fresh || !is_finished(out, job, hash, &build);
        let open: Vec<&Job> = jobs.iter().filter(is_open).collect();
        let spread = |value: &dyn Fn(&Scenario) -> f64| {
            let values = jobs.iter().map(|job| value(scenarios[job.index]));
            let least = values.clone().fold(f64::MAX, f64::min);
            match (least, values.fold(0.0, f64::max)) {
                (least, most) if least == most => format!("{least}"),
                (least, most) => format!("{least} to {most}"),
            }
        };
        let most_bytes = jobs.iter().map(|job| job.memory_bytes).max().unwrap_or(0);
        let mut text = format!("{}\n{} runs into {}", question, jobs.len(), out.display());
        text += &match jobs.len() - open.len() {
            0 => "\n".to_string(),
            finished => format!("; {finished} are finished and stay\n"),
        };
        let us = |scenario: &Scenario| scenario.duration_ns().to_f64() / 1000.0;
        let mib = mib(most_bytes as f64);
        let _ = writeln!(text, "end nodes       {}", spread(&|scenario| scenario.nodes().into()));
        let _ = writeln!(text, "simulated us    {}", spread(&us));
        let _ = writeln!(text, "memory, MiB     {mib:.0} a run at most, an estimate");
        let shown = if all { jobs.len() } else { 2 };
        for job in jobs.iter().take(shown) {
            let _ = writeln!(text, "{}  seed {}  {}", job.directory, job.seed, job.name());
        }
        if jobs.len() > shown {
            let _ = writeln!(text, "and {} more: -v", jobs.len() - shown);
        }
        print(&text)?;
        self.takes(&open, most_bytes, args)
    }

    fn takes(&self, open: &[&Job], most_bytes: u64, args: &StudyArgs) -> Result<(), Failure> {
        let scenario = |job: &Job| self.scenarios[job.index];
        let nodes = |job: &&Job| scenario(job).nodes();
        let smallest = open.iter().copied().min_by_key(nodes);
        let largest = open.iter().copied().rev().max_by_key(|job| (nodes(job), job.memory_bytes));
        let Some((smallest, largest)) = smallest.zip(largest) else {
            return Ok(());
        };
        let mut probes = vec![probe(scenario(largest), args.engine)?];
        if smallest.index != largest.index {
            probes.push(probe(scenario(smallest), args.engine)?);
        }
        let (mut seconds, mut disk, mut longest) = (0.0, 0.0, 0.0f64);
        for job in open {
            let nodes = nodes(job);
            let nearest = probes.iter().min_by_key(|probe| probe.nodes.abs_diff(nodes));
            let probe = nearest.expect("one at least");
            let took = probe.seconds(job.cost);
            longest = longest.max(took);
            seconds += took;
            disk += probe.disk_bytes[0] * job.cost + probe.disk_bytes[1];
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = args.jobs.map_or(cores, NonZeroUsize::get).min(open.len());
        let fit = memory::available() / most_bytes.max(1);
        let workers = wanted.min(usize::try_from(fit).unwrap_or(wanted)).max(1);
        // Those that are more than there are cores take turns.
        let wall = (seconds / workers.min(cores) as f64).max(longest);
        log::note(&format!(
            "an estimate, from a probe of {}: {} with {workers} side by side ({} of one core), \
             {:.0} MiB of memory, {:.1} MiB on disk; runs that equal others take less",
            match probes.len() {
                1 => "one run",
                _ => "the smallest and the largest network",
            },
            time(wall),
            time(seconds),
            mib(most_bytes as f64) * workers as f64,
            mib(disk),
        ));
        Ok(())
    }
}

fn mib(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}
