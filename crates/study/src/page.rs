//! `report.html` in the directory of a run or a sweep. It is the store's own where its head says
//! so; another file of that name is never replaced.

use crate::disk::{self, Reach};
use crate::error::{StoreError, io_error};
use crate::files::replace_file;
use crate::lock::Lock;
use crate::place;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Name of the page.
const PAGE: &str = "report.html";
/// What the head of a page says whose maker is this program.
pub const PAGE_MARK: &str = "<meta name=\"generator\" content=\"setaside\"/>";
/// The mark lies within so many bytes.
const HEAD_BYTES: u64 = 4_096;

/// Writes `DIR/report.html`, a page that holds [`PAGE_MARK`] near its beginning, and returns its
/// path. An earlier one is replaced at once.
///
/// # Errors
/// [`StoreError`]; [`StoreError::InTheWay`] where a file of that name is not the program's.
pub fn write_page(dir: &Path, html: &str) -> Result<PathBuf, StoreError> {
    let path = dir.join(PAGE);
    let _lock = Lock::take(&place::hidden(&path, place::LOCK), dir)?;
    check(dir)?;
    replace_file(&path, html.as_bytes(), Reach::Now)?;
    Ok(path)
}

/// Refuses a `report.html` of others.
pub(crate) fn check(dir: &Path) -> Result<(), StoreError> {
    let path = dir.join(PAGE);
    if disk::there(&path)?.is_some() && !is_own(&path)? {
        return Err(StoreError::InTheWay { path });
    }
    Ok(())
}

/// Removes the program's own page.
pub(crate) fn remove(dir: &Path) -> Result<(), StoreError> {
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
