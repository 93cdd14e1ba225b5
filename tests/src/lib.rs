//! What crosses crates: fabrics for tests, drawn at random or made by hand.

pub mod base;
pub mod random;
pub mod watch;
