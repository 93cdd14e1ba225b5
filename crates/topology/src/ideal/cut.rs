//! An upper bound on what any rates can add up to: weights on links, see [`super`].
//!
//! First every full link of the max-min fair rates gets the weight 1/k, for the best k: exact where
//! each flow that stopped crosses one full link. Else the links with more demand than capacity are
//! taken in turn, and each gets the weight that is best with the others as they are. The bound has
//! corners at which no single link can lower it, so a smooth one is descended: a flow with less
//! than `width` of its route uncovered counts for a part of its demand. The width is halved time
//! and again; each link moves past its best weight [hildreth-1957, with over-relaxation]. The bound
//! itself is reckoned after each round, for whole, half and third weights too; the least is kept.

use super::ROUNDING;
use super::flows::{Flows, Nodes, Walk};
use super::max_min::MaxMin;

const ENTRIES_MAX: usize = 1 << 21;
/// Evaluations of a flow on a link that take some tenths of a second.
pub const CUT_LOOKS: usize = 1 << 23;
const ROUNDS_MAX: usize = 32;
/// The width, as part of a route, is halved so often, from 1/2 on.
const HALVINGS: usize = 8;
/// How far a link moves, in ways to its best weight.
const STEP: f64 = 1.6;
/// A bound this near to a feasible total is good enough.
const GAP: f64 = 1e-5;

impl Flows<'_> {
    /// An upper bound on the total of any feasible rates, bytes/ns, from the max-min total to what
    /// is offered. Evaluates a flow on a link at most `evaluations` times, see [`CUT_LOOKS`].
    pub fn cut_bound(&self, max_min: &MaxMin, evaluations: usize) -> f64 {
        let fair = max_min.bytes_per_ns();
        let mut bound = self.offered_bytes_per_ns();
        let near = |bound: f64| bound <= fair * (1.0 + GAP);
        if !near(bound) {
            bound = bound.min(self.even_bound(max_min));
        }
        if !near(bound)
            && let Some(mut cover) = Cover::new(self)
        {
            let rounds = evaluations / cover.entries().max(1);
            for halvings in 1..=HALVINGS.min(rounds) {
                for _ in 0..(rounds / HALVINGS).clamp(1, ROUNDS_MAX) {
                    cover.round(1.0 / f64::from(1 << halvings));
                    bound = bound.min(cover.bound());
                }
                bound = bound.min(cover.rounded_bound());
                if near(bound) {
                    break;
                }
            }
        }
        bound.max(fair)
    }

    /// The least bound with weight 1/k on all full links: it is linear between those.
    fn even_bound(&self, max_min: &MaxMin) -> f64 {
        // Demand of the flows by the number of full links that they cross.
        let mut crossing = vec![0.0];
        let (mut capacity, mut covered) = (0.0, 0.0);
        let (mut seen, mut walk) = (Nodes::new(self.nodes(), self.nodes()), Walk::default());
        for &(link, _) in &max_min.full {
            capacity += self.capacity[link as usize];
            self.on_link(link, &mut seen, &mut walk, |found, seen| {
                seen.insert(found.source as usize, found.destination);
                let links = found.links.iter().filter(|&&l| max_min.is_full(l)).count();
                if links >= crossing.len() {
                    crossing.resize(links + 1, 0.0);
                }
                let demand = self.demands[usize::from(found.demand)];
                crossing[links] += demand;
                covered += demand;
            });
        }
        let bound = |k: usize| {
            let left = |(links, demand): (usize, &f64)| demand * (k - links) as f64 / k as f64;
            let uncovered: f64 = crossing.iter().enumerate().take(k).map(left).sum();
            capacity / k as f64 + uncovered
        };
        let least = (1..crossing.len()).map(bound).fold(f64::INFINITY, f64::min);
        least + (self.offered_bytes_per_ns() - covered)
    }
}

/// The links with more demand than capacity, and the flows on them.
struct Cover {
    capacity: Vec<f64>,
    weights: Vec<f64>,
    /// Sum of the weights on the route of each flow.
    sums: Vec<f64>,
    demands: Vec<f64>,
    /// Flows of each link: from `starts[link]` on.
    flows: Vec<u32>,
    starts: Vec<usize>,
    /// Demand of all other flows.
    uncovered: f64,
    bends: Vec<(f64, f64)>,
    /// Sums of rounded weights on the route of each flow.
    rounded: Vec<f64>,
}

impl Cover {
    fn new(flows: &Flows<'_>) -> Option<Self> {
        let all = 0..flows.capacity.len();
        let overloaded = |&l: &usize| flows.demand_on(l) > flows.capacity[l] * (1.0 + ROUNDING);
        let links: Vec<usize> = all.filter(overloaded).collect();
        let on = |l: usize| -> usize { flows.counts.iter().skip(1).map(|c| c[l] as usize).sum() };
        let mut starts = vec![0];
        for &l in &links {
            starts.push(starts[starts.len() - 1] + on(l));
        }
        let entries = starts[links.len()];
        if entries > ENTRIES_MAX {
            return None;
        }
        let mut number = vec![usize::MAX; flows.capacity.len()];
        links.iter().enumerate().for_each(|(n, &l)| number[l] = n);
        let (mut of_link, mut fill) = (vec![0; entries], starts.clone());
        let mut demands = Vec::new();
        let (mut seen, mut walk) = (Nodes::new(flows.nodes(), flows.nodes()), Walk::default());
        for &link in &links {
            flows.on_link(link as u32, &mut seen, &mut walk, |found, seen| {
                seen.insert(found.source as usize, found.destination);
                for &l in found.links {
                    if let n @ 0..usize::MAX = number[l as usize] {
                        of_link[fill[n]] = demands.len() as u32;
                        fill[n] += 1;
                    }
                }
                demands.push(flows.demands[usize::from(found.demand)]);
            });
        }
        Some(Self {
            capacity: links.iter().map(|&l| flows.capacity[l]).collect(),
            weights: vec![0.0; links.len()],
            sums: vec![0.0; demands.len()],
            uncovered: flows.offered_bytes_per_ns() - demands.iter().sum::<f64>(),
            demands,
            flows: of_link,
            starts,
            bends: Vec::new(),
            rounded: Vec::new(),
        })
    }

    fn entries(&self) -> usize {
        self.flows.len()
    }

    /// Each link in turn takes its best weight: the least at which its flows fit its capacity,
    /// where one with `width` or more left has its demand, one with less a part in proportion.
    fn round(&mut self, width: f64) {
        for link in 0..self.weights.len() {
            let flows = &self.flows[self.starts[link]..self.starts[link + 1]];
            let own = self.weights[link];
            // Where the load begins to rise as the weight falls, and where no more, for each flow.
            self.bends.clear();
            for &flow in flows {
                let left = 1.0 - (self.sums[flow as usize] - own);
                if left > 0.0 {
                    let slope = self.demands[flow as usize] / width;
                    self.bends.push((left, slope));
                    self.bends.push((left - width, -slope));
                }
            }
            let order =
                |a: &(f64, f64), b: &(f64, f64)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1));
            self.bends.sort_unstable_by(order);
            let capacity = self.capacity[link];
            let (mut load, mut slope, mut at, mut best) = (0.0, 0.0, 0.0, 0.0);
            for &(bend, change) in &self.bends {
                let below = bend.max(0.0);
                let next = load + slope * (at - below);
                if next > capacity {
                    best = at - (capacity - load) / slope;
                    break;
                }
                if bend <= 0.0 {
                    break;
                }
                (load, at) = (next, bend);
                slope += change;
            }
            let change = (STEP * (best - own)).max(-own);
            self.weights[link] = own + change;
            flows.iter().for_each(|&flow| self.sums[flow as usize] += change);
        }
    }

    fn bound(&self) -> f64 {
        self.bound_of(|link| self.weights[link], |flow| self.sums[flow])
    }

    /// The least bound of the weights rounded to whole ones, halves or thirds: often the best.
    fn rounded_bound(&mut self) -> f64 {
        let mut least = f64::INFINITY;
        for parts in [1.0, 2.0, 3.0] {
            let rounded = |link: usize| (self.weights[link] * parts).round() / parts;
            self.rounded.clear();
            self.rounded.resize(self.sums.len(), 0.0);
            for link in 0..self.weights.len() {
                for &flow in &self.flows[self.starts[link]..self.starts[link + 1]] {
                    self.rounded[flow as usize] += rounded(link);
                }
            }
            least = least.min(self.bound_of(rounded, |flow| self.rounded[flow]));
        }
        least
    }

    fn bound_of(&self, weight: impl Fn(usize) -> f64, sum: impl Fn(usize) -> f64) -> f64 {
        let links = self.capacity.iter().enumerate();
        let full: f64 = links.map(|(link, capacity)| capacity * weight(link)).sum();
        let flows = self.demands.iter().enumerate();
        let past: f64 = flows.map(|(flow, demand)| demand * (1.0 - sum(flow)).max(0.0)).sum();
        full + past + self.uncovered
    }
}
