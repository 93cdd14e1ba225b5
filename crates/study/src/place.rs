//! Where a directory of results really lies: [`Place`].

use crate::disk;
use crate::error::{StoreError, io_error, no_place};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Ending of what is being written: `.NAME.setaside-partial`.
pub(crate) const PARTIAL: &str = "setaside-partial";
/// Ending of the lock of a run directory: `.NAME.setaside-lock`.
pub(crate) const LOCK: &str = "setaside-lock";
/// More links than this in a row are a circle.
const LINKS_MAX: usize = 40;

/// A directory with its links followed, whether or not it is there yet. Names are those of the
/// system, in any encoding.
#[derive(Debug)]
pub(crate) struct Place {
    parent: PathBuf,
    name: OsString,
}

impl Place {
    /// Makes the parent directory too.
    pub(crate) fn of(dir: &Path) -> Result<Place, StoreError> {
        let mut at: PathBuf = dir.components().collect(); // a `/` at the end would hide a link
        for _ in 0..LINKS_MAX {
            match fs::read_link(&at) {
                Ok(target) => at = at.parent().unwrap_or(Path::new("")).join(target),
                Err(_) => break,
            }
        }
        if let Some(file) = file_above(&at) {
            return Err(StoreError::NotADirectory {
                path: dir.to_path_buf(),
                file: file.to_path_buf(),
            });
        }
        if at.file_name().is_none() {
            at = fs::canonicalize(&at).map_err(io_error(dir))?; // such as `.` and `a/..`
        }
        let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
            return Err(StoreError::NoName { path: dir.to_path_buf() });
        };
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        disk::make_dirs(parent).map_err(no_place(dir))?;
        Ok(Place {
            parent: fs::canonicalize(parent).map_err(io_error(parent))?,
            name: name.to_os_string(),
        })
    }

    /// The directory itself.
    pub(crate) fn dir(&self) -> PathBuf {
        self.parent.join(&self.name)
    }

    pub(crate) fn parent(&self) -> &Path {
        &self.parent
    }

    /// The hidden neighbour `.NAME.MARK`.
    pub(crate) fn neighbour(&self, mark: &str) -> PathBuf {
        hidden(&self.dir(), mark)
    }
}

/// What lies at a path, or above it, and is no directory: nothing can be made below it.
pub fn file_above(path: &Path) -> Option<&Path> {
    let there = path.ancestors().find(|path| path.exists())?;
    (!there.is_dir()).then_some(there)
}

/// `.NAME.MARK` beside `path`.
pub(crate) fn hidden(path: &Path, mark: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(mark);
    path.with_file_name(name)
}

/// What a hidden neighbour is about; `None` for a name that [`hidden`] does not give to a file of
/// the store.
pub(crate) fn visible(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?; // those of the store are ASCII
    [PARTIAL, LOCK].iter().find_map(|mark| {
        let rest = name.strip_prefix('.')?.strip_suffix(mark)?;
        let rest = rest.strip_suffix('.').filter(|rest| !rest.is_empty())?;
        Some(path.with_file_name(rest))
    })
}
