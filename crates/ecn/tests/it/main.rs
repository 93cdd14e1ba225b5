//! The integration tests of the crate: one binary, a module for each half.

mod marking;
mod response;
