//! What crosses crates: fabrics for tests, drawn at random or made by hand.

pub mod base;
pub mod corners;
pub mod family;
pub mod random;
pub mod watch;
