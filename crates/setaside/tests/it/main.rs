//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod common;
mod directories;
mod guide_inside;
mod guide_results;
#[cfg(unix)]
mod killed;
mod outputs;
mod record;
mod refusals;
mod replay;
mod run;
mod searches;
mod slurm;
#[cfg(unix)]
mod store;
mod streams;
mod topo;
mod trace;
mod until;
mod watch;
mod waves;
