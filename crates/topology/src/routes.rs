//! Deterministic routes: which port a packet leaves a switch by, and the walk that follows them.

use std::fmt;
use std::sync::Arc;

use turnpool::Route;
use units::VcStep;

use crate::graph::{Endpoint, Graph};
use crate::ground::Ground;
use crate::hierarchical::Plan;
use crate::path::{DEAD_END, Hop, Hops, LOOP, RouteError, U_TURN, astray};
use crate::survey::Survey;
use crate::tree::Tree;

/// A topology before the check.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Its name.
    pub name: &'static str,
    /// The wiring.
    pub graph: Graph,
    /// The routing rule.
    pub routes: Arc<dyn Routes>,
    /// What relative throughput refers to, in link rates; `None` where the topology defines none.
    pub maximum_links: Option<u64>,
}

/// A deterministic routing rule: the seam between a topology and everything that uses its routes.
///
/// An implementation gives [`next_port`](Self::next_port) and [`merges`](Self::merges), and may
/// give the methods up to [`vc_step`](Self::vc_step). The others are provided so that each rule
/// gets its own compiled walk: one dynamic call a route, none a hop.
pub trait Routes: fmt::Debug + Send + Sync {
    /// The port by which a packet that came into `switch` by `in_port` leaves it.
    fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8;

    /// What is on the other end of a port, as the graph has it. A rule of a regular wiring can
    /// reckon it: a walk through a large graph waits for memory at every switch.
    #[inline]
    fn peer(&self, graph: &Graph, switch: u32, port: u8) -> Endpoint {
        graph.peer(switch, port)
    }

    /// Whether routes to one destination that enter a switch by one port continue alike, whatever
    /// their sources: they are checked as one tree. A rule of which this does not hold is refused.
    fn merges(&self) -> bool {
        false
    }

    /// The first pair that has the longest route in bits, where a formula gives it: a turn pool
    /// that does not hold it is refused before any other route is walked.
    fn longest(&self, graph: &Graph) -> Option<(u32, u32)> {
        let _ = graph;
        None
    }

    /// What the network is wired like, where it is hierarchical.
    fn plan(&self) -> Option<&Arc<Plan>> {
        None
    }

    /// Virtual channels that the rule uses; with fewer every packet stays on number 0.
    fn vcs(&self) -> u8 {
        1
    }

    /// The virtual channel of a packet on the link by `out_port`; the first link has number 0.
    fn vc_step(&self, switch: u32, in_port: u8, out_port: u8) -> VcStep {
        let _ = (switch, in_port, out_port);
        VcStep::Keep
    }

    /// The turns from the first switch to the one that ejects.
    ///
    /// # Errors
    /// [`RouteError`].
    fn route(&self, ground: &Ground, pair: (u32, u32)) -> Result<Route, RouteError> {
        let mut route = Route::EMPTY;
        let mut full = Ok(());
        walk(
            self,
            ground,
            pair,
            |_, _, _| 0,
            |Hop { switch, in_port, out_port, .. }| {
                let turn =
                    turnpool::turn(in_port.into(), out_port.into(), ground.graph.ports(switch));
                if full.is_ok() {
                    full = route.push_back(turn, ground.widths[switch as usize].into());
                }
            },
        )?;
        full.map_err(|error| RouteError(error.to_string()))?;
        Ok(route)
    }

    /// The hops of a route, appended to `hops`.
    fn hops(&self, ground: &Ground, pair: (u32, u32), hops: &mut Hops) -> Result<(), RouteError> {
        let next_vc = |switch, from, out_port| ground.next_vc(switch, from, out_port);
        walk(self, ground, pair, next_vc, |hop| hops.push(hop))
    }

    /// Adds every route to a destination to the survey.
    ///
    /// # Errors
    /// [`RouteError`]: some route leads elsewhere; not always the first in the order of sources.
    fn survey_tree(
        &self,
        ground: &Ground,
        destination: u32,
        tree: &mut Tree,
        survey: &mut Survey,
    ) -> Result<(), RouteError> {
        tree.survey(self, ground, destination, survey)
    }
}

/// Follows a route. A turn back into the port of arrival is legal for a node's own packets only.
#[inline]
fn walk<R: Routes + ?Sized>(
    routes: &R,
    Ground { graph, .. }: &Ground,
    pair @ (source, destination): (u32, u32),
    next_vc: impl Fn(u32, (u8, u8), u8) -> u8,
    mut visit: impl FnMut(Hop),
) -> Result<(), RouteError> {
    let (mut switch, mut in_port) = graph.node_port(source);
    let mut in_vc = 0;
    for _ in 0..=graph.ports_total() {
        let out_port = routes.next_port(switch, in_port, destination, source);
        if out_port == in_port && source != destination {
            return Err(astray(pair, switch, U_TURN));
        }
        let peer = routes.peer(graph, switch, out_port);
        if peer == Endpoint::None {
            return Err(astray(pair, switch, DEAD_END));
        }
        let vc = next_vc(switch, (in_port, in_vc), out_port);
        visit(Hop { switch, in_port, out_port, vc });
        match peer {
            Endpoint::Node(node) if node == destination => return Ok(()),
            Endpoint::Node(node) => {
                return Err(astray(pair, switch, format_args!("ends at n{node}")));
            }
            Endpoint::Port { switch: next, port } => (switch, in_port, in_vc) = (next, port, vc),
            Endpoint::None => unreachable!("returned above"),
        }
    }
    Err(astray(pair, switch, LOOP))
}
