//! Pages of the units: do they name files, methods, registers and errors of the code?

use std::collections::BTreeMap;

pub(super) type Sources<'a> = BTreeMap<&'a str, &'a str>;

/// What is in backticks, outside of code blocks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2))
}

/// The files of the code that a text names; `crates/cam/src/{lines,flags}.rs` is two.
fn named_files(text: &str) -> Vec<String> {
    let mut files = Vec::new();
    for name in quoted(text) {
        if !name.starts_with("crates/") || !name.ends_with(".rs") {
            continue;
        }
        match name.split_once('{').and_then(|(at, rest)| Some((at, rest.split_once('}')?))) {
            Some((at, (names, end))) => {
                files.extend(names.split(',').map(|name| format!("{at}{name}{end}")));
            }
            None => files.push(name.to_string()),
        }
    }
    files
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

/// Whether a unit's code has what a section names, or any that error; dots stand for values.
fn is_there(section: &str, name: &str, code: &str, sources: &Sources<'_>) -> bool {
    match section {
        "Ports" => {
            let name = name.split('(').next().unwrap_or(name);
            let function = |open| code.contains(&format!("fn {name}{open}"));
            !is_name(name) || function('(') || function('<')
        }
        "Registers" => !is_name(name) || code.contains(&format!("{name}: ")),
        _ => {
            let mut parts = name.split("...").map(str::trim_end).filter(|part| part.len() >= 3);
            parts.all(|part| sources.values().any(|source| source.contains(part)))
        }
    }
}

/// What a page says that is not so, or does not say.
pub(super) fn wrong(page: &str, text: &str, sources: &Sources<'_>) -> Vec<String> {
    let Some(file) = page.strip_prefix("docs/units/") else {
        return Vec::new();
    };
    let mut wrong = named_files(text);
    wrong.retain(|file| !sources.contains_key(file.as_str()));
    wrong.iter_mut().for_each(|file| *file = format!("{page}: no file {file}"));
    // The way through, and what is generated, are no units.
    if ["index.md", "saq-life-cycle.md"].contains(&file) {
        return wrong;
    }
    // The code that a page is about: the files that its first paragraphs name.
    let head = text.split("\n## ").next().unwrap_or(text);
    let files = named_files(head);
    let code: String =
        files.iter().filter_map(|file| sources.get(file.as_str()).copied()).collect();
    for section in ["Ports", "Registers", "Errors"] {
        for row in rows(text, section) {
            let absent = quoted(row[0]).filter(|name| !is_there(section, name, &code, sources));
            wrong.extend(absent.map(|name| format!("{page}: {section}: no {name} in the code")));
        }
    }
    // The life of a SAQ is that of a line of the RECN port.
    let ports = if file == "saq.md" { "States" } else { "Ports" };
    for section in [ports, "Registers", "Latency", "Errors"] {
        if !text.contains(&format!("\n## {section}\n")) {
            wrong.push(format!("{page}: no section {section}"));
        }
    }
    if rows(text, ports).is_empty() {
        wrong.push(format!("{page}: no table of {ports}"));
    }
    if !text.contains("```text") && !text.contains("![") {
        wrong.push(format!("{page}: no waveform"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::{Sources, wrong};

    #[test]
    fn what_the_code_does_not_have_is_reported() {
        let page = "# Unit\n\n`crates/{a,b}.rs`\n\n## Ports\n\n| method |\n|---|\n\
                    | `push(1)` |\n| `pull` |\n\n## Registers\n\n| name |\n|---|\n| `age` |\n\n\
                    ## Errors\n\n| text |\n|---|\n| `... cells in use` |\n\n```text\n```\n";
        let sources = Sources::from([("crates/a.rs", "fn push(age: u8) {} \"{n} cells in use\"")]);
        let reported = [
            "docs/units/a.md: no file crates/b.rs",
            "docs/units/a.md: Ports: no pull in the code",
            "docs/units/a.md: no section Latency",
        ];
        assert_eq!(wrong("docs/units/a.md", page, &sources), reported);
        assert!(wrong("docs/a.md", page, &sources).is_empty());
    }
}
