//! Fault discovery and recovery: the unit alone, a rule a test (`rules`); and whole networks,
//! routers as they are, links that carry messages in order, failures and recoveries at any moment.
//!
//! Do the tables equal those computed from scratch, whatever happens in whatever order?

mod exhaustive;
mod explore;
mod network;
mod paper;
mod random;
mod rules;
mod shape;
