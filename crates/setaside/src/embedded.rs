//! The study that comes with the program: how many SAQs does a switch need where congestion trees
//! overlap and move? (64-node BMIN, four trees at a time.)

use scenario::{Errors, Set, Study};

const STUDY: &str = include_str!("../../../scenarios/studies/overlapping-trees.toml");
const SCENARIO: &str = include_str!("../../../scenarios/overlapping-trees/moving.toml");

/// The embedded study, with `sets` over it.
///
/// # Errors
/// What `sets` make wrong.
pub fn embedded_study(sets: &[Set]) -> Result<Study, Errors> {
    let resolve = |path: &str| path.ends_with("moving.toml").then(|| SCENARIO.to_string());
    Study::parse(STUDY, "overlapping-trees.toml", &resolve, sets)
}
