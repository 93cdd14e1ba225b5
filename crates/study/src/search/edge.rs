//! Where a condition begins to hold along a line, by halving: [`edge`].

/// The last position known without it, and the first with it, where there is one. `Err`: whether it
/// holds at these positions is wanted first.
pub(super) type Edge = Result<(Option<usize>, Option<usize>), Vec<usize>>;

/// Evaluates both ends of the positions from 0 to `count - 1`, then halves the part in which the
/// condition begins until its ends are neighbours or `is_close`. Right where the condition, once
/// it holds, holds at all later positions; the caller checks that.
pub(super) fn edge(
    count: usize,
    holds: &dyn Fn(usize) -> Option<bool>,
    is_close: &dyn Fn(usize, usize) -> bool,
) -> Edge {
    let last = count.saturating_sub(1);
    let (mut before, mut first) = match (holds(0), holds(last)) {
        (Some(true), Some(_)) => return Ok((None, Some(0))),
        (Some(false), Some(false)) => return Ok((Some(last), None)),
        (Some(false), Some(true)) => (0, last),
        _ => {
            let mut ends = vec![0, last];
            ends.dedup();
            ends.retain(|&at| holds(at).is_none());
            return Err(ends);
        }
    };
    while first - before > 1 && !is_close(before, first) {
        let middle = before + (first - before) / 2;
        match holds(middle) {
            None => return Err(vec![middle]),
            Some(true) => first = middle,
            Some(false) => before = middle,
        }
    }
    Ok((Some(before), Some(first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Answers what is asked until it is found; with it how many positions were evaluated.
    fn found(
        count: usize,
        oracle: &dyn Fn(usize) -> bool,
        is_close: &dyn Fn(usize, usize) -> bool,
    ) -> (Option<usize>, Option<usize>, usize) {
        let mut known: BTreeMap<usize, bool> = BTreeMap::new();
        loop {
            match edge(count, &|at| known.get(&at).copied(), is_close) {
                Err(asked) => {
                    assert!(!asked.is_empty());
                    for at in asked {
                        assert!(known.insert(at, oracle(at)).is_none(), "{at} twice");
                    }
                }
                Ok((before, first)) => return (before, first, known.len()),
            }
        }
    }

    // "A monotone fake oracle checks the bisection": every edge of every length is found, in as
    // many evaluations as the logarithm.
    #[test]
    fn every_edge_is_found_in_logarithmically_many_evaluations() {
        for count in 1..70 {
            for from in 0..=count {
                let (before, first, evaluations) = found(count, &|at| at >= from, &|_, _| false);
                let wanted = (from < count).then_some(from);
                assert_eq!(first, wanted, "{count} {from}");
                assert_eq!(before, from.checked_sub(1));
                let most = 3 + count.ilog2() as usize;
                assert!(evaluations <= most, "{evaluations} for {count}");
            }
        }
    }

    // A tolerance ends the halving, and the edge is between the ends that are left.
    #[test]
    fn tolerance_leaves_a_bracket_around_the_edge() {
        for from in 1..1000 {
            let close = |a: usize, b: usize| (b - a) * 100 <= b;
            let (before, first, _) = found(1000, &|at| at >= from, &close);
            let (before, first) = (before.expect("not at 0"), first.expect("at 999"));
            assert!(before < from && from <= first && close(before, first) || first - before == 1);
        }
    }
}
