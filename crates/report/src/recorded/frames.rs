//! Trees at moments: which ports hold SAQs for which root, and which of these are at Xoff.

mod moments;

use super::files::{Tree, Trees};
use moments::moments;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// SAQs and Xoffs on the page, and ports, at most.
const ENTRIES_MAX: usize = 40_000;
const PORTS_MAX: usize = 2_500;

/// A SAQ over the moments `from .. until`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    /// Place in [`Frames::ports`].
    pub(super) port: usize,
    /// Place in [`Frames::roots`].
    pub(super) root: usize,
    pub(super) from: usize,
    pub(super) until: usize,
    /// Moments at which it was at Xoff, as `[from, until)`.
    pub(super) xoffs: Vec<(usize, usize)>,
}

impl Held {
    pub(super) fn is_xoff(&self, frame: usize) -> bool {
        let mut xoffs = self.xoffs.iter();
        xoffs.any(|&(from, until)| from <= frame && frame < until)
    }
}

/// A root port, with all trees that it ever was the root of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Root {
    pub(super) name: String,
    /// The hot end node that it leads to.
    pub(super) hot: Option<u32>,
    /// Most SAQs of a tree of its, and when, ns.
    pub(super) saqs_peak: u32,
    pub(super) peak_ns: f64,
    pub(super) trees: usize,
    /// The moments at which it had one, as `[from, until)`.
    pub(super) alive: Vec<(usize, usize)>,
}

/// What the slider moves through.
#[derive(Debug, Default, PartialEq)]
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
    /// `hot`: outputs that lead to hot destinations.
    pub(super) fn new(
        trees: &Trees,
        hot: &BTreeMap<String, u32>,
        bin_ns: f64,
        duration_ns: f64,
    ) -> Frames {
        let times = moments(trees, bin_ns, duration_ns);
        // the moments in `[from, until)`
        let span = |from: f64, until: Option<f64>| {
            let until = until.unwrap_or(f64::INFINITY);
            (times.partition_point(|&t| t < from), times.partition_point(|&t| t < until))
        };
        let mut order: Vec<&Tree> = trees.trees.iter().collect();
        let is_hot = |tree: &Tree| hot.contains_key(&short(&tree.root));
        order.sort_by(|a, b| {
            let by_size = match is_hot(a) && is_hot(b) {
                true => Ordering::Equal,
                false => b.saqs_peak.cmp(&a.saqs_peak),
            };
            let by_hot = is_hot(b).cmp(&is_hot(a));
            by_hot.then(by_size).then(a.born_ns.total_cmp(&b.born_ns))
        });
        let mut frames = Frames { trees: trees.trees.len(), ..Frames::default() };
        let (mut ports, mut roots) = (BTreeMap::new(), BTreeMap::new());
        let mut entries = 0;
        for tree in order {
            let alive = span(tree.born_ns, tree.end_ns);
            if alive.0 >= alive.1 {
                frames.between += 1;
                continue;
            }
            let names: BTreeSet<&str> = tree.branches.iter().map(|b| b.port.as_str()).collect();
            let new = names.iter().filter(|n| !ports.contains_key(&short(n))).count();
            let mut xoffs: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
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
            let root = *roots.entry(tree.root.clone()).or_insert(frames.roots.len());
            if root == frames.roots.len() {
                frames.roots.push(Root {
                    name: short(&tree.root),
                    hot: hot.get(&short(&tree.root)).copied(),
                    saqs_peak: 0,
                    peak_ns: 0.0,
                    trees: 0,
                    alive: Vec::new(),
                });
            }
            let of = &mut frames.roots[root];
            of.trees += 1;
            of.alive.push(alive);
            if tree.saqs_peak > of.saqs_peak {
                (of.saqs_peak, of.peak_ns) = (tree.saqs_peak, tree.peak_ns);
            }
            for (n, branch) in tree.branches.iter().enumerate() {
                let (from, until) = span(branch.joined_ns, branch.left_ns);
                if from >= until {
                    continue;
                }
                let name = short(&branch.port);
                let next = ports.len();
                let port = *ports.entry(name.clone()).or_insert(next);
                if port == next {
                    frames.ports.push(name);
                }
                frames.held.push(Held {
                    port,
                    root,
                    from,
                    until,
                    xoffs: xoffs.remove(&n).unwrap_or_default(),
                });
            }
        }
        let saqs = |frame: usize| {
            let there = |h: &&Held| h.from <= frame && frame < h.until;
            frames.held.iter().filter(there).count()
        };
        frames.peak = (0..times.len()).rev().max_by_key(|&frame| saqs(frame)).unwrap_or(0);
        frames.times = times;
        frames
    }

    /// What is held at a moment.
    pub(super) fn at(&self, frame: usize) -> impl Iterator<Item = &Held> {
        self.held.iter().filter(move |h| h.from <= frame && frame < h.until)
    }
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
        let trees =
            Trees { trees: vec![tree("fabric.s", (45.0, 45.0), &[("fabric.a", 45.0, 45.0)]), big] };
        let frames = Frames::new(&trees, &BTreeMap::new(), 50.0, 50.0);
        assert_eq!(frames.times, [0.0, 5.0, 22.0, 25.0, 35.0, 40.0, 45.0, 50.0]);
        assert_eq!((frames.trees, frames.between, frames.dropped), (2, 1, 0));
        assert_eq!(frames.ports, ["a", "b"]);
        let spans: Vec<_> = frames.held.iter().map(|h| (h.port, h.from, h.until)).collect();
        assert_eq!(spans, [(0, 1, 6), (1, 2, 5)]);
        assert_eq!(frames.held[1].xoffs, [(3, 4)]);
        assert_eq!(frames.peak, 2, "the first of those with two SAQs");
        let saqs: Vec<_> = (0..8).map(|frame| frames.at(frame).count()).collect();
        assert_eq!(saqs, [0, 1, 2, 2, 2, 1, 0, 0]);
    }

    #[test]
    fn roots_at_hot_destinations_come_first() {
        let of = |root, born, n| tree(root, (born, 9.0), &vec![("fabric.a", born, 9.0); n]);
        let trees = Trees {
            trees: vec![
                of("fabric.big", 0.0, 9),
                of("fabric.late", 5.0, 7),
                of("fabric.early", 1.0, 3),
                of("fabric.early", 6.0, 4),
            ],
        };
        let hot = [("late".to_string(), 7), ("early".into(), 3)].into();
        let frames = Frames::new(&trees, &hot, 10.0, 10.0);
        let told: Vec<_> =
            frames.roots.iter().map(|r| (r.name.as_str(), r.hot, r.saqs_peak)).collect();
        let early = ("early", Some(3), 4);
        assert_eq!(told, [early, ("late", Some(7), 7), ("big", None, 9)]);
    }

    #[test]
    fn trees_beyond_the_limit_are_left_out_and_counted() {
        let many: Vec<(String, f64, f64)> =
            (0..PORTS_MAX).map(|n| (format!("fabric.p{n}"), 0.0, 99.0)).collect();
        let all: Vec<(&str, f64, f64)> =
            many.iter().map(|(n, a, b)| (n.as_str(), *a, *b)).collect();
        let trees = Trees {
            trees: vec![
                tree("fabric.r", (0.0, 99.0), &all),
                tree("fabric.s", (0.0, 99.0), &[("fabric.other", 0.0, 99.0)]),
            ],
        };
        let frames = Frames::new(&trees, &BTreeMap::new(), 10.0, 100.0);
        assert_eq!((frames.ports.len(), frames.dropped), (PORTS_MAX, 1));
    }
}
