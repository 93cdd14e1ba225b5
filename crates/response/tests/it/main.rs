//! The integration tests of the crate: one binary, so that they share their helpers.

mod common;
mod config;
mod dcqcn;
mod formulas;
mod properties;
mod recovery;
mod window;
