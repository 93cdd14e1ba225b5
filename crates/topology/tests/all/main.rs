//! The integration tests of the crate: one binary, so that they share their helpers.

mod bmin;
mod common;
mod edge_list;
mod hierarchical;
mod ideal;
mod mesh;
mod tables;
mod torus;
mod up_down;
