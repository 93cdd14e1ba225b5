//! `docs/guide/results.md`: every column and field of results, from the comments of the types.

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

/// Words from which on the comment of a type says more than its heading or its field.
const HEADED_MIN: usize = 6;
const NESTED_MIN: usize = 25;

/// What a struct is, if its comment says more than the words before it: if it is long enough.
fn about(of: &source::Struct, words_min: usize) -> &str {
    let is_short = of.doc.split_whitespace().count() < words_min;
    if is_short { "" } else { &of.doc }
}

/// What stands on the page: the types of the sources, and which of them have a heading.
struct Types {
    sources: String,
    headed: Vec<String>,
}

impl Types {
    /// A type in words; of the project's own, a link to its heading, if it has one.
    fn words(&self, of: &str) -> String {
        let inside = |begin: &str| of.strip_prefix(begin)?.strip_suffix('>');
        if let Some(inner) = inside("Option<") {
            return format!("{} or null", self.words(inner));
        }
        if let Some(inner) = inside("Vec<") {
            return format!("list: {}", self.words(inner));
        }
        if let Some(inner) = inside("BTreeMap<String, ") {
            return format!("by name: {}", self.words(inner));
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
            own if self.has_heading(own) => format!("[{own}](#{})", own.to_lowercase()),
            _ => "object".into(),
        }
    }

    fn has_heading(&self, name: &str) -> bool {
        self.headed.iter().any(|headed| headed == name)
    }

    /// The struct within a type, if its fields are listed where it is used.
    fn nested(&self, of: &str) -> Option<source::Struct> {
        let inner = of.rsplit(['<', ' ']).next()?.trim_end_matches('>');
        if self.has_heading(inner) {
            return None;
        }
        source::find(&self.sources, inner).ok()
    }

    /// A line for each field, below it those of the object that it holds.
    fn list(&self, of: &source::Struct, indent: &str) -> String {
        let mut text = String::new();
        for field in &of.fields {
            let (name, of, doc) = (&field.name, self.words(&field.of), &field.doc);
            let nested = self.nested(&field.of);
            if field.of == "Vec<f64>" {
                let doc = "What each group delivered, a column a group, by its name.";
                text += &format!("{indent}- `NAME_bytes_per_ns` (number): {doc}\n");
            } else if field.is_flat {
                let inserted = nested.map(|nested| self.list(&nested, indent));
                let link = || format!("{indent}- and, in its place, the fields of {of}\n");
                text += &inserted.unwrap_or_else(link);
            } else {
                let also = nested.as_ref().map_or("", |nested| about(nested, NESTED_MIN));
                let space = if also.is_empty() { "" } else { " " };
                text += &format!("{indent}- `{name}` ({of}): {doc}{space}{also}\n");
                if let Some(nested) = nested {
                    text += &self.list(&nested, &format!("{indent}  "));
                }
            }
        }
        text
    }
}

/// The page, with what is by hand on the one that there is.
pub(super) fn text() -> Result<String, Failure> {
    let sources = SOURCES.iter().map(|file| read(file)).collect::<Result<String, _>>()?;
    let mut text = read("docs/guide/results.md")?;
    let parts = ["files", "rest"].map(|part| (part, Page::read(&format!("results-{part}"))));
    let mut headed = Vec::new();
    for (_, page) in &parts {
        headed.extend(page.as_ref().map(Page::places).unwrap_or_default());
    }
    let types = Types { sources, headed };
    for (part, page) in parts {
        let mut page = page?;
        for name in page.places() {
            let of = source::find(&types.sources, &name)?;
            page.put(
                &name,
                format!("{}\n\n{}", about(&of, HEADED_MIN), types.list(&of, "")).trim_start(),
            );
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
