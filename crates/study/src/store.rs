//! A run directory: written whole or not at all, and read back.

use crate::csv_files::{flows_csv, parse_flows, parse_series, series_csv};
use crate::manifest::Manifest;
use crate::windows::windows_csv;
use fabric::{Record, Summary};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A run that could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory holds something else than a run, which is not thrown away.
    #[error("{}: exists and is not a run directory (no manifest.json and summary.json in it); give another one or remove it", path.display())]
    NotARun {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds something else than a sweep.
    #[error("{}: is not empty and is not a sweep directory (no manifest.json of a sweep in it); give another one or remove it", path.display())]
    NotASweep {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds the sweep of another study, or of the same one when it was a different one.
    #[error("{}: holds the sweep of another study (`{name}`, hash `{found}`; this one is `{hash}`); give another directory or remove it", path.display())]
    OtherStudy {
        /// The directory.
        path: PathBuf,
        /// Name of the study that it holds.
        name: String,
        /// Hash of the study that it holds; empty where its manifest has none.
        found: String,
        /// Hash of the study that was to be written.
        hash: String,
    },
    /// The directory holds more runs of the study than the sweep would put in their place.
    #[error("{}: holds {stored} finished runs of this study, more than the {runs} of this sweep; give another directory or remove it", path.display())]
    MoreRuns {
        /// The directory.
        path: PathBuf,
        /// Run directories in it.
        stored: usize,
        /// Runs of the sweep.
        runs: usize,
    },
    /// Another sweep writes into the directory.
    #[error("{}: another sweep writes here (process {holder}); if that process no longer runs, remove this file by hand", lock.display())]
    Locked {
        /// The lock file.
        lock: PathBuf,
        /// Id of the process that wrote it.
        holder: String,
    },
    /// A path such as `/` that names no directory which could be replaced.
    #[error("{}: not a directory that a run can be written to", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// A file of the store that does not hold what it should.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
}

/// A run as it was stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    /// `scenario.toml`.
    pub scenario_text: String,
    /// `manifest.json`.
    pub manifest: Manifest,
    /// `summary.json`, `series.csv`, `flows.csv`.
    pub record: Record,
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_path_buf();
    move |source| StoreError::Io { path, source }
}

/// Writes the run directory `dir`, replacing an older run of that name. Everything is written to a hidden sibling first, so at no
/// time does `dir` hold a part of a run; a process killed between the two renames of a replacement leaves the older run as
/// `.NAME.old-PID`.
///
/// # Errors
/// [`StoreError`]; `dir` is then as it was before.
pub fn write_run(
    dir: &Path,
    scenario_text: &str,
    manifest: &Manifest,
    record: &Record,
) -> Result<(), StoreError> {
    let (parent, name) = split(dir)?;
    let replaces = replaces(dir)?;
    fs::create_dir_all(&parent).map_err(io_error(&parent))?;
    let sibling = |what: &str| parent.join(format!(".{name}.{what}-{}", std::process::id()));
    let (partial, old) = (sibling("partial"), sibling("old"));
    let dir = parent.join(&name);
    let result = fill(&partial, scenario_text, manifest, record).and_then(|()| {
        if replaces {
            fs::rename(&dir, &old).map_err(io_error(&dir))?;
        }
        fs::rename(&partial, &dir).map_err(|e| {
            if replaces {
                let _ = fs::rename(&old, &dir); // puts the older run back; the first error is the one to tell
            }
            io_error(&dir)(e)
        })
    });
    if result.is_err() {
        let _ = fs::remove_dir_all(&partial);
    } else if replaces {
        fs::remove_dir_all(&old).map_err(io_error(&old))?;
    }
    result
}

/// Whether `dir` has the files of a run. A sweep has a manifest but no summary of its own: it is none.
pub(crate) fn is_run_dir(dir: &Path) -> bool {
    ["manifest.json", "summary.json"]
        .iter()
        .all(|name| dir.join(name).is_file())
}

/// Whether a run written to `dir` replaces something: an earlier run or an empty directory.
fn replaces(dir: &Path) -> Result<bool, StoreError> {
    match fs::read_dir(dir) {
        Ok(mut entries) => match entries.next() {
            Some(_) if !is_run_dir(dir) => Err(StoreError::NotARun {
                path: dir.to_path_buf(),
            }),
            _ => Ok(true),
        },
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(io_error(dir)(e)),
    }
}

/// Whether [`write_run`] could write to `dir`, to be asked before the time of a run is spent. Makes the parent directory and writes
/// into it for a moment.
///
/// # Errors
/// As [`write_run`].
pub fn check_run_dir(dir: &Path) -> Result<(), StoreError> {
    let (parent, name) = split(dir)?;
    replaces(dir)?;
    fs::create_dir_all(&parent).map_err(io_error(&parent))?;
    let probe = parent.join(format!(".{name}.partial-{}", std::process::id()));
    fs::create_dir(&probe)
        .and_then(|()| fs::remove_dir(&probe))
        .map_err(io_error(&probe))
}

/// Parent and name of a directory, also where it is given as `.` or `a/..`.
fn split(dir: &Path) -> Result<(PathBuf, String), StoreError> {
    let whole = match dir.file_name() {
        Some(_) => dir.to_path_buf(),
        None => fs::canonicalize(dir).map_err(io_error(dir))?,
    };
    match (whole.parent(), whole.file_name()) {
        (Some(parent), Some(name)) => {
            Ok((parent.to_path_buf(), name.to_string_lossy().into_owned()))
        }
        _ => Err(StoreError::NoName {
            path: dir.to_path_buf(),
        }),
    }
}

fn fill(
    partial: &Path,
    scenario_text: &str,
    manifest: &Manifest,
    record: &Record,
) -> Result<(), StoreError> {
    if partial.exists() {
        fs::remove_dir_all(partial).map_err(io_error(partial))?; // left by a killed process that had the same id
    }
    fs::create_dir(partial).map_err(io_error(partial))?;
    let put = |name: &str, bytes: &[u8]| {
        let path = partial.join(name);
        fs::write(&path, bytes).map_err(io_error(&path))
    };
    let malformed = |name: &str, e: String| StoreError::Malformed {
        path: partial.join(name),
        message: e,
    };
    put("scenario.toml", scenario_text.as_bytes())?;
    put(
        "summary.json",
        &json(&record.summary).map_err(|e| malformed("summary.json", e.to_string()))?,
    )?;
    put(
        "series.csv",
        &series_csv(record).map_err(|e| malformed("series.csv", e.to_string()))?,
    )?;
    put(
        "flows.csv",
        &flows_csv(record).map_err(|e| malformed("flows.csv", e.to_string()))?,
    )?;
    put(
        "windows.csv",
        &windows_csv(&record.summary, manifest.times)
            .map_err(|e| malformed("windows.csv", e.to_string()))?,
    )?;
    put(
        "manifest.json",
        &json(manifest).map_err(|e| malformed("manifest.json", e.to_string()))?,
    )
}

/// Indented JSON with a line end.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes one file by way of a hidden sibling and a rename: readers see the older bytes or the newer, never a part.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let (parent, name) = split(path)?;
    let partial = parent.join(format!(".{name}.partial-{}", std::process::id()));
    fs::write(&partial, bytes).map_err(io_error(&partial))?;
    fs::rename(&partial, path).map_err(io_error(path))
}

/// Reads a run directory.
///
/// # Errors
/// [`StoreError::Io`] for a file that is not there, [`StoreError::Malformed`] for one that is not what was written.
pub fn read_run(dir: &Path) -> Result<StoredRun, StoreError> {
    let get = |name: &str| {
        let path = dir.join(name);
        fs::read(&path)
            .map(|bytes| (path.clone(), bytes))
            .map_err(io_error(&path))
    };
    fn malformed(path: PathBuf) -> impl FnOnce(String) -> StoreError {
        move |message| StoreError::Malformed { path, message }
    }
    let (path, bytes) = get("scenario.toml")?;
    let scenario_text = String::from_utf8(bytes).map_err(|e| malformed(path)(e.to_string()))?;
    let (path, bytes) = get("manifest.json")?;
    let manifest: Manifest =
        serde_json::from_slice(&bytes).map_err(|e| malformed(path)(e.to_string()))?;
    let (path, bytes) = get("summary.json")?;
    let summary: Summary =
        serde_json::from_slice(&bytes).map_err(|e| malformed(path)(e.to_string()))?;
    let (path, bytes) = get("series.csv")?;
    let (groups, series) = parse_series(&bytes).map_err(malformed(path))?;
    let (path, bytes) = get("flows.csv")?;
    let flows = parse_flows(&bytes).map_err(malformed(path))?;
    let ticks = manifest.ticks;
    Ok(StoredRun {
        scenario_text,
        manifest,
        record: Record {
            summary,
            groups,
            series,
            flows,
            ticks,
        },
    })
}
