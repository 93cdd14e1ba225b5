//! What one walk over the routes of all pairs collects. Loads, lengths and the deadlock check all read it.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use crate::graph::Graph;
use crate::network::BuildOptions;
use crate::routes::{Hop, RouteError, Routes};

/// Walks the routes of all pairs, on as many threads as asked for, at most one a switch: each has a range of the sources.
///
/// # Errors
/// [`RouteError::Broken`], that of the first source that has one.
pub(crate) fn walk_all(
    routes: &dyn Routes,
    graph: &Graph,
    widths: &[u8],
    options: &BuildOptions,
) -> Result<Survey, RouteError> {
    let walk = |sources: Range<u32>| -> Result<Survey, RouteError> {
        let mut survey = Survey::new(graph, options.self_traffic);
        for source in sources {
            routes.survey(graph, widths, source, &mut survey)?;
        }
        Ok(survey)
    };
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
    let mut all = Survey::new(graph, options.self_traffic);
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
    /// For each port of each switch as an ingress: the out ports that its packets ask for, as a bit mask. This is the channel
    /// dependency graph: the link into that port depends on the links out of those.
    pub(crate) turns: Box<[u64]>,
    /// For each port of each switch as an egress: the pairs that leave by it.
    pub(crate) loads: Box<[u64]>,
    /// Number of pairs by the number of switches on their route.
    pub(crate) hops: Vec<u64>,
    pub(crate) bits_max: u32,
    /// The first pair with the longest route, in bits.
    pub(crate) longest: Option<(u32, u32)>,
}

impl Survey {
    pub(crate) fn new(graph: &Graph, self_traffic: bool) -> Self {
        Self {
            self_traffic,
            turns: vec![0; graph.ports_total()].into(),
            loads: vec![0; graph.ports_total()].into(),
            hops: Vec::new(),
            bits_max: 0,
            longest: None,
        }
    }

    /// What was found on the routes of later sources.
    fn add(&mut self, later: &Survey) {
        for (turns, more) in self.turns.iter_mut().zip(&later.turns) {
            *turns |= more;
        }
        for (load, more) in self.loads.iter_mut().zip(&later.loads) {
            *load += more;
        }
        let hops = self.hops.len().max(later.hops.len());
        self.hops.resize(hops, 0);
        for (pairs, more) in self.hops.iter_mut().zip(&later.hops) {
            *pairs += more;
        }
        if later.bits_max > self.bits_max {
            (self.bits_max, self.longest) = (later.bits_max, later.longest);
        }
    }

    #[inline]
    pub(crate) fn add_hop(&mut self, graph: &Graph, hop: Hop) {
        self.turns[graph.port_index(hop.switch, hop.in_port)] |= 1 << hop.out_port;
        self.loads[graph.port_index(hop.switch, hop.out_port)] += 1;
    }

    #[inline]
    pub(crate) fn add_route(&mut self, source: u32, destination: u32, hops: usize, bits: u32) {
        if hops >= self.hops.len() {
            self.hops.resize(hops + 1, 0);
        }
        self.hops[hops] += 1;
        if bits > self.bits_max {
            self.bits_max = bits;
            self.longest = Some((source, destination));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::walk_all;
    use crate::graph::Graph;
    use crate::network::{BuildOptions, Parts};
    use crate::routes::{Fault, RouteError, Routes, UpChoice};
    use crate::topology::TopologyConfig;

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
        let mesh = TopologyConfig::Mesh {
            width: 5,
            height: 3,
            nodes_per_switch: 1,
        };
        for config in [TopologyConfig::Bmin { nodes: 32 }, mesh] {
            let (parts, widths) = parts(&config);
            let walk = |threads| walk_all(&*parts.routes, &parts.graph, &widths, &on(threads));
            let one = walk(1).expect("sound routes");
            for threads in [2, 3, 7, 100] {
                assert_eq!(walk(threads).expect("sound routes"), one, "{threads}");
            }
        }
    }

    // "That of the first source that has one": 9 and 20 have one, in different ranges or the same, and at 25 the rule panics.
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
        let graph: &Graph = &parts.graph;
        let routes = Broken(parts.routes.clone());
        for threads in [1, 2, 3, 32] {
            let error = walk_all(&routes, graph, &widths, &on(threads)).expect_err("broken");
            let (switch, _) = graph.node_port(9);
            let first = RouteError::Broken {
                source_node: 9,
                destination: 3,
                switch,
                fault: Fault::UTurn,
            };
            assert_eq!(error, first, "{threads}");
        }
    }
}
