//! The runs of a sweep in its directory: what they say, how they are stored.

use crate::error::StoreError;
use crate::exit::{Exit, RunFailure};
use crate::job::{Job, hash_text};
use crate::manifest::Manifest;
use crate::run_dir::RunDir;
use crate::store::{RunFiles, StoredRun};
use crate::sweep_options::SweepOptions;
use crate::table::Outcome;
use observe::Record;
use std::path::Path;

/// What a run says that is there.
pub(crate) fn outcome_of(run: &StoredRun) -> Outcome {
    let is_derived = run.manifest.derived_from.is_some();
    Outcome::stored(&run.record.summary, run.manifest.times, is_derived)
}

/// How a run ended that could not be stored.
pub(crate) fn not_stored(error: &StoreError) -> RunFailure {
    RunFailure { exit: Exit::Failure, message: format!("not stored: {error}") }
}

/// Stores a finished run in its directory; `derived_from` names the directory of the run that it
/// equals.
pub(crate) fn conclude(
    job: &Job,
    options: &SweepOptions<'_>,
    dir: &Path,
    result: Result<Record, RunFailure>,
    wall_seconds: f64,
    derived_from: Option<String>,
) -> Result<Outcome, StoreError> {
    let record = match result {
        Ok(record) => record,
        Err(failure) if failure.exit == Exit::Interrupted => return Ok(Outcome::NotRun),
        Err(failure) => return Ok(Outcome::Failed(failure)),
    };
    let manifest = Manifest {
        derived_from,
        ..Manifest::new(
            &options.name,
            &options.build,
            &options.engine,
            job.seed,
            job.hash,
            wall_seconds,
            &record,
        )
    };
    store(job, options, dir, &manifest, &record)
}

/// Stores a run as that of a job, in its directory.
pub(crate) fn store(
    job: &Job,
    options: &SweepOptions<'_>,
    dir: &Path,
    manifest: &Manifest,
    record: &Record,
) -> Result<Outcome, StoreError> {
    let manifest = Manifest {
        name: options.name.clone(),
        labels: job.labels.clone(),
        times: job.times.of_run(&record.summary),
        study_hash: hash_text(options.hash),
        index: Some(job.index),
        replica: job.replica,
        replicas: job.replicas,
        ..manifest.clone()
    };
    RunDir::take_point(dir, job.hash)?.write(&RunFiles {
        scenario_text: &job.scenario_text,
        manifest: &manifest,
        record,
        more: &[],
    })?;
    let is_derived = manifest.derived_from.is_some();
    Ok(Outcome::stored(&record.summary, job.times, is_derived))
}
