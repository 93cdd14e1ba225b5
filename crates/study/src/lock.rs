//! One writer at a time: [`Lock`]. The system's lock may not reach other machines: who holds a
//! sweep directory shows in its file that it lives, by a count that rises ([`Lock::take_beating`]).
//! It is compared with itself, so clocks of machines may differ.

use crate::disk;
use crate::error::{StoreError, io_error};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const BEAT: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 2_000 });
/// A holder on another machine whose count does not change for so many beats has ended.
const BEATS_MISSED: u32 = 5;

/// A file that is locked as long as this lives; one that a killed process leaves is free.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
    heart: Option<Heart>,
}

/// The thread that counts; it ends when the sender is dropped, or when another holder has signed.
#[derive(Debug)]
struct Heart {
    end: Sender<()>,
    thread: JoinHandle<()>,
    is_lost: Arc<AtomicBool>,
}

/// The contents of the file of a lock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Signature {
    process: String,
    host: String,
    beat: String,
}

impl Signature {
    fn at(path: &Path) -> std::io::Result<Signature> {
        File::open(path).map(|file| Signature::read(&file))
    }

    fn read(mut file: &File) -> Signature {
        let mut text = String::new();
        let _ = file.rewind().and_then(|()| file.read_to_string(&mut text)); // only a help
        let mut lines = text.lines().map(String::from);
        let mut line = || lines.next().unwrap_or_default();
        Signature { process: line(), host: line(), beat: line() }
    }

    /// Writes that this process holds the lock; always as many bytes.
    fn write(mut file: &File, beat: u64) -> std::io::Result<()> {
        let text = format!("{}\n{}\n{beat:020}\n", std::process::id(), host());
        file.rewind()?;
        file.write_all(text.as_bytes())
    }

    /// A process on another machine has signed, one that counts.
    fn is_elsewhere(&self) -> bool {
        !self.host.is_empty() && self.host != host() && !self.beat.is_empty()
    }

    fn is_own(&self) -> bool {
        self.process == std::process::id().to_string() && self.host == host()
    }

    fn refuses(&self, dir: &Path) -> StoreError {
        StoreError::Locked(dir.to_path_buf(), self.holder())
    }

    fn holder(&self) -> String {
        match (self.process.as_str(), self.host.as_str()) {
            ("", _) => "unknown".to_string(),
            (process, host) if host.is_empty() || host == self::host() => process.to_string(),
            (process, host) => format!("{process} on {host}"),
        }
    }
}

fn host() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    name
}

/// The process that holds the lock at `path` at this moment, in words.
pub(crate) fn holder(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let signature = Signature::read(&file);
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(signature.holder()),
        Ok(()) if lives_elsewhere(&signature, path) => Some(signature.holder()),
        _ => None,
    }
}

/// Whether the holder is on another machine and still counts; waits for the next count.
fn lives_elsewhere(held: &Signature, path: &Path) -> bool {
    if !held.is_elsewhere() {
        return false;
    }
    (0..BEATS_MISSED).any(|_| {
        std::thread::sleep(BEAT);
        // opened anew: shared file systems read anew then
        Signature::at(path).is_ok_and(|now| now != *held && !now.process.is_empty())
    })
}

impl Lock {
    /// As [`Lock::take`], for hours: the file shows that this process lives, and a holder on
    /// another machine is asked for the same, which takes seconds where it left its file behind.
    pub(crate) fn take_beating(path: &Path, dir: &Path) -> Result<Lock, StoreError> {
        let held = Signature::at(path).ok();
        if let Some(held) = held.as_ref().filter(|held| lives_elsewhere(held, path)) {
            return Err(held.refuses(dir));
        }
        let mut lock = Lock::take(path, dir)?;
        if held.is_some_and(|held| held.is_elsewhere()) {
            // Others may have waited for the same dead holder: the last to sign continues.
            std::thread::sleep(BEAT);
            let now = Signature::at(path).map_err(io_error(path))?;
            if !now.is_own() {
                return Err(now.refuses(dir));
            }
        }
        let (end, ended) = channel();
        let file = lock.file.try_clone().map_err(io_error(path))?;
        let is_lost = Arc::new(AtomicBool::new(false));
        let (lost, shared) = (Arc::clone(&is_lost), path.to_path_buf());
        let count = move || {
            for beat in 1.. {
                if ended.recv_timeout(BEAT) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
                // This process may have been suspended for so long that another took its place.
                if Signature::at(&shared).is_ok_and(|now| !now.process.is_empty() && !now.is_own())
                {
                    lost.store(true, Ordering::Relaxed);
                    break;
                }
                // where it fails, the next one may work
                let _ = Signature::write(&file, beat).and_then(|()| file.sync_data());
            }
        };
        let thread = std::thread::Builder::new().name("lock".to_string());
        let thread = thread.spawn(count).map_err(io_error(path))?;
        lock.heart = Some(Heart { end, thread, is_lost });
        Ok(lock)
    }

    /// Another process holds it now: nothing may be written any more.
    pub(crate) fn is_lost(&self) -> bool {
        let heart = self.heart.as_ref();
        heart.is_some_and(|heart| heart.is_lost.load(Ordering::Relaxed))
    }

    /// Takes the lock of a directory, a hidden neighbour of it.
    pub(crate) fn beside(dir: &Path) -> Result<Lock, StoreError> {
        Lock::take(&disk::hidden(dir, disk::RUN_LOCK), dir)
    }

    /// Takes the lock, or reports who holds it. `dir` is what it guards, for the message.
    pub(crate) fn take(path: &Path, dir: &Path) -> Result<Lock, StoreError> {
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let file = options.open(path).map_err(io_error(path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(Signature::read(&file).refuses(dir)),
                Err(TryLockError::Error(e)) => return Err(io_error(path)(e)),
            }
            // Its holder may have removed the file in between: then no other process sees the lock.
            if is_at(&file, path) {
                let lock = Lock { file, path: path.to_path_buf(), heart: None };
                // where it fails, the file goes with `lock`
                let emptied = lock.file.set_len(0);
                let signed = emptied.and_then(|()| Signature::write(&lock.file, 0));
                signed.map_err(io_error(&lock.path))?;
                return Ok(lock);
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let is_lost = self.is_lost();
        if let Some(Heart { end, thread, .. }) = self.heart.take() {
            drop(end);
            let _ = thread.join();
        }
        if is_lost {
            return; // the file is another's
        }
        #[cfg(test)]
        if crate::disk::crash::is_dead() {
            return; // the file stays, as it does when the system ends a process
        }
        // First the name, then the lock: else another could take a lock whose file is about to go.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

/// Elsewhere a name cannot be taken from an open file.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    // "two controllers on one folder are refused", also where the system's lock does not reach the
    // other machine; a dead one is taken over.
    #[test]
    fn holder_on_another_machine_is_refused_while_it_counts() {
        let _alone = crate::disk::crash::alone();
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("sweep.lock");
        let sign = |beat: u32| fs::write(&path, format!("77\nelsewhere\n{beat:020}\n")).unwrap();
        sign(0);
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for beat in 1.. {
                    std::thread::sleep(BEAT);
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    sign(beat);
                }
            });
            let refused = Lock::take_beating(&path, tmp.path());
            assert!(
                matches!(&refused, Err(StoreError::Locked(_, holder)) if holder == "77 on elsewhere"),
                "{refused:?}"
            );
            assert_eq!(holder(&path).as_deref(), Some("77 on elsewhere"));
            is_over.store(true, Ordering::SeqCst);
        });
        assert_eq!(holder(&path), None);
        let taken = Lock::take_beating(&path, tmp.path()).unwrap();
        let first = fs::read_to_string(&path).unwrap();
        std::thread::sleep(BEAT * 4);
        assert_ne!(fs::read_to_string(&path).unwrap(), first, "it does not count");
        assert_eq!(holder(&path), Some(std::process::id().to_string()));
        drop(taken);
        assert!(!path.exists());
    }

    // One suspended while another took its place does not write on, nor remove the file.
    #[test]
    fn holder_that_lost_its_place_sees_it() {
        let _alone = crate::disk::crash::alone();
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("sweep.lock");
        let taken = Lock::take_beating(&path, tmp.path()).unwrap();
        assert!(!taken.is_lost());
        fs::remove_file(&path).unwrap();
        fs::write(&path, format!("77\nelsewhere\n{:020}\n", 3)).unwrap();
        std::thread::sleep(BEAT * 4);
        assert!(taken.is_lost());
        drop(taken);
        assert!(fs::read_to_string(&path).unwrap().starts_with("77\n"));
    }
}
