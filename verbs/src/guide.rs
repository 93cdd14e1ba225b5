//! `cargo xtask guide`: the pages of the guide that list what the code has.

mod keys;
mod results;
mod source;
mod spec;

use crate::page;
use crate::wrap::wrapped;
use setaside::Failure;

/// The generated pages and their texts.
fn pages() -> Result<[(&'static str, String); 2], Failure> {
    Ok([("docs/guide/keys.md", keys::text()?), ("docs/guide/results.md", results::text()?)])
}

/// Writes the pages.
pub(crate) fn write() -> Result<(), Failure> {
    for (name, text) in pages()? {
        page::write(name, &text)?;
    }
    Ok(())
}

/// Pages that are not what the code has now.
pub(crate) fn outdated() -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    for (name, text) in pages()? {
        if page::read(name)? != wrapped(&text) {
            wrong.push(format!("{name} is out of date: `cargo xtask guide` writes it anew"));
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    #[test]
    fn pages_are_those_of_the_code() {
        assert_eq!(super::outdated().expect("the pages"), [""; 0]);
    }
}
