//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod bits;
mod draws;
mod fixed;
mod names;
mod ratio;
mod ticks;
mod time_base;
