//! `cargo xtask guide`: the pages of the guide that list what the code has.

mod keys;
mod results;
mod source;

use crate::page::Made;
use setaside::Failure;

pub(crate) fn pages() -> Result<Vec<Made>, Failure> {
    let pages = [("keys", keys::text()?), ("results", results::text()?)];
    Ok(pages.map(|(name, text)| (format!("docs/guide/{name}.md"), text)).into())
}
