//! `setaside report`, `setaside figures` and `setaside collect`.

use crate::exit::{Exit, Failure, print};
use crate::options::Format;
use crate::sweep::derived;
use crate::{log, target};
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
    report::render(dir).map_err(|e| Failure::error(Exit::Failure, format!("report: {e}")))
}

pub(crate) fn collect(dir: &Path, format: Format, parquet: bool) -> Result<(), Failure> {
    let collected = study::collect(dir, parquet)?;
    let table = &collected.table;
    if collected.is_written {
        let page = write(dir)?;
        log::note(&format!("results {}", dir.join("results.csv").display()));
        if parquet {
            log::note(&format!("parquet {}", dir.join("results.parquet").display()));
        }
        log::note(&format!("report  {}", page.display()));
    } else {
        log::note("a sweep writes here, and with it its results and page: they are left to it");
    }
    let (there, all) = (table.runs.len(), table.runs.len() + table.left_out);
    if there < all {
        log::note(&format!("{there} of {all} runs are there"));
    }
    derived(table).iter().for_each(|line| log::note(line));
    print(&match format {
        Format::Json => format!("{:#}\n", table.to_json()),
        Format::Text if !collected.found.is_empty() => collected.found,
        Format::Text => table.answer().to_text(&collected.question, false),
    })
}
