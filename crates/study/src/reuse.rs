//! Runs of other sweeps, and single ones, that are those of a job: taken, not simulated.

use crate::error::StoreError;
use crate::files::{MANIFEST, manifest_of};
use crate::job::{Job, hash_text};
use crate::manifest::Manifest;
use crate::runs::store;
use crate::store::{StoredRun, read_whole_run};
use crate::sweep_dir::SweepDir;
use crate::sweep_options::{Progress, SweepOptions};
use crate::{Build, disk};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Takes what [`SweepOptions::reuse`] has of the jobs `to_run`, each stored whole as the run of its
/// job, and tells of it.
pub(crate) fn take(
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
        let runs = runs_below(dir, taken.dir(), &options.build)?;
        let before = open.len();
        for at in open.clone() {
            let job = &jobs[at];
            let same = runs.get(&hash_text(job.hash)).into_iter().flatten();
            let Some(run) = same.filter_map(|path| of_job(path, job)).next() else {
                continue;
            };
            let manifest = Manifest {
                derived_from: None, // it is not in this sweep
                ..run.manifest.clone()
            };
            store(job, options, &taken.run_dir(job), &manifest, &run.record)?;
            put(at, &StoredRun { manifest, ..run });
            open.remove(&at);
        }
        progress.reused(dir, before - open.len());
    }
    Ok(())
}

/// The run that a directory holds, if it is whole and that of the job.
fn of_job(path: &Path, job: &Job) -> Option<StoredRun> {
    let run = read_whole_run(path)?;
    let times = job.times.of_run(&run.record.summary);
    let is_same = run.scenario_text == job.scenario_text && run.manifest.times == times;
    is_same.then_some(run)
}

/// Run directories of this program in `dir` and below, by the hash of their scenario; those of the
/// sweep in `apart` left out. Links are not followed.
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
        let run = manifest_of::<Manifest>(&at.join(MANIFEST));
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
