//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod answer;
mod common;
mod docs;
mod elsewhere;
mod parquet;
mod statistics;
mod store;
mod sweep;
mod sweep_dir;
mod table;
