//! What a store refuses: [`StoreError`].

use std::io;
use std::path::{Path, PathBuf};

/// A run or sweep that could not be stored or read.
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
    /// A file lies where a directory is to come, or above it.
    #[error("{}: {} is a file, not a directory; give another directory", path.display(), file.display())]
    NotADirectory {
        /// The directory.
        path: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// A directory of results cannot be made or written to.
    #[error("{}: no results can be written here: {source}; give another directory", path.display())]
    NoPlace {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory holds something else than a run.
    #[error("{}: is not empty and holds no run (no manifest.json of one); give another directory, or --force to write beside what is there", path.display())]
    NotARun {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds the run of another scenario, or of the same one with another value or
    /// seed.
    #[error("{}: holds the run of another scenario (`{name}`, hash `{found}`; this one is `{hash}`); give another directory, or --force to replace it", path.display())]
    OtherRun {
        /// The directory.
        path: PathBuf,
        /// Name of the scenario of the run that it holds.
        name: String,
        /// Hash of that scenario.
        found: String,
        /// Hash of the scenario that was to be written.
        hash: String,
    },
    /// The directory is or would be a point of a sweep.
    #[error("{}: lies among the runs of the sweep in {}; give another directory, or --force to write there", path.display(), sweep.display())]
    Point {
        /// The directory.
        path: PathBuf,
        /// Directory of the sweep.
        sweep: PathBuf,
    },
    /// A file that is not of the store has the name of one that is to be written. It is never
    /// replaced.
    #[error("{}: is not of this run or sweep and would be replaced; move it, or give another directory", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The directory holds something else than a sweep.
    #[error("{}: is not empty and holds no sweep (no manifest.json of one); give another directory, or --force to write beside what is there", path.display())]
    NotASweep {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds the sweep of another study, or of the same one when it was a different
    /// one.
    #[error("{}: holds the sweep of another study (`{name}`, hash `{found}`; this one is `{hash}`); give another directory, or --force to replace it", path.display())]
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
    /// The directory holds runs of the study that the sweep would put nothing in the place of.
    #[error("{}: holds {stored} finished runs of this study, and not all of them are among the {runs} of this sweep; give another directory, or --force to replace them", path.display())]
    MoreRuns {
        /// The directory.
        path: PathBuf,
        /// Run directories in it.
        stored: usize,
        /// Runs of the sweep.
        runs: usize,
    },
    /// Another process writes into the directory.
    #[error("{}: process {holder} writes here; wait for it, or give another directory", dir.display())]
    Locked {
        /// The directory.
        dir: PathBuf,
        /// Id of the process.
        holder: String,
    },
    /// The program was built without the feature `parquet`.
    #[error("built without Parquet: cargo build --release --features parquet")]
    NoParquet,
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

impl StoreError {
    /// Nothing more can be written: the disk is full, or a quota or the largest size of a file is
    /// reached.
    pub(crate) fn is_out_of_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let (StoreError::Io { source, .. } | StoreError::NoPlace { source, .. }) = self else {
            return false;
        };
        matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |source| StoreError::Io { path, source }
}

/// Of what the system says about making `dir`: that it is no place for results.
pub(crate) fn no_place(dir: &Path) -> impl FnOnce(StoreError) -> StoreError + use<> {
    let path = dir.to_path_buf();
    move |error| match error {
        StoreError::Io { source, .. } => StoreError::NoPlace { path, source },
        error => error,
    }
}

pub(crate) fn malformed(path: &Path) -> impl FnOnce(String) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |message| StoreError::Malformed { path, message }
}
