//! What one walk over the routes of all pairs collects: loads, lengths, turns.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::graph::Graph;
use crate::ground::Ground;
use crate::options::BuildOptions;
use crate::path::{Hops, RouteError};
use crate::routes::Routes;
use crate::tree::Tree;

/// Walks the routes of all pairs, a range of the destinations a thread.
pub(crate) fn walk_all(
    routes: &dyn Routes,
    ground: &Ground,
    options: &BuildOptions,
) -> Result<Survey, RouteError> {
    let (nodes, done) = (ground.graph.nodes(), AtomicU64::new(0));
    let walk = |destinations: Range<u32>| {
        let mut survey = Survey::new(ground, options.self_traffic);
        let mut tree = Tree::new(ground);
        for destination in destinations {
            routes.survey_tree(ground, destination, &mut tree, &mut survey)?;
            (options.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, nodes as u64);
        }
        Ok(survey)
    };
    let walk = &walk;
    let ranges = options.threads.get().min(ground.graph.switches()).max(1);
    let range = |n: usize| (nodes * n / ranges) as u32..(nodes * (n + 1) / ranges) as u32;
    let surveys: Result<Vec<Survey>, RouteError> = thread::scope(|scope| {
        let spawn = |n| {
            let thread = thread::Builder::new().name(format!("routes-{n}"));
            thread.spawn_scoped(scope, move || walk(range(n)))
        };
        let others: Vec<_> = (1..ranges).map(|n| (n, spawn(n))).collect();
        let first = walk(range(0));
        let others = others.into_iter().map(|(n, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => walk(range(n)), // no further thread to be had
        });
        std::iter::once(first).chain(others).collect()
    });
    let surveys = surveys.map_err(|error| {
        // Trees meet another broken route first than that of the first pair.
        let broken = |pair| routes.hops(ground, pair, &mut Hops::new()).err();
        pairs(&ground.graph, options.self_traffic).find_map(broken).unwrap_or(error)
    })?;
    let mut all = Survey::new(ground, options.self_traffic);
    surveys.iter().for_each(|survey| all.add(survey));
    Ok(all)
}

/// All (source, destination) pairs that may send, by source.
fn pairs(graph: &Graph, self_traffic: bool) -> impl Iterator<Item = (u32, u32)> {
    let nodes = graph.nodes() as u32;
    let all = (0..nodes).flat_map(move |source| (0..nodes).map(move |to| (source, to)));
    all.filter(move |(source, to)| self_traffic || source != to)
}

/// Counts over the routes of all (source, destination) pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    pub(crate) self_traffic: bool,
    /// For each virtual channel of each ingress port: the out ports that its packets ask for, as a
    /// bit mask. With the steps of the virtual channels this is the channel dependency graph.
    pub(crate) turns: Box<[u64]>,
    /// For each port of each switch as an egress: the pairs that leave by it.
    pub(crate) loads: Box<[u64]>,
    /// Number of pairs by the number of switches on their route.
    pub(crate) hops: Vec<u64>,
    /// Virtual channels that some route is on, counted from 0 to the highest.
    pub(crate) vcs_used: u8,
    pub(crate) bits_max: u32,
    /// The first pair with the longest route, in bits.
    pub(crate) longest: Option<(u32, u32)>,
}

impl Survey {
    pub(crate) fn new(ground: &Ground, self_traffic: bool) -> Self {
        Self {
            self_traffic,
            turns: vec![0; ground.places()].into(),
            loads: vec![0; ground.graph.ports_total()].into(),
            hops: Vec::new(),
            vcs_used: 1,
            bits_max: 0,
            longest: None,
        }
    }

    fn add(&mut self, later: &Survey) {
        for (turns, more) in self.turns.iter_mut().zip(&later.turns) {
            *turns |= more;
        }
        for (load, more) in self.loads.iter_mut().zip(&later.loads) {
            *load += more;
        }
        self.vcs_used = self.vcs_used.max(later.vcs_used);
        let hops = self.hops.len().max(later.hops.len());
        self.hops.resize(hops, 0);
        for (pairs, more) in self.hops.iter_mut().zip(&later.hops) {
            *pairs += more;
        }
        if let Some(pair) = later.longest {
            self.take_longest(pair, later.bits_max);
        }
    }

    /// Some route is on this virtual channel.
    #[inline]
    pub(crate) fn see_vc(&mut self, vc: u8) {
        self.vcs_used = self.vcs_used.max(vc + 1);
    }

    #[inline]
    pub(crate) fn add_route(&mut self, source: u32, destination: u32, hops: usize, bits: u32) {
        if hops >= self.hops.len() {
            self.hops.resize(hops + 1, 0);
        }
        self.hops[hops] += 1;
        self.take_longest((source, destination), bits);
    }

    /// Trees come by destination, so the first pair is not always met first.
    #[inline]
    fn take_longest(&mut self, pair: (u32, u32), bits: u32) {
        let first = bits == self.bits_max && self.longest.is_some_and(|other| pair < other);
        if bits > self.bits_max || first {
            (self.bits_max, self.longest) = (bits, Some(pair));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::num::NonZeroUsize;

    use super::{Survey, pairs, walk_all};
    use crate::ground::Ground;
    use crate::options::BuildOptions;
    use crate::path::{Hops, RouteError, UpChoice};
    use crate::routes::{Parts, Routes};
    use crate::testkit::{random_graph, some_topologies, words};
    use crate::up_down;

    fn on(threads: usize) -> BuildOptions {
        let threads = NonZeroUsize::new(threads).expect("some");
        BuildOptions { threads, ..BuildOptions::default() }
    }

    fn networks() -> impl Iterator<Item = Parts> {
        let both = [UpChoice::Destination, UpChoice::Source];
        let regular = some_topologies().into_iter();
        let regular =
            regular.flat_map(move |config| both.map(|up| config.parts(up).expect("legal")));
        let random = (0..40).filter_map(|seed| {
            let graph = random_graph(&mut words(seed), 2 + seed as u32 % 9, 7, 5).ok()?;
            Some(up_down::parts("file", graph))
        });
        regular.chain(random)
    }

    fn one_by_one(
        routes: &dyn Routes,
        ground: &Ground,
        self_traffic: bool,
    ) -> Result<Survey, RouteError> {
        let mut survey = Survey::new(ground, self_traffic);
        for pair in pairs(&ground.graph, self_traffic) {
            let mut hops = Hops::new();
            routes.hops(ground, pair, &mut hops)?;
            let (mut in_vc, mut bits) = (0, 0);
            for hop in &hops {
                survey.turns[ground.place(hop.switch, hop.in_port, in_vc)] |= 1 << hop.out_port;
                survey.see_vc(hop.vc);
                survey.loads[ground.graph.port_index(hop.switch, hop.out_port)] += 1;
                bits += u32::from(ground.widths[hop.switch as usize]);
                in_vc = hop.vc;
            }
            survey.add_route(pair.0, pair.1, hops.len(), bits);
        }
        Ok(survey)
    }

    // Trees find what all pairs do, on any number of threads, `longest` the first longest route.
    #[test]
    fn trees_and_formulas_find_what_all_pairs_do() {
        let (mut trees, mut formulas) = (0, 0);
        for Parts { graph, routes, .. } in networks() {
            for self_traffic in [false, true] {
                let ground = Ground::new(&*routes, graph.clone(), 2, self_traffic);
                let ground = ground.expect("a legal rule");
                let pairs = one_by_one(&*routes, &ground, self_traffic).expect("sound");
                trees += 1;
                for threads in [1, 2, 3, 100] {
                    let options = BuildOptions { self_traffic, ..on(threads) };
                    let found = walk_all(&*routes, &ground, &options).expect("sound");
                    assert_eq!(found, pairs, "{routes:?} {threads}");
                }
                if let Some(pair) = routes.longest(&graph) {
                    formulas += 1;
                    assert_eq!(Some(pair), pairs.longest, "{routes:?}");
                }
            }
        }
        assert!(trees > 140 && formulas > 50, "{trees} {formulas}");
    }

    // A table with any port anywhere: the trees refuse what pairs do, by the first of them.
    #[test]
    fn trees_and_pairs_refuse_the_same() {
        #[derive(Debug)]
        struct Table(usize, Vec<u8>);
        impl Routes for Table {
            fn merges(&self) -> bool {
                true
            }

            fn next_port(&self, switch: u32, _: u8, destination: u32, _: u32) -> u8 {
                self.1[destination as usize * self.0 + switch as usize]
            }
        }
        let faults = ["unconnected", "ends at", "turns back", "circles", "virtual channel"];
        let mut refused = BTreeSet::new();
        for seed in 0..2000 {
            let Ok(graph) = random_graph(&mut words(seed), 1 + seed as u32 % 3, 2, 4) else {
                continue;
            };
            let mut next = words(seed ^ 1);
            let any = (0..graph.switches() * graph.nodes()).map(|_| (next() % 5) as u8);
            let table = Table(graph.switches(), any.collect());
            let self_traffic = seed % 4 > 1;
            let ground = Ground::new(&table, graph, 1, self_traffic).expect("a legal rule");
            let options = BuildOptions { self_traffic, ..on(1 + seed as usize % 2) };
            let trees = walk_all(&table, &ground, &options);
            assert_eq!(trees, one_by_one(&table, &ground, self_traffic));
            refused.insert(match trees {
                Ok(_) => None,
                Err(error) => faults.into_iter().find(|fault| error.to_string().contains(fault)),
            });
        }
        assert_eq!(refused.len(), 5, "{refused:?}");
    }
}
