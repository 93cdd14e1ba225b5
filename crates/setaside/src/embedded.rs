//! The study that comes with the program: how many SAQs does a switch need? (64-node BMIN, trees
//! case 2.)

use scenario::{Errors, Set, Study};

const STUDY: &str = include_str!("../../../scenarios/studies/saq-sizing.toml");
const SCENARIO: &str = include_str!("../../../scenarios/garcia-trees-2005/case-2.toml");

/// The embedded study, with `sets` over it.
///
/// # Errors
/// What `sets` make wrong.
pub fn embedded_study(sets: &[Set]) -> Result<Study, Errors> {
    let resolve = |path: &str| path.ends_with("case-2.toml").then(|| SCENARIO.to_string());
    Study::parse(STUDY, "saq-sizing.toml", &resolve, sets)
}
