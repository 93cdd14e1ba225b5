//! The runs of a sweep in its directory: what they say, how they are stored; and those of other
//! sweeps, and single ones, that are taken and not simulated.

use crate::disk::{self, manifest_of};
use crate::error::{Exit, RunFailure, StoreError};
use crate::job::{Job, hash_text};
use crate::manifest::{Build, Manifest, SweepManifest};
use crate::run_dir::RunDir;
use crate::store::{RunFiles, StoredRun};
use crate::sweep_dir::{SweepDir, whole_run_of};
use crate::sweep_options::{Progress, SweepOptions};
use crate::table::Outcome;
use observe::Record;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub(crate) fn outcome_of(run: &StoredRun) -> Outcome {
    let is_derived = run.manifest.derived_from.is_some();
    Outcome::stored(&run.record.summary, run.manifest.times, is_derived)
}

/// Stores a finished run; `derived_from`: directory of the run that it equals.
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
    let SweepManifest { name, build, engine, .. } = &options.manifest;
    let manifest = Manifest::new(name, build, engine, job.seed, job.hash, wall_seconds, &record);
    store(job, options, dir, &Manifest { derived_from, ..manifest }, &record)
}

fn store(
    job: &Job,
    options: &SweepOptions<'_>,
    dir: &Path,
    manifest: &Manifest,
    record: &Record,
) -> Result<Outcome, StoreError> {
    let manifest = Manifest {
        name: options.manifest.name.clone(),
        labels: job.labels.clone(),
        times: job.times.of_run(&record.summary),
        study_hash: options.manifest.study_hash.clone(),
        index: Some(job.index),
        replica: job.replica,
        replicas: job.replicas,
        ..manifest.clone()
    };
    let scenario_text = &job.scenario_text;
    let files = RunFiles { scenario_text, manifest: &manifest, record, more: &[] };
    RunDir::take_point(dir, job.hash)?.write(&files)?;
    let is_derived = manifest.derived_from.is_some();
    Ok(Outcome::stored(&record.summary, job.times, is_derived))
}

/// Stores what [`SweepOptions::reuse`] has of the jobs `to_run` as their runs.
pub(crate) fn take_from_others(
    jobs: &[Job],
    to_run: &[usize],
    options: &SweepOptions<'_>,
    taken: &SweepDir,
    progress: &dyn Progress,
    mut put: impl FnMut(usize, &StoredRun),
) -> Result<(), StoreError> {
    let mut open: BTreeSet<usize> = to_run.iter().copied().collect();
    for dir in &options.reuse {
        if open.is_empty() {
            break;
        }
        let runs = runs_below(dir, taken.dir(), &options.manifest.build)?;
        let before = open.len();
        for at in open.clone() {
            let job = &jobs[at];
            let same = runs.get(&hash_text(job.hash)).into_iter().flatten();
            let Some(run) = same.filter_map(|path| whole_run_of(path, job)).next() else {
                continue;
            };
            // what it was derived from is not in this sweep
            let manifest = Manifest { derived_from: None, ..run.manifest.clone() };
            store(job, options, &taken.run_dir(job), &manifest, &run.record)?;
            put(at, &StoredRun { manifest, ..run });
            open.remove(&at);
        }
        progress.reused(dir, before - open.len());
    }
    Ok(())
}

/// Runs of this program in `dir` and below but `apart`, by hash; links not followed.
fn runs_below(
    dir: &Path,
    apart: &Path,
    build: &Build,
) -> Result<BTreeMap<String, Vec<PathBuf>>, StoreError> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(at) = open.pop() {
        if std::fs::canonicalize(&at).is_ok_and(|path| path == apart) {
            continue;
        }
        let run: Option<Manifest> = manifest_of(&at);
        if let Some(run) = run.filter(|run| run.build.is_same_program(build)) {
            found.entry(run.hash).or_default().push(at.clone());
        }
        for entry in disk::entries(&at)? {
            if disk::there(&entry)?.is_some_and(|meta| meta.is_dir()) {
                open.push(entry);
            }
        }
    }
    found.values_mut().for_each(|paths| paths.sort());
    Ok(found)
}
