//! Where each key comes from: the page of the specification, and whether a paper has it or it is a
//! choice where the papers are silent.

/// What a path begins with, and its source; the first that fits holds.
fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../../pages/key-sources.txt").lines();
    lines.filter_map(|line| line.split_once(' '))
}

/// The source of a key of a scenario.
pub(super) fn of(path: &str) -> Option<&'static str> {
    sources().find(|(begin, _)| path.starts_with(begin)).map(|(_, source)| source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::key_listing;

    /// Pages of the specification that keys come from.
    const PAGES: [&str; 9] = [
        "clock.md",
        "turnpool.md",
        "switch.md",
        "recn.md",
        "ecn.md",
        "rsi.md",
        "pfc.md",
        "topology.md",
        "scenarios.md",
    ];

    /// No key is without a source, and each source is a page that there is.
    #[test]
    fn every_key_has_a_source() {
        for key in key_listing() {
            let source = of(&key.path).unwrap_or_else(|| panic!("{}: no source", key.path));
            let page = source.split([' ', ',']).next().unwrap_or_default();
            assert!(PAGES.contains(&page), "{}: {source}", key.path);
        }
        assert_eq!(of("bogus.key"), None);
    }

    /// An entry that no key meets first, or behind a shorter one, would say nothing.
    #[test]
    fn every_entry_is_used() {
        let lines = include_str!("../../pages/key-sources.txt").lines().count();
        assert_eq!(sources().count(), lines, "a line that is no path and source");
        let used = |n: usize| {
            let first = |path: &str| sources().position(|(begin, _)| path.starts_with(begin));
            key_listing().iter().any(|key| first(&key.path) == Some(n))
        };
        for (n, (begin, _)) in sources().enumerate() {
            assert!(used(n), "{begin}");
        }
    }
}
