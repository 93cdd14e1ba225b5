//! Sweeps: many runs side by side, each stored as it finishes, and one table of their results.
//!
//! [`run_sweep`] runs a closure and reads nothing but the [`observe::Record`] that it returns: the
//! caller resolves the scenario of every [`Job`], and tests need no engine.
//!
//! A run directory appears whole or not at all, and its `manifest.json` lists what belongs to it:
//! nothing else in it is ever touched. A sweep directory takes the sweeps of one study only. One
//! process at a time writes to a directory. Apart from the manifests and the `timing` object, the
//! bytes depend neither on the number of workers nor on the order in which runs finish.
#![forbid(unsafe_code)]

mod answer;
mod collect;
mod columns;
mod derive;
mod disk;
mod elsewhere;
mod error;
mod job;
pub mod lines;
mod lock;
mod manifest;
#[cfg(feature = "parquet")]
mod parquet;
mod queue;
mod render;
mod run_dir;
mod search;
pub mod statistics;
mod store;
mod sweep;
mod sweep_dir;
mod table;
mod target;
mod task;
mod text;
mod text_table;
mod windows;

#[cfg(test)]
mod crash_tests;

pub use answer::{Answer, Fewest, Held, Met, Setting};
pub use collect::{Collected, Standing, collect, put_found};
pub use columns::{COLUMNS, Column, Measured, figure};
pub use derive::{Kin, is_equal_run};
pub use disk::{PAGE_MARK, file_above, write_page};
pub use elsewhere::{Elsewhere, Polled, TaskOptions};
pub use error::{Exit, RunFailure, StoreError};
pub use job::{Job, default_directory, fnv_1a, hash_text};
pub use manifest::{Build, Manifest, SweepManifest, Times};
pub use run_dir::RunDir;
pub use search::{
    Ask, Confidence, Frontier, Load, LoadAnswer, LoadSearch, LoadSetting, Method, Need, SizeAnswer,
    SizeSearch, SizedDesign, Verdict,
};
pub use statistics::Interval;
pub use store::{RunFiles, StoredRun, read_run};
pub use sweep::{
    Derive, Progress, Quiet, SweepError, SweepOptions, SweepResult, run_sweep, run_sweep_elsewhere,
};
pub use sweep_dir::{LOCK, is_finished};
pub use table::{Outcome, PointLatency, PointRow, RunRow, RunValues, Spread, Table};
pub use target::{FlowSet, Flows, Reference, Target};
pub use task::{FailedRun, Task, WorkError, Worked, task_path, work};
pub use text::{Shown, UNSTEADY, WIDTH};
pub use text_table::{TextColumn, TextTable};
pub use windows::{FIGURES, MEASURED, WindowRow, window_rows};
