//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod arbiters;
mod exhaustive;
mod kinds;
mod kit;
mod random_requests;
mod standing;
mod timing;
