//! A work as data, from `verbs/works/NAME.toml`: what is published, its studies, its figures.

mod data;
mod figures;
mod page;
mod runs;
mod verdict;

use super::Extent;
use crate::page as pages;
use data::Work;
use setaside::{Exit, Failure};

/// Runs a work's studies and gives its section; figures go beside the page, quick ones into `runs`.
pub(super) fn section(name: &str, extent: Extent) -> Result<String, Failure> {
    let file = format!("verbs/works/{name}.toml");
    let work = Work::parse(&pages::read(&file)?)
        .map_err(|e| Failure::new(Exit::Usage, format!("error: {file}: {e}")))?;
    let tables = runs::all(name, &work, extent)?;
    let dir = if extent == Extent::Quick {
        runs::dir(name, extent).join("figures")
    } else {
        pages::root().join("docs")
    };
    figures::write(name, &work, &tables, &dir)?;
    page::section(name, &work, &tables, extent)
}
