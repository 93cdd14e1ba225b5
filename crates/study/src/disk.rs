//! The few operations on files that a store is made of, each with the path in its error.
//!
//! Every change goes through here, so that a test can let the process "die" before any of them
//! (`crash`).

use crate::crash::step;
use crate::error::{StoreError, io_error};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Whether to wait for the disk. A process that dies loses nothing that it has written, only a
/// machine does: the tests of this crate that let thousands of processes die need not wait.
const SYNC: bool = !cfg!(test);

pub(crate) fn make_dirs(dir: &Path) -> Result<(), StoreError> {
    step();
    fs::create_dir_all(dir).map_err(io_error(dir))
}

/// Makes `dir` anew, empty.
pub(crate) fn make_fresh(dir: &Path) -> Result<(), StoreError> {
    remove(dir)?;
    step();
    fs::create_dir(dir).map_err(io_error(dir))
}

/// When bytes reach the disk. A process that is killed loses nothing either way, a machine without
/// power does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Before the call returns: some 6 ms a file.
    Now,
    /// When the system likes: for what can be told to be half written, and made again.
    Later,
}

/// Writes a new file.
pub(crate) fn write(path: &Path, bytes: &[u8], reach: Reach) -> Result<(), StoreError> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    step();
    let mut file = File::create(path).map_err(io_error(path))?;
    file.write_all(first).map_err(io_error(path))?;
    step();
    file.write_all(second)
        .and_then(|()| match reach {
            Reach::Now if SYNC => file.sync_all(),
            _ => Ok(()),
        })
        .map_err(io_error(path))
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    step();
    fs::rename(from, to).map_err(io_error(to))
}

/// Removes a file or a directory with all that is in it; of a symbolic link the link. Nothing there
/// is fine.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    let Some(meta) = there(path)? else {
        return Ok(());
    };
    if meta.is_dir() {
        for inner in entries(path)? {
            remove(&inner)?;
        }
        step();
        return fine_if_gone(fs::remove_dir(path), path);
    }
    step();
    fine_if_gone(fs::remove_file(path), path)
}

/// Removes a directory if nothing is in it.
pub(crate) fn remove_if_empty(dir: &Path) -> Result<(), StoreError> {
    if there(dir)?.is_some() && entries(dir)?.is_empty() {
        step();
        return fine_if_gone(fs::remove_dir(dir), dir);
    }
    Ok(())
}

fn fine_if_gone(removed: io::Result<()>, path: &Path) -> Result<(), StoreError> {
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(io_error(path)(e)),
        _ => Ok(()),
    }
}

/// What is at `path`, links not followed.
pub(crate) fn there(path: &Path) -> Result<Option<fs::Metadata>, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(meta) => Ok(Some(meta)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(io_error(path)(e)),
    }
}

/// What is in a directory, sorted.
pub(crate) fn entries(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut paths = fs::read_dir(dir)
        .and_then(|entries| {
            let paths = entries.map(|entry| Ok(entry?.path()));
            paths.collect::<io::Result<Vec<PathBuf>>>()
        })
        .map_err(io_error(dir))?;
    paths.sort();
    Ok(paths)
}

/// All that was written on the file system of `dir` has reached the disk when this returns, where
/// the system can be asked for it.
pub(crate) fn sync_all_of(dir: &Path) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if SYNC && let Ok(dir) = File::open(dir) {
        let _ = rustix::fs::syncfs(dir);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = dir;
}

/// Names in `dir` have reached the disk when this returns. Where a system knows no such thing, its
/// own order has to do.
pub(crate) fn sync_dir(dir: &Path) {
    step();
    if cfg!(unix)
        && SYNC
        && let Ok(dir) = File::open(dir)
    {
        let _ = dir.sync_all();
    }
}
