//! Deterministic routes: which port a packet leaves a switch by, and the walk that follows them.

use std::fmt;
use std::sync::Arc;

use turnpool::Route;
use units::VcStep;

use crate::graph::{Endpoint, Graph};
use crate::hierarchical::Plan;
use crate::path::{Fault, Hop, Hops, RouteError};
use crate::survey::Survey;
use crate::tree::Tree;
use crate::vcs::VcTable;

/// A topology before the check.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Its name.
    pub name: &'static str,
    /// The wiring.
    pub graph: Graph,
    /// The routing rule.
    pub routes: Arc<dyn Routes>,
    /// The throughput that relative throughput refers to, in link rates; `None` where the topology
    /// defines none.
    pub maximum_links: Option<u64>,
}

/// A deterministic routing rule: the seam between a topology and everything that uses its routes.
///
/// An implementation gives [`next_port`](Self::next_port), declares that its routes
/// [merge](Self::merges), and may give [`peer`](Self::peer), [`longest`](Self::longest) and, where
/// it changes virtual channels, [`vcs`](Self::vcs) and [`vc_step`](Self::vc_step). The other
/// methods are provided here so that each rule gets its own compiled walk: one dynamic call a
/// route, none a hop.
pub trait Routes: fmt::Debug + Send + Sync {
    /// The port by which a packet from node `source` to node `destination` that came into `switch`
    /// by `in_port` leaves it.
    fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8;

    /// What is on the other end of a port, as the graph has it. A rule of a regular wiring can
    /// reckon it: a walk through a large graph waits for memory at every switch.
    #[inline]
    fn peer(&self, graph: &Graph, switch: u32, port: u8) -> Endpoint {
        graph.peer(switch, port)
    }

    /// Whether routes to one destination that enter a switch by one port continue alike, whatever
    /// their sources: they are checked as one tree, and fill routing tables. A rule of which this
    /// does not hold is refused.
    fn merges(&self) -> bool {
        false
    }

    /// The first pair, by source, then destination, that has the longest route in bits, where a
    /// formula of the topology gives it. A network whose turn pool does not hold that route is
    /// refused before any other is walked.
    fn longest(&self, graph: &Graph) -> Option<(u32, u32)> {
        let _ = graph;
        None
    }

    /// What the network is wired like, where it is hierarchical.
    fn plan(&self) -> Option<&Arc<Plan>> {
        None
    }

    /// Virtual channels that the rule uses, at least 1. A network that has fewer keeps every packet
    /// on number 0, whatever the steps below are; one that has more leaves them unused.
    fn vcs(&self) -> u8 {
        1
    }

    /// The virtual channel that a packet which came into `switch` by `in_port` takes on the link by
    /// `out_port`; the first link of a route has number 0.
    fn vc_step(&self, switch: u32, in_port: u8, out_port: u8) -> VcStep {
        let _ = (switch, in_port, out_port);
        VcStep::Keep
    }

    /// The turns from the first switch to the one that ejects. `widths`: bits of a turn, one per
    /// switch.
    ///
    /// # Errors
    /// [`RouteError`].
    fn route(
        &self,
        graph: &Graph,
        widths: &[u8],
        source: u32,
        destination: u32,
    ) -> Result<Route, RouteError> {
        let mut route = Route::EMPTY;
        let mut full = Ok(());
        walk(self, graph, &VcTable::one(), source, destination, |hop| {
            let turn =
                turnpool::turn(hop.in_port.into(), hop.out_port.into(), graph.ports(hop.switch));
            if full.is_ok() {
                full = route.push_back(turn, widths[hop.switch as usize].into());
            }
        })?;
        full?;
        Ok(route)
    }

    /// The hops of a route, appended to `hops`.
    fn hops(
        &self,
        graph: &Graph,
        vcs: &VcTable,
        source: u32,
        destination: u32,
        hops: &mut Hops,
    ) -> Result<(), RouteError> {
        walk(self, graph, vcs, source, destination, |hop| hops.push(hop))
    }

    /// Adds every route to a destination to the survey.
    ///
    /// # Errors
    /// [`RouteError`]: some route leads elsewhere; not always the first in the order of sources.
    fn survey_tree(
        &self,
        graph: &Graph,
        vcs: &VcTable,
        widths: &[u8],
        destination: u32,
        tree: &mut Tree,
        survey: &mut Survey,
    ) -> Result<(), RouteError> {
        tree.survey(self, (graph, vcs), widths, destination, survey)
    }
}

/// Follows a route, switch by switch. A turn back into the port of arrival is legal for a node that
/// sends to itself only.
#[inline]
fn walk<R: Routes + ?Sized>(
    routes: &R,
    graph: &Graph,
    vcs: &VcTable,
    source: u32,
    destination: u32,
    mut visit: impl FnMut(Hop),
) -> Result<(), RouteError> {
    let (mut switch, mut in_port) = graph.node_port(source);
    let broken = |switch, fault: Fault| Err(fault.of((source, destination), switch));
    let mut in_vc = 0;
    for _ in 0..=graph.ports_total() {
        let out_port = routes.next_port(switch, in_port, destination, source);
        if out_port == in_port && source != destination {
            return broken(switch, Fault::UTurn);
        }
        let peer = routes.peer(graph, switch, out_port);
        if peer == Endpoint::None {
            return broken(switch, Fault::DeadEnd);
        }
        let vc = vcs.next(graph, switch, (in_port, in_vc), out_port);
        visit(Hop { switch, in_port, out_port, vc });
        match peer {
            Endpoint::Node(node) if node == destination => return Ok(()),
            Endpoint::Node(node) => return broken(switch, Fault::WrongNode(node)),
            Endpoint::Port { switch: next, port } => (switch, in_port, in_vc) = (next, port, vc),
            Endpoint::None => unreachable!("returned above"),
        }
    }
    broken(switch, Fault::Loop)
}
