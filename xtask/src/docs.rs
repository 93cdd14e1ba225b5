//! `cargo xtask check-docs`: every relative link of README and docs leads somewhere, and every page is in the summary.

use crate::page::root;
use setaside::{Exit, Failure};
use std::path::{Path, PathBuf};

fn pages(dir: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir)?
        .collect::<Result<Vec<_>, _>>()?
        .iter()
        .map(|e| e.path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && path.file_name().is_some_and(|n| n != "book") {
            pages(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    Ok(())
}

/// Targets of `](...)` outside of code blocks.
fn links(text: &str) -> Vec<String> {
    let mut code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        for part in line.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                found.push(target.to_string());
            }
        }
    }
    found
}

/// Checks README and docs.
pub(crate) fn check() -> Result<(), Failure> {
    let io = |e: std::io::Error| Failure::new(Exit::Failure, format!("error: {e}"));
    let docs = root().join("docs");
    let mut files = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    pages(&docs, &mut files).map_err(io)?;
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).map_err(io)?;
    let listed: Vec<PathBuf> = links(&summary).iter().map(|l| docs.join(l)).collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(io)?;
        let name = file
            .strip_prefix(root())
            .unwrap_or(file)
            .display()
            .to_string();
        for link in links(&text) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            count += 1;
            if !file.parent().unwrap_or(Path::new("")).join(target).exists() {
                wrong.push(format!("{name}: {link} leads nowhere"));
            }
        }
        let included = file.starts_with(docs.join("notes"))
            || file.ends_with("SUMMARY.md")
            || !file.starts_with(&docs);
        if !included && !listed.contains(file) {
            wrong.push(format!("{name} is not in SUMMARY.md"));
        }
    }
    if wrong.is_empty() {
        println!("{} pages, {count} links", files.len());
        return Ok(());
    }
    Err(Failure::new(Exit::Failure, wrong.join("\n")))
}
