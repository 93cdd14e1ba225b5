//! The checked product: a graph whose routes arrive, fit the header and do not deadlock.

use std::sync::Arc;

use hierarchy::Algorithm;
use turnpool::{PoolKind, Route};
use units::{Ratio, VcStep};

use crate::analysis::Analysis;
use crate::deadlock::{self, Deadlock, Dependencies};
use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX, NODES_MAX_REASON, TABLE_NODES_MAX, VCS_MAX};
use crate::ground::Ground;
use crate::hierarchical::Hierarchy;
use crate::options::BuildOptions;
use crate::path::{Hops, Path, RouteError};
use crate::routes::{Parts, Routes};
use crate::survey::{self, Survey};
use crate::tables::Tables;
use crate::topology::TopologyConfig;
use crate::up_down;

/// A checked network: every pair of nodes is connected by its route, every route fits the turn pool
/// (or [`BuildOptions::tables`] was set), and the channel dependency graph has no cycle (or
/// [`BuildOptions::allow_deadlock`] was set).
#[derive(Clone, Debug)]
pub struct Network {
    name: &'static str,
    ground: Ground,
    routes: Arc<dyn Routes>,
    maximum_links: Option<u64>,
    tables: Option<Tables>,
    hierarchy: Option<Hierarchy>,
    options: BuildOptions,
    survey: Survey,
    deadlock: Deadlock,
}

/// How many ways there are for the packets of a pair of nodes, as long as nothing fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// One, the same for all of them.
    One,
    /// Minimal ones, by any port of an entry: one where always the lowest is taken.
    Ports,
    /// Those of a routing that is not minimal.
    Algorithm(Algorithm),
}

impl Network {
    /// Builds and checks a topology.
    ///
    /// # Errors
    /// Illegal parameters or wiring, a pair without a route, a route that does not fit the pool,
    /// routes that can deadlock.
    pub fn build(config: &TopologyConfig, options: &BuildOptions) -> Result<Self, TopologyError> {
        Self::from_parts(config.parts(options.up_choice)?, options)
    }

    /// Checks any graph with up*/down* routes.
    pub fn up_down(graph: Graph, options: &BuildOptions) -> Result<Self, TopologyError> {
        Self::from_parts(up_down::parts("file", graph), options)
    }

    /// Checks a graph with a routing rule of the caller's.
    ///
    /// # Errors
    /// As [`build`](Self::build), and [`TopologyError::Rule`].
    pub fn from_parts(parts: Parts, options: &BuildOptions) -> Result<Self, TopologyError> {
        let Parts { name, graph, routes, maximum_links } = parts;
        let refuse = |key, given: usize, legal| Err(ConfigError::new(key, given, legal).into());
        if graph.nodes() > NODES_MAX as usize {
            let legal = format!("at most {NODES_MAX}: {NODES_MAX_REASON}");
            return refuse("network.nodes", graph.nodes(), legal);
        }
        if options.tables && graph.nodes() > TABLE_NODES_MAX as usize {
            let legal = format!("at most {TABLE_NODES_MAX} with routing.algorithm = \"table\"");
            return refuse("network.nodes", graph.nodes(), legal);
        }
        ConfigError::check("switch.vcs", options.vcs.into(), 1..=VCS_MAX.into(), "")?;
        for (switch, port) in graph.all_ports() {
            let (reckoned, wired) = (routes.peer(&graph, switch, port), graph.peer(switch, port));
            if reckoned != wired {
                return Err(TopologyError::Rule(format!(
                    "the routing rule reckons that port {port} of s{switch} leads to \
                     {reckoned:?}; the graph has {wired:?}"
                )));
            }
        }
        if !routes.merges() {
            return Err(TopologyError::Rule(format!(
                "routes of {name} that come in by one port part by their sources; they are checked \
                 as one tree: see Routes::merges"
            )));
        }
        let ground = Ground::new(&*routes, graph, options.vcs, options.self_traffic)?;
        let graph = &ground.graph;
        // Tables leave the turn pool unused.
        let by_turns = !options.tables && routes.plan().is_none();
        let fits = |longest: Option<(u32, u32)>| match longest.filter(|_| by_turns) {
            Some(pair) => fits_pool(&*routes, &ground, pair, options.pool),
            None => Ok(()),
        };
        fits(routes.longest(graph))?;
        let survey = survey::walk_all(&*routes, &ground, options)?;
        fits(survey.longest)?;
        let hierarchy = routes
            .plan()
            .map(|plan| Hierarchy::new(plan, graph, options.hierarchy, options.vcs))
            .transpose()?;
        let deadlock = match &hierarchy {
            Some(hierarchy) => hierarchy.checked.deadlock.clone(),
            None => deadlock::find(&Dependencies::of_routes(&ground, &survey)),
        };
        if let (Deadlock::Cycle(cycle), false) = (&deadlock, options.allow_deadlock) {
            return Err(TopologyError::Deadlock {
                cycle: cycle.clone(),
                vcs: options.vcs,
                needed: Some(routes.vcs()).filter(|&needed| needed > options.vcs),
            });
        }
        let tables = options.tables.then(|| Tables::new(&*routes, graph, options.self_traffic));
        Ok(Self {
            name,
            ground,
            routes,
            maximum_links,
            tables,
            hierarchy,
            options: *options,
            survey,
            deadlock,
        })
    }

    /// Name of the topology.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The wiring.
    pub fn graph(&self) -> &Graph {
        &self.ground.graph
    }

    /// What it was built for.
    pub fn options(&self) -> &BuildOptions {
        &self.options
    }

    /// Number of switches.
    pub fn switches(&self) -> usize {
        self.ground.graph.switches()
    }

    /// Number of end nodes.
    pub fn nodes(&self) -> usize {
        self.ground.graph.nodes()
    }

    /// Bits of a turn in a switch.
    #[inline]
    pub fn turn_width(&self, switch: u32) -> u32 {
        self.ground.widths[switch as usize].into()
    }

    /// Bits of the longest route.
    pub fn route_bits_max(&self) -> u32 {
        self.survey.bits_max
    }

    /// The outcome of the deadlock check.
    pub fn deadlock(&self) -> &Deadlock {
        &self.deadlock
    }

    fn legal(&self, source: u32, destination: u32) -> Result<(), RouteError> {
        let nodes = self.ground.graph.nodes() as u32;
        for given in [source, destination] {
            if given >= nodes {
                let text = format!("there is no end node n{given}; legal: n0 to n{}", nodes - 1);
                return Err(RouteError(text));
            }
        }
        if source == destination && !self.options.self_traffic {
            let text = format!("n{source} sends to itself; legal only with `workload.self = true`");
            return Err(RouteError(text));
        }
        Ok(())
    }

    /// All turns from the first switch to the one that ejects, in O(hops), without allocation.
    ///
    /// # Errors
    /// A node that does not exist, or one that sends to itself where that is not allowed.
    #[inline]
    pub fn route(&self, source: u32, destination: u32) -> Result<Route, RouteError> {
        self.legal(source, destination)?;
        self.routes.route(&self.ground, (source, destination))
    }

    /// The switches on a route with their ports.
    pub fn path(&self, source: u32, destination: u32) -> Result<Path, RouteError> {
        self.legal(source, destination)?;
        let mut hops = Hops::new();
        self.routes.hops(&self.ground, (source, destination), &mut hops)?;
        let mut path = Path { source, destination, hops };
        if let Some(hierarchy) = &self.hierarchy {
            hierarchy.set_vcs(&mut path);
        }
        Ok(path)
    }

    #[inline]
    pub(crate) fn walk(&self, source: u32, destination: u32, hops: &mut Hops) {
        self.routes
            .hops(&self.ground, (source, destination), hops)
            .expect("every pair was checked when the network was built");
    }

    /// The port by which a packet that came into `switch` by `in_port` leaves it.
    #[inline]
    pub fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
        self.routes.next_port(switch, in_port, destination, source)
    }

    /// Virtual channels of a link (key `switch.vcs`): packets may be on fewer.
    pub fn vcs(&self) -> u8 {
        self.options.vcs
    }

    /// Virtual channels that some route is on, counted from 0 to the highest.
    pub fn vcs_used(&self) -> u8 {
        if let Some(hierarchy) = &self.hierarchy {
            let checked = &hierarchy.checked;
            return checked.local_vcs.max(checked.global_vcs).max(1);
        }
        self.survey.vcs_used
    }

    /// The steps of the virtual channel from an ingress port, by egress port.
    #[inline]
    pub fn vc_steps(&self, switch: u32, in_port: u8) -> &[VcStep] {
        self.ground.steps(switch, in_port)
    }

    /// The routing tables; `None` without [`BuildOptions::tables`].
    #[inline]
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_ref()
    }

    /// Tables, shapes and rules of a hierarchical network, `None` for any other; packets go by
    /// them, and the routes above are minimal ones by the lowest ports.
    #[inline]
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// How many ways there are for the packets of a pair of nodes.
    pub fn ways(&self) -> Ways {
        let Some(hierarchy) = &self.hierarchy else {
            return Ways::One;
        };
        let mut entries = hierarchy.tables().iter().flat_map(|table| table.iter());
        match hierarchy.routing.algorithm {
            Algorithm::Minimal if entries.all(|(_, ports)| ports.count_ones() < 2) => Ways::One,
            Algorithm::Minimal => Ways::Ports,
            algorithm => Ways::Algorithm(algorithm),
        }
    }

    /// The throughput that relative throughput refers to, bytes/ns: of a single switch, BMIN, tree
    /// the rate of all nodes; of a mesh and torus twice the bisection bandwidth; of a dumbbell and
    /// parking lot the rate of the outputs. `None` where the topology defines none.
    pub fn maximum_bytes_per_ns(&self, link_bytes_per_ns: Ratio) -> Option<Ratio> {
        let num = link_bytes_per_ns.num().checked_mul(self.maximum_links?)?;
        Ratio::new(num, link_bytes_per_ns.den()).ok()
    }

    /// Counts, lengths, loads: what `setaside topo` prints.
    pub fn analysis(&self) -> Analysis {
        Analysis::new(self, &self.survey)
    }
}

fn fits_pool(
    routes: &dyn Routes,
    ground: &Ground,
    pair @ (source, destination): (u32, u32),
    pool: PoolKind,
) -> Result<(), TopologyError> {
    let mut hops = Hops::new();
    routes.hops(ground, pair, &mut hops)?;
    let bits = hops.iter().map(|hop| u32::from(ground.widths[hop.switch as usize])).sum();
    if bits <= pool.bits() {
        return Ok(());
    }
    let longest = Box::new(Path { source, destination, hops });
    Err(TopologyError::PoolOverflow { bits, pool, longest })
}
