//! One self-contained HTML file from a store: a sweep or a single run.
//!
//! Main decision: the report reads the files of the store and nothing else, so it draws any store,
//! of any version that wrote the same columns. Pictures are SVG written here, with colours from CSS
//! variables; all lines are there once more as JSON, from which a script draws what is asked for.
//!
//! ```
//! let dir = tempfile::tempdir().unwrap();
//! std::fs::write(dir.path().join("manifest.json"), r#"{ "name": "demo", "seed": 1 }"#).unwrap();
//! std::fs::write(dir.path().join("summary.json"), r#"{ "packets_delivered": 3 }"#).unwrap();
//! let series = "t_ns,delivered_bytes_per_ns\n0,1.5\n10000,2\n";
//! std::fs::write(dir.path().join("series.csv"), series).unwrap();
//! let page = report::render(dir.path()).unwrap();
//! assert!(page.contains("<h1>demo</h1>"));
//! ```
#![forbid(unsafe_code)]

mod figures;
mod files;
mod head;
mod load;
mod names;
mod page;
mod plot;
mod recorded;
mod store;
mod styles;
mod svg;
mod text;
mod windows;

pub use load::loads;
pub use svg::{Picture, pictures};
pub use text::{distinct, listed};

use std::path::{Path, PathBuf};

/// A report that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or directory that cannot be read or does not hold what it should, and why.
    #[error("{}: {}", .0.display(), .1)]
    Malformed(PathBuf, String),
    /// Neither a sweep nor a run.
    #[error("{}: holds neither results.json (a sweep) nor summary.json (a run)", .0.display())]
    NotAStore(PathBuf),
}

/// The page of the sweep or run in `dir`, HTML. Its head names this program as the generator.
///
/// # Errors
/// [`ReportError`].
pub fn render(dir: &Path) -> Result<String, ReportError> {
    let store = store::read(dir)?;
    let recorded = match (store.is_sweep, store.runs.first()) {
        (false, Some(run)) => recorded::Recorded::read(dir, run.times())?,
        _ => recorded::Recorded::default(),
    };
    let head = head::of(dir, &store);
    Ok(page::page(&store, &head, recorded))
}
