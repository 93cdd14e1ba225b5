//! The cheapest place of a grid that is enough, where halving is not to be trusted: a coarse grid,
//! then finer steps around the best places, and of several keys along the border of what is enough.

use crate::answer::Met;
use std::collections::{BTreeMap, BTreeSet};

/// A number along each key of the grid.
pub(super) type Place = Vec<usize>;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seen {
    pub(super) met: Met,
    pub(super) cost: f64,
    /// How much of the target it reaches, on the workload that reaches least.
    pub(super) metric: f64,
}

/// A line of the coarse grid has about so many steps; one of several keys fewer.
const STEPS_OF_ONE: usize = 8;
const STEPS_OF_MANY: usize = 4;
/// Finer steps are taken around so many of the places that are enough.
const CENTRES_MAX: usize = 2;

/// Places to evaluate next; none where the search is over: no place beside the cheapest that is
/// enough is both cheaper and not evaluated. Places that are not in `places` do not exist.
pub(super) fn next(places: &BTreeSet<Place>, seen: &BTreeMap<Place, Seen>) -> Vec<Place> {
    let keys = places.first().map_or(0, Vec::len);
    let lasts: Vec<usize> =
        (0..keys).map(|key| places.iter().map(|place| place[key]).max().unwrap_or(0)).collect();
    let parts = if keys == 1 { STEPS_OF_ONE } else { STEPS_OF_MANY };
    let mut strides: Vec<usize> = lasts.iter().map(|last| last.div_ceil(parts).max(1)).collect();
    let on_grid = |place: &&Place| {
        let mut each = place.iter().zip(&strides).zip(&lasts);
        each.all(|((at, stride), last)| at % stride == 0 || at == last)
    };
    let unseen = |place: &&Place| !seen.contains_key(*place);
    let coarse: Vec<Place> = places.iter().filter(on_grid).filter(unseen).cloned().collect();
    if !coarse.is_empty() {
        return coarse;
    }
    // What has no less of any key than a place that is enough costs no less either.
    let is_dear = |place: &Place| those(seen, Met::Yes).any(|(other, _)| is_at_most(other, place));
    // What has no more of any key than a place that is not enough is not enough either, where more
    // is not worse. Of several keys all others are evaluated: then the cheapest is found.
    let is_poor = |place: &Place| those(seen, Met::No).any(|(other, _)| is_at_most(place, other));
    loop {
        let centres = centres(seen);
        // At most one stride from a centre along each key, and on its grid.
        let near = |place: &&Place| {
            centres.iter().any(|centre| {
                let mut each = place.iter().zip(centre).zip(&strides);
                each.all(|((a, b), stride)| [0, *stride].contains(&a.abs_diff(*b)))
            })
        };
        let is_between = |place: &&Place| {
            let mut each = place.iter().zip(&strides);
            keys > 1 && each.all(|(at, stride)| at % stride == 0) && !is_poor(place)
        };
        let asked = places.iter().filter(unseen);
        let asked = asked.filter(|place| near(place) || is_between(place));
        let asked: Vec<Place> = asked.filter(|place| !is_dear(place)).cloned().collect();
        if !asked.is_empty() {
            return asked;
        }
        if strides.iter().all(|stride| *stride == 1) {
            return Vec::new();
        }
        strides.iter_mut().for_each(|stride| *stride = stride.div_ceil(2));
    }
}

fn those(seen: &BTreeMap<Place, Seen>, met: Met) -> impl Iterator<Item = (&Place, &Seen)> {
    seen.iter().filter(move |(_, seen)| seen.met == met)
}

fn is_at_most(place: &[usize], other: &[usize]) -> bool {
    place.iter().zip(other).all(|(a, b)| a <= b)
}

/// Centres of finer steps: the cheapest that are enough, each without one that is enough with less
/// of all keys, and the best of those that are cheaper; where none is enough, the best of all.
fn centres(seen: &BTreeMap<Place, Seen>) -> Vec<Place> {
    let answer = cheapest(seen);
    let enough = || those(seen, Met::Yes);
    let is_least =
        |place: &Place| enough().all(|(other, _)| other == place || !is_at_most(other, place));
    let mut least: Vec<(&Place, &Seen)> = enough().filter(|(place, _)| is_least(place)).collect();
    least.sort_by(|a, b| a.1.cost.total_cmp(&b.1.cost).then_with(|| a.0.cmp(b.0)));
    least.truncate(CENTRES_MAX);
    let limit = answer.and_then(|place| seen.get(place)).map(|seen| seen.cost);
    let cheaper = seen.iter().filter(|(place, seen)| {
        limit.is_none_or(|limit| seen.cost <= limit) && Some(*place) != answer
    });
    // Of equal ones the first.
    let best = cheaper.reduce(|best, next| if next.1.metric > best.1.metric { next } else { best });
    let best = best.map(|(place, _)| place);
    let least = least.into_iter().map(|(place, _)| place);
    answer.into_iter().chain(least).chain(best).cloned().collect()
}

/// The cheapest place that is enough; of equal cost that with the least along all keys.
pub(super) fn cheapest(seen: &BTreeMap<Place, Seen>) -> Option<&Place> {
    let sum = |place: &Place| place.iter().sum::<usize>();
    let order = |a: &(&Place, &Seen), b: &(&Place, &Seen)| {
        let cost = a.1.cost.total_cmp(&b.1.cost);
        cost.then_with(|| (sum(a.0), a.0).cmp(&(sum(b.0), b.0)))
    };
    those(seen, Met::Yes).min_by(order).map(|(place, _)| place)
}

/// Places that no other beats in cost and in metric, the cheapest first.
pub(super) fn frontier(seen: &BTreeMap<Place, Seen>) -> Vec<Place> {
    let mut all: Vec<(&Place, &Seen)> = seen.iter().collect();
    all.sort_by(|a, b| {
        let cost = a.1.cost.total_cmp(&b.1.cost);
        cost.then(b.1.metric.total_cmp(&a.1.metric)).then_with(|| a.0.cmp(b.0))
    });
    let mut best = f64::NEG_INFINITY;
    let mut places = Vec::new();
    for (place, seen) in all {
        if seen.metric > best {
            best = seen.metric;
            places.push(place.clone());
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(shape: &[usize]) -> BTreeSet<Place> {
        shape.iter().fold(BTreeSet::from([Vec::new()]), |grid, &count| {
            let longer = |place: &Place| {
                let place = place.clone();
                (0..count).map(move |at| [place.clone(), vec![at]].concat())
            };
            grid.iter().flat_map(longer).collect()
        })
    }

    /// Runs the search against an oracle of (metric, cost); enough is a metric from 1 on.
    fn run(shape: &[usize], oracle: &dyn Fn(&[usize]) -> (f64, f64)) -> BTreeMap<Place, Seen> {
        let places = grid(shape);
        let mut seen = BTreeMap::new();
        loop {
            let asked = next(&places, &seen);
            if asked.is_empty() {
                return seen;
            }
            for place in asked {
                let (metric, cost) = oracle(&place);
                let met = Met::of(metric >= 1.0);
                let new = seen.insert(place, Seen { met, cost, metric });
                assert!(new.is_none(), "asked twice");
            }
        }
    }

    // More is worse from some number on: halving is not to be trusted, and the least that is enough
    // is found all the same, where the good part is wide enough for the coarse grid.
    #[test]
    fn good_part_in_the_middle_is_found() {
        for count in [9usize, 17, 33] {
            let stride = (count - 1).div_ceil(STEPS_OF_ONE);
            for from in 1..count - stride {
                let good = from..from + stride;
                let oracle = |place: &[usize]| {
                    let metric = if good.contains(&place[0]) { 1.1 } else { 0.5 };
                    (metric, place[0] as f64)
                };
                let seen = run(&[count], &oracle);
                assert_eq!(cheapest(&seen), Some(&vec![from]), "{count}: {good:?}");
                assert!(seen.len() <= 8 + 3 * 5, "{} of {count}", seen.len());
            }
        }
    }

    // Two keys of which one may replace the other: evaluating all places is the oracle.
    #[test]
    fn cheapest_of_two_keys_is_that_of_the_whole_grid() {
        let prices = [0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0];
        let needs = [3.0, 7.0, 10.0, 14.0, 20.0, 25.0, 30.0];
        for (price, need) in prices.into_iter().flat_map(|p| needs.map(|need| (p, need))) {
            let oracle = |place: &[usize]| {
                let (a, b) = (place[0] as f64, place[1] as f64);
                ((a + 2.0 * b) / need, a + price * b)
            };
            let seen = run(&[13, 13], &oracle);
            let all = grid(&[13, 13]).into_iter().map(|place| {
                let (metric, cost) = oracle(&place);
                let met = Met::of(metric >= 1.0);
                (place, Seen { met, cost, metric })
            });
            let all: BTreeMap<Place, Seen> = all.collect();
            let cost = |seen: &BTreeMap<Place, Seen>| cheapest(seen).map(|place| seen[place].cost);
            assert_eq!(cost(&seen), cost(&all), "{price} {need}");
            assert!(seen.len() * 2 < all.len(), "{} evaluated", seen.len());
        }
    }

    #[test]
    fn nothing_is_enough_ends_too() {
        let seen = run(&[5, 6, 7], &|_| (0.0, 1.0));
        assert_eq!(cheapest(&seen), None);
        assert_eq!(frontier(&seen).len(), 1);
    }

    #[test]
    fn frontier_has_what_nothing_beats() {
        let oracle = |place: &[usize]| ([0.2, 0.1, 0.5, 0.5, 0.9][place[0]], place[0] as f64);
        let seen = run(&[5], &oracle);
        assert_eq!(frontier(&seen), [[0], [2], [4]]);
    }
}
