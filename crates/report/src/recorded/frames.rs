//! Trees at moments: which ports hold SAQs for which root, and which of these are at Xoff.

use super::files::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// SAQs and Xoffs on the page, and ports, at most.
const ENTRIES_MAX: usize = 40_000;
const PORTS_MAX: usize = 2_500;

/// Moments `[from, until)`, by their places in [`Frames::times`].
type Span = (usize, usize);

/// Whether a moment is in one of these.
pub(super) fn is_in(spans: &[Span], frame: usize) -> bool {
    spans.iter().any(|&(from, until)| from <= frame && frame < until)
}

/// A SAQ: places of its port and root, when it was there, and when at Xoff.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) port: usize,
    pub(super) root: usize,
    pub(super) at: Span,
    pub(super) xoffs: Vec<Span>,
}

/// A root port, with all trees that it ever was the root of.
#[derive(Debug, Default)]
pub(super) struct Root {
    pub(super) name: String,
    /// The hot end node that it leads to.
    pub(super) hot: Option<u32>,
    /// Most SAQs of a tree of its, and when, ns.
    pub(super) saqs_peak: u32,
    pub(super) peak_ns: f64,
    pub(super) trees: usize,
    /// When it had one.
    pub(super) alive: Vec<Span>,
}

#[derive(Default)]
pub(super) struct Frames {
    /// Moments, ns.
    pub(super) times: Vec<f64>,
    /// The moment with the most SAQs.
    pub(super) peak: usize,
    /// Names without `fabric.`.
    pub(super) ports: Vec<String>,
    /// Those at hot destinations first, as they come; then those with the most SAQs.
    pub(super) roots: Vec<Root>,
    pub(super) held: Vec<Held>,
    /// Trees in all, and those that are in no moment.
    pub(super) trees: usize,
    pub(super) between: usize,
    /// Trees left out since the page would be too large.
    pub(super) dropped: usize,
}

fn short(name: &str) -> String {
    name.trim_start_matches("fabric.").to_string()
}

impl Frames {
    /// `hot`: outputs that lead to hot destinations; `times`: width of a bin, and duration.
    pub(super) fn new(trees: &[Tree], hot: &BTreeMap<String, u32>, times: (f64, f64)) -> Frames {
        let times = moments(trees, times);
        // the moments in `[from, until)`
        let span = |from: f64, until: Option<f64>| {
            let until = until.unwrap_or(f64::INFINITY);
            (times.partition_point(|&t| t < from), times.partition_point(|&t| t < until))
        };
        let hot = |tree: &Tree| hot.get(&short(&tree.root)).copied();
        let mut order: Vec<&Tree> = trees.iter().collect();
        let rank = |tree: &Tree| match hot(tree) {
            Some(_) => (0, 0),
            None => (1, u32::MAX - tree.saqs_peak),
        };
        order.sort_by(|a, b| rank(a).cmp(&rank(b)).then(a.born_ns.total_cmp(&b.born_ns)));
        let mut frames = Frames { trees: trees.len(), ..Frames::default() };
        let (mut ports, mut roots) = (BTreeMap::new(), BTreeMap::new());
        let mut entries = 0;
        for tree in order {
            let alive = span(tree.born_ns, tree.end_ns);
            if alive.0 >= alive.1 {
                frames.between += 1;
                continue;
            }
            let names: BTreeSet<String> = tree.branches.iter().map(|b| short(&b.port)).collect();
            let new = names.iter().filter(|name| !ports.contains_key(*name)).count();
            let mut xoffs: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
            for &(branch, from, until) in &tree.xoffs {
                let (from, until) = span(from, until);
                let known = xoffs.entry(branch).or_default();
                match known.last_mut() {
                    _ if from >= until => {}
                    Some(last) if last.1 >= from => last.1 = last.1.max(until),
                    _ => known.push((from, until)),
                }
            }
            let more = tree.branches.len() + xoffs.values().map(Vec::len).sum::<usize>();
            if ports.len() + new > PORTS_MAX || entries + more > ENTRIES_MAX {
                frames.dropped += 1;
                continue;
            }
            entries += more;
            let root = *roots.entry(&tree.root).or_insert(frames.roots.len());
            if root == frames.roots.len() {
                let (name, hot) = (short(&tree.root), hot(tree));
                frames.roots.push(Root { name, hot, ..Root::default() });
            }
            let of = &mut frames.roots[root];
            of.trees += 1;
            of.alive.push(alive);
            if tree.saqs_peak > of.saqs_peak {
                (of.saqs_peak, of.peak_ns) = (tree.saqs_peak, tree.peak_ns);
            }
            for (n, branch) in tree.branches.iter().enumerate() {
                let at = span(branch.joined_ns, branch.left_ns);
                if at.0 < at.1 {
                    let next = ports.len();
                    let port = *ports.entry(short(&branch.port)).or_insert(next);
                    let xoffs = xoffs.remove(&n).unwrap_or_default();
                    frames.held.push(Held { port, root, at, xoffs });
                }
            }
        }
        frames.ports = vec![String::new(); ports.len()];
        ports.into_iter().for_each(|(name, port)| frames.ports[port] = name);
        // of equals the first
        let moments = (0..times.len()).rev();
        frames.peak = moments.max_by_key(|&frame| frames.at(frame).count()).unwrap_or(0);
        frames.times = times;
        frames
    }

    pub(super) fn at(&self, frame: usize) -> impl Iterator<Item = &Held> {
        self.held.iter().filter(move |held| is_in(&[held.at], frame))
    }
}

const MOMENTS_MAX: usize = 240;
/// Of these edges of bins, for the time without trees.
const EDGES_MAX: usize = 24;
/// And of the changes the joins and frees of SAQs, where there are Xoffs too: these are many more.
const JOINS_MAX: usize = 2 * (MOMENTS_MAX - EDGES_MAX) / 3;

/// At most `most` of the different times, first and last included, evenly many changes apart.
fn spread(mut times: Vec<f64>, most: usize) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.len() <= most {
        return times;
    }
    let last = times.len() - 1;
    (0..most).map(|n| times[n * last / (most - 1).max(1)]).collect()
}

/// Edges of bins, so many of them together that there are not too many.
fn edges(bin_ns: f64, end_ns: f64) -> Vec<f64> {
    let bin = if bin_ns > 0.0 { bin_ns } else { end_ns.max(1.0) };
    let bins = (end_ns / bin).ceil().max(1.0) as usize;
    let step = bins.div_ceil(EDGES_MAX - 2);
    let inner = (0..bins).step_by(step).chain([bins]);
    inner.map(|n| n as f64 * bin).collect()
}

fn moments(trees: &[Tree], (bin_ns, duration_ns): (f64, f64)) -> Vec<f64> {
    let end = trees.iter().filter_map(|t| t.end_ns);
    let mut times = edges(bin_ns, end.fold(duration_ns, f64::max));
    // when the tree was largest that grew largest, of equals the first
    times.extend(trees.iter().rev().max_by_key(|tree| tree.saqs_peak).map(|tree| tree.peak_ns));
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

    fn tree(root: &str, life: (f64, f64), branches: &[(&str, f64, f64)]) -> Tree {
        let branch = |&(port, joined_ns, left): &(&str, f64, f64)| Branch {
            port: port.into(),
            joined_ns,
            left_ns: Some(left),
        };
        Tree {
            root: root.into(),
            born_ns: life.0,
            end_ns: Some(life.1),
            saqs_peak: branches.len() as u32,
            peak_ns: branches.iter().map(|b| b.1).fold(0.0, f64::max),
            branches: branches.iter().map(branch).collect(),
            xoffs: Vec::new(),
        }
    }

    #[test]
    fn a_tree_grows_from_moment_to_moment() {
        let mut big =
            tree("fabric.r", (5.0, 45.0), &[("fabric.a", 5.0, 45.0), ("fabric.b", 22.0, 40.0)]);
        big.xoffs = vec![(1, 25.0, Some(35.0))];
        let trees = [tree("fabric.s", (45.0, 45.0), &[("fabric.a", 45.0, 45.0)]), big];
        let frames = Frames::new(&trees, &BTreeMap::new(), (50.0, 50.0));
        assert_eq!(frames.times, [0.0, 5.0, 22.0, 25.0, 35.0, 40.0, 45.0, 50.0]);
        assert_eq!((frames.trees, frames.between, frames.dropped), (2, 1, 0));
        assert_eq!(frames.ports, ["a", "b"]);
        let spans: Vec<_> = frames.held.iter().map(|h| (h.port, h.at)).collect();
        assert_eq!(spans, [(0, (1, 6)), (1, (2, 5))]);
        assert_eq!(frames.held[1].xoffs, [(3, 4)]);
        assert_eq!(frames.peak, 2, "the first of those with two SAQs");
        let saqs: Vec<_> = (0..8).map(|frame| frames.at(frame).count()).collect();
        assert_eq!(saqs, [0, 1, 2, 2, 2, 1, 0, 0]);
    }

    #[test]
    fn roots_at_hot_destinations_come_first() {
        let of = |root, born, n| tree(root, (born, 9.0), &vec![("fabric.a", born, 9.0); n]);
        let trees = [
            of("fabric.big", 0.0, 9),
            of("fabric.late", 5.0, 7),
            of("fabric.early", 1.0, 3),
            of("fabric.early", 6.0, 4),
        ];
        let hot = [("late".to_string(), 7), ("early".into(), 3)].into();
        let frames = Frames::new(&trees, &hot, (10.0, 10.0));
        let roots: Vec<_> =
            frames.roots.iter().map(|r| (r.name.as_str(), r.hot, r.saqs_peak)).collect();
        let early = ("early", Some(3), 4);
        assert_eq!(roots, [early, ("late", Some(7), 7), ("big", None, 9)]);
    }

    #[test]
    fn trees_beyond_the_limit_are_left_out_and_counted() {
        let many: Vec<String> = (0..PORTS_MAX).map(|n| format!("fabric.p{n}")).collect();
        let all: Vec<_> = many.iter().map(|name| (name.as_str(), 0.0, 99.0)).collect();
        let other = tree("fabric.s", (0.0, 99.0), &[("fabric.other", 0.0, 99.0)]);
        let trees = [tree("fabric.r", (0.0, 99.0), &all), other];
        let frames = Frames::new(&trees, &BTreeMap::new(), (10.0, 100.0));
        assert_eq!((frames.ports.len(), frames.dropped), (PORTS_MAX, 1));
    }

    /// A tree with a SAQ at each of these times until the end, and so many Xoffs.
    fn tree_of(joined: impl Iterator<Item = f64>, xoffs: usize, end: f64) -> [Tree; 1] {
        let joined: Vec<_> = joined.map(|at| ("fabric.a", at, end)).collect();
        let mut tree = tree("fabric.r", (joined[0].1, end), &joined);
        tree.branches.iter_mut().for_each(|branch| branch.left_ns = None);
        let part = end / (xoffs + 1) as f64;
        let xoff = |n: usize| (0, n as f64 * part, Some((n as f64 + 0.5) * part));
        tree.xoffs = (0..xoffs).map(xoff).collect();
        [tree]
    }

    #[test]
    fn a_tree_that_forms_between_two_edges_has_moments_there() {
        // 400 SAQs within a bin; Xoffs all the time
        let joins = (0..400).map(|n| 800_000.0 + 20.0 * f64::from(n));
        let trees = tree_of(joins, 5_000, 1_600_000.0);
        let times = moments(&trees, (10_000.0, 1_600_000.0));
        let between =
            |from: f64, until: f64| times.iter().filter(|t| (from..until).contains(t)).count();
        assert!(times.len() <= MOMENTS_MAX, "{}", times.len());
        let forms = between(800_000.0, 808_000.0);
        assert!(forms >= 140, "{forms} while it forms");
        let xoffs = between(820_000.0, 1_600_000.0);
        assert!(xoffs >= 30, "{xoffs} while Xoffs come and go");
        assert!(times.contains(&807_980.0), "the peak");
        assert_eq!((times[0], times[times.len() - 1]), (0.0, 1_600_000.0));
    }

    #[test]
    fn few_changes_are_all_there_and_many_joins_without_xoffs_have_all_room() {
        let trees = tree_of([5.0, 5.0, 7.0].into_iter(), 1, 40.0);
        assert_eq!(moments(&trees, (25.0, 50.0)), [0.0, 5.0, 7.0, 10.0, 25.0, 50.0]);
        let trees = tree_of((0..9_999).map(f64::from), 0, 10_000.0);
        let times = moments(&trees, (10.0, 10_000.0));
        assert!((230..=MOMENTS_MAX).contains(&times.len()), "{}", times.len());
        // a run without trees has edges
        assert_eq!(moments(&[], (0.0, 0.0)), [0.0, 1.0]);
    }
}
