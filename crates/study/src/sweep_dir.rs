//! The directory of a sweep: taken by one sweep at a time, and only if it is empty or holds the
//! same study.

use crate::disk;
use crate::error::{StoreError, malformed};
use crate::job::Job;
use crate::lock::Lock;
use crate::manifest::{Manifest, SweepManifest};
use crate::page;
use crate::place::{self, Place};
use crate::run_dir::{is_unsettled, manifest_of, remove_run, settle};
use crate::store::{MANIFEST, json, replace_file};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// File in a sweep directory that is locked while a sweep writes there; it holds the id of the
/// process. The system drops the lock with the process: a file that a killed process left is taken
/// over.
pub const LOCK: &str = "sweep.lock";
/// Directory in a sweep directory that holds one run directory a job.
const RUNS: &str = "runs";

/// A sweep directory that is locked as long as this lives.
#[derive(Debug)]
pub(crate) struct SweepDir {
    dir: PathBuf,
    _lock: Lock,
}

impl SweepDir {
    /// Makes or takes `out` for these jobs of the study of `manifest`, puts the manifest there, and
    /// removes what an earlier sweep of that study left: results, run directories, parts that a
    /// killed process did not get to rename. Files of others stay. With `force` the earlier sweep
    /// may be one of another study, or there may be none.
    pub(crate) fn take(
        out: &Path,
        manifest: &SweepManifest,
        jobs: &[Job],
        force: bool,
    ) -> Result<SweepDir, StoreError> {
        let dir = Place::of(out)?.dir();
        disk::make_dirs(&dir)?;
        let taken = SweepDir {
            _lock: Lock::take(&dir.join(LOCK), &dir)?,
            dir,
        };
        taken.clear_partial()?;
        // Looked at under the lock: what is there can no longer change between the look and the
        // first write.
        let earlier = taken.look(manifest, force)?;
        let own_runs = taken.own_runs(earlier.as_ref())?;
        if let Some(earlier) = &earlier
            && own_runs.len() > jobs.len()
            && earlier.study_hash == manifest.study_hash
            && !force
        {
            return Err(StoreError::MoreRuns {
                path: taken.dir,
                stored: own_runs.len(),
                runs: jobs.len(),
            });
        }
        taken.refuse_in_the_way(earlier.as_ref(), &own_runs, jobs, force)?;
        if let Some(earlier) = earlier {
            // Says that nothing is finished before the first result goes.
            taken.put_manifest(&SweepManifest {
                finished: 0,
                failed: 0,
                ..earlier.clone()
            })?;
            page::remove(&taken.dir)?;
            for name in earlier.own_files() {
                disk::remove(&taken.dir.join(name))?;
            }
            for run in &own_runs {
                remove_run(run)?;
            }
        }
        taken.put_manifest(manifest)?;
        disk::make_dirs(&taken.runs())?;
        Ok(taken)
    }

    /// The directory, links followed.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    fn runs(&self) -> PathBuf {
        self.dir.join(RUNS)
    }

    /// Run directory of a job.
    pub(crate) fn run_dir(&self, job: &Job) -> PathBuf {
        self.runs().join(&job.directory)
    }

    pub(crate) fn put_manifest(&self, manifest: &SweepManifest) -> Result<(), StoreError> {
        let path = self.dir.join(MANIFEST);
        let bytes = json(manifest).map_err(|e| malformed(&path)(e.to_string()))?;
        replace_file(&path, &bytes)
    }

    /// Removes what a killed process had not renamed yet, and brings to its end what it had begun
    /// to replace; not what a `run --force` writes at this moment.
    fn clear_partial(&self) -> Result<(), StoreError> {
        let mut begun = disk::entries(&self.dir)?;
        if self.runs().is_dir() {
            begun.extend(disk::entries(&self.runs())?);
        }
        // Of the lock and the part of one file the first entry settles both.
        let begun: BTreeSet<PathBuf> = begun.iter().filter_map(|path| unfinished(path)).collect();
        for path in begun {
            match Lock::take(&place::hidden(&path, place::LOCK), &path) {
                Ok(_lock) => {
                    disk::remove(&place::hidden(&path, place::PARTIAL))?;
                    settle(&path)?;
                }
                Err(StoreError::Locked { .. }) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// The sweep that the directory holds, if it may be replaced.
    fn look(
        &self,
        manifest: &SweepManifest,
        force: bool,
    ) -> Result<Option<SweepManifest>, StoreError> {
        let path = self.dir.clone();
        match manifest_of::<SweepManifest>(&self.dir.join(MANIFEST)) {
            Some(earlier) if earlier.study_hash != manifest.study_hash && !force => {
                Err(StoreError::OtherStudy {
                    path,
                    name: earlier.name,
                    found: earlier.study_hash,
                    hash: manifest.study_hash.clone(),
                })
            }
            Some(earlier) => Ok(Some(earlier)),
            None => {
                let others = disk::entries(&path)?;
                let empty = others.iter().all(|path| path.ends_with(LOCK));
                if empty || force {
                    Ok(None)
                } else {
                    Err(StoreError::NotASweep { path })
                }
            }
        }
    }

    /// Run directories of the earlier sweep.
    fn own_runs(&self, earlier: Option<&SweepManifest>) -> Result<Vec<PathBuf>, StoreError> {
        let Some(earlier) = earlier else {
            return Ok(Vec::new());
        };
        if !self.runs().is_dir() {
            return Ok(Vec::new());
        }
        let mut own = disk::entries(&self.runs())?;
        own.retain(|dir| {
            manifest_of::<Manifest>(&dir.join(MANIFEST))
                .is_some_and(|run| run.study_hash == earlier.study_hash)
        });
        Ok(own)
    }

    /// Refuses a file of others where one of the sweep is to come, and the run of others where a
    /// point is to come.
    fn refuse_in_the_way(
        &self,
        earlier: Option<&SweepManifest>,
        own_runs: &[PathBuf],
        jobs: &[Job],
        force: bool,
    ) -> Result<(), StoreError> {
        let mut own = earlier.map(SweepManifest::own_files).unwrap_or_default();
        own.extend(earlier.is_some().then_some(MANIFEST));
        for name in SweepManifest::FILES.iter().chain(&[MANIFEST]) {
            let path = self.dir.join(name);
            if !own.contains(name) && disk::there(&path)?.is_some() {
                return Err(StoreError::InTheWay { path });
            }
        }
        page::check(&self.dir)?;
        for job in jobs {
            let path = self.run_dir(job);
            if !own_runs.contains(&path) && manifest_of::<Manifest>(&path.join(MANIFEST)).is_some()
            {
                if force {
                    continue; // replaced when the point is written
                }
                return Err(StoreError::InTheWay { path });
            }
        }
        Ok(())
    }
}

/// What an entry shows to be unfinished: the file or directory that a hidden neighbour is about, or
/// the entry itself.
fn unfinished(entry: &Path) -> Option<PathBuf> {
    place::visible(entry).or_else(|| is_unsettled(entry).then(|| entry.to_path_buf()))
}
