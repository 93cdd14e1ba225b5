//! The directory of a sweep, taken by one at a time, if it is empty or holds the same study; its
//! runs, and those of other sweeps or single ones that are taken and not simulated.

use crate::disk::{self, MANIFEST, manifest_of};
use crate::error::{Exit, RunFailure, StoreError, holds_none, holds_other, no_place};
use crate::job::{Job, hash_text};
use crate::lock::{Lock, holder};
use crate::manifest::{Build, Manifest, SweepManifest, own_files};
use crate::run_dir::{RunDir, is_unsettled, remove_run, settle};
use crate::store::{RunFiles, StoredRun, read_whole_run};
use crate::table::Outcome;
use observe::Record;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// File in a sweep directory, locked while a sweep writes there; holds process, host and a rising
/// count. One that a killed process left is taken over.
pub const LOCK: &str = "sweep.lock";
pub(crate) const RUNS: &str = "runs";

/// A sweep directory that is locked as long as this lives.
#[derive(Debug)]
pub(crate) struct SweepDir {
    pub(crate) dir: PathBuf,
    /// Hashes of other studies whose runs stay until this sweep is complete.
    replaces: Vec<String>,
    /// Hash of this study, where its runs stay that no job has.
    grows: Option<String>,
    /// Run directories of this study and of those, as they were found.
    there: BTreeMap<PathBuf, Manifest>,
    lock: Lock,
}

impl SweepDir {
    /// Takes `out` for these jobs, puts the manifest there, and removes parts that a killed process
    /// left. Run directories stay: [`SweepDir::complete`] removes those that are replaced. With
    /// `force` the earlier sweep may be of another study, or there may be none.
    pub(crate) fn take(
        out: &Path,
        manifest: &SweepManifest,
        jobs: &[Job],
        force: bool,
    ) -> Result<SweepDir, StoreError> {
        let dir = disk::place_of(out)?;
        disk::make_dirs(&dir).map_err(no_place(out))?;
        let mut taken = SweepDir {
            lock: Lock::take_beating(&dir.join(LOCK), &dir).map_err(no_place(out))?,
            dir,
            replaces: Vec::new(),
            grows: manifest.grows.then(|| manifest.study_hash.clone()),
            there: BTreeMap::new(),
        };
        taken.clear_partial()?;
        // Checked under the lock: what is there can no longer change before the first write.
        let earlier = taken.earlier(manifest, force)?;
        if let Some(earlier) = &earlier {
            taken.replaces = earlier.replaces.clone();
            taken.replaces.push(earlier.study_hash.clone());
            taken.replaces.retain(|hash| *hash != manifest.study_hash);
            let own = |run: &Manifest| {
                run.study_hash == manifest.study_hash || taken.replaces.contains(&run.study_hash)
            };
            let run = |dir: PathBuf| Some((manifest_of(&dir).filter(own)?, dir));
            let dirs = disk::entries_if_there(&taken.runs())?;
            taken.there = dirs.into_iter().filter_map(run).map(|(run, dir)| (dir, run)).collect();
        }
        let hashes: BTreeSet<String> = jobs.iter().map(|job| hash_text(job.hash)).collect();
        let held = taken.there.values().filter(|run| run.study_hash == manifest.study_hash);
        let held: Vec<&Manifest> = held.collect();
        if !force && !manifest.grows && !held.iter().all(|run| hashes.contains(&run.hash)) {
            let why = format!(
                "holds {} finished runs of this study, and not all of them are among the {} of \
                 this sweep; give another directory, or --force to replace them",
                held.len(),
                jobs.len()
            );
            return Err(StoreError::Refused(taken.dir, why));
        }
        taken.refuse_in_the_way(earlier.as_ref(), jobs, force)?;
        if let Some(earlier) = earlier {
            // States that nothing is finished before the first result is removed.
            taken.put_manifest(&SweepManifest { finished: 0, failed: 0, ..earlier.clone() })?;
            disk::remove_page(&taken.dir)?;
            // A table of the same study stays until the next one replaces it.
            let is_kept = |name: &str| {
                earlier.study_hash == manifest.study_hash && SweepManifest::FILES.contains(&name)
            };
            for name in own_files(&earlier.files).into_iter().filter(|name| !is_kept(name)) {
                disk::remove(&taken.dir.join(name))?;
            }
        }
        taken.put_manifest(manifest)?;
        disk::make_dirs(&taken.runs())?;
        Ok(taken)
    }

    /// This process was suspended for so long that another one writes here now.
    pub(crate) fn lost(&self) -> Option<StoreError> {
        let held = || holder(&self.dir.join(LOCK)).unwrap_or_default();
        self.lock.is_lost().then(|| StoreError::Locked(self.dir.clone(), held()))
    }

    pub(crate) fn runs(&self) -> PathBuf {
        self.dir.join(RUNS)
    }

    pub(crate) fn run_dir(&self, job: &Job) -> PathBuf {
        self.runs().join(&job.directory)
    }

    /// Writes the manifest, with the studies that are being replaced.
    pub(crate) fn put_manifest(&self, manifest: &SweepManifest) -> Result<(), StoreError> {
        let manifest = SweepManifest { replaces: self.replaces.clone(), ..manifest.clone() };
        manifest.put(&self.dir)
    }

    /// Whether the sweep that was here before left a run where this job has its own.
    pub(crate) fn holds_run_of(&self, job: &Job) -> bool {
        self.there.contains_key(&self.run_dir(job))
    }

    /// The whole run of a job by the same program, that an earlier sweep left here.
    pub(crate) fn finished(&self, job: &Job, sweep: &SweepManifest) -> Option<StoredRun> {
        self.holds_run_of(job).then(|| whole_run(&self.run_dir(job), job, sweep))?
    }

    /// All jobs have finished: removes run directories of the earlier sweep that none of them has.
    pub(crate) fn complete(&mut self, jobs: &[Job]) -> Result<(), StoreError> {
        let jobs: BTreeSet<PathBuf> = jobs.iter().map(|job| self.run_dir(job)).collect();
        for (path, run) in &self.there {
            if !jobs.contains(path) && self.grows.as_ref() != Some(&run.study_hash) {
                remove_run(path)?;
            }
        }
        self.replaces.clear();
        Ok(())
    }

    /// Ends or removes what a killed process had begun; not what a `run --force` writes now.
    fn clear_partial(&self) -> Result<(), StoreError> {
        let mut begun = disk::entries(&self.dir)?;
        begun.extend(disk::entries_if_there(&self.runs())?);
        // Of the lock and the part of one file the first entry settles both.
        let unfinished = |path: PathBuf| {
            disk::visible(&path).or_else(|| Some(path).filter(|path| is_unsettled(path)))
        };
        let begun: BTreeSet<PathBuf> = begun.into_iter().filter_map(unfinished).collect();
        for path in begun {
            match Lock::beside(&path) {
                Ok(_lock) => {
                    disk::remove_partial(&path)?;
                    settle(&path)?;
                }
                Err(StoreError::Locked(..)) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    fn earlier(
        &self,
        manifest: &SweepManifest,
        force: bool,
    ) -> Result<Option<SweepManifest>, StoreError> {
        let (dir, own) = (&self.dir, &manifest.study_hash);
        let Some(earlier) = manifest_of::<SweepManifest>(dir) else {
            let is_empty = disk::entries(dir)?.iter().all(|path| path.ends_with(LOCK));
            return if is_empty || force { Ok(None) } else { Err(holds_none(dir, "sweep")) };
        };
        let SweepManifest { name, study_hash: found, .. } = &earlier;
        if found != own && !force {
            return Err(holds_other(dir, "sweep of another study", name, found, own));
        }
        Ok(Some(earlier))
    }

    /// Refuses files and runs of others where those of the sweep are to come.
    fn refuse_in_the_way(
        &self,
        earlier: Option<&SweepManifest>,
        jobs: &[Job],
        force: bool,
    ) -> Result<(), StoreError> {
        let names = [&SweepManifest::FILES[..], &[MANIFEST]].concat();
        let own = earlier.map(|sweep| &sweep.files[..]);
        disk::refuse_in_the_way(&self.dir, &names, own)?;
        disk::check_page(&self.dir)?;
        for job in jobs {
            let path = self.run_dir(job);
            // with `force` a run of others is replaced when the point is written
            let is_of_others =
                || !self.holds_run_of(job) && manifest_of::<Manifest>(&path).is_some();
            if disk::file_above(&path).is_some() || !force && is_of_others() {
                return Err(StoreError::InTheWay(path));
            }
        }
        Ok(())
    }
}

/// The whole run in `dir` of the job, the study and the program.
pub(crate) fn whole_run(dir: &Path, job: &Job, sweep: &SweepManifest) -> Option<StoredRun> {
    let run: Manifest = manifest_of(dir)?;
    let is_same = run.build.is_same_program(&sweep.build)
        && run.study_hash == sweep.study_hash
        && run.hash == hash_text(job.hash)
        && (run.seed, &run.labels) == (job.seed, &job.labels);
    is_same.then(|| whole_run_of(dir, job))?
}

/// Whether a sweep in `dir` would take the run of a job as it is.
pub fn is_finished(dir: &Path, job: &Job, study_hash: u64, build: &Build) -> bool {
    let (study_hash, build) = (hash_text(study_hash), build.clone());
    let sweep = SweepManifest { study_hash, build, ..SweepManifest::default() };
    whole_run(&dir.join(RUNS).join(&job.directory), job, &sweep).is_some()
}

/// The run in `dir`, where it is whole, of the scenario of the job and with its times.
pub(crate) fn whole_run_of(dir: &Path, job: &Job) -> Option<StoredRun> {
    let run = read_whole_run(dir)?;
    let times = job.times.of_run(&run.record.summary);
    (run.scenario_text == job.scenario_text && run.manifest.times == times).then_some(run)
}

pub(crate) fn outcome_of(run: &StoredRun) -> Outcome {
    let is_derived = run.manifest.derived_from.is_some();
    Outcome::stored(&run.record.summary, run.manifest.times, is_derived)
}

/// Stores a finished run; `derived_from`: directory of the run that it equals.
pub(crate) fn conclude(
    job: &Job,
    sweep: &SweepManifest,
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
    let SweepManifest { name, build, engine, .. } = sweep;
    let manifest = Manifest::new(name, build, engine, job.seed, job.hash, wall_seconds, &record);
    store(job, sweep, dir, Manifest { derived_from, ..manifest }, &record)
}

pub(crate) fn store(
    job: &Job,
    sweep: &SweepManifest,
    dir: &Path,
    manifest: Manifest,
    record: &Record,
) -> Result<Outcome, StoreError> {
    let manifest = Manifest {
        name: sweep.name.clone(),
        labels: job.labels.clone(),
        times: job.times.of_run(&record.summary),
        study_hash: sweep.study_hash.clone(),
        index: Some(job.index),
        replica: job.replica,
        replicas: job.replicas,
        ..manifest
    };
    let scenario_text = &job.scenario_text;
    let files = RunFiles { scenario_text, manifest: &manifest, record, more: &[] };
    RunDir::take_point(dir, job.hash)?.write(&files)?;
    let is_derived = manifest.derived_from.is_some();
    Ok(Outcome::stored(&record.summary, job.times, is_derived))
}

/// Runs of this program in `dir` and below but `apart`, by hash; links not followed.
pub(crate) fn runs_below(
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
