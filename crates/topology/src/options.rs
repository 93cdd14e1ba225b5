//! What a network is built for.

use std::num::NonZeroUsize;

use hierarchy::{Algorithm, LocalRoutes, VcScheme};
use turnpool::PoolKind;

use crate::path::UpChoice;

/// What a network is built for, and on how many threads.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The turn pool that every route must fit (key `network.turnpool`); not checked with tables.
    pub pool: PoolKind,
    /// Virtual channels of a link, 1 to [`VCS_MAX`](crate::VCS_MAX) (key `switch.vcs`).
    pub vcs: u8,
    /// Switches route by tables (key `routing.algorithm`): the network has them.
    pub tables: bool,
    /// Nodes may send to themselves (key `workload.self`): turns back are legal.
    pub self_traffic: bool,
    /// Whose digits choose the up ports of a BMIN or tree (key `routing.up_choice`).
    pub up_choice: UpChoice,
    /// How packets are routed where the network is hierarchical.
    pub hierarchy: HierarchyOptions,
    /// Build the network although its routes can deadlock.
    pub allow_deadlock: bool,
    /// Threads that walk the routes, at most one a switch; what they find does not depend on it.
    pub threads: NonZeroUsize,
    /// Notified of the progress of the walk, (so many, of so many), from any of the threads.
    pub progress: fn(u64, u64),
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            pool: PoolKind::As31,
            vcs: 1,
            tables: false,
            self_traffic: false,
            up_choice: UpChoice::Destination,
            hierarchy: HierarchyOptions::default(),
            allow_deadlock: false,
            threads: NonZeroUsize::MIN,
            progress: |_, _| {},
        }
    }
}

/// How packets are routed in a hierarchical network; other networks ignore it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HierarchyOptions {
    /// The rule (key `routing.algorithm`).
    pub algorithm: Algorithm,
    /// The VC of each hop (key `routing.vc_scheme`).
    pub vc_scheme: VcScheme,
    /// Ports of a table entry (key `routing.local_routes`).
    pub local_routes: LocalRoutes,
}
