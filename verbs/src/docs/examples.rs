//! Each unit that a golden model uses is shown in an example, which `cargo test` runs.

/// The unit crates and their parts; units of the switch by the begin of their sources' names.
const UNITS: [&str; 26] = [
    "crates/units/src/bits/",
    "crates/cam/src/",
    "crates/crossbar/src/",
    "crates/flow-control/src/",
    "crates/flow-control/src/pause.rs",
    "crates/hierarchy/src/",
    "crates/hierarchy/src/recovery/",
    "crates/ecn/src/marking/",
    "crates/ecn/src/response/",
    "crates/recn/src/",
    "crates/saq/src/",
    "crates/turnpool/src/",
    "crates/turnpool/src/header.rs",
    "crates/switch/src/egress/fcu.rs",
    "crates/switch/src/egress/link_arbiter.rs",
    "crates/switch/src/egress/paused.rs",
    "crates/switch/src/ingress/cdu.rs",
    "crates/switch/src/ingress/pauser.rs",
    "crates/switch/src/ingress/ppu.rs",
    "crates/switch/src/ingress/ru.rs",
    "crates/switch/src/ingress/two_level.rs",
    "crates/switch/src/link.rs",
    "crates/switch/src/memory.rs",
    "crates/switch/src/mu.rs",
    "crates/switch/src/scheduler/evaluate.rs",
    "crates/switch/src/scheduler/requests.rs",
];

/// The units without an example, and how many there are; `sources` are names and texts.
pub(super) fn missing<'a>(
    sources: impl Iterator<Item = (&'a str, &'a str)> + Clone,
) -> (usize, Vec<String>) {
    let is_shown = |unit: &&&str| {
        let mut of_unit = sources.clone().filter(|(name, _)| name.starts_with(**unit));
        of_unit.any(|(_, text)| has_example(text))
    };
    let wrong = UNITS.iter().filter(|unit| !is_shown(unit));
    let wrong = wrong.map(|unit| format!("{unit}: a unit without an example"));
    (UNITS.len(), wrong.collect())
}

/// Whether a comment holds code that `cargo test` runs.
fn has_example(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start);
    let docs = lines.filter_map(|line| line.strip_prefix("///").or(line.strip_prefix("//!")));
    // Every second fence ends a block.
    let fences = docs.map(str::trim).filter(|doc| doc.starts_with("```"));
    fences.step_by(2).any(|fence| fence == "```")
}

#[cfg(test)]
mod tests {
    use super::{UNITS, missing};

    #[test]
    fn a_unit_without_an_example_is_named() {
        let shown = "/// Stores.\n///\n/// ```\n/// mmu.push(1);\n/// ```\npub fn push() {}\n";
        let all = UNITS.map(|unit| (unit, shown));
        assert_eq!(missing(all.into_iter()), (UNITS.len(), Vec::new()));
        let mut without = all;
        without[25].1 = "/// Clears.\n///\n/// ```text\n/// 1 -> 2\n/// ```\npub fn clear() {}\n";
        let wrong = "crates/switch/src/scheduler/requests.rs: a unit without an example";
        assert_eq!(missing(without.into_iter()).1, [wrong]);
        assert_eq!(missing(all[..25].iter().copied()).1, [wrong]);
    }
}
