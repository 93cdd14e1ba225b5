//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod broken;
mod common;
mod mapping;
mod memory;
mod messages;
mod real;
mod round_trips;
mod synthetic;
