//! `docs/results.md` lists what the files have.
use crate::common::{TIMES, record};
use std::path::Path;
use study::{COLUMNS, Column, Manifest, RunDir, RunFiles};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results.md");
    std::fs::read_to_string(path).unwrap()
}

/// The part of the page below a heading.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let below = page.split(heading).nth(1).unwrap();
    below.split("\n## ").next().unwrap()
}

/// Names in backquotes in the first column of a table.
fn names(section: &str) -> Vec<(String, bool)> {
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|line| line.split('|').nth(1));
    let name = |part: &str| {
        let part = part.trim();
        let bold = part.starts_with("**");
        let name = part.trim_matches('*').strip_prefix('`')?.strip_suffix('`')?;
        Some((name.to_string(), bold))
    };
    cells.flat_map(|cell| cell.split(", ").filter_map(name).collect::<Vec<_>>()).collect()
}

#[test]
fn columns_of_results_are_on_the_page_in_their_order_and_bold_on_the_terminal() {
    let page = page();
    let listed = names(section(&page, "## Columns of `results.csv`"));
    let columns = COLUMNS.iter().map(|c| (c.name.to_string(), c.brief));
    assert_eq!(listed, columns.collect::<Vec<_>>());
    for bound in COLUMNS.iter().filter_map(Column::bound_name).take(1) {
        assert!(page.contains(&format!("`{bound}`")), "{bound}");
    }
}

#[test]
fn columns_of_windows_are_on_the_page_in_their_order() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    let manifest = &Manifest { times: TIMES, ..Manifest::default() };
    let files = RunFiles { scenario_text: "", manifest, record: &record(1.0), more: &[] };
    RunDir::take(&dir, 0, false, &[]).unwrap().write(&files).unwrap();
    let csv = std::fs::read_to_string(dir.join("windows.csv")).unwrap();
    let header = csv.lines().next().unwrap().split(',');
    // of the network latency the page names the first and the last
    let header: Vec<&str> = header.filter(|name| !name.starts_with("network_")).collect();
    let page = page();
    let listed = names(section(&page, "## Windows and sets of flows"));
    let listed = listed.iter().map(|(name, _)| name.as_str());
    let listed: Vec<&str> = listed.filter(|name| !name.starts_with("network_")).collect();
    assert_eq!(listed, header);
    for file in std::fs::read_dir(&dir).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(section(&page, "## A run directory").contains(&format!("| `{name}` |")), "{name}");
    }
}
