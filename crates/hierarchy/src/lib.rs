//! Routing in hierarchical networks (lai-rsi; spec: rsi.md): nodes in super nodes, tables of two
//! levels, LAR and the routings that it is compared with, and the VC of each hop. How tables lose
//! and regain ports when links fail is in [`recovery`].
//!
//! A [`Routing`] is what all routers of a network agree on; a [`NodeShape`] and a
//! [`TwoLevelTable`] are what one of them knows; a [`Trip`] is what travels in the header.
//! [`Router::choose`] decides; [`Router::every_hop`], for the check for deadlocks, lists all that
//! it can ever decide.
//!
//! ```
//! use hierarchy::Algorithm;
//! assert_eq!("ugal-l".parse(), Ok(Algorithm::UgalL));
//! assert_eq!(Algorithm::UgalL.name(), "ugal-l");
//! ```
//!
//! Methods that take a port or an entry panic where there is none. This crate does not know queues
//! and their counters (it asks for a number by port), time, or how the networks are wired.

mod choose;
mod kinds;
mod node;
pub mod recovery;
mod router;
mod table;
mod trip;
mod vcs;

pub use choose::{Choice, Counters};
pub use kinds::{Algorithm, LarCounter, LarDecision, LocalRoutes, Selection, VcScheme};
pub use node::{Address, NodeShape, PortKind, Region};
pub use router::{Hop, Router, Routing};
pub use table::TwoLevelTable;
pub use trip::{Trip, Via};
