//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod control_queue;
mod credits;
#[path = "../../../units/tests/it/fixed.rs"]
mod fixed;
mod hysteresis;
mod pause;
