//! A topology before the check.

use std::sync::Arc;

use crate::graph::Graph;
use crate::routes::Routes;

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
