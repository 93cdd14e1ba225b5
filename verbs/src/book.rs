//! `cargo xtask check-book DIR`: every link and picture of mdbook's output is there.

use crate::docs;
use crate::page::io;
use setaside::{Exit, Failure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Pages that mdbook adds: all chapters in one, the list, the page of what is not found.
const ADDED: [&str; 3] = ["print.html", "toc.html", "404.html"];

pub(crate) fn check(book: &Path) -> Result<(), Failure> {
    let mut pages = BTreeMap::new();
    let is_chapter = |file: &PathBuf| !ADDED.iter().any(|added| file.ends_with(added));
    for file in docs::files(book, "html")?.into_iter().filter(is_chapter) {
        let text = std::fs::read_to_string(&file).map_err(io(file.display()))?;
        pages.insert(file, text);
    }
    let anchors: BTreeMap<&PathBuf, BTreeSet<&str>> =
        pages.iter().map(|(page, text)| (page, values(text, "id").collect())).collect();
    let (mut count, mut wrong) = (0, Vec::new());
    for (page, text) in &pages {
        for link in values(text, "href").chain(values(text, "src")) {
            if link.contains(':') {
                continue;
            }
            count += 1;
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let to = match target {
                "" => page.clone(),
                target => joined(page, target),
            };
            let is_there = match anchors.get(&to) {
                Some(anchors) => anchor.is_empty() || anchors.contains(anchor),
                None => to.exists(),
            };
            if !is_there {
                let page = page.strip_prefix(book).unwrap_or(page);
                wrong.push(format!("{}: {link} leads nowhere", page.display()));
            }
        }
    }
    if pages.is_empty() {
        wrong.push(format!("error: no pages in {}", book.display()));
    }
    if wrong.is_empty() {
        println!("the book: {} pages, {count} links", pages.len());
        return Ok(());
    }
    Err(Failure::new(Exit::Failure, wrong.join("\n")))
}

fn values<'a>(text: &'a str, attribute: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!(" {attribute}=\"");
    let parts: Vec<&str> = text.split(begin.as_str()).skip(1).collect();
    let values = parts.into_iter();
    values.filter_map(|part| part.split_once('"').map(|(value, _)| value))
}

/// Where a link of a page leads.
fn joined(page: &Path, target: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(Path::new("")).to_path_buf();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{joined, values};
    use std::path::Path;

    #[test]
    fn links_lead_where_the_browser_goes() {
        let page = r#"<a class="x" href="../a.html#b">t</a><img src="p.svg"><h1 id="b">"#;
        assert!(values(page, "href").eq(["../a.html#b"]));
        assert!(values(page, "id").eq(["b"]));
        let to = joined(Path::new("book/guide/x.html"), "../units/./a.html");
        assert_eq!(to, Path::new("book/units/a.html"));
    }
}
