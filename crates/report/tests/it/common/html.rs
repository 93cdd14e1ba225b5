//! What is on a page, read as strictly as XML.

/// Elements in order, `(depth, name, attributes, text behind)`; panics on bad nesting or ids.
pub fn elements(html: &str) -> Vec<(usize, String, String, String)> {
    let (mut open, mut found, mut ids) =
        (Vec::<String>::new(), Vec::new(), std::collections::BTreeSet::new());
    let mut rest = html.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(at) = rest.find('<') {
        let end = at + rest[at..].find('>').unwrap();
        let tag = &rest[at + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closes what is not open");
            rest = &rest[end + 1..];
            continue;
        }
        let (name, attributes) =
            tag.trim_end_matches('/').split_once(' ').unwrap_or((tag.trim_end_matches('/'), ""));
        assert!(attributes.matches('"').count().is_multiple_of(2), "quotes in <{tag}>");
        if let Some(id) =
            attributes.strip_prefix("id=\"").or_else(|| attributes.split(" id=\"").nth(1))
        {
            assert!(ids.insert(id.split('"').next().unwrap().to_string()), "id twice: {id}");
        }
        rest = &rest[end + 1..];
        if matches!(name, "style" | "script") {
            rest = &rest[rest.find(&format!("</{name}>")).unwrap() + name.len() + 3..];
            continue;
        }
        found.push((
            open.len(),
            name.to_string(),
            attributes.to_string(),
            rest[..rest.find('<').unwrap()].trim().to_string(),
        ));
        if !tag.ends_with('/') {
            open.push(name.to_string());
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    found
}

const KEPT: &str = "title h1 h2 h3 dt dd th td caption figure figcaption span small a li button";

/// Headings, tables, pictures, legends and links, without coordinates.
pub fn outline(page: &str) -> String {
    let mut out = String::new();
    for (depth, name, attributes, text) in elements(page) {
        let is_text = name == "text" && !attributes.contains("tick");
        if KEPT.split(' ').any(|kept| kept == name) || is_text {
            let class = attributes
                .split("class=\"")
                .nth(1)
                .map_or(String::new(), |c| format!(".{}", c.split('"').next().unwrap()));
            out.push_str(&format!(
                "{}{name}{class}: {text}\n",
                "  ".repeat(depth.saturating_sub(2))
            ));
        }
    }
    out
}

/// The part of a page from a text on to the next end of a table.
pub fn table_after<'a>(page: &'a str, from: &str) -> &'a str {
    let rest = page.split(from).nth(1).unwrap_or_else(|| panic!("no {from}"));
    rest.split("</table>").next().unwrap()
}
