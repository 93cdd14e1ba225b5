//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod arrivals;
mod build;
mod closed;
mod common;
mod expected;
#[path = "../../../units/tests/it/fixed.rs"]
mod fixed;
mod moving;
mod patterns;
mod placement;
mod random;
mod refusals;
mod sizes;
