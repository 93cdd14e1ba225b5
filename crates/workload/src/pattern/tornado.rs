//! `tornado`: node s of N sends to s + ceil(N / 2) - 1, modulo N.

use super::{Rule, Shape};

pub(super) const RULE: Rule = Rule::Permutation(Shape::Any, |nodes, source| {
    // In u64, as the sum may pass the largest u32.
    ((u64::from(source) + u64::from(nodes.div_ceil(2)) - 1) % u64::from(nodes)) as u32
});
