//! `shuffle`: node b(n-1) b(n-2) .. b0 sends to b(n-2) .. b0 b(n-1).

use super::{Rule, Shape};

pub(super) const RULE: Rule = Rule::Permutation(Shape::PowerOfTwo, |nodes, source| {
    let top = nodes / 2;
    if source >= top && top > 0 { (source - top) * 2 + 1 } else { source * 2 % nodes }
});
