//! What one walk over the routes of all pairs collects. Loads, lengths and the deadlock check all
//! read it.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::build_options::BuildOptions;
use crate::graph::Graph;
use crate::path::{Hop, RouteError};
use crate::routes::Routes;
use crate::tree::Tree;
use crate::vcs::VcTable;

/// Walks the routes of all pairs, on as many threads as asked for, at most one a switch: each has a
/// range of the sources, or of the destinations where routes merge.
///
/// # Errors
/// [`RouteError::Broken`], that of the first source that has one.
pub(crate) fn walk_all(
    routes: &dyn Routes,
    graph: &Graph,
    vcs: &VcTable,
    widths: &[u8],
    options: &BuildOptions,
) -> Result<Survey, RouteError> {
    let nodes = graph.nodes() as u64;
    let done = AtomicU64::new(0);
    let walked = || (options.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, nodes);
    if routes.merges() {
        let trees = in_ranges(graph, vcs, options, |destinations, survey| {
            let mut tree = Tree::new(graph, vcs);
            for destination in destinations {
                routes.survey_tree(graph, vcs, widths, destination, &mut tree, survey)?;
                walked();
            }
            Ok(())
        });
        // Where a route is broken, the walk below finds the first one.
        if trees.is_ok() {
            return trees;
        }
        done.store(0, Ordering::Relaxed);
    }
    in_ranges(graph, vcs, options, |sources, survey| {
        for source in sources {
            routes.survey(graph, vcs, widths, source, survey)?;
            walked();
        }
        Ok(())
    })
}

/// Has `walk` go through ranges of the nodes, one a thread, and adds up what it finds.
fn in_ranges(
    graph: &Graph,
    vcs: &VcTable,
    options: &BuildOptions,
    walk: impl Fn(Range<u32>, &mut Survey) -> Result<(), RouteError> + Sync,
) -> Result<Survey, RouteError> {
    let walk = |nodes: Range<u32>| -> Result<Survey, RouteError> {
        let mut survey = Survey::new(graph, vcs, options.self_traffic);
        walk(nodes, &mut survey)?;
        Ok(survey)
    };
    let walk = &walk;
    let nodes = graph.nodes();
    let ranges = options.threads.get().min(graph.switches()).max(1);
    let range = |n: usize| (nodes * n / ranges) as u32..(nodes * (n + 1) / ranges) as u32;
    let outcomes: Vec<thread::Result<_>> = thread::scope(|scope| {
        let spawn = |n| {
            let thread = thread::Builder::new().name(format!("routes-{n}"));
            thread.spawn_scoped(scope, move || walk(range(n)))
        };
        let others: Vec<_> = (1..ranges).map(|n| (n, spawn(n))).collect();
        let first = walk(range(0));
        let others = others.into_iter().map(|(n, thread)| match thread {
            Ok(thread) => thread.join(),
            Err(_) => Ok(walk(range(n))), // no further thread to be had
        });
        std::iter::once(Ok(first)).chain(others).collect()
    });
    // Whatever came of a range counts only if all went well before it, as on one thread.
    let mut all = Survey::new(graph, vcs, options.self_traffic);
    for outcome in outcomes {
        all.add(&outcome.unwrap_or_else(|panic| resume_unwind(panic))?);
    }
    Ok(all)
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

    #[inline]
    pub(crate) fn add_hop(&mut self, graph: &Graph, vcs: &VcTable, hop: Hop, in_vc: u8) {
        let ingress = vcs.index(graph.port_index(hop.switch, hop.in_port), in_vc);
        self.turns[ingress] |= 1 << hop.out_port;
        self.see_vc(in_vc);
        self.see_vc(hop.vc);
        self.loads[graph.port_index(hop.switch, hop.out_port)] += 1;
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
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::walk_all;
    use crate::build_options::BuildOptions;
    use crate::error::TopologyError;
    use crate::graph::Graph;
    use crate::network::Network;
    use crate::parts::Parts;
    use crate::path::{Fault, RouteError, UpChoice};
    use crate::routes::Routes;
    use crate::testkit::{random_graph, words};
    use crate::topology::TopologyConfig;
    use crate::up_down;
    use crate::vcs::VcTable;
    use units::VcStep;

    fn on(threads: usize) -> BuildOptions {
        BuildOptions {
            threads: NonZeroUsize::new(threads).expect("some"),
            ..BuildOptions::default()
        }
    }

    fn parts(config: &TopologyConfig) -> (Parts, Vec<u8>) {
        let parts = config.parts(UpChoice::Source).expect("a legal topology");
        let widths = vec![3; parts.graph.switches()];
        (parts, widths)
    }

    // "What they find does not depend on it."
    #[test]
    fn any_number_of_threads_finds_the_same() {
        let mesh = TopologyConfig::Mesh { width: 5, height: 3, nodes_per_switch: 1 };
        let torus = TopologyConfig::Torus { dimensions: vec![5, 3], nodes_per_switch: 1 };
        for config in [TopologyConfig::Bmin { nodes: 32 }, mesh, torus] {
            let (parts, widths) = parts(&config);
            let vcs = VcTable::new(&*parts.routes, &parts.graph, 2).expect("a legal rule");
            let walk =
                |threads| walk_all(&*parts.routes, &parts.graph, &vcs, &widths, &on(threads));
            let one = walk(1).expect("sound routes");
            for threads in [2, 3, 7, 100] {
                assert_eq!(walk(threads).expect("sound routes"), one, "{threads}");
            }
        }
    }

    /// A rule that is walked pair by pair.
    #[derive(Debug)]
    struct Pairwise(std::sync::Arc<dyn Routes>);
    impl Routes for Pairwise {
        fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
            self.0.next_port(switch, in_port, destination, source)
        }
        fn vcs(&self) -> u8 {
            self.0.vcs()
        }
        fn vc_step(&self, switch: u32, in_port: u8, out_port: u8) -> VcStep {
            self.0.vc_step(switch, in_port, out_port)
        }
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

    // "A rule of which this holds says so": what its trees find is what all pairs find. "The first
    // pair that has the longest route".
    #[test]
    fn trees_and_formulas_find_what_all_pairs_do() {
        let (mut trees, mut formulas) = (0, 0);
        for Parts { graph, routes, .. } in networks() {
            for self_traffic in [false, true] {
                let widths: Vec<u8> = (0..graph.switches() as u32)
                    .map(|switch| turnpool::turn_width(graph.ports(switch), self_traffic) as u8)
                    .collect();
                let mut options = on(1);
                options.self_traffic = self_traffic;
                let vcs = VcTable::new(&*routes, &graph, 2).expect("a legal rule");
                let pairwise = Pairwise(routes.clone());
                let pairs = walk_all(&pairwise, &graph, &vcs, &widths, &options).expect("sound");
                trees += usize::from(routes.merges());
                for threads in [1, 3] {
                    options.threads = on(threads).threads;
                    let found = walk_all(&*routes, &graph, &vcs, &widths, &options).expect("sound");
                    assert_eq!(found, pairs, "{routes:?}");
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
        struct Counted(std::sync::Arc<dyn Routes>);
        impl Routes for Counted {
            fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
                ASKED.fetch_add(1, Ordering::Relaxed);
                self.0.next_port(switch, in_port, destination, source)
            }
            fn longest(&self, graph: &Graph) -> Option<(u32, u32)> {
                self.0.longest(graph)
            }
        }
        let mesh = TopologyConfig::Mesh { width: 64, height: 64, nodes_per_switch: 1 };
        let (mut parts, _) = parts(&mesh);
        parts.routes = std::sync::Arc::new(Counted(parts.routes));
        let error = Network::from_parts(parts, &on(1)).expect_err("254 bits");
        let TopologyError::PoolOverflow { bits, longest, .. } = error else { panic!("{error}") };
        assert_eq!((bits, longest.source, longest.destination), (254, 0, 4095));
        assert_eq!(ASKED.load(Ordering::Relaxed), 127);
    }

    // A table that does not read the source, with any port anywhere: the trees and the pairs refuse
    // the same, by the same pair.
    #[test]
    fn trees_and_pairs_refuse_the_same() {
        #[derive(Debug)]
        struct Table(usize, Vec<u8>);
        impl Routes for Table {
            fn next_port(&self, switch: u32, _: u8, destination: u32, _: u32) -> u8 {
                self.1[destination as usize * self.0 + switch as usize]
            }
            fn merges(&self) -> bool {
                true
            }
        }
        let one = VcTable::one();
        let mut refused = std::collections::BTreeSet::new();
        for seed in 0..2000 {
            let Ok(graph) = random_graph(&mut words(seed), 1 + seed as u32 % 3, 2, 4) else {
                continue;
            };
            let mut next = words(seed ^ 1);
            let any = (0..graph.switches() * graph.nodes()).map(|_| (next() % 5) as u8);
            let table = std::sync::Arc::new(Table(graph.switches(), any.collect()));
            let widths = vec![2; graph.switches()];
            let mut options = on(1 + seed as usize % 2);
            options.self_traffic = seed % 4 > 1;
            let trees = walk_all(&*table, &graph, &one, &widths, &options);
            assert_eq!(trees, walk_all(&Pairwise(table), &graph, &one, &widths, &options));
            refused.insert(match trees {
                Ok(_) => "nothing",
                Err(RouteError::Broken { fault, .. }) => match fault {
                    Fault::DeadEnd => "dead end",
                    Fault::WrongNode(_) => "wrong node",
                    Fault::UTurn => "turn back",
                    Fault::Loop => "circle",
                    Fault::NoSuchVc(_) => "channel",
                },
                Err(error) => panic!("{error}"),
            });
        }
        assert_eq!(refused.len(), 5, "{refused:?}");
    }

    // "That of the first source that has one": 9 and 20 have one, in different ranges or the same,
    // and at 25 the rule panics.
    #[test]
    fn the_first_broken_route_is_named() {
        #[derive(Debug)]
        struct Broken(std::sync::Arc<dyn Routes>);
        impl Routes for Broken {
            fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
                assert_ne!(source, 25, "a rule that panics");
                if destination == 3 && (source == 9 || source == 20) {
                    return in_port;
                }
                self.0.next_port(switch, in_port, destination, source)
            }
        }
        let (parts, widths) = parts(&TopologyConfig::Bmin { nodes: 32 });
        let (graph, one) = (&parts.graph, VcTable::one());
        let routes = Broken(parts.routes.clone());
        for threads in [1, 2, 3, 32] {
            let error = walk_all(&routes, graph, &one, &widths, &on(threads)).expect_err("broken");
            let (switch, _) = graph.node_port(9);
            let first =
                RouteError::Broken { source_node: 9, destination: 3, switch, fault: Fault::UTurn };
            assert_eq!(error, first, "{threads}");
        }
    }
}
