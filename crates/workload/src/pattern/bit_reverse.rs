//! `bit-reverse`: node b(n-1) .. b1 b0 sends to b0 b1 .. b(n-1).

use super::{Rule, Shape};

pub(super) const RULE: Rule = Rule::Permutation(Shape::PowerOfTwo, |nodes, source| {
    // One node has no bits to shift out by.
    if nodes == 1 { source } else { source.reverse_bits() >> (32 - nodes.ilog2()) }
});
