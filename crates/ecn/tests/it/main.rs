//! The integration tests of the crate: one binary, a module for each half.

#[path = "../../../units/tests/it/fixed.rs"]
mod fixed;
mod marking;
mod response;
