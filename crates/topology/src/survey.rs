//! What one walk over the routes of all pairs collects. Loads, lengths and the deadlock check all
//! read it.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::graph::Graph;
use crate::options::BuildOptions;
use crate::path::{Hops, RouteError};
use crate::routes::Routes;
use crate::tree::Tree;
use crate::vcs::VcTable;

/// Walks the routes of all pairs, on as many threads as asked for, at most one a switch: each has a
/// range of the destinations.
pub(crate) fn walk_all(
    routes: &dyn Routes,
    graph: &Graph,
    vcs: &VcTable,
    widths: &[u8],
    options: &BuildOptions,
) -> Result<Survey, RouteError> {
    let (nodes, done) = (graph.nodes(), AtomicU64::new(0));
    let walk = |destinations: Range<u32>| {
        let mut survey = Survey::new(graph, vcs, options.self_traffic);
        let mut tree = Tree::new(graph, vcs);
        for destination in destinations {
            routes.survey_tree(graph, vcs, widths, destination, &mut tree, &mut survey)?;
            (options.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, nodes as u64);
        }
        Ok(survey)
    };
    let walk = &walk;
    let ranges = options.threads.get().min(graph.switches()).max(1);
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
    let surveys = surveys
        .map_err(|error| first_broken(routes, graph, vcs, options.self_traffic).unwrap_or(error))?;
    let mut all = Survey::new(graph, vcs, options.self_traffic);
    surveys.iter().for_each(|survey| all.add(survey));
    Ok(all)
}

/// The first pair whose route is broken; trees meet another one first.
fn first_broken(
    routes: &dyn Routes,
    graph: &Graph,
    vcs: &VcTable,
    self_traffic: bool,
) -> Option<RouteError> {
    pairs(graph, self_traffic).find_map(|(source, destination)| {
        routes.hops(graph, vcs, source, destination, &mut Hops::new()).err()
    })
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
    /// Whether pairs of a node with itself are counted.
    pub(crate) self_traffic: bool,
    /// For each virtual channel of each port of each switch as an ingress: the out ports that its
    /// packets ask for, as a bit mask. With the steps of the virtual channels this is the channel
    /// dependency graph: the channel into that port depends on those out of these.
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
    pub(crate) fn new(graph: &Graph, vcs: &VcTable, self_traffic: bool) -> Self {
        Self {
            self_traffic,
            turns: vec![0; vcs.index(graph.ports_total(), 0)].into(),
            loads: vec![0; graph.ports_total()].into(),
            hops: Vec::new(),
            vcs_used: 1,
            bits_max: 0,
            longest: None,
        }
    }

    /// What was found on other routes.
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{Survey, pairs, walk_all};
    use crate::error::TopologyError;
    use crate::graph::Graph;
    use crate::network::Network;
    use crate::options::BuildOptions;
    use crate::path::{Hops, RouteError, UpChoice};
    use crate::routes::{Parts, Routes};
    use crate::testkit::{random_graph, words};
    use crate::topology::TopologyConfig;
    use crate::up_down;
    use crate::vcs::VcTable;

    fn on(threads: usize) -> BuildOptions {
        let threads = NonZeroUsize::new(threads).expect("some");
        BuildOptions { threads, ..BuildOptions::default() }
    }

    /// Every topology in some sizes; random graphs routed up*/down*.
    fn networks() -> Vec<Parts> {
        let mut configs: Vec<TopologyConfig> =
            [4, 8, 32, 64].map(|nodes| TopologyConfig::Bmin { nodes }).into();
        for (width, height, nodes_per_switch) in
            [(1, 1, 3), (1, 7, 1), (6, 1, 2), (5, 3, 1), (2, 4, 3)]
        {
            configs.push(TopologyConfig::Mesh { width, height, nodes_per_switch });
        }
        configs.extend(
            [(2, 1), (2, 4), (3, 3), (5, 2)].map(|(k, n)| TopologyConfig::KAryNTree { k, n }),
        );
        configs.push(TopologyConfig::SingleSwitch { ports: 5 });
        configs.extend([1, 2, 7, 30].map(|inputs| TopologyConfig::Dumbbell { inputs }));
        configs.extend([1, 2, 9].map(|switches| TopologyConfig::ParkingLot { switches }));
        for sizes in [&[2][..], &[7], &[5, 2], &[4, 3], &[2, 2, 2], &[3, 4, 2]] {
            configs.push(TopologyConfig::Torus { dimensions: sizes.to_vec(), nodes_per_switch: 2 });
        }
        let both = [UpChoice::Destination, UpChoice::Source];
        let regular = configs
            .iter()
            .flat_map(|config| both.map(|up| config.parts(up).expect("a legal topology")));
        let random = (0..40).filter_map(|seed| {
            let graph = random_graph(&mut words(seed), 2 + seed as u32 % 9, 7, 5).ok()?;
            Some(up_down::parts("file", graph))
        });
        regular.chain(random).collect()
    }

    /// The survey of all pairs, one by one.
    fn one_by_one(
        routes: &dyn Routes,
        graph: &Graph,
        vcs: &VcTable,
        widths: &[u8],
        self_traffic: bool,
    ) -> Result<Survey, RouteError> {
        let mut survey = Survey::new(graph, vcs, self_traffic);
        for (source, destination) in pairs(graph, self_traffic) {
            let mut hops = Hops::new();
            routes.hops(graph, vcs, source, destination, &mut hops)?;
            let (mut in_vc, mut bits) = (0, 0);
            for hop in &hops {
                let ingress = vcs.index(graph.port_index(hop.switch, hop.in_port), in_vc);
                survey.turns[ingress] |= 1 << hop.out_port;
                survey.see_vc(hop.vc);
                survey.loads[graph.port_index(hop.switch, hop.out_port)] += 1;
                bits += u32::from(widths[hop.switch as usize]);
                in_vc = hop.vc;
            }
            survey.add_route(source, destination, hops.len(), bits);
        }
        Ok(survey)
    }

    // Trees find what all pairs do, on any number of threads, and the formula "the first pair that
    // has the longest route".
    #[test]
    fn trees_and_formulas_find_what_all_pairs_do() {
        let (mut trees, mut formulas) = (0, 0);
        for Parts { graph, routes, .. } in networks() {
            for self_traffic in [false, true] {
                let widths: Vec<u8> = (0..graph.switches() as u32)
                    .map(|switch| turnpool::turn_width(graph.ports(switch), self_traffic) as u8)
                    .collect();
                let vcs = VcTable::new(&*routes, &graph, 2).expect("a legal rule");
                let pairs =
                    one_by_one(&*routes, &graph, &vcs, &widths, self_traffic).expect("sound");
                trees += 1;
                for threads in [1, 2, 3, 100] {
                    let options = BuildOptions { self_traffic, ..on(threads) };
                    let found = walk_all(&*routes, &graph, &vcs, &widths, &options).expect("sound");
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

    // "A network whose turn pool does not hold that route is refused before any other is walked":
    // 127 hops of 700 million.
    #[test]
    fn a_route_that_is_too_long_is_found_before_the_walk() {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        #[derive(Debug)]
        struct Counted(Arc<dyn Routes>);
        impl Routes for Counted {
            fn merges(&self) -> bool {
                true
            }

            fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
                ASKED.fetch_add(1, Ordering::Relaxed);
                self.0.next_port(switch, in_port, destination, source)
            }
            fn longest(&self, graph: &Graph) -> Option<(u32, u32)> {
                self.0.longest(graph)
            }
        }
        let mesh = TopologyConfig::Mesh { width: 64, height: 64, nodes_per_switch: 1 };
        let mut parts = mesh.parts(UpChoice::Source).expect("a legal topology");
        parts.routes = Arc::new(Counted(parts.routes));
        let error = Network::from_parts(parts, &on(1)).expect_err("254 bits");
        let TopologyError::PoolOverflow { bits, longest, .. } = error else { panic!("{error}") };
        assert_eq!((bits, longest.source, longest.destination), (254, 0, 4095));
        assert_eq!(ASKED.load(Ordering::Relaxed), 127);
    }

    // A table with any port anywhere: the trees refuse what pairs do, by the first of them, on any
    // number of threads.
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
        let one = VcTable::one();
        let faults = ["unconnected", "ends at", "turns back", "circles", "virtual channel"];
        let mut refused = BTreeSet::new();
        for seed in 0..2000 {
            let Ok(graph) = random_graph(&mut words(seed), 1 + seed as u32 % 3, 2, 4) else {
                continue;
            };
            let mut next = words(seed ^ 1);
            let any = (0..graph.switches() * graph.nodes()).map(|_| (next() % 5) as u8);
            let table = Table(graph.switches(), any.collect());
            let widths = vec![2; graph.switches()];
            let self_traffic = seed % 4 > 1;
            let options = BuildOptions { self_traffic, ..on(1 + seed as usize % 2) };
            let trees = walk_all(&table, &graph, &one, &widths, &options);
            assert_eq!(trees, one_by_one(&table, &graph, &one, &widths, self_traffic));
            refused.insert(match trees {
                Ok(_) => None,
                Err(error) => faults.into_iter().find(|fault| error.to_string().contains(fault)),
            });
        }
        assert_eq!(refused.len(), 5, "{refused:?}");
    }
}
