//! Structs of the sources with the comments of their fields.

use crate::page::failed;
use setaside::Failure;

pub(super) struct Field {
    pub(super) name: String,
    pub(super) of: String,
    pub(super) doc: String,
    /// Its type's fields replace it.
    pub(super) is_flat: bool,
}

pub(super) struct Struct {
    pub(super) doc: String,
    pub(super) fields: Vec<Field>,
}

/// The struct of that name in sources of the project.
pub(super) fn find(sources: &str, name: &str) -> Result<Struct, Failure> {
    let missing = || failed(format!("no `pub struct {name}` with fields and comments"));
    parse(sources, name).ok_or_else(missing)
}

fn parse(text: &str, name: &str) -> Option<Struct> {
    let (mut doc, mut is_flat) = (Vec::new(), false);
    let mut found: Option<Struct> = None;
    for line in text.lines() {
        let line = line.trim();
        if let Some(words) = line.strip_prefix("///") {
            doc.push(words.trim().to_string());
            continue;
        }
        if line.starts_with("#[") {
            is_flat |= line.contains("flatten");
            continue;
        }
        let words = plain(&std::mem::take(&mut doc).join(" "));
        let is_flat = std::mem::take(&mut is_flat);
        match &mut found {
            None if line == format!("pub struct {name} {{") => {
                let fields = Vec::new();
                found = Some(Struct { doc: words, fields });
            }
            None => {}
            Some(_) if line == "}" => break,
            Some(of_struct) => {
                let field = line.strip_prefix("pub ")?.strip_suffix(',')?;
                let (name, of) = field.split_once(": ")?;
                of_struct.fields.push(Field {
                    name: name.into(),
                    of: of.into(),
                    doc: words,
                    is_flat,
                });
            }
        }
    }
    found.filter(|found| !found.fields.is_empty())
}

/// A comment without what rustdoc and Rust alone know: a link to `Summary::ideal` is `ideal`.
fn plain(doc: &str) -> String {
    let mut text = String::new();
    let mut rest = doc;
    while let Some((before, after)) = rest.split_once("[`") {
        text.push_str(before);
        let Some((link, after)) = after.split_once("`]") else {
            text.push_str("[`");
            rest = after;
            continue;
        };
        let last = link.rsplit("::").next().unwrap_or(link);
        text.push_str(&format!("`{last}`"));
        rest = match after.strip_prefix('(').and_then(|a| a.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    (text + rest).replace("`None`", "null")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn struct_is_read_with_its_comments() {
        let text = "/// No.\npub struct Other {\n    pub x: u8,\n}\n/// What\n/// it is.\n\
                    #[derive(Debug)]\npub struct One {\n    /// See [`Two::three`](super::Two).\n    \
                    #[serde(flatten)]\n    pub a: Option<f64>,\n}\n";
        let one = parse(text, "One").expect("a struct");
        assert_eq!(one.doc, "What it is.");
        let field = &one.fields[0];
        assert_eq!(
            (&*field.name, &*field.of, &*field.doc, field.is_flat),
            ("a", "Option<f64>", "See `three`.", true)
        );
        assert!(parse(text, "Three").is_none());
    }
}
