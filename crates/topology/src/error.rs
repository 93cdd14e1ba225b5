//! Why a network was refused.

use hierarchy::Address;
use thiserror::Error;

use crate::builder::GraphError;
use crate::channel::Cycle;
use crate::edge_list::EdgeListError;
use crate::graph::Endpoint;
use crate::hierarchical::{GlobalLinksError, LocalGraphError};
use crate::limits::VCS_MAX;
use crate::path::{Path, RouteError};

/// A parameter of a topology that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key} = {given} is not legal; legal: {legal}")]
pub struct ConfigError {
    /// The scenario key.
    pub key: &'static str,
    /// What was given.
    pub given: String,
    /// What is legal.
    pub legal: String,
}

impl ConfigError {
    pub(crate) fn new(key: &'static str, given: impl ToString, legal: String) -> Self {
        Self { key, given: given.to_string(), legal }
    }
}

/// What a deadlock has to do with the number of virtual channels.
fn too_few(vcs: u8, needed: Option<u8>) -> String {
    needed.map_or(String::new(), |needed| {
        format!("; switch.vcs = {vcs} is too few for this routing; legal: {needed} to {VCS_MAX}")
    })
}

/// Why a network was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// A parameter is not legal.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The wiring is not legal.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The edge list is not legal.
    #[error(transparent)]
    EdgeList(#[from] EdgeListError),
    /// The file of global links is not legal.
    #[error(transparent)]
    GlobalLinks(#[from] GlobalLinksError),
    /// The graph inside a super node is not legal.
    #[error(transparent)]
    LocalGraph(#[from] LocalGraphError),
    /// A routing rule reckons with other wiring than the graph has ([`crate::Routes::peer`]).
    #[error(
        "the routing rule reckons that port {port} of s{switch} leads to {reckoned:?}; the graph has {wired:?}"
    )]
    Wiring {
        /// The switch.
        switch: u32,
        /// Its port.
        port: u8,
        /// What the rule says.
        reckoned: Endpoint,
        /// What the graph says.
        wired: Endpoint,
    },
    /// Some pair has no route.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// The longest route does not fit the turn pool.
    #[error("the longest route needs {bits} bits of turns, turnpool `{pool}` has {limit}: {longest}{}", if *fits_extended { "; legal: `extended`" } else { "" })]
    PoolOverflow {
        /// Bits that the longest route needs.
        bits: u32,
        /// Bits of the pool.
        limit: u32,
        /// Name of the pool.
        pool: String,
        /// Whether the extended pool would do.
        fits_extended: bool,
        /// The longest route.
        longest: Path,
    },
    /// A routing rule names a virtual channel beyond those that it says it uses
    /// ([`crate::Routes::vcs`]).
    #[error(
        "the routing rule names virtual channel {given} from port {in_port} to port {out_port} of \
         s{switch}; it says that it uses {vcs}"
    )]
    NoSuchVc {
        /// The switch.
        switch: u32,
        /// The ingress port.
        in_port: u8,
        /// The egress port.
        out_port: u8,
        /// What the rule names.
        given: u8,
        /// How many it says it uses.
        vcs: u8,
    },
    /// The routes can deadlock.
    #[error(
        "the channel dependency graph has a cycle, so the routes can deadlock: {cycle}{}",
        too_few(*vcs, *needed)
    )]
    Deadlock {
        /// The cycle.
        cycle: Cycle,
        /// Virtual channels of the network.
        vcs: u8,
        /// How many the routing rule uses where it has them; `None` where more would not help.
        needed: Option<u8>,
    },
    /// Two-level tables that lead a packet in circles, or out of the super node that it is in.
    #[error(
        "a packet to node {} of super node {} goes astray at s{switch}: its tables lead it in \
         circles, or out of that super node",
        destination.node,
        destination.super_node
    )]
    Astray {
        /// Where the packet goes.
        destination: Address,
        /// Where it happens.
        switch: u32,
    },
    /// The routes do not fit tables.
    #[error(transparent)]
    Tables(#[from] TablesError),
}

/// Routes that no table holds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "routes of {topology} differ by the source of a packet, and a table of an ingress port is by \
     destination only; legal: routing.algorithm = \"turns\""
)]
pub struct TablesError {
    /// Name of the topology.
    pub topology: &'static str,
}
