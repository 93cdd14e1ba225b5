//! A work as data: what is published, which studies measure it, and its figures, from
//! `verbs/works/NAME.toml`. One writer makes the section of the page of every such work.

mod data;
mod figures;
mod page;
mod runs;
mod verdict;

use super::Extent;
use crate::page as pages;
use data::Work;
use setaside::{Exit, Failure};

/// Runs the studies of a work and gives its section; the figures are written beside the page, of a
/// quick version below `runs`.
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
