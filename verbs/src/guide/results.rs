//! `docs/guide/results.md`: every column and field of every file of results, from the comments of
//! the types that are written.

use super::source::{self, Struct};
use setaside::Failure;
use std::fmt::Write as _;

const RECORD: &str = "crates/observe/src/record/";
const TREES: &str = "crates/inspect/src/trees/rows.rs";
const MANIFEST: &str = "crates/study/src/manifest.rs";
const TARGET: &str = "crates/study/src/target.rs";

/// Types within a summary: file below [`RECORD`], name.
const PARTS: [(&str, &str); 17] = [
    ("summary.rs", "Summary"),
    ("summary.rs", "WindowResult"),
    ("summary.rs", "FlowSetResult"),
    ("summary.rs", "LatencySummary"),
    ("summary.rs", "Steady"),
    ("parts.rs", "UntilSummary"),
    ("parts.rs", "LongestWait"),
    ("parts.rs", "SaqPeaks"),
    ("parts.rs", "RecnCounts"),
    ("parts.rs", "DrainSummary"),
    ("parts.rs", "MemoryBits"),
    ("parts.rs", "EcnSummary"),
    ("parts.rs", "PauseSummary"),
    ("parts.rs", "FaultSummary"),
    ("parts.rs", "FaultRow"),
    ("parts.rs", "ReorderPeak"),
    ("summary.rs", "Timing"),
];

const TREE_PARTS: [&str; 6] =
    ["TreesRecord", "TreeRow", "PortCounts", "InsideRow", "BranchRow", "MoveRow"];

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

fn list(text: &mut String, of: &Struct) {
    for field in &of.fields {
        let _ = if field.of == "Vec<f64>" {
            let doc = "What each group delivered, a column a group, by its name.";
            writeln!(text, "- `NAME_bytes_per_ns` (number): {doc}")
        } else if field.is_flat {
            writeln!(text, "- and, in its place, the fields of {}", words(&field.of))
        } else {
            let (name, of, doc) = (&field.name, words(&field.of), &field.doc);
            writeln!(text, "- `{name}` ({of}): {doc}")
        };
    }
}

fn section(text: &mut String, heading: &str, file: &str, name: &str) -> Result<(), Failure> {
    let of = source::read(file, name)?;
    let _ = writeln!(text, "\n{heading}\n\n{}\n", of.doc);
    list(text, &of);
    Ok(())
}

/// The page, with what is by hand on the one that there is.
pub(super) fn text() -> Result<String, Failure> {
    let page = crate::page::read("docs/guide/results.md")?;
    let page = crate::page::with_part(&page, "files", &files()?)?;
    crate::page::with_part(&page, "rest", &rest()?)
}

fn files() -> Result<String, Failure> {
    let mut text = String::from("# Files of a run\n");
    for (file, row, name) in [
        ("rows.rs", "SeriesRow", "series.csv"),
        ("rows.rs", "FlowRow", "flows.csv"),
        ("histogram.rs", "LatencyRow", "latency.csv"),
        ("rows.rs", "PauseRow", "pauses.csv"),
    ] {
        section(&mut text, &format!("## `{name}`"), &format!("{RECORD}{file}"), row)?;
    }
    Ok(text)
}

fn rest() -> Result<String, Failure> {
    let mut text = String::new();
    section(&mut text, "## `manifest.json` of a run", MANIFEST, "Manifest")?;
    section(&mut text, "### Times", MANIFEST, "Times")?;
    section(&mut text, "## `manifest.json` of a sweep", MANIFEST, "SweepManifest")?;
    section(&mut text, "### Target", TARGET, "Target")?;
    section(&mut text, "### Build", MANIFEST, "Build")?;
    text.push_str(
        "\n# `summary.json`\n\n`run --format json` prints it. It is a [Summary](#summary); its \
         parts follow.\n",
    );
    for (file, name) in PARTS {
        section(&mut text, &format!("## {name}"), &format!("{RECORD}{file}"), name)?;
    }
    text.push_str("\n# `trees.json`\n\nIt is a [TreesRecord](#treesrecord).\n");
    for name in TREE_PARTS {
        section(&mut text, &format!("## {name}"), TREES, name)?;
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
