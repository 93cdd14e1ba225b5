//! The integration tests of the crate: one binary, so that they share their helpers.

mod admittance;
mod common;
mod injection;
mod node;
mod reception;
mod sources;
mod transport;
