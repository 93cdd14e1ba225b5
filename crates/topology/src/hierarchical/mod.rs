//! Hierarchical rack-scale networks: super nodes, local and global links, two-level tables
//! [lai-rsi].

mod links;
mod local;
mod plan;
mod tables;
mod wiring;

pub use links::{GlobalLinks, GlobalLinksError};
pub use local::{LocalGraph, LocalGraphError};
pub use plan::{Plan, hierarchical};
pub use tables::LocalRoutes;
pub use wiring::GlobalWiring;
