//! The page about statistics states the constants that they have.

use super::cuts::{DIP_PART_NS, DIP_PARTS_MAX, STEADY_PARTS};

#[test]
fn the_page_states_the_constants() {
    let page = include_str!("../../../../docs/statistics.md");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for stated in [
        format!("Welch's test over {STEADY_PARTS} equal parts"),
        format!(
            "equal parts of about {} us: at least one part, at most {DIP_PARTS_MAX}",
            DIP_PART_NS / 1000.0
        ),
    ] {
        assert!(page.contains(&stated), "not in the page: {stated}");
    }
}
