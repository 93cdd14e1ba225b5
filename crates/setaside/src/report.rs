//! `setaside report` and `setaside figures`.

use crate::exit::{Exit, Failure};
use crate::target;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `DIR/report.html` from the sweep or run in `dir` and returns its path.
pub(crate) fn write(dir: &Path) -> Result<PathBuf, Failure> {
    Ok(study::write_page(dir, &page(dir)?)?)
}

/// Writes each figure of that page as a file of `out` and returns their paths.
pub(crate) fn figures(dir: &Path, out: &Path) -> Result<Vec<PathBuf>, Failure> {
    target::check_directory("--out", out)?;
    let pictures = report::pictures(&page(dir)?);
    let failure = |path: &Path, error| target::failure("--out", path, &error);
    fs::create_dir_all(out).map_err(|error| failure(out, error))?;
    let write = |picture: report::Picture| {
        let path = out.join(&picture.name);
        let written = fs::write(&path, &picture.svg);
        written.map_err(|error| failure(&path, error)).map(|()| path)
    };
    pictures.into_iter().map(write).collect()
}

fn page(dir: &Path) -> Result<String, Failure> {
    report::render(dir).map_err(|e| Failure::new(Exit::Failure, format!("error: report: {e}")))
}
