//! What is on a page, read as strictly as XML.

use std::collections::BTreeSet;

/// Elements in order, `(depth, name, attributes, text behind)`; panics on bad nesting or ids.
pub(crate) fn elements(html: &str) -> Vec<(usize, String, String, String)> {
    let (mut open, mut found, mut ids) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut rest = html.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some((_, behind)) = rest.split_once('<') {
        let (tag, behind) = behind.split_once('>').unwrap();
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closes what is not open");
            continue;
        }
        let bare = tag.trim_end_matches('/');
        let (name, attributes) = bare.split_once(' ').unwrap_or((bare, ""));
        assert!(attributes.matches('"').count().is_multiple_of(2), "quotes in <{tag}>");
        if let Some(id) = attribute(attributes, "id") {
            assert!(ids.insert(id), "id twice: {id}");
        }
        if matches!(name, "style" | "script") {
            rest = rest.split_once(&*format!("</{name}>")).unwrap().1;
            continue;
        }
        let text = rest.split('<').next().unwrap().trim();
        found.push((open.len(), name.into(), attributes.into(), text.into()));
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    found
}

/// The value of an attribute.
pub(crate) fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    attributes.split("\" ").find_map(|one| {
        let (key, value) = one.split_once("=\"")?;
        (key.split(' ').next_back() == Some(name)).then(|| value.trim_end_matches('"'))
    })
}

const KEPT: &str = "title h1 h2 h3 dt dd th td caption figure figcaption span small a li button";

/// Headings, tables, pictures, legends and links, without coordinates.
pub(crate) fn outline(page: &str) -> String {
    let mut out = String::new();
    for (depth, name, attributes, text) in elements(page) {
        let is_text = name == "text" && !attributes.contains("tick");
        if KEPT.split(' ').any(|kept| kept == name) || is_text {
            let class = attribute(&attributes, "class").map_or(String::new(), |c| format!(".{c}"));
            let indent = "  ".repeat(depth.saturating_sub(2));
            out.push_str(&format!("{indent}{name}{class}: {text}\n"));
        }
    }
    out
}

/// The part of a text from behind `from` on to the next `until`.
pub(crate) fn part<'a>(text: &'a str, from: &str, until: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    rest.split(until).next().unwrap()
}

/// The part of a page from a text on to the next end of a table.
pub(crate) fn table_after<'a>(page: &'a str, from: &str) -> &'a str {
    part(page, from, "</table>")
}

/// Every one of `all` is in the text.
pub(crate) fn shows(text: &str, all: &[&str]) {
    for one in all {
        assert!(text.contains(one), "{one} in {text}");
    }
}

/// Each is in the text so many times.
pub(crate) fn counts(text: &str, all: &[(&str, usize)]) {
    for (one, times) in all {
        assert_eq!(text.matches(one).count(), *times, "{one} in {text}");
    }
}
