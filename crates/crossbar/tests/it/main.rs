//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod arbiters;
mod exhaustive;
mod grant_shares;
mod kinds;
mod kit;
mod random_requests;
mod timing;
mod waiting;
