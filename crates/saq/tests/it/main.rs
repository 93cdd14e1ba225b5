//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

#[path = "../../../units/tests/it/fixed.rs"]
mod fixed;
mod memory;
mod shares;
