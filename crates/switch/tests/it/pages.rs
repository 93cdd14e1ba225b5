//! The pages of the units (`docs/units`) name files, methods, registers and errors of the code.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Pages that are no unit of their own: the way through, and what is generated.
const OTHERS: [&str; 2] = ["index.md", "saq-life-cycle.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Files below a folder that end so, with their text.
fn files(folder: &Path, end: &str, found: &mut Vec<(String, String)>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "target" {
            files(&path, end, found);
        } else if name.ends_with(end) {
            let text = read_to_string(&path).expect("text");
            found.push((name, text));
        }
    }
}

fn pages() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&root().join("docs/units"), ".md", &mut found);
    found
}

/// The pages of units.
fn unit_pages() -> impl Iterator<Item = (String, String)> {
    let is_unit = |page: &(String, String)| !OTHERS.contains(&page.0.as_str());
    pages().into_iter().filter(is_unit)
}

/// What is in backticks, outside of code blocks.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

/// The files of the code that a text names; `crates/cam/src/{lines,flags}.rs` is two.
fn named_files(text: &str) -> Vec<String> {
    let is_file = |name: &&str| name.starts_with("crates/") && name.ends_with(".rs");
    let named = quoted(text).into_iter().filter(is_file);
    let each = named.flat_map(|name| match name.split_once('{') {
        None => vec![name.to_string()],
        Some((folder, rest)) => {
            let (names, end) = rest.split_once('}').expect("a brace that closes");
            names.split(',').map(|name| format!("{folder}{name}{end}")).collect()
        }
    });
    each.collect()
}

/// The code that a page is about: the files that its first paragraphs name.
fn code_of(text: &str) -> String {
    let head = text.split("\n## ").next().expect("a head");
    named_files(head).iter().map(|file| read(file)).collect()
}

/// Rows of the tables of a section, by cell; without the heads.
fn rows<'a>(text: &'a str, section: &str) -> Vec<Vec<&'a str>> {
    let Some((_, section)) = text.split_once(&format!("\n## {section}\n")) else {
        return Vec::new();
    };
    let section = section.split("\n## ").next().unwrap_or(section);
    let (mut rows, mut in_body) = (Vec::new(), false);
    for line in section.lines() {
        if !line.starts_with('|') {
            in_body = false;
        } else if line.starts_with("|---") {
            in_body = true;
        } else if in_body {
            rows.push(line.trim_matches('|').split(" | ").collect());
        }
    }
    rows
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// What of the pages' sections is not in the code, each as `PAGE: NAME`.
fn missing(section: &str, is_there: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut missing = Vec::new();
    for (page, text) in unit_pages() {
        let code = code_of(&text);
        for row in rows(&text, section) {
            for name in quoted(row[0]).into_iter().filter(|name| !is_there(&code, name)) {
                missing.push(format!("{page}: {name}"));
            }
        }
    }
    missing
}

#[test]
fn files_on_pages_exist() {
    for (page, text) in pages() {
        for file in named_files(&text) {
            assert!(root().join(&file).is_file(), "{page}: {file}");
        }
    }
}

#[test]
fn methods_on_pages_exist() {
    let missing = missing("Ports", |code, method| {
        let name = method.split('(').next().unwrap_or(method);
        let function = |open| code.contains(&format!("fn {name}{open}"));
        !is_name(name) || function('(') || function('<')
    });
    assert_eq!(missing, [""; 0]);
}

#[test]
fn registers_on_pages_exist() {
    let missing =
        missing("Registers", |code, name| !is_name(name) || code.contains(&format!("{name}: ")));
    assert_eq!(missing, [""; 0]);
}

// Parts of a text that a number or name is put into are dots on a page.
#[test]
fn errors_on_pages_exist() {
    let mut sources = Vec::new();
    files(&root().join("crates"), ".rs", &mut sources);
    let code: String = sources.into_iter().map(|(_, text)| text).collect();
    let missing = missing("Errors", |_, error| {
        let mut parts = error.split("...").map(str::trim_end);
        parts.all(|part| part.len() < 3 || code.contains(part))
    });
    assert_eq!(missing, [""; 0]);
}

#[test]
fn pages_say_what_a_unit_is() {
    for (page, text) in unit_pages() {
        // The life of a SAQ is that of a line of the RECN port.
        let ports = if page == "saq.md" { "States" } else { "Ports" };
        for section in [ports, "Registers", "Latency", "Errors"] {
            assert!(text.contains(&format!("\n## {section}\n")), "{page}: {section}");
        }
        assert!(!rows(&text, ports).is_empty(), "{page}: a table");
        assert!(text.contains("```text") || text.contains("!["), "{page}: a waveform");
        for (at, line) in text.lines().enumerate() {
            let width = line.chars().count();
            assert!(width <= 100, "{page}:{}: {width} columns", at + 1);
        }
    }
}
