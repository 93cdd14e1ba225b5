//! The moments that the slider stops at: where trees change, so that one is seen to grow.

use crate::recorded::files::{Tree, Trees};

/// Moments, at most.
pub(super) const MOMENTS_MAX: usize = 240;
/// Of these edges of bins, for the time without trees.
const EDGES_MAX: usize = 24;
/// And of the changes the joins and frees of SAQs, where there are Xoffs too: these are many more.
const JOINS_MAX: usize = 2 * (MOMENTS_MAX - EDGES_MAX) / 3;

/// At most `most` of the different times, the first and the last among them, as many changes
/// between two as between the next two.
fn spread(mut times: Vec<f64>, most: usize) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.len() <= most {
        return times;
    }
    match most {
        0 => Vec::new(),
        1 => vec![times[0]],
        _ => {
            let last = times.len() - 1;
            (0..most).map(|n| times[n * last / (most - 1)]).collect()
        }
    }
}

/// Edges of bins, so many of them together that there are not too many.
fn edges(bin_ns: f64, end_ns: f64) -> Vec<f64> {
    let bin = if bin_ns > 0.0 { bin_ns } else { end_ns.max(1.0) };
    let bins = (end_ns / bin).ceil().max(1.0) as usize;
    let step = bins.div_ceil(EDGES_MAX - 2);
    let inner = (0..bins).step_by(step).chain([bins]);
    inner.map(|n| n as f64 * bin).collect()
}

/// When the tree was largest that grew largest.
fn peak(trees: &[Tree]) -> Option<f64> {
    // of equals the first
    let largest = trees.iter().rev().max_by_key(|tree| tree.saqs_peak);
    largest.map(|tree| tree.peak_ns)
}

/// The moments, ns, in order.
pub(super) fn moments(trees: &Trees, bin_ns: f64, duration_ns: f64) -> Vec<f64> {
    let trees = &trees.trees;
    let end = trees.iter().filter_map(|t| t.end_ns);
    let mut times = edges(bin_ns, end.fold(duration_ns, f64::max));
    times.extend(peak(trees));
    let branches = trees.iter().flat_map(|tree| &tree.branches);
    let joins = branches.flat_map(|b| [Some(b.joined_ns), b.left_ns]).flatten();
    let xoffs = trees.iter().flat_map(|tree| &tree.xoffs);
    let xoffs: Vec<f64> = xoffs.flat_map(|x| [Some(x.1), x.2]).flatten().collect();
    let room = MOMENTS_MAX - times.len();
    let joins = spread(joins.collect(), room - xoffs.len().min(room - JOINS_MAX));
    let xoffs = spread(xoffs, room - joins.len());
    times.extend(joins);
    times.extend(xoffs);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::files::Branch;

    /// A tree with a SAQ at each of these times until the end, at Xoff from then on and off every
    /// `xoff` ns.
    fn tree(joined: impl Iterator<Item = f64>, xoffs: usize, end: f64) -> Tree {
        let branch = |joined_ns| Branch { port: "fabric.a".into(), joined_ns, left_ns: None };
        let branches: Vec<Branch> = joined.map(branch).collect();
        let part = end / (xoffs + 1) as f64;
        let xoff = |n: usize| (0, n as f64 * part, Some((n as f64 + 0.5) * part));
        Tree {
            root: "fabric.r".into(),
            born_ns: branches[0].joined_ns,
            end_ns: Some(end),
            saqs_peak: branches.len() as u32,
            peak_ns: branches[branches.len() - 1].joined_ns,
            branches,
            xoffs: (0..xoffs).map(xoff).collect(),
        }
    }

    fn between(times: &[f64], from: f64, until: f64) -> usize {
        times.iter().filter(|&&t| from <= t && t < until).count()
    }

    #[test]
    fn a_tree_that_forms_between_two_edges_has_moments_there() {
        // 400 SAQs within a bin; Xoffs all the time
        let joins = (0..400).map(|n| 800_000.0 + 20.0 * f64::from(n));
        let trees = Trees { trees: vec![tree(joins, 5_000, 1_600_000.0)] };
        let times = moments(&trees, 10_000.0, 1_600_000.0);
        assert!(times.len() <= MOMENTS_MAX, "{}", times.len());
        let forms = between(&times, 800_000.0, 808_000.0);
        assert!(forms >= 140, "{forms} while it forms");
        let xoffs = between(&times, 820_000.0, 1_600_000.0);
        assert!(xoffs >= 30, "{xoffs} while Xoffs come and go");
        assert!(times.contains(&807_980.0), "the peak");
        assert_eq!((times[0], times[times.len() - 1]), (0.0, 1_600_000.0));
    }

    #[test]
    fn few_changes_are_all_there() {
        let trees = Trees { trees: vec![tree([5.0, 5.0, 7.0].into_iter(), 1, 40.0)] };
        let times = moments(&trees, 25.0, 50.0);
        assert_eq!(times, [0.0, 5.0, 7.0, 10.0, 25.0, 50.0]);
    }

    #[test]
    fn many_joins_without_xoffs_have_all_room() {
        let joins = (0..9_999).map(f64::from);
        let trees = Trees { trees: vec![tree(joins, 0, 10_000.0)] };
        let times = moments(&trees, 10.0, 10_000.0);
        assert!((230..=MOMENTS_MAX).contains(&times.len()), "{}", times.len());
    }

    #[test]
    fn a_run_without_trees_has_edges() {
        let times = moments(&Trees::default(), 0.0, 0.0);
        assert_eq!(times, [0.0, 1.0]);
    }
}
