//! Writing a run directory: [`RunDir`].
//!
//! A directory that is not there yet, or empty, appears by one rename. One that holds files is
//! written in place, so that files of others in it are never touched, not even moved.
//! `manifest.json` then states whether the run is whole:
//!
//! 1. all files of the new run are written into `DIR/.setaside-partial`, its manifest last;
//! 2. the old manifest is renamed to `.setaside-partial/replaced.json`: from here on the directory
//!    holds no run;
//! 3. old files that the new run has not are removed, the new ones are renamed into place;
//! 4. the new manifest is renamed into place: from here on the directory holds the new run;
//! 5. `.setaside-partial` is removed.
//!
//! A process that dies before step 2 leaves the old run, one that dies after it what [`settle`]
//! brings to its end: the next writer calls it first. Removing a run is the same with no new files.

use crate::disk::{self, MANIFEST, RUN_FILES, Reach, manifest_of, read_json};
use crate::error::{StoreError, holds_none, holds_other, no_place};
use crate::job::hash_text;
use crate::lock::Lock;
use crate::manifest::{Manifest, SweepManifest, own_files};
use crate::store::RunFiles;
use crate::sweep_dir::RUNS;
use std::path::{Path, PathBuf};

/// Directory in a run directory that holds what is not in place yet.
const STAGE: &str = ".setaside-partial";
/// In [`STAGE`]: the manifest of the run that is being replaced.
const REPLACED: &str = "replaced.json";

/// A run directory that is to be written, by this process alone as long as this lives.
#[derive(Debug)]
pub struct RunDir {
    dir: PathBuf,
    hash: String,
    force: bool,
    /// When the bytes of a directory that is new reach the disk.
    reach: Reach,
    _lock: Lock,
}

impl RunDir {
    /// Takes `dir` for the run with this hash, before its time is spent; links are followed. It may
    /// hold the run of the same scenario, which is replaced, and files of others, which stay; with
    /// `force` also another run, or none. `more`: names of files beside those of every run.
    pub fn take(dir: &Path, hash: u64, force: bool, more: &[&str]) -> Result<RunDir, StoreError> {
        let place = disk::place_of(dir)?;
        match sweep_around(&place) {
            Some(sweep) if !force => {
                let why = format!(
                    "lies among the runs of the sweep in {}; give another directory, or --force to \
                     write there",
                    sweep.display()
                );
                Err(StoreError::Refused(dir.to_path_buf(), why))
            }
            _ => RunDir::take_at(place, hash, force, more),
        }
    }

    /// As [`RunDir::take`], for a point of the sweep that calls it. The sweep waits for the disk
    /// once, at its end: until then a run that a power cut leaves half written is detected by its
    /// digest and run again. One that replaces another waits all the same.
    pub(crate) fn take_point(dir: &Path, hash: u64) -> Result<RunDir, StoreError> {
        let taken = RunDir::take_at(disk::place_of(dir)?, hash, true, &[])?;
        Ok(RunDir { reach: Reach::Later, ..taken })
    }

    fn take_at(dir: PathBuf, hash: u64, force: bool, more: &[&str]) -> Result<RunDir, StoreError> {
        let _lock = Lock::beside(&dir).map_err(no_place(&dir))?;
        let taken = RunDir { dir, hash: hash_text(hash), force, reach: Reach::Now, _lock };
        disk::remove_partial(&taken.dir)?;
        settle(&taken.dir)?;
        if !taken.check(&[&RUN_FILES, more].concat())? {
            // Its files will be staged inside: find out now whether that works.
            disk::make_fresh(&taken.dir.join(STAGE))?;
            disk::remove(&taken.dir.join(STAGE))?;
        }
        Ok(taken)
    }

    /// Whether the directory is not there or empty. Refuses what must not be replaced.
    fn check(&self, names: &[&str]) -> Result<bool, StoreError> {
        let dir = &self.dir;
        if disk::there(dir)?.is_none() || disk::entries(dir)?.is_empty() {
            return Ok(true);
        }
        let held: Option<Manifest> = manifest_of(dir);
        match &held {
            _ if self.force => {}
            None => return Err(holds_none(dir, "run")),
            Some(Manifest { name, hash, .. }) if *hash != self.hash => {
                return Err(holds_other(dir, "run of another scenario", name, hash, &self.hash));
            }
            Some(_) => {}
        }
        let own = held.as_ref().map(|run| &run.files[..]);
        disk::refuse_in_the_way(dir, &[names, &[MANIFEST]].concat(), own)?;
        Ok(false)
    }

    /// Writes the run, whole or not at all; the next [`RunDir::take`] puts right what is missing.
    pub fn write(&self, files: &RunFiles<'_>) -> Result<(), StoreError> {
        let dir = &self.dir;
        let files = files.bytes(dir)?;
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        // Checked again: hours may have passed.
        if self.check(&names)? && self.appear(&files)? {
            return Ok(());
        }
        self.check(&names)?;
        let stage_dir = dir.join(STAGE);
        if let Err(e) = stage(&stage_dir, &files, Reach::Now) {
            let _ = disk::remove(&stage_dir); // the first error is the one to report
            return Err(e);
        }
        let manifest = dir.join(MANIFEST);
        if disk::there(&manifest)?.is_some() {
            disk::rename(&manifest, &stage_dir.join(REPLACED))?;
        }
        settle(dir)
    }

    /// `false` where it is there and no rename replaces it, such as a mount point.
    fn appear(&self, files: &[(&str, Vec<u8>)]) -> Result<bool, StoreError> {
        let partial = disk::hidden(&self.dir, disk::PARTIAL);
        let staged = stage(&partial, files, self.reach);
        let renamed = staged.and_then(|()| match disk::rename(&partial, &self.dir) {
            Err(_) if self.dir.is_dir() => Ok(false),
            renamed => renamed.map(|()| true),
        });
        if !matches!(renamed, Ok(true)) {
            let _ = disk::remove(&partial); // the first error is the one to report
        }
        if let (Reach::Now, Some(parent)) = (self.reach, self.dir.parent()) {
            disk::sync_dir(parent);
        }
        renamed
    }
}

/// Writes all files into a new directory, in order.
fn stage(dir: &Path, files: &[(&str, Vec<u8>)], reach: Reach) -> Result<(), StoreError> {
    disk::make_fresh(dir)?;
    for (name, bytes) in files {
        disk::write(&dir.join(name), bytes, reach)?;
    }
    if reach == Reach::Now {
        disk::sync_dir(dir);
    }
    Ok(())
}

/// Whether a process died in the middle of a replacement in `dir`.
pub(crate) fn is_unsettled(dir: &Path) -> bool {
    dir.join(STAGE).is_dir()
}

/// Ends a replacement or a removal that a dead process began. Under the lock.
pub(crate) fn settle(dir: &Path) -> Result<(), StoreError> {
    let stage_dir = dir.join(STAGE);
    if !is_unsettled(dir) {
        return Ok(());
    }
    if disk::there(&dir.join(MANIFEST))?.is_none() {
        let old: Option<Manifest> = read_json(&stage_dir.join(REPLACED)).ok();
        let new: Option<Manifest> = manifest_of(&stage_dir);
        let [old_files, new_files] =
            [&old, &new].map(|run| run.as_ref().map_or(Vec::new(), |run| own_files(&run.files)));
        if old.is_some() || new.is_some() {
            disk::remove_page(dir)?; // it showed the old run
        }
        for name in old_files.iter().filter(|name| !new_files.contains(name)) {
            disk::remove(&dir.join(name))?;
        }
        for name in new_files {
            let staged = stage_dir.join(name);
            if disk::there(&staged)?.is_some() {
                disk::rename(&staged, &dir.join(name))?;
            }
        }
        if new.is_some() {
            disk::rename(&stage_dir.join(MANIFEST), &dir.join(MANIFEST))?;
        }
        disk::sync_dir(dir);
    }
    disk::remove(&stage_dir)
}

/// Removes the run that `dir` holds, and `dir` where nothing else is in it.
pub(crate) fn remove_run(dir: &Path) -> Result<(), StoreError> {
    let _lock = Lock::beside(dir)?;
    let stage_dir = dir.join(STAGE);
    disk::make_fresh(&stage_dir)?;
    disk::rename(&dir.join(MANIFEST), &stage_dir.join(REPLACED))?;
    settle(dir)?;
    disk::remove_if_empty(dir)
}

/// The sweep among whose runs a directory lies.
fn sweep_around(dir: &Path) -> Option<PathBuf> {
    let runs = dir.parent().filter(|runs| runs.ends_with(RUNS))?;
    manifest_of::<SweepManifest>(runs.parent()?).and(runs.parent()).map(Path::to_path_buf)
}
