//! Every column and field that runs write is on `docs/guide/results.md`, or the page it points to.

use crate::common::{folder_with, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Objects whose keys are names of the user's own.
const BY_NAME: [&str; 6] =
    ["groups", "group_results", "groups_marked", "windows", "links", "labels"];

/// Keys of all objects within a value.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                found.insert(name.clone());
                match inner {
                    Value::Object(by_name) if BY_NAME.contains(&name.as_str()) => {
                        by_name.values().for_each(|inner| keys(inner, found));
                    }
                    inner => keys(inner, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// Columns and fields of every file below a directory, each with the file that has it.
fn written(dir: &Path, found: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy();
        if path.is_dir() {
            written(&path, found);
        } else if file.ends_with(".csv") {
            let text = fs::read_to_string(&path).expect("text");
            let columns = text.lines().next().unwrap_or_default().split(',');
            found.extend(columns.map(|column| (file.to_string(), column.to_string())));
        } else if file.ends_with(".json") {
            let text = fs::read_to_string(&path).expect("text");
            let mut names = BTreeSet::new();
            keys(&serde_json::from_str(&text).expect("JSON"), &mut names);
            found.extend(names.into_iter().map(|name| (file.to_string(), name)));
        }
    }
}

#[test]
fn all_that_is_written_is_on_the_page() {
    let dir = folder_with(&[]);
    let scenarios = root().join("scenarios");
    let short = "run.duration_ns=20_000 run.warmup_ns=0";
    for (out, file, more) in [
        ("a", "garcia-trees-2005/evolution-2b", "--record"),
        ("b", "pfc/case-4-dcqcn", short),
        ("c", "lai-rsi/br-faults", "endnode.reorder_buffer=true"),
        ("d", "request-reply/clients-64", short),
    ] {
        let file = scenarios.join(file);
        dir.works(&format!("run {}.toml --out {out} {more}", file.display()));
    }
    let scenario = scenarios.join("theory/single-switch.toml");
    let scenario = fs::canonicalize(scenario).expect("a scenario").display().to_string();
    let text = format!(
        "[study]\nname = \"small\"\nscenario = {scenario:?}\n[set]\n\"run.duration_ns\" = 2000\n\
         \"run.warmup_ns\" = 0\n[axes]\n\"workload.load\" = [0.5, 1]\n"
    );
    dir.write("study.toml", text);
    dir.works("sweep study.toml --out sweep");

    let mut found = BTreeSet::new();
    written(&dir, &mut found);
    let page = |name: &str| fs::read_to_string(root().join("docs").join(name)).expect("a page");
    let pages = page("guide/results.md") + &page("results.md");
    // columns with names of the user's own, and groups of these runs
    let own = |file: &str, name: &str| {
        name == "workload.load" || (file == "series.csv" && name.ends_with("_bytes_per_ns"))
    };
    let missing: Vec<&(String, String)> = found
        .iter()
        .filter(|(file, name)| !own(file, name) && !pages.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "not on a page: {missing:?}");
    for file in ["ports.csv", "pauses.csv", "results.json", "trees.json"] {
        assert!(found.iter().any(|(name, _)| name == file), "{file}");
    }
    assert!(found.len() > 300, "{}", found.len());
}
