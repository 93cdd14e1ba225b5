//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod memory;
