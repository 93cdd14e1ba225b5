//! The pages that the verbs write, and what they need to write them.

use crate::wrap::wrapped;
use setaside::{Exit, Failure};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// A page or a picture that follows from the code: its name, its text.
pub(crate) type Made = (String, String);

/// A text as it is written: of a page with long lines wrapped.
pub(crate) fn as_written(name: &str, text: &str) -> String {
    if name.ends_with(".md") { wrapped(text) } else { text.to_string() }
}

/// Writes a file of the project and prints its name.
pub(crate) fn write(name: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(root().join(name), as_written(name, text)).map_err(io(name))?;
    println!("wrote {name}");
    Ok(())
}

pub(crate) fn write_all(made: Result<Vec<Made>, Failure>) -> Result<(), Failure> {
    made?.iter().try_for_each(|(name, text)| write(name, text))
}

/// From this line on a page with a part by hand is left as it is.
pub(crate) const BY_HAND: &str = "## What it says";

/// A page whose last part, from the line [`BY_HAND`] on, is by hand and stays; a new page gets the
/// bare heading. An error, to be had before long runs too, where a page has not one such line.
pub(crate) fn put_before_hand(name: &str, text: &str) -> Result<String, Failure> {
    let old = match std::fs::read_to_string(root().join(name)) {
        Ok(old) => Some(old),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => return Err(io(name)(e)),
    };
    with_hand(old.as_deref(), text).map_err(|what| failed(format!("{name}: {what}")))
}

fn with_hand(old: Option<&str>, text: &str) -> Result<String, String> {
    let Some(old) = old else {
        return Ok(format!("{text}{BY_HAND}\n"));
    };
    let mut starts = old.match_indices(BY_HAND).filter(|(at, _)| {
        let after = &old[at + BY_HAND.len()..];
        let begins = *at == 0 || old[..*at].ends_with('\n');
        begins && (after.is_empty() || after.starts_with('\n'))
    });
    match (starts.next(), starts.next()) {
        (Some((at, _)), None) => Ok(format!("{text}{}", &old[at..])),
        (found, _) => Err(format!(
            "{} line `{BY_HAND}`, from which on it is by hand; legal: one",
            if found.is_some() { "more than one" } else { "no" }
        )),
    }
}

/// A page with `text` between its lines `<!-- KEY: ... -->` and `<!-- end of KEY -->`; all else is
/// by hand and stays.
///
/// # Errors
/// If the page has no such lines.
pub(crate) fn with_part(page: &str, key: &str, text: &str) -> Result<String, Failure> {
    let (begin, end) = (format!("<!-- {key}: "), format!("<!-- end of {key} -->"));
    let parts = page.find(&begin).and_then(|at| {
        let first = at + page[at..].find('\n')? + 1;
        let last = first + page[first..].find(&end)?;
        Some((&page[..first], &page[last..]))
    });
    let Some((before, after)) = parts else {
        return Err(failed(format!("the page has no lines `{begin}... -->` and `{end}`")));
    };
    Ok(format!("{before}\n{}\n\n{after}", text.trim()))
}

pub(crate) fn read(name: &str) -> Result<String, Failure> {
    std::fs::read_to_string(root().join(name)).map_err(io(name))
}

/// Something that a verb rests on failed.
pub(crate) fn failed(what: impl Display) -> Failure {
    Failure::new(Exit::Failure, format!("error: {what}"))
}

/// Reading or writing `name`, or running it, failed.
pub(crate) fn io(name: impl Display) -> impl FnOnce(std::io::Error) -> Failure {
    move |e| failed(format!("{name}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::{BY_HAND, with_hand, with_part};

    #[test]
    fn a_part_is_replaced_and_the_rest_stays() {
        let page = "by hand\n<!-- a: by cargo -->\nold\n<!-- end of a -->\nmore\n";
        let new = with_part(page, "a", "new\n").expect("it has the lines");
        let expected = "by hand\n<!-- a: by cargo -->\n\nnew\n\n<!-- end of a -->\nmore\n";
        assert_eq!(new, expected);
        assert_eq!(with_part(&new, "a", "new").as_ref().ok(), Some(&new));
        assert!(with_part(page, "b", "").is_err());
    }

    #[test]
    fn what_is_by_hand_stays() {
        let old = "# Old\n\nby hand from `## What it says` on\n\n## What it says\n\n- a\n";
        let new = with_hand(Some(old), "# New\n\n").expect("it has the line");
        assert_eq!(new, "# New\n\n## What it says\n\n- a\n");
        let again = with_hand(Some(&new), "# New\n\n").expect("it has the line");
        assert_eq!(again, new);
        let first = with_hand(None, "# New\n\n").expect("a new page");
        assert_eq!(first, format!("# New\n\n{BY_HAND}\n"));
        // Nothing is written over a page whose part by hand cannot be found.
        for old in [
            "",
            "# Old\n\nfrom `## What it says\n\n- a\n",
            "# Old\n\n## What it says about it\n",
            "## What it says\n\n## What it says\n",
        ] {
            assert!(with_hand(Some(old), "# New\n").is_err(), "{old}");
        }
    }
}
