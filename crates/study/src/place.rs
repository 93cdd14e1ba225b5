//! Where a directory of results really lies, its hidden neighbours, and `report.html` in it, which
//! is the store's own where its head says so; another file of that name is never replaced.

use crate::disk::{self, Reach, replace_file};
use crate::error::{StoreError, io_error, no_place};
use crate::lock::Lock;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Ending of what is being written: `.NAME.setaside-partial`.
pub(crate) const PARTIAL: &str = "setaside-partial";
/// Ending of the lock of a run directory: `.NAME.setaside-lock`.
pub(crate) const LOCK: &str = "setaside-lock";
/// More links than this in a row are a circle.
const LINKS_MAX: usize = 40;

/// Where a directory really lies, its links followed, whether or not it is there yet; its parent is
/// made too. Names are those of the system, in any encoding.
pub(crate) fn of(dir: &Path) -> Result<PathBuf, StoreError> {
    let mut at: PathBuf = dir.components().collect(); // a `/` at the end would hide a link
    for _ in 0..LINKS_MAX {
        match fs::read_link(&at) {
            Ok(target) => at = at.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    if let Some(file) = file_above(&at) {
        return Err(StoreError::NotADirectory(dir.to_path_buf(), file.to_path_buf()));
    }
    if at.file_name().is_none() {
        at = fs::canonicalize(&at).map_err(io_error(dir))?; // such as `.` and `a/..`
    }
    let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
        return Err(StoreError::NoName(dir.to_path_buf()));
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    disk::make_dirs(parent).map_err(no_place(dir))?;
    Ok(fs::canonicalize(parent).map_err(io_error(parent))?.join(name))
}

/// What lies at a path, or above it, and is no directory: nothing can be made below it.
pub fn file_above(path: &Path) -> Option<&Path> {
    let there = path.ancestors().find(|path| path.exists())?;
    (!there.is_dir()).then_some(there)
}

pub(crate) fn hidden(path: &Path, mark: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(mark);
    path.with_file_name(name)
}

/// What a hidden neighbour of the store is about.
pub(crate) fn visible(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?; // those of the store are ASCII
    [PARTIAL, LOCK].iter().find_map(|mark| {
        let rest = name.strip_prefix('.')?.strip_suffix(mark)?;
        let rest = rest.strip_suffix('.').filter(|rest| !rest.is_empty())?;
        Some(path.with_file_name(rest))
    })
}

const PAGE: &str = "report.html";
/// What the head of a page says whose maker is this program.
pub const PAGE_MARK: &str = "<meta name=\"generator\" content=\"setaside\"/>";
/// The mark lies within so many bytes.
const HEAD_BYTES: u64 = 4_096;

/// Writes `DIR/report.html`, a page that holds [`PAGE_MARK`] near its beginning, and returns its
/// path. An earlier one is replaced at once; [`StoreError::InTheWay`] where a file of that name is
/// not the program's.
pub fn write_page(dir: &Path, html: &str) -> Result<PathBuf, StoreError> {
    let path = dir.join(PAGE);
    let _lock = Lock::take(&hidden(&path, LOCK), dir)?;
    check_page(dir)?;
    replace_file(&path, html.as_bytes(), Reach::Now)?;
    Ok(path)
}

/// Refuses a `report.html` of others.
pub(crate) fn check_page(dir: &Path) -> Result<(), StoreError> {
    let path = dir.join(PAGE);
    if disk::there(&path)?.is_some() && !is_own(&path)? {
        return Err(StoreError::InTheWay(path));
    }
    Ok(())
}

/// Removes the program's own page.
pub(crate) fn remove_page(dir: &Path) -> Result<(), StoreError> {
    let path = dir.join(PAGE);
    if disk::there(&path)?.is_some() && is_own(&path)? {
        disk::remove(&path)?;
    }
    Ok(())
}

fn is_own(path: &Path) -> Result<bool, StoreError> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut head = Vec::new();
    File::open(path)
        .and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head))
        .map_err(io_error(path))?;
    Ok(String::from_utf8_lossy(&head).contains(PAGE_MARK))
}
