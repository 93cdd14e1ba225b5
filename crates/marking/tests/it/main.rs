//! The integration tests of the crate: one binary, so that they share their helpers.

mod red;
mod rules;
mod scan;
mod search;
