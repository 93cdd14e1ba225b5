//! `setaside report`.

use crate::exit::{Exit, Failure};
use crate::target;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `DIR/report.html` from the sweep or run in `dir` and returns its path; each figure as a
/// file of `svg` too.
pub(crate) fn write(dir: &Path, svg: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(svg) = svg {
        target::check_directory("--svg", svg)?;
    }
    let page = report::render(dir)
        .map_err(|e| Failure::new(Exit::Failure, format!("error: report: {e}")))?;
    if let Some(svg) = svg {
        let failure = |path: &Path, error| target::failure("--svg", path, &error);
        fs::create_dir_all(svg).map_err(|e| failure(svg, e))?;
        for picture in report::pictures(&page) {
            let path = svg.join(&picture.name);
            fs::write(&path, &picture.svg).map_err(|e| failure(&path, e))?;
        }
    }
    Ok(study::write_page(dir, &page)?)
}
