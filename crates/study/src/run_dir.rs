//! Writing a run directory: [`RunDir`].
//!
//! A directory that is not there yet, or empty, appears by one rename. One that holds files is
//! written in place, so that files of others in it are never touched, not even moved.
//! `manifest.json` then says whether the run is whole:
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

use crate::disk::{self, Reach};
use crate::error::{StoreError, no_place};
use crate::files::{MANIFEST, RUN_FILES, manifest_of};
use crate::lock::Lock;
use crate::manifest::{Manifest, SweepManifest};
use crate::page;
use crate::place::{self, Place};
use crate::store::RunFiles;
use std::path::{Path, PathBuf};

/// Directory in a run directory that holds what is not in place yet.
const STAGE: &str = ".setaside-partial";
/// In [`STAGE`]: the manifest of the run that is being replaced.
const REPLACED: &str = "replaced.json";

/// A run directory that is to be written, by this process alone as long as this lives.
#[derive(Debug)]
pub struct RunDir {
    place: Place,
    hash: String,
    force: bool,
    /// When the bytes of a directory that is new reach the disk.
    reach: Reach,
    _lock: Lock,
}

impl RunDir {
    /// Takes `dir` for the run of the scenario with this hash, to be called before the time of the
    /// run is spent. Symbolic links are followed. `dir` may hold the run of the same scenario,
    /// which is replaced, and files of others, which stay; with `force` also the run of another
    /// scenario, or no run. `more` are the names of files beside those of every run.
    ///
    /// # Errors
    /// [`StoreError`]: what `dir` holds must not be replaced, another process writes there, or the
    /// system refuses.
    pub fn take(dir: &Path, hash: u64, force: bool, more: &[&str]) -> Result<RunDir, StoreError> {
        let place = Place::of(dir)?;
        if let Some(sweep) = sweep_around(&place)
            && !force
        {
            return Err(StoreError::Point { path: dir.to_path_buf(), sweep });
        }
        RunDir::take_at(place, hash, force, more)
    }

    /// As [`RunDir::take`], for a point of the sweep that calls it. The sweep waits for the disk
    /// once, at its end: until then a run that a power cut leaves half written is told by its
    /// digest and run again. One that replaces another waits all the same.
    pub(crate) fn take_point(dir: &Path, hash: u64) -> Result<RunDir, StoreError> {
        let taken = RunDir::take_at(Place::of(dir)?, hash, true, &[])?;
        Ok(RunDir { reach: Reach::Later, ..taken })
    }

    fn take_at(place: Place, hash: u64, force: bool, more: &[&str]) -> Result<RunDir, StoreError> {
        let dir = place.dir();
        let lock = Lock::take(&place.neighbour(place::LOCK), &dir).map_err(no_place(&dir))?;
        let taken =
            RunDir { place, hash: format!("{hash:016x}"), force, reach: Reach::Now, _lock: lock };
        disk::remove(&taken.place.neighbour(place::PARTIAL))?;
        settle(&dir)?;
        let names = RUN_FILES.iter().chain(more).copied();
        if !taken.check(&names.collect::<Vec<_>>())? {
            // Its files will be staged inside: find out now whether that works.
            disk::make_fresh(&dir.join(STAGE))?;
            disk::remove(&dir.join(STAGE))?;
        }
        Ok(taken)
    }

    /// Whether the directory is not there or empty. Refuses what must not be replaced.
    fn check(&self, names: &[&str]) -> Result<bool, StoreError> {
        let dir = self.place.dir();
        if disk::there(&dir)?.is_none() || disk::entries(&dir)?.is_empty() {
            return Ok(true);
        }
        let held = manifest_of::<Manifest>(&dir.join(MANIFEST));
        match &held {
            _ if self.force => {}
            None => return Err(StoreError::NotARun { path: dir }),
            Some(held) if held.hash != self.hash => {
                return Err(StoreError::OtherRun {
                    path: dir,
                    name: held.name.clone(),
                    found: held.hash.clone(),
                    hash: self.hash.clone(),
                });
            }
            Some(_) => {}
        }
        let mut own = held.as_ref().map(Manifest::own_files).unwrap_or_default();
        own.extend(held.is_some().then_some(MANIFEST));
        for name in names.iter().chain(&[MANIFEST]) {
            let path = dir.join(name);
            if !own.contains(name) && disk::there(&path)?.is_some() {
                return Err(StoreError::InTheWay { path });
            }
        }
        Ok(false)
    }

    /// Writes the run: whole, or not at all.
    ///
    /// # Errors
    /// [`StoreError`]; the directory is then as it was before, or what is missing is put right by
    /// the next [`RunDir::take`].
    pub fn write(&self, files: &RunFiles<'_>) -> Result<(), StoreError> {
        let files = files.bytes(&self.place.dir())?;
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        // Looked at again: hours may have passed.
        if self.check(&names)? && self.appear(&files)? {
            return Ok(());
        }
        self.check(&names)?;
        let dir = self.place.dir();
        let stage_dir = dir.join(STAGE);
        if let Err(e) = stage(&stage_dir, &files, Reach::Now) {
            let _ = disk::remove(&stage_dir); // the first error is the one to tell
            return Err(e);
        }
        let manifest = dir.join(MANIFEST);
        if disk::there(&manifest)?.is_some() {
            disk::rename(&manifest, &stage_dir.join(REPLACED))?;
        }
        settle(&dir)
    }

    /// Lets the directory appear at once; `false` where it is there and cannot be replaced by a
    /// rename, such as a mount point.
    fn appear(&self, files: &[(&str, Vec<u8>)]) -> Result<bool, StoreError> {
        let (dir, partial) = (self.place.dir(), self.place.neighbour(place::PARTIAL));
        let staged = stage(&partial, files, self.reach);
        let renamed = staged.and_then(|()| match disk::rename(&partial, &dir) {
            Err(_) if dir.is_dir() => Ok(false),
            renamed => renamed.map(|()| true),
        });
        if !matches!(renamed, Ok(true)) {
            let _ = disk::remove(&partial); // the first error is the one to tell
        }
        if self.reach == Reach::Now {
            disk::sync_dir(self.place.parent());
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

/// Brings to its end what a process began in `dir` that died: a replacement or a removal. To be
/// called under the lock.
pub(crate) fn settle(dir: &Path) -> Result<(), StoreError> {
    let stage_dir = dir.join(STAGE);
    if !is_unsettled(dir) {
        return Ok(());
    }
    if disk::there(&dir.join(MANIFEST))?.is_none() {
        let old = manifest_of::<Manifest>(&stage_dir.join(REPLACED));
        let new = manifest_of::<Manifest>(&stage_dir.join(MANIFEST));
        let files_of = |run: &Option<Manifest>| match run {
            Some(run) => run.own_files().into_iter().map(String::from).collect(),
            None => Vec::new(),
        };
        let (old_files, new_files) = (files_of(&old), files_of(&new));
        if old.is_some() || new.is_some() {
            page::remove(dir)?; // it showed the old run
        }
        for name in old_files.iter().filter(|name| !new_files.contains(name)) {
            disk::remove(&dir.join(name))?;
        }
        for name in new_files {
            let staged = stage_dir.join(&name);
            if disk::there(&staged)?.is_some() {
                disk::rename(&staged, &dir.join(&name))?;
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
    let _lock = Lock::take(&place::hidden(dir, place::LOCK), dir)?;
    let stage_dir = dir.join(STAGE);
    disk::make_fresh(&stage_dir)?;
    disk::rename(&dir.join(MANIFEST), &stage_dir.join(REPLACED))?;
    settle(dir)?;
    disk::remove_if_empty(dir)
}

/// The sweep among whose runs a directory lies.
fn sweep_around(place: &Place) -> Option<PathBuf> {
    let sweep = place.parent().parent()?;
    let among_runs = place.parent().file_name()? == "runs";
    let is_sweep = || manifest_of::<SweepManifest>(&sweep.join(MANIFEST)).is_some();
    (among_runs && is_sweep()).then(|| sweep.to_path_buf())
}
