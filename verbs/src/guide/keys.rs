//! `docs/guide/keys.md`: every key of scenarios and studies, from the table of keys that the
//! program itself reads by.

use super::spec;
use scenario::{KeyEntry, key_listing, schema};
use serde_json::Value;
use std::fmt::Write as _;

const HEAD: &str = "# Keys of scenarios and studies

Written by `cargo xtask guide` from the table of keys; `cargo xtask check-docs` compares. \
`setaside schema` prints the same as JSON Schema, for completion and checks in an editor.

`network.topology` is the key `topology` of the table `[network]`. What is not given has its \
default; *required* has none. `setaside run` writes `scenario.toml` with every key and its value \
into the run directory. Unknown keys are refused. Numbers are plain, in the unit in brackets: \
`8 Gbit/s` is `link.rate_bytes_per_ns = 1`, `32 KB` is 32768, `20 us` is 20000 ns. Times must come \
to whole ticks. *Source* is the page of the specification that the key is from, the text that this project was \
built from; it is not part of the repository, and its rules are on the pages of [the \
units](../units/index.md): \
*[paper]* stated in a paper that is modelled, *[ext]* in another public text, *[choice]* decided \
here where the papers are silent, *[ambiguous]* one of several readings; without a mark the page \
has what a paper says beside what was chosen.

Legal on its own is not yet legal with all others: `setaside check FILE.toml` finds every error at \
once, with line and column.
";

/// Tables of a scenario in the order of the page: what a path begins with, heading, a note.
const SECTIONS: [(&str, &str, &str); 18] = [
    ("network.", "[network]", ""),
    ("switch.", "[switch]", ""),
    ("dbbm.", "[dbbm]", ""),
    ("voq_sw.", "[voq_sw]", ""),
    ("voq_net.", "[voq_net]", ""),
    ("recn.", "[recn]", "Of the schemes `recn-basic`, `recn`, `recn-dd` and `recn-dd-iq`."),
    ("pfc.", "[pfc]", "Of the scheme `pfc`: [Pause and DCQCN](../pfc.md)."),
    ("link.", "[link]", ""),
    ("routing.", "[routing]", ""),
    ("endnode.", "[endnode]", ""),
    (
        "workload.group.",
        "[[workload.group]] and [workload.hot]",
        "A group of sources; with `--set` the first is `workload.group.0`. `[workload.hot]` is one \
         group without a name; a mark + stands behind the keys that it has.",
    ),
    (
        "workload.moving.",
        "[workload.moving]",
        "Hot spots that move: a group of sources, `moving` in results and the last of the groups, \
         that turn from one hot destination to the next. Destination i, from 0 on, is hot from \
         `start_ns` + i x `period_ns` on, for `dwell_ns`. Its random streams are named after \
         destinations, as of groups `to-5`, and `to-5-2` where node 5 is hot a second time: no \
         other group may have these names.",
    ),
    ("workload.", "[workload]", "The nodes of no group."),
    ("run.", "[run]", ""),
    ("windows.", "[windows]", ""),
    ("ecn.", "[ecn]", "[Congestion notification](../congestion-notification.md)."),
    ("dcqcn.", "[dcqcn]", "[Pause and DCQCN](../pfc.md)."),
    ("faults.", "[faults] and [[faults.event]]", ""),
];

/// The section of a key.
fn section_of(path: &str) -> Option<usize> {
    SECTIONS.iter().position(|(begin, ..)| path.starts_with(begin))
}

fn line(text: &mut String, key: &KeyEntry) {
    let unit = match key.unit {
        "" => String::new(),
        unit => format!(", {unit}"),
    };
    let hot = if key.is_of_hot { " +" } else { "" };
    let default = match &key.default {
        Some(default) => format!("Default: {default}."),
        None => "*Required.*".into(),
    };
    // that every key has one is a test of `spec`
    let source = spec::of(&key.path).unwrap_or("none");
    let _ = writeln!(
        text,
        "- `{}`{hot} ({}{unit}): {}. Legal: {}. {default} Source: {source}.",
        key.path, key.takes, key.what, key.legal
    );
}

/// A line for each property of a table of a study, from its schema.
fn of_study(text: &mut String, path: &str, schema: &Value) {
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|n| n == name))
    };
    for (name, key) in schema["properties"].as_object().into_iter().flatten() {
        let what = key["description"].as_str().unwrap_or_default();
        let what = what.trim_end_matches('.');
        let legal = match key["minimum"].as_u64() {
            Some(least) => format!(" Legal: an integer from {least} on."),
            None => String::new(),
        };
        let default = match (&key["default"], required(name)) {
            (Value::Null, true) => " *Required.*".into(),
            (Value::Null, false) => String::new(),
            (default, _) => format!(" Default: {default}."),
        };
        let _ = writeln!(text, "- `{path}{name}`: {what}.{legal}{default}");
    }
}

/// The page.
pub(super) fn text() -> String {
    let keys = key_listing();
    let mut text = String::from(HEAD);
    for (at, (_, heading, note)) in SECTIONS.iter().enumerate() {
        let _ = writeln!(text, "\n## {heading}\n");
        if !note.is_empty() {
            let _ = writeln!(text, "{note}\n");
        }
        for key in keys.iter().filter(|key| section_of(&key.path) == Some(at)) {
            line(&mut text, key);
        }
    }
    let schema = schema();
    let (study, range) = (&schema["$defs"]["study"], &schema["$defs"]["range"]);
    text.push_str(
        "\n# Study files\n\nA study names a scenario, or holds its sections itself, and says what \
         varies. Keys of scenarios are written in full and in quotes: `\"recn.saqs\" = [1, 2, 4]`. \
         With replicas it may do without axes. `study.where` compares keys of axes, numbers, which \
         are exact, and `'texts'` with `== != < <= > >=`, after `+ - * /`, and joins that with \
         `&& || !` and parentheses; where a key does not vary, what is compared with it leaves no \
         point out.\n\n",
    );
    let sections = &schema["$defs"]["scenario"]["properties"];
    for (name, table) in study["properties"].as_object().into_iter().flatten() {
        match name.as_str() {
            name if sections.get(name).is_some() => {}
            "study" => of_study(&mut text, "study.", table),
            "target" | "slurm" => {
                let what = table["description"].as_str().unwrap_or_default();
                let _ = writeln!(text, "- `[{name}]`: {what}.");
                of_study(&mut text, &format!("{name}."), table);
            }
            "only" => {
                let what = table["description"].as_str().unwrap_or_default();
                let _ = writeln!(text, "- `[[only]]`: {what}.");
                of_study(&mut text, "only.", &table["items"]);
            }
            name => {
                let what = table["description"].as_str().unwrap_or_default();
                let (open, close) = match table["type"] == "array" {
                    true => ("[[", "]]"),
                    false => ("[", "]"),
                };
                let _ = writeln!(text, "- `{open}{name}{close}`: {what}.");
            }
        }
    }
    text.push_str(
        "\nThe values of an axis are a list, or a range such as `{ from = 1, to = 16, factor = 2 }` \
         or `{ from = 0.1, to = 0.9, step = 0.1 }`, exact, its end included where it is met; or \
         `{ from = 0.1, to = 10, count = 7, scale = \"log\" }`, with both ends. Values of a \
         logarithmic scale are powers of a whole factor, exact, or rounded to 4 digits; of keys \
         that take whole numbers, to those. The values of a section, or of a list of sections, are \
         tables that take its place: `\"workload.hot\" = [{ sources = 4, destinations = 32 }]`. \
         Paths are relative to the scenario's folder, as in the scenario. The parts of a range:\n\n",
    );
    of_study(&mut text, "", range);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key without a section would be on no page; a section without keys would be a heading.
    #[test]
    fn every_key_has_a_section_and_every_section_keys() {
        let of: Vec<Option<usize>> = key_listing().iter().map(|k| section_of(&k.path)).collect();
        assert!(!of.contains(&None));
        for (at, (_, heading, _)) in SECTIONS.iter().enumerate() {
            assert!(of.contains(&Some(at)), "{heading}");
        }
        let page = text();
        for key in key_listing() {
            assert!(page.contains(&format!("- `{}`", key.path)), "{}", key.path);
        }
    }
}
