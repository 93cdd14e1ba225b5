//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod axes;
mod every_key;
mod malformed;
mod many;
mod mutation;
mod resolved;
mod schema;
mod searched;
mod shipped;
mod study;
