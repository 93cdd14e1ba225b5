//! Max-min fair rates, by progressive filling.
//!
//! What a link carries with all its flows at a level t rises along straight pieces that end at the
//! demands, so the level at which it fills up is found from the counts of its flows by demand. The
//! links fill up one after the other, the lowest level first; only the flows that stop at a link
//! are walked. A level never falls: a link whose level has risen goes back into the heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ROUNDING;
use super::flows::{Flows, Nodes, Walk};

/// Max-min fair rates of [`Flows`]: the level at which each link filled up.
#[derive(Clone, Debug, PartialEq)]
pub struct MaxMin {
    /// The links that filled up, in order, and at which level, bytes/ns.
    pub(super) full: Box<[(u32, f64)]>,
    lowest: f64,
    total: f64,
}

impl MaxMin {
    /// The total of all rates, bytes/ns.
    pub fn bytes_per_ns(&self) -> f64 {
        self.total
    }

    pub(super) fn is_full(&self, link: u32) -> bool {
        self.full.binary_search_by_key(&link, |full| full.0).is_ok()
    }

    fn level(&self, links: &[u32]) -> f64 {
        let at = |link: &u32| self.full.binary_search_by_key(link, |full| full.0).ok();
        let levels = links.iter().filter_map(at).map(|at| self.full[at].1);
        levels.fold(f64::INFINITY, f64::min)
    }
}

/// Part of a window of time in which the demands are constant, see [`Flows::mean_rates`].
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    /// Share of the window, 0 to 1.
    pub share: f64,
    /// Max-min fair rates in it.
    pub max_min: &'p MaxMin,
    /// What the source demands of each destination in it, bytes/ns.
    pub demands: &'p [f64],
}

struct Filling<'f, 'a> {
    flows: &'f Flows<'a>,
    /// By demand: flows on each link that have not stopped at a link.
    counts: Vec<Box<[u32]>>,
    totals: Vec<u64>,
    /// By link: rates of those that have, bytes/ns.
    fixed: Vec<f64>,
}

impl Filling<'_, '_> {
    /// The level at which the flows on a link fill it; infinite where their demands do not.
    fn level(&self, link: usize) -> f64 {
        let capacity = self.flows.capacity[link];
        let places = || self.flows.ascending.iter().map(|&place| usize::from(place));
        let mut rising: u64 = places().map(|at| u64::from(self.counts[at][link])).sum();
        let mut load = self.fixed[link];
        for at in places() {
            let flows = u64::from(self.counts[at][link]);
            let demand = self.flows.demands[at];
            if flows == 0 {
                continue;
            }
            if load + rising as f64 * demand > capacity * (1.0 + ROUNDING) {
                return ((capacity - load) / rising as f64).max(0.0);
            }
            load += flows as f64 * demand;
            rising -= flows;
        }
        f64::INFINITY
    }
}

impl Flows<'_> {
    /// Max-min fair rates. The same demands give the same bits on every machine.
    pub fn max_min(&self) -> MaxMin {
        let links = self.capacity.len();
        let mut filling = Filling {
            flows: self,
            counts: self.counts.clone(),
            totals: self.totals.clone(),
            fixed: vec![0.0; links],
        };
        let mut full = Vec::new();
        // Levels are not negative: their bits are in the order of the numbers.
        let mut heap: BinaryHeap<Reverse<(u64, u32)>> = (0..links as u32)
            .map(|link| Reverse((filling.level(link as usize).to_bits(), link)))
            .filter(|&Reverse((level, _))| level != f64::INFINITY.to_bits())
            .collect();
        let (mut walk, mut stopped) = (Walk::default(), Nodes::new(self.nodes(), self.nodes()));
        let mut stopped_on = vec![0u32; links];
        let mut touched = Vec::new();
        let (mut lowest, mut last, mut total) = (f64::INFINITY, 0.0f64, 0.0);
        while let Some(Reverse((known, link))) = heap.pop() {
            let level = filling.level(link as usize);
            if level == f64::INFINITY {
                continue;
            }
            if level.to_bits() > known {
                heap.push(Reverse((level.to_bits(), link)));
                continue;
            }
            let level = level.max(last); // below only by rounding
            (last, lowest) = (level, lowest.min(level));
            full.push((link, level));
            let mut flows = 0u64;
            self.on_link(link, &mut stopped, &mut walk, |found, stopped| {
                if self.demands[usize::from(found.demand)] <= level {
                    return;
                }
                stopped.insert(found.source as usize, found.destination);
                flows += 1;
                filling.totals[usize::from(found.demand)] -= 1;
                for &l in found.links {
                    filling.counts[usize::from(found.demand)][l as usize] -= 1;
                    if stopped_on[l as usize] == 0 {
                        touched.push(l);
                    }
                    stopped_on[l as usize] += 1;
                }
            });
            total += flows as f64 * level;
            for l in touched.drain(..) {
                let flows = std::mem::take(&mut stopped_on[l as usize]);
                filling.fixed[l as usize] += f64::from(flows) * level;
            }
        }
        let satisfied = self.demands.iter().zip(&filling.totals);
        total += satisfied.map(|(demand, &flows)| demand * flows as f64).sum::<f64>();
        full.sort_unstable_by_key(|full| full.0);
        MaxMin { full: full.into(), lowest, total }
    }

    /// The rate of each flow from `source`, by destination, bytes/ns; 0 where it demands nothing.
    pub fn rates(&self, max_min: &MaxMin, source: u32) -> Vec<f64> {
        let nodes = 0..self.nodes() as u32;
        let demands: Vec<f64> = nodes.map(|destination| self.demand(source, destination)).collect();
        let part = Part { share: 1.0, max_min, demands: &demands };
        self.mean_rates(source, &[part])
    }

    /// The mean rate of each flow from `source` over parts of a window, by destination, bytes/ns.
    /// Only the demands of the parts count.
    pub fn mean_rates(&self, source: u32, parts: &[Part<'_>]) -> Vec<f64> {
        let mut walk = Walk::default();
        let rate = |destination: u32| {
            let demand = |part: &Part<'_>| part.demands[destination as usize];
            // Only flows that may have stopped are walked.
            if parts.iter().all(|part| demand(part) <= part.max_min.lowest) {
                return parts.iter().map(|part| part.share * demand(part)).sum();
            }
            let links = self.links(source, destination, &mut walk);
            let rate = |part: &Part<'_>| demand(part).min(part.max_min.level(links));
            parts.iter().map(|part| part.share * rate(part)).sum()
        };
        (0..self.nodes() as u32).map(rate).collect()
    }
}
