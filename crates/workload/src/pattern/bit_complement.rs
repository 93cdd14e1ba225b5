//! `bit-complement`: every bit of the node number inverted.

use super::{Rule, Shape};

pub(super) const RULE: Rule =
    Rule::Permutation(Shape::PowerOfTwo, |nodes, source| nodes - 1 - source);
