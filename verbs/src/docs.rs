//! `cargo xtask check-docs`: links, summary, pictures, widths, constants, generated pages, errors,
//! units and levels of crates: what pages state is so.

mod constants;
mod errors;
mod examples;
mod levels;
mod links;
mod units;
mod widths;

use crate::page::{self, io, root};
use crate::{guide, life_cycle, memory_table};
use setaside::{Exit, Failure};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// Folders that hold what was made, not written.
const MADE: [&str; 3] = ["target", "runs", "book"];

/// Files with an extension below a folder, in the order of their names.
pub(crate) fn files(dir: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(dir).and_then(|all| all.collect::<Result<Vec<_>, _>>());
    let entries = entries.map_err(io(dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.iter().map(DirEntry::path).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !MADE.contains(&&*name) {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    Ok(found)
}

fn read(file: &Path) -> Result<(String, String), Failure> {
    let name = file.strip_prefix(root()).unwrap_or(file);
    let text = std::fs::read_to_string(file).map_err(io(name.display()))?;
    Ok((name.display().to_string(), text))
}

/// Pictures that none of these pages (name, text) shows: nobody would notice their loss.
fn unused(images: &[String], pages: &[(String, String)]) -> Vec<String> {
    let shown = |image: &&String| {
        let name = image.rsplit('/').next().unwrap_or(image);
        let ending = format!("img/{name}");
        let mut all = pages.iter().flat_map(|(_, text)| links::of(text));
        all.any(|link| link.ends_with(&ending))
    };
    let lost = images.iter().filter(|image| !shown(image));
    lost.map(|image| format!("{image} is on no page")).collect()
}

fn images() -> Result<Vec<String>, Failure> {
    let docs = root().join("docs");
    let found = [files(&docs, "svg")?, files(&docs, "png")?].concat();
    let name = |path: &PathBuf| path.strip_prefix(root()).unwrap_or(path).display().to_string();
    Ok(found.iter().map(name).collect())
}

/// Pages and pictures that are not what the code has now.
fn outdated() -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    for (verb, pages) in [
        ("guide", guide::pages()?),
        ("memory-table", memory_table::pages()?),
        ("life-cycle", life_cycle::pages()?),
    ] {
        for (name, text) in pages {
            if page::read(&name)? != page::as_written(&name, &text) {
                wrong.push(format!("{name} is out of date: `cargo xtask {verb}` writes it anew"));
            }
        }
    }
    Ok(wrong)
}

/// Checks all Markdown and the comments of all sources.
pub(crate) fn check() -> Result<(), Failure> {
    let docs = root().join("docs");
    let (pages, sources) = (files(&root(), "md")?, files(&root(), "rs")?);
    let (_, summary) = read(&docs.join("SUMMARY.md"))?;
    let listed: Vec<PathBuf> = links::of(&summary).iter().map(|l| docs.join(l)).collect();
    let mut wrong = constants::missing()?;
    wrong.extend(levels::wrong()?);
    wrong.extend(outdated()?);
    let mut count = 0;
    let texts = pages.iter().map(|file| read(file));
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    wrong.extend(unused(&images()?, &texts));
    for (file, (name, text)) in pages.iter().zip(&texts) {
        wrong.extend(widths::of_page(name, text));
        wrong.extend(links::dead(file, name, text, &mut count));
        let included = file.ends_with("SUMMARY.md") || !file.starts_with(&docs);
        if !included && !listed.contains(file) {
            wrong.push(format!("{name} is not in SUMMARY.md"));
        }
    }
    let (_, errors) = read(&docs.join("errors.md"))?;
    let sources = sources.iter().map(|file| read(file));
    let sources = sources.collect::<Result<Vec<_>, _>>()?;
    for (name, text) in &sources {
        wrong.extend(widths::of_comments(name, text));
        wrong.extend(errors::missing(name, text, &errors));
    }
    let named = sources.iter().map(|(name, text)| (&**name, &**text));
    let by_name = named.clone().collect();
    wrong.extend(texts.iter().flat_map(|(name, text)| units::wrong(name, text, &by_name)));
    let (units, not_shown) = examples::missing(named);
    wrong.extend(not_shown);
    if wrong.is_empty() {
        println!(
            "{} pages, {count} links, {units} units with examples, {} sources",
            pages.len(),
            sources.len()
        );
        return Ok(());
    }
    let found = wrong.len();
    wrong.push(format!("error: {found} found"));
    Err(Failure::new(Exit::Failure, wrong.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::{check, unused};

    /// "The tables and their pictures are generated into the docs and pinned."; "queues and memory
    /// needed per port and per switch by scheme and network size [...] as a computed table" (issue)
    #[test]
    fn pages_are_those_of_the_code() {
        assert_eq!(check().map_err(|failure| failure.message), Ok(()));
    }

    #[test]
    fn a_picture_that_no_page_shows_is_reported() {
        let pages = [("docs/a.md".to_string(), "![A](../img/a.svg)\n".to_string())];
        let images = ["docs/img/a.svg", "docs/img/b.svg"].map(str::to_string);
        assert_eq!(unused(&images, &pages), ["docs/img/b.svg is on no page"]);
        assert!(unused(&images[..1], &pages).is_empty());
        // In a code block it is not shown.
        let code = [("docs/a.md".to_string(), "```\n![A](img/a.svg)\n```\n".to_string())];
        assert_eq!(unused(&images[..1], &code).len(), 1);
    }
}
