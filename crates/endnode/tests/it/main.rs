//! The integration tests of the crate: one binary, so that they share their helpers.

mod admittance;
mod common;
mod cut_off;
mod ecn;
mod injection;
mod reception;
mod reorder;
mod sources;
mod transport;
