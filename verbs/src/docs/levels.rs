//! Levels: each crate states one, names crates of lower levels only, and is listed with it in
//! `docs/architecture.md`; and the flat engine names no crate of units.

use super::{files, read};
use crate::page::root;
use setaside::Failure;
use std::collections::BTreeMap;

/// What is not so.
pub(super) fn wrong() -> Result<Vec<String>, Failure> {
    let crates = root().join("crates");
    let mut manifests = BTreeMap::new();
    for path in files(&crates, "toml")?.iter().filter(|path| path.ends_with("Cargo.toml")) {
        let (_, text) = read(path)?;
        let name = text.lines().find_map(|line| line.strip_prefix("name = "));
        manifests.insert(name.unwrap_or("?").trim_matches('"').to_string(), text);
    }
    let (_, page) = read(&root().join("docs/architecture.md"))?;
    let mut wrong = of_manifests(&manifests, &page);
    for source in files(&crates.join("fabric/src/flat"), "rs")? {
        let (name, text) = read(&source)?;
        let units = of_flat(&text).into_iter();
        wrong.extend(units.map(|krate| format!("{name}: the flat engine names {krate}")));
    }
    Ok(wrong)
}

/// The number behind `# Level `.
fn level(manifest: &str) -> Option<u32> {
    let line = manifest.lines().find_map(|l| l.strip_prefix("# Level "))?;
    let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Crates without a level, that name one not lower, or are on the page with another or not at all.
fn of_manifests(manifests: &BTreeMap<String, String>, page: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, manifest) in manifests {
        let Some(own) = level(manifest) else {
            wrong.push(format!("{name}: no level in its Cargo.toml"));
            continue;
        };
        if !page.contains(&format!("- `{name}` (level {own})")) {
            wrong.push(format!("architecture.md: `{name}` is of level {own}"));
        }
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines() {
            let of = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let theirs = manifests.get(of).and_then(|manifest| level(manifest));
            if theirs.is_some_and(|theirs| theirs >= own) {
                wrong.push(format!("{name} (level {own}) names {of}, which is not lower"));
            }
        }
    }
    wrong
}

/// The crates of units that a source of the flat engine names.
fn of_flat(text: &str) -> Vec<&'static str> {
    let is_named = |krate: &&str| text.contains(&format!("{krate}::"));
    ["switch", "endnode"].into_iter().filter(is_named).collect()
}

#[cfg(test)]
mod tests {
    use super::{of_flat, of_manifests};
    use std::collections::BTreeMap;

    #[test]
    fn a_crate_names_lower_ones_only() {
        let manifest = |level: u32, names: &str| {
            format!("# Level {level}: x.\n[dependencies]\n{names}.workspace = true\n\n[lints]\n")
        };
        let manifests = BTreeMap::from([
            ("low".to_string(), manifest(1, "high")),
            ("high".to_string(), manifest(2, "low")),
            ("none".to_string(), String::new()),
        ]);
        let page = "- `low` (level 1): a\n- `high` (level 3): b\n";
        let expected = [
            "architecture.md: `high` is of level 2",
            "low (level 1) names high, which is not lower",
            "none: no level in its Cargo.toml",
        ];
        assert_eq!(of_manifests(&manifests, page), expected);
    }

    #[test]
    fn the_flat_engine_names_no_unit() {
        assert!(of_flat("use plan::{ConfigError, Params};").is_empty());
        let found = of_flat("use switch::Params; endnode::EndNode::new");
        assert_eq!(found, ["switch", "endnode"]);
    }
}
