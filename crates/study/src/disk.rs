//! The files of a store: names, places and operations, each with the path in its error. Every
//! change is made here, so that a test can let the process "die" before any of them ([`crash`]). A
//! `report.html` is the store's own where its head marks it; another is never replaced.

use crate::error::{StoreError, io_error, malformed, no_place};
use crate::lock::Lock;
use crate::manifest::own_files;
use crash::step;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Marks that a run or a sweep is there, and lists its files; of a run the last file to appear.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The histograms of latencies of a run; of a sweep those of its points.
pub(crate) const LATENCY: &str = "latency.csv";
pub(crate) const RUN_FILES: [&str; 6] =
    ["scenario.toml", "series.csv", "flows.csv", LATENCY, "windows.csv", "summary.json"];

/// Ending of what is being written: `.NAME.setaside-partial`.
pub(crate) const PARTIAL: &str = "setaside-partial";
/// Ending of the lock of a run directory: `.NAME.setaside-lock`.
pub(crate) const RUN_LOCK: &str = "setaside-lock";

/// Whether to wait for the disk. A process that dies loses nothing that it has written, only a
/// machine does: the tests of this crate that let thousands of processes die need not wait.
const SYNC: bool = !cfg!(test);

/// When bytes reach the disk: a machine without power may lose others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Before the call returns: some 6 ms a file.
    Now,
    /// When the system likes: for what can be found half written, and made again.
    Later,
}

pub(crate) fn make_dirs(dir: &Path) -> Result<(), StoreError> {
    step();
    fs::create_dir_all(dir).map_err(io_error(dir))
}

pub(crate) fn make_fresh(dir: &Path) -> Result<(), StoreError> {
    remove(dir)?;
    step();
    fs::create_dir(dir).map_err(io_error(dir))
}

pub(crate) fn write(path: &Path, bytes: &[u8], reach: Reach) -> Result<(), StoreError> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    step();
    let mut file = File::create(path).map_err(io_error(path))?;
    file.write_all(first).map_err(io_error(path))?;
    step();
    file.write_all(second).map_err(io_error(path))?;
    match reach {
        Reach::Now if SYNC => file.sync_all().map_err(io_error(path)),
        _ => Ok(()),
    }
}

/// Writes a file by a hidden neighbour and a rename, under a lock: readers never see a part.
pub(crate) fn replace_file(path: &Path, bytes: &[u8], reach: Reach) -> Result<(), StoreError> {
    let partial = hidden(path, PARTIAL);
    let written = write(&partial, bytes, reach);
    let replaced = written.and_then(|()| rename(&partial, path));
    if replaced.is_err() {
        let _ = remove(&partial); // the first error is the one to report
    }
    replaced
}

/// Indented JSON with a line end.
pub(crate) fn json<T: Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

pub(crate) fn put_json<T: Serialize>(path: &Path, value: &T) -> Result<(), StoreError> {
    replace_file(path, &json(value).map_err(malformed(path))?, Reach::Now)
}

pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    read_as(path, |bytes| serde_json::from_slice(bytes))
}

pub(crate) fn read_as<T, E: ToString>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, StoreError> {
    parse(&fs::read(path).map_err(io_error(path))?).map_err(malformed(path))
}

pub(crate) fn manifest_of<T: DeserializeOwned>(dir: &Path) -> Option<T> {
    read_json(&dir.join(MANIFEST)).ok()
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    step();
    fs::rename(from, to).map_err(io_error(to))
}

/// Removes what is there, of a symbolic link the link; nothing there is fine.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    match there(path)? {
        None => Ok(()),
        Some(meta) if meta.is_dir() => {
            for inner in entries(path)? {
                remove(&inner)?;
            }
            step();
            fine_if_absent(fs::remove_dir(path), path)
        }
        Some(_) => {
            step();
            fine_if_absent(fs::remove_file(path), path)
        }
    }
}

pub(crate) fn remove_if_empty(dir: &Path) -> Result<(), StoreError> {
    if there(dir)?.is_some() && entries(dir)?.is_empty() {
        step();
        return fine_if_absent(fs::remove_dir(dir), dir);
    }
    Ok(())
}

fn fine_if_absent(removed: io::Result<()>, path: &Path) -> Result<(), StoreError> {
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

/// Refuses a file of others with one of these names in `dir`. `own`: what the manifest there lists.
pub(crate) fn refuse_in_the_way(
    dir: &Path,
    names: &[&str],
    own: Option<&[String]>,
) -> Result<(), StoreError> {
    let listed = own.map(own_files).unwrap_or_default();
    let is_own = |name: &&str| listed.contains(name) || own.is_some() && *name == MANIFEST;
    for name in names.iter().filter(|name| !is_own(name)) {
        let path = dir.join(name);
        if there(&path)?.is_some() {
            return Err(StoreError::InTheWay(path));
        }
    }
    Ok(())
}

pub(crate) fn entries(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let paths = fs::read_dir(dir).and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = paths.map_err(io_error(dir))?;
    paths.sort();
    Ok(paths)
}

/// As [`entries`]; nothing where there is no such directory.
pub(crate) fn entries_if_there(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if dir.is_dir() { entries(dir) } else { Ok(Vec::new()) }
}

/// Waits until all that was written on the file system of `dir` is on the disk.
pub(crate) fn sync_all_of(dir: &Path) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if SYNC && let Ok(dir) = File::open(dir) {
        let _ = rustix::fs::syncfs(dir);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = dir;
}

/// Waits until names in `dir` are on the disk, where a system supports it.
pub(crate) fn sync_dir(dir: &Path) {
    step();
    if cfg!(unix)
        && SYNC
        && let Ok(dir) = File::open(dir)
    {
        let _ = dir.sync_all();
    }
}

/// More links than this in a row are a circle.
const LINKS_MAX: usize = 40;

/// Where a directory really lies, links followed, there or not yet; its parent is made too.
pub(crate) fn place_of(dir: &Path) -> Result<PathBuf, StoreError> {
    let mut at: PathBuf = dir.components().collect(); // a `/` at the end would hide a link
    for _ in 0..LINKS_MAX {
        match fs::read_link(&at) {
            Ok(target) => at = at.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    if let Some(file) = file_above(&at) {
        let file = file.display();
        let what = format!("{file} is a file, not a directory; give another directory");
        return Err(malformed(dir)(what));
    }
    if at.file_name().is_none() {
        at = fs::canonicalize(&at).map_err(io_error(dir))?; // such as `.` and `a/..`
    }
    let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
        let what = "not a directory that a run can be written to";
        return Err(StoreError::Refused(dir.to_path_buf(), what.into()));
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    make_dirs(parent).map_err(no_place(dir))?;
    Ok(fs::canonicalize(parent).map_err(io_error(parent))?.join(name))
}

/// What lies at a path, or above it, and is no directory: nothing can be made below it.
pub fn file_above(path: &Path) -> Option<&Path> {
    let there = path.ancestors().find(|path| path.exists())?;
    (!there.is_dir()).then_some(there)
}

/// Removes what was to be written at `path` and never came to be renamed.
pub(crate) fn remove_partial(path: &Path) -> Result<(), StoreError> {
    remove(&hidden(path, PARTIAL))
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
    [PARTIAL, RUN_LOCK].iter().find_map(|mark| {
        let rest = name.strip_prefix('.')?.strip_suffix(mark)?;
        let rest = rest.strip_suffix('.').filter(|rest| !rest.is_empty())?;
        Some(path.with_file_name(rest))
    })
}

const PAGE: &str = "report.html";
/// What the head of a page by this program contains.
pub const PAGE_MARK: &str = "<meta name=\"generator\" content=\"setaside\"/>";
const HEAD_BYTES: u64 = 4_096;

/// Writes `DIR/report.html`, which holds [`PAGE_MARK`] near its beginning, in place of an earlier
/// one; [`StoreError::InTheWay`] where a file of that name is not the program's.
pub fn write_page(dir: &Path, html: &str) -> Result<PathBuf, StoreError> {
    let path = dir.join(PAGE);
    let _lock = Lock::take(&hidden(&path, RUN_LOCK), dir)?;
    check_page(dir)?;
    replace_file(&path, html.as_bytes(), Reach::Now)?;
    Ok(path)
}

/// Refuses a `report.html` of others.
pub(crate) fn check_page(dir: &Path) -> Result<(), StoreError> {
    match page_of(dir)? {
        Some((path, false)) => Err(StoreError::InTheWay(path)),
        _ => Ok(()),
    }
}

pub(crate) fn remove_page(dir: &Path) -> Result<(), StoreError> {
    match page_of(dir)? {
        Some((path, true)) => remove(&path),
        _ => Ok(()),
    }
}

/// The page in `dir`, if there is one, and whether it is the program's own.
fn page_of(dir: &Path) -> Result<Option<(PathBuf, bool)>, StoreError> {
    let path = dir.join(PAGE);
    if there(&path)?.is_none() {
        return Ok(None);
    }
    let mut head = Vec::new();
    if path.is_file() {
        let read = File::open(&path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
        read.map_err(io_error(&path))?;
    }
    let is_own = String::from_utf8_lossy(&head).contains(PAGE_MARK);
    Ok(Some((path, is_own)))
}

/// The end of the process, for tests: every change to a file asks [`step`] first.
#[cfg(not(test))]
mod crash {
    pub(super) fn step() {}
}

/// A table of a header and lines, which are refused where they have more or fewer fields.
pub(crate) fn csv_of<T: AsRef<[u8]>>(
    header: &[T],
    lines: impl Iterator<Item = Vec<String>>,
) -> csv::Result<Vec<u8>> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(header)?;
    for line in lines {
        out.write_record(line)?;
    }
    out.into_inner().map_err(|e| e.into_error().into())
}

/// So many changes are carried out, and none after them, on any thread.
#[cfg(test)]
pub(crate) mod crash {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    const ALIVE: u32 = u32::MAX;
    static LEFT: AtomicU32 = AtomicU32::new(ALIVE);

    /// The process dies after so many further changes; `None`: it lives.
    pub(crate) fn after(changes: Option<u32>) {
        LEFT.store(changes.unwrap_or(ALIVE), Ordering::SeqCst);
    }

    /// As long as this is held no other test dies: the count is one for all threads.
    pub(crate) fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_dead() -> bool {
        LEFT.load(Ordering::SeqCst) == 0
    }

    pub(crate) fn step() {
        let one_less = |left: u32| match left {
            ALIVE => Some(ALIVE),
            left => left.checked_sub(1),
        };
        let lives = LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        if lives.is_err() {
            // without a word: hundreds die
            std::panic::resume_unwind(Box::new("the process is gone"));
        }
    }
}
