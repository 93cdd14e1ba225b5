//! Is every public error of a crate on the page of errors?

/// Public types of a source (name, text) that end with `Error` and that `page` does not name.
pub(super) fn missing(name: &str, text: &str, page: &str) -> Vec<String> {
    if !name.starts_with("crates/") || !name.contains("/src/") {
        return Vec::new();
    }
    let lines = text.lines().map(str::trim_start);
    let types = lines.filter_map(|line| {
        let rest = line.strip_prefix("pub enum ").or(line.strip_prefix("pub struct "))?;
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        rest[..end].ends_with("Error").then_some(&rest[..end])
    });
    let is_named = |name: &&str| ["`", ":"].iter().any(|c| page.contains(&format!("{c}{name}`")));
    let absent = types.filter(|name| !is_named(name));
    absent.map(|error| format!("{name}: {error} is not in docs/errors.md")).collect()
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn an_error_that_the_page_does_not_name_is_reported() {
        let text = "pub enum LostError {\n}\npub(crate) struct OwnError;\npub struct Word;\n";
        let reported = missing("crates/a/src/lib.rs", text, "`a::FoundError`");
        assert_eq!(reported, ["crates/a/src/lib.rs: LostError is not in docs/errors.md"]);
        assert!(missing("crates/a/src/lib.rs", text, "`a::LostError`").is_empty());
        assert_eq!(missing("crates/a/src/lib.rs", text, "`NotLostError`").len(), 1);
        assert!(missing("crates/a/tests/all.rs", text, "").is_empty());
    }
}
