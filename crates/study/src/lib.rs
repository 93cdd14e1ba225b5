//! Sweeps: many runs side by side, each stored as it finishes, and one table of what they say.
//!
//! Main decision: the sweep runs a closure `Fn(&Job) -> Result<Record, RunFailure>` and looks at nothing but the
//! [`fabric::Record`] it returns, so the same code serves any engine and tests need none. Its cost: the caller resolves the
//! scenario of every job (text, hash, windows) beforehand.
//!
//! A store is plain files. A run directory holds `scenario.toml`, `manifest.json`, `summary.json`, `series.csv` and
//! `flows.csv`; it appears whole or not at all. A sweep directory holds `manifest.json`, `results.json`, `results.csv` and
//! one run directory a job below `runs/`. Apart from the manifests and the `timing` object, the bytes depend neither on the
//! number of workers nor on the order in which runs finish.
//!
//! ```
//! use study::{Job, Quiet, SweepOptions, run_sweep};
//! let dir = tempfile::tempdir().unwrap();
//! let jobs: Vec<Job> = (0..3)
//!     .map(|i| Job { index: i, labels: vec![("recn.saqs".into(), (1 << i).to_string())], ..Job::default() }.named(3))
//!     .collect();
//! let options = SweepOptions { name: "demo".into(), ..SweepOptions::new(dir.path().join("demo")) };
//! let result = run_sweep(&jobs, &options, |_| Ok(fabric::Record::default()), &Quiet).unwrap();
//! assert_eq!(result.exit_code(), 0);
//! println!("{}", result.table.to_text());
//! ```
//!
//! Deliberately not known here: how a study file is read, how a fabric is built, what time it is (the clock is handed in),
//! how progress is drawn.
#![forbid(unsafe_code)]

mod csv_files;
mod job;
mod manifest;
mod measure;
mod render;
mod store;
mod sweep;
mod table;

pub use job::{Job, directory_name, point_name};
pub use manifest::{Build, Manifest, SweepManifest};
pub use measure::{DIP_WINDOW_NS, Windows, lowest_moving_mean, mean_over};
pub use store::{StoreError, StoredRun, read_run, write_run};
pub use sweep::{Progress, Quiet, RunFailure, SweepError, SweepOptions, SweepResult, run_sweep};
pub use table::{COLUMNS, Column, Outcome, PointRow, RunRow, Spread, Table};
