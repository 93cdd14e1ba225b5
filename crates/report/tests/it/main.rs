//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod browser;
mod colours;
mod common;
mod figures;
mod page;
mod recorded;
mod single;
mod tables;
