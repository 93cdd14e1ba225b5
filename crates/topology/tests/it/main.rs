//! The integration tests of the crate: one binary, so that they share their helpers.

mod bmin;
mod chains;
mod channels;
mod common;
mod edge_list;
#[path = "../../../units/tests/it/fixed.rs"]
mod fixed;
mod global_links;
mod hierarchical;
mod ideal;
mod mesh;
mod refused;
mod tables;
mod torus;
mod up_down;
