//! `setaside sweep`.

use crate::args::SweepArgs;
use crate::embedded::embedded_study;
use crate::exit::{Exit, Failure, print};
use crate::interrupt;
use crate::progress::Meter;
use crate::run::{build_info, simulate, windows};
use fabric::Engine;
use scenario::{Point, Study};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use study::{Job, RunFailure, SweepOptions, SweepResult, run_sweep};

/// Where a study comes from.
#[derive(Debug, Clone)]
pub enum StudySource {
    /// A file.
    File(PathBuf),
    /// The program.
    Embedded,
}

/// Runs a study, prints its table, writes results and report.
///
/// # Errors
/// Configuration; failed runs after all others have finished; interrupt.
pub fn sweep(source: &StudySource, args: &SweepArgs) -> Result<(), Failure> {
    let study = match source {
        StudySource::File(path) => Study::load(path, &args.sets)?,
        StudySource::Embedded => embedded_study(&args.sets)?,
    };
    let mut jobs = jobs_of(&study);
    jobs.truncate(args.max_runs.unwrap_or(usize::MAX));
    if args.dry_run {
        let mut text = String::new();
        for job in &jobs {
            let _ = writeln!(text, "{}  seed {}  {}", job.directory, job.seed, job.name());
        }
        return print(&text);
    }
    let hash = jobs.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, job| {
        (h ^ job.hash).wrapping_mul(0x0100_0000_01b3)
    });
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("runs/{}-{:08x}", study.name, hash >> 32)));
    let result = run_jobs(&study, &jobs, &out, args.jobs)?;
    print(&result.table.to_text())?;
    eprintln!("results {}", out.join("results.csv").display());
    eprintln!("report  {}", out.join("report.html").display());
    match result.exit_code() {
        0 => Ok(()),
        130 => Err(Failure::interrupted()),
        2 => Err(Failure::new(Exit::Usage, "some runs failed")),
        3 => Err(Failure::new(Exit::Deadlock, "some runs failed")),
        4 => Err(Failure::new(Exit::BrokenInvariant, "some runs failed")),
        _ => Err(Failure::new(Exit::Failure, "some runs failed")),
    }
}

/// The runs of a study, in order.
pub fn jobs_of(study: &Study) -> Vec<Job> {
    study
        .points()
        .iter()
        .map(|p| job(p, study.points().len()))
        .collect()
}

/// Runs these jobs of a study side by side, stores each as it finishes, and writes the report.
///
/// # Errors
/// Files that cannot be written; a run that fails is listed in the result.
pub fn run_jobs(
    study: &Study,
    jobs: &[Job],
    out: &Path,
    workers: Option<usize>,
) -> Result<SweepResult, Failure> {
    let start = Instant::now();
    let now = move || start.elapsed().as_secs_f64();
    let options = SweepOptions {
        workers: workers.unwrap_or(0),
        name: study.name.clone(),
        scenario: study.scenario.clone(),
        build: build_info(),
        engine: "fast".to_string(),
        interrupt: Some(interrupt::flag()),
        now_seconds: &now,
        ..SweepOptions::new(out.to_path_buf())
    };
    eprintln!(
        "study {}: {} runs into {}",
        study.name,
        jobs.len(),
        out.display()
    );
    let meter = Meter::new(jobs.len());
    let run = |job: &Job| {
        let point = &study.points()[job.index];
        simulate(&point.scenario, Engine::Fast, &|| meter.step()).map_err(|failure| RunFailure {
            exit_code: failure.exit as i32,
            message: failure.message,
        })
    };
    let result = run_sweep(jobs, &options, run, &meter)
        .map_err(|e| Failure::new(Exit::Failure, format!("error: {e}")))?;
    meter.clear();
    report::write(out).map_err(|e| Failure::new(Exit::Failure, format!("error: report: {e}")))?;
    Ok(result)
}

fn job(point: &Point, total: usize) -> Job {
    Job {
        index: point.index,
        directory: String::new(),
        labels: point.settings.clone(),
        replica: point.replica,
        seed: point.seed,
        scenario_text: point.scenario.resolved_toml(),
        hash: point.scenario.hash(),
        windows: windows(&point.scenario),
    }
    .named(total)
}
