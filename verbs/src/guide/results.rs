//! `docs/guide/results.md`: every column and field of every file of results, from the comments of
//! the types that are written.

use super::source;
use crate::page::{read, with_part};
use crate::reproduce::Page;
use setaside::Failure;

/// Where the types are.
const SOURCES: [&str; 7] = [
    "crates/observe/src/record/summary.rs",
    "crates/observe/src/record/parts.rs",
    "crates/observe/src/record/rows.rs",
    "crates/observe/src/record/histogram.rs",
    "crates/inspect/src/trees/rows.rs",
    "crates/study/src/manifest.rs",
    "crates/study/src/target.rs",
];

/// A type in words; of the project's own, a link to where it is listed.
fn words(of: &str) -> String {
    let inside = |begin: &str| of.strip_prefix(begin)?.strip_suffix('>');
    if let Some(inner) = inside("Option<") {
        return format!("{} or null", words(inner));
    }
    if let Some(inner) = inside("Vec<") {
        return format!("list: {}", words(inner));
    }
    if let Some(inner) = inside("BTreeMap<String, ") {
        return format!("by name: {}", words(inner));
    }
    match of {
        "u8" | "u32" | "u64" | "usize" => "integer".into(),
        "f64" => "number".into(),
        "bool" => "flag".into(),
        "String" | "&'static str" | "LatencyFigure" | "UntilResult" | "Flows" | "Reference" => {
            "text".into()
        }
        "(f64, u32)" | "(f64, Vec<String>)" | "(String, String)" => "list of two".into(),
        "(usize, f64, Option<f64>)" => "list of three".into(),
        own => format!("[{own}](#{})", own.to_lowercase()),
    }
}

/// A line for each field.
fn list(of: &source::Struct) -> String {
    let lines = of.fields.iter().map(|field| {
        let (name, of, doc) = (&field.name, words(&field.of), &field.doc);
        if field.of == "Vec<f64>" {
            let doc = "What each group delivered, a column a group, by its name.";
            format!("- `NAME_bytes_per_ns` (number): {doc}\n")
        } else if field.is_flat {
            format!("- and, in its place, the fields of {of}\n")
        } else {
            format!("- `{name}` ({of}): {doc}\n")
        }
    });
    lines.collect()
}

/// The page, with what is by hand on the one that there is.
pub(super) fn text() -> Result<String, Failure> {
    let sources = SOURCES.iter().map(|file| read(file)).collect::<Result<String, _>>()?;
    let mut text = read("docs/guide/results.md")?;
    for part in ["files", "rest"] {
        let mut page = Page::read(&format!("results-{part}"))?;
        for name in page.places() {
            let of = source::find(&sources, &name)?;
            page.put(&name, &format!("{}\n\n{}", of.doc, list(&of)));
        }
        text = with_part(&text, part, &page.finish()?)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every type that a field names is listed.
    #[test]
    fn every_link_has_its_heading() {
        let text = text().expect("the sources");
        let headings: Vec<String> = text
            .lines()
            .filter(|line| line.starts_with('#'))
            .map(|line| line.trim_start_matches('#').trim().to_lowercase())
            .collect();
        for link in text.split("](#").skip(1) {
            let name = link.split(')').next().expect("a target");
            assert_eq!(headings.iter().filter(|h| *h == name).count(), 1, "{name}");
        }
    }
}
