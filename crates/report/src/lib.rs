//! One self-contained HTML file from a store: a sweep or a single run.
//!
//! Main decision: the report reads the files of the store and nothing else, so it draws any store,
//! of any version that wrote the same columns, without the model. Pictures are SVG written here,
//! with colours from CSS variables: they follow light and dark mode, need no font files, and their
//! text is text. Its cost: a few hundred lines of drawing instead of a plotting crate.
//!
//! The answer comes first. What is drawn at first are the lines that it speaks of, as SVG; all
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
//! Deliberately not known here: where the page is written, scenarios, the model, how a number was
//! measured beyond what its column says.
#![forbid(unsafe_code)]

mod figures;
mod files;
mod head;
mod load;
mod looks;
mod names;
mod page;
mod plot;
mod recorded;
mod store;
mod svg;
mod text;
mod values;
mod windows;

pub use load::loads;
pub use svg::{Picture, pictures};
pub use values::listed;

use std::path::{Path, PathBuf};

/// A report that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of the store that does not hold what it should.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// No directory at all.
    #[error("{}: {what}; give the directory of a run or a sweep", path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// Neither a sweep nor a run.
    #[error("{}: holds neither results.json (a sweep) nor summary.json (a run)", path.display())]
    NotAStore {
        /// The directory.
        path: PathBuf,
    },
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
