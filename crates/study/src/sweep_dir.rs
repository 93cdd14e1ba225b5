//! The directory of a sweep: taken by one sweep at a time, and only if it is empty or holds the same study.

use crate::manifest::SweepManifest;
use crate::store::{StoreError, io_error, is_run_dir};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// File in a sweep directory that says that a sweep writes there; it holds the id of the process.
pub const LOCK: &str = "sweep.lock";
/// What [`crate::run_sweep`] and the report write beside `runs/`, the manifest apart.
const RESULTS: [&str; 4] = ["results.csv", "results.json", "windows.csv", "report.html"];

/// A sweep directory that is locked as long as this lives.
#[derive(Debug)]
pub(crate) struct SweepDir {
    lock: PathBuf,
}

impl Drop for SweepDir {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock); // where that fails, the next sweep says which file to remove
    }
}

impl SweepDir {
    /// Makes or takes `out` for `runs` runs of the study with this hash, and empties it of what an earlier sweep of that
    /// study left: results, run directories, parts that a killed process did not get to rename. Other files stay.
    pub(crate) fn take(out: &Path, hash: &str, runs: usize) -> Result<SweepDir, StoreError> {
        fs::create_dir_all(out).map_err(io_error(out))?;
        let taken = SweepDir::lock(out)?;
        // looked at under the lock: what is there can no longer change between the look and the first write
        let runs_dir = out.join("runs");
        check(out, &runs_dir, hash, runs)?;
        for name in RESULTS {
            remove_if_there(&out.join(name))?;
        }
        for path in entries(out)? {
            if is_leftover(&path) {
                remove_if_there(&path)?;
            }
        }
        fs::create_dir_all(&runs_dir).map_err(io_error(&runs_dir))?;
        for path in entries(&runs_dir)? {
            if is_leftover(&path) || is_run_dir(&path) {
                remove_if_there(&path)?;
            }
        }
        Ok(taken)
    }

    fn lock(out: &Path) -> Result<SweepDir, StoreError> {
        let lock = out.join(LOCK);
        match OpenOptions::new().write(true).create_new(true).open(&lock) {
            Ok(mut file) => {
                let taken = SweepDir { lock };
                writeln!(file, "{}", std::process::id()).map_err(io_error(&taken.lock))?;
                Ok(taken)
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                let holder = fs::read_to_string(&lock).unwrap_or_default();
                let holder = match holder.trim() {
                    "" => "unknown".to_string(),
                    id => id.to_string(),
                };
                Err(StoreError::Locked { lock, holder })
            }
            Err(e) => Err(io_error(&lock)(e)),
        }
    }
}

fn check(out: &Path, runs_dir: &Path, hash: &str, runs: usize) -> Result<(), StoreError> {
    let empty = entries(out)?
        .iter()
        .all(|path| path.ends_with(LOCK) || is_leftover(path));
    if empty {
        return Ok(());
    }
    let manifest: Option<SweepManifest> = fs::read(out.join("manifest.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let path = out.to_path_buf();
    let Some(manifest) = manifest else {
        return Err(StoreError::NotASweep { path });
    };
    if manifest.study_hash != hash {
        return Err(StoreError::OtherStudy {
            path,
            name: manifest.name,
            found: manifest.study_hash,
            hash: hash.to_string(),
        });
    }
    if runs_dir.exists() {
        let stored = entries(runs_dir)?.iter().filter(|p| is_run_dir(p)).count();
        if stored > runs {
            return Err(StoreError::MoreRuns { path, stored, runs });
        }
    }
    Ok(())
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    fs::read_dir(dir)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(io_error(dir))
}

/// `.NAME.partial-PID` and `.NAME.old-PID`: left by a process that was killed, since nobody else writes under the lock.
fn is_leftover(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let ends_in = |mark: &str| {
        name.rsplit_once(mark)
            .is_some_and(|(_, id)| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()))
    };
    name.starts_with('.') && (ends_in(".partial-") || ends_in(".old-"))
}

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(io_error(path)(e)),
        _ => Ok(()),
    }
}
