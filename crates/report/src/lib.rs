//! One self-contained HTML file from a store: a sweep or a single run.
//!
//! Main decision: the report reads the files of the store and nothing else, so it draws any store,
//! of any version that wrote the same columns, without the model. Pictures are SVG written here,
//! with colours from CSS variables: they follow light and dark mode, need no font files, and their
//! text is text. Its cost: a few hundred lines of drawing instead of a plotting crate.
//!
//! The answer is first. What is drawn at first are the lines that it speaks of, as SVG; all
//! lines are there once more as compact JSON, from which a script draws what the reader asks for.
//! Exact numbers stay in the files of the store.
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
//!
//! Deliberately out of scope: where the page is written, scenarios, the model, how a number was
//! measured beyond the name of its column.
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
    /// The system refused a file.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] std::io::Error),
    /// A file of the store that does not hold what it should, and what is wrong with it.
    #[error("{}: {}", .0.display(), .1)]
    Malformed(PathBuf, String),
    /// No directory at all, and what it is.
    #[error("{}: {}; give the directory of a run or a sweep", .0.display(), .1)]
    NotADirectory(PathBuf, &'static str),
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
        (false, Some(run)) => {
            let (bin_ns, duration_ns) = run.times();
            recorded::Recorded::read(dir, bin_ns, duration_ns)?
        }
        _ => recorded::Recorded::default(),
    };
    let head = head::of(dir, &store);
    Ok(page::page(&store, &head, recorded))
}
