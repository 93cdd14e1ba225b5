//! The integration tests of the crate: one binary, so that they share their helpers.

mod bmin;
mod chains;
mod channels;
mod common;
mod edge_list;
#[path = "../../../units/tests/it/fixed.rs"]
mod fixed;
mod global_links;
mod grid;
mod hierarchical;
mod ideal;
mod refused;
mod tables;
mod up_down;
