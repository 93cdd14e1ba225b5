//! `setaside report`.

use crate::exit::{Exit, Failure};
use std::path::{Path, PathBuf};

/// Writes `DIR/report.html` from the sweep or run in `dir` and returns its path.
pub(crate) fn write(dir: &Path) -> Result<PathBuf, Failure> {
    let page = report::render(dir)
        .map_err(|e| Failure::new(Exit::Failure, format!("error: report: {e}")))?;
    Ok(study::write_page(dir, &page)?)
}
