//! `transpose`: node (row, column) of a square sends to (column, row).

use super::{Rule, Shape};

pub(super) const RULE: Rule = Rule::Permutation(Shape::Square, |nodes, source| {
    let side = nodes.isqrt();
    source % side * side + source / side
});
