//! `setaside sweep`.

use crate::built_in::{build_info, embedded_study};
use crate::drive::{build, interrupt_flag, times};
use crate::executor::{self, Runs};
use crate::exit::{Exit, Failure, print};
use crate::forecast::{self, Plan, Sizes};
use crate::options::{Format, StudyArgs, SweepArgs};
use crate::progress::Meter;
use crate::{about, log, memory, target};
use observe::{Record, Timing};
use scenario::{Scenario, Study};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;
use study::{
    Flows, Job, Kin, Reference, RunFailure, RunRow, Shown, SweepManifest, SweepOptions,
    SweepResult, Table, Target, default_directory, fnv_1a, hash_text,
};
use tracing::info_span;

/// Runs a study, without a file the embedded one, prints its table, writes results and report.
///
/// # Errors
/// Configuration; failed runs after all others have finished; interrupt.
pub fn sweep(file: Option<&Path>, args: &SweepArgs) -> Result<(), Failure> {
    let runs = &args.runs;
    log::start(&runs.log, false)?;
    executor::check(runs, args.emit_tasks.as_deref())?;
    let study = info_span!("load").in_scope(|| {
        let sets = runs.sets.all();
        let Some(file) = file else { return Ok(embedded_study(&sets)?) };
        Study::from_input(&target::read_study(file)?, &sets).map_err(Failure::from)
    })?;
    let mut jobs = jobs_of(&study);
    jobs.truncate(args.max_runs.map_or(usize::MAX, NonZeroUsize::get));
    let default = || Path::new("runs").join(default_directory(&study.name, hash_of(&study)));
    let out = runs.out.clone().unwrap_or_else(default);
    if runs.dry_run {
        let scenarios: Vec<&Scenario> = study.points().iter().map(|p| &p.scenario).collect();
        let plan = Plan { jobs: &jobs, scenarios: &scenarios, out: &out, hash: hash_of(&study) };
        return plan.print(&about::question(&study, &jobs), args.verbose, runs);
    }
    let result = run_jobs(&study, &jobs, &out, args)?;
    if let Some(path) = &args.emit_tasks {
        return emitted(&result, path, &out, runs.quiet);
    }
    match runs.format {
        Format::Json => print(&format!("{:#}\n", result.table.to_json()))?,
        Format::Text => print(&text(&study, &jobs, &result.table, args))?,
    }
    if !runs.quiet {
        derived(&result.table).iter().for_each(|line| log::note(line));
        written(&out);
    }
    executor::ended(&result, runs.executor, &out)?;
    strict(&result.table, runs, &["saturated", "not_converged"])
}

pub(crate) fn written(out: &Path) {
    log::note(&format!("results {}", out.join("results.csv").display()));
    log::note(&format!("report  {}", out.join("report.html").display()));
}

/// With `--strict`: columns that count the runs whose means are not known well enough.
pub(crate) fn strict(table: &Table, args: &StudyArgs, missed_in: &[&str]) -> Result<(), Failure> {
    let is_missed = |run: &&RunRow| {
        let has = |column| run.finished().and_then(|run| run.value(column));
        let mut missed = missed_in.iter().copied().filter_map(has);
        missed.any(|missed| missed.value > 0.0)
    };
    let missed = table.runs.iter().filter(is_missed).count();
    if !args.strict || missed == 0 {
        return Ok(());
    }
    let (runs, how) = (table.runs.len(), missed_in.join(" or ").replace('_', " "));
    Err(Failure::error(Exit::NotAsAsked, format!("--strict: {missed} of {runs} runs {how}")))
}

fn emitted(result: &SweepResult, path: &Path, out: &Path, quiet: bool) -> Result<(), Failure> {
    let runs = &result.table.runs;
    let left = runs.iter().filter(|run| run.finished().is_none()).count();
    if left == 0 {
        std::fs::write(path, "").map_err(|e| target::failure("--emit-tasks", path, &e))?;
    }
    if !quiet {
        log::note(&format!("commands {} ({left} runs are left)", path.display()));
        log::note(&format!("results  {}", out.join("results.csv").display()));
    }
    Ok(())
}

/// The answer; then, for those who ask, what is simulated and a line for each point.
fn text(study: &Study, jobs: &[Job], table: &Table, args: &SweepArgs) -> String {
    let is_whole = args.verbose || args.table;
    let mut text = table.answer().to_text(&about::question(study, jobs), is_whole);
    if args.verbose {
        text += &format!("\n{}", about::sweep(study, jobs, table));
    }
    if is_whole || args.columns.is_some() {
        let default = if args.verbose { Shown::All } else { Shown::default() };
        let columns = args.columns.as_ref().unwrap_or(&default);
        text += &format!("\n{}", table.to_text_of(columns));
        text += &derived(table).map_or(String::new(), |line| line + "\n");
    }
    text
}

/// How many runs equal others, in a line.
pub(crate) fn derived(table: &Table) -> Option<String> {
    match (table.derived(), table.runs.len()) {
        (0, _) => None,
        (1, all) => Some(format!("1 of {all} runs equals another and was not simulated")),
        (some, all) => Some(format!("{some} of {all} runs equal others and were not simulated")),
    }
}

fn target(study: &Study) -> Target {
    let given = &study.target;
    let default = Target::default();
    Target {
        flows: match given.metric.as_deref() {
            Some("all") => Flows::All,
            _ => default.flows,
        },
        window: given.window.clone(),
        share: given.at_least_percent.map_or(default.share, |percent| percent.to_f64() / 100.0),
        reference: given.reference.clone().map_or(default.reference, Reference::from),
        p99_times: given.p99_times.map_or(default.p99_times, |times| times.to_f64()),
        p99_ns: given.p99_ns.map(|ns| ns.to_f64()),
    }
}

/// Hash of all runs of a study, whichever of them are run.
fn hash_of(study: &Study) -> u64 {
    fnv_1a(study.points().iter().map(|point| point.scenario.hash()))
}

/// The runs of a study, in order.
pub fn jobs_of(study: &Study) -> Vec<Job> {
    let mut sizes = Sizes::default();
    let jobs = study.points().iter().map(|point| Job {
        index: point.index,
        labels: point.settings.clone(),
        replica: point.replica,
        replicas: study.replicas,
        ..job_of(&point.scenario, &mut sizes)
    });
    jobs.map(|job| job.named(study.points().len())).collect()
}

/// Runs these jobs of a study, stores each as it finishes, and writes the report. Of `args` it is
/// of no matter what is printed.
///
/// # Errors
/// A directory that is not for this study, files that cannot be written; a run that fails is listed
/// in the result.
pub fn run_jobs(
    study: &Study,
    jobs: &[Job],
    out: &Path,
    args: &SweepArgs,
) -> Result<SweepResult, Failure> {
    let start = Instant::now();
    let now = move || start.elapsed().as_secs_f64();
    let mut options = options(study, out, &args.runs, &now);
    options.fresh_from = args.runs.fresh.then_some(0);
    options.manifest.question = about::question(study, jobs);
    options.manifest.left_out = study.points().len().saturating_sub(jobs.len());
    options.manifest.study_hash = hash_text(hash_of(study));
    if !args.runs.quiet {
        log::note(&format!("study {}: {} runs into {}", study.name, jobs.len(), out.display()));
    }
    let scenarios: Vec<&Scenario> = study.points().iter().map(|p| &p.scenario).collect();
    let runs = Runs {
        study,
        jobs,
        scenarios: &scenarios,
        meter: &Meter::new(jobs.len(), 0, args.runs.log.log.is_some(), args.runs.quiet),
        args: &args.runs,
        emit_tasks: args.emit_tasks.as_deref(),
    };
    let result = runs.make(&options)?;
    crate::report::write(out)?;
    Ok(result)
}

/// The options of a sweep, from the command line and the study.
pub(crate) fn options<'a>(
    study: &Study,
    out: &Path,
    args: &StudyArgs,
    now_seconds: &'a (dyn Fn() -> f64 + Sync),
) -> SweepOptions<'a> {
    let manifest = SweepManifest {
        name: study.name.clone(),
        scenario: study.scenario.clone(),
        target: target(study),
        build: build_info(),
        engine: args.engine.name().to_string(),
        ..SweepManifest::default()
    };
    SweepOptions {
        workers: args.jobs.map_or(0, NonZeroUsize::get),
        memory_bytes: memory::available(),
        force: args.force,
        reuse: args.reuse.clone(),
        manifest,
        interrupt: Some(interrupt_flag()),
        now_seconds,
        ..SweepOptions::new(out.to_path_buf())
    }
}

pub(crate) fn job_of(scenario: &Scenario, sizes: &mut Sizes) -> Job {
    Job {
        seed: scenario.seed(),
        scenario_text: scenario.resolved_toml(),
        hash: scenario.hash(),
        times: times(scenario),
        kin: kin_of(scenario),
        cost: forecast::cost(scenario),
        memory_bytes: sizes.memory_bytes(scenario),
        ..Job::default()
    }
}

const SAQS: &str = "recn.saqs";
const EGRESS: &str = "recn.detection_egress_packets";
const INGRESS: &str = "recn.detection_ingress_packets";
/// Keys beside `recn.saqs` that only SAQs read; none changes how much is built.
pub(crate) const OF_SAQS: [&str; 10] = [
    EGRESS,
    INGRESS,
    "recn.detection_packets",
    "recn.propagation_packets",
    "recn.xoff_packets",
    "recn.xon_packets",
    "recn.xon_edge",
    "recn.saq_timer_ns",
    "recn.retry_ns",
    "recn.xoff_repeat_ns",
];

/// What a scenario shares with those that it may equal; `None` where its switches have no SAQs.
fn kin_of(scenario: &Scenario) -> Option<Kin> {
    let number = |key: &str| scenario.get(key)?.parse::<u32>().ok();
    let has_saqs = scenario.get("switch.scheme")?.contains("recn");
    let saqs = number(SAQS).filter(|&saqs| has_saqs && saqs > 0)?;
    Some(Kin {
        but_saqs: scenario.hash_without(&[SAQS]),
        but_recn: scenario.hash_without(&[&[SAQS][..], &OF_SAQS].concat()),
        saqs,
        detection_packets: [number(EGRESS)?, number(INGRESS)?],
    })
}

/// The record of a run that equals `record`: its own bits of a port, and no time spent.
pub(crate) fn derive(scenario: &Scenario, mut record: Record) -> Result<Record, RunFailure> {
    let config = build(scenario)?;
    record.summary.memory = plan::memory_bits(&config).map_err(crate::Failure::from)?;
    record.summary.timing = Timing::default();
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    // "No more runs of a sweep or a search are side by side than fit into the memory that is
    // available" (directories.md): 2 MiB are the base of any.
    #[test]
    fn jobs_know_what_they_take_of_memory() {
        let jobs = jobs_of(&embedded_study(&[]).expect("legal"));
        assert!(jobs.iter().all(|job| job.memory_bytes > 2 << 20));
    }

    // The table of keys states the defaults that the judge has.
    #[test]
    fn defaults_of_the_target_are_as_stated() {
        let keys = &scenario::schema()["$defs"]["study"]["properties"]["target"]["properties"];
        let stated = |key: &str| {
            let text = keys[key]["description"].as_str().unwrap_or_default();
            text.rsplit("Default: ").next().unwrap_or_default().to_string()
        };
        let Target { flows, window, share, reference, p99_times, p99_ns } = Target::default();
        assert!(stated("metric").starts_with(flows.name()));
        assert!(window.is_none() && stated("window").starts_with("during"));
        assert_eq!(stated("at_least_percent"), (share * 100.0).to_string());
        assert_eq!(stated("within_percent"), (100.0 - share * 100.0).to_string());
        assert_eq!(stated("reference"), reference.word());
        assert_eq!(stated("p99_times"), p99_times.to_string());
        assert!(p99_ns.is_none() && stated("p99_ns").starts_with("p99_times"));
    }
}
