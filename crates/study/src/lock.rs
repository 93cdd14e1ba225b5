//! One writer at a time: [`Lock`].

use crate::error::{StoreError, io_error};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// A file that is locked as long as this lives. The system drops the lock with the process, however
/// that ends; the file that a killed process leaves is free and is taken over.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock, or says who holds it. `dir` is what it guards, for the message.
    pub(crate) fn take(path: &Path, dir: &Path) -> Result<Lock, StoreError> {
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(path).map_err(io_error(path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let _ = file.read_to_string(&mut holder); // only a help to find it
                    return Err(StoreError::Locked {
                        dir: dir.to_path_buf(),
                        holder: match holder.trim() {
                            "" => "unknown".to_string(),
                            id => id.to_string(),
                        },
                    });
                }
                Err(TryLockError::Error(e)) => return Err(io_error(path)(e)),
            }
            // Its holder may have removed the file between the two calls: then the lock is on a
            // file that nobody else sees.
            if is_at(&file, path) {
                let path = path.to_path_buf();
                let mut lock = Lock { file, path };
                // where it fails, the file goes with `lock`
                lock.sign().map_err(io_error(&lock.path))?;
                return Ok(lock);
            }
        }
    }

    /// Writes who holds it.
    fn sign(&mut self) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{}", std::process::id())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        #[cfg(test)]
        if crate::crash::is_dead() {
            return; // the file stays, as it does when the system ends a process
        }
        // First the name, then the lock: in this order nobody can take a lock whose file is about
        // to go.
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
