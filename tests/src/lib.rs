//! What crosses crates: fabrics for tests, drawn at random or made by hand.

pub mod base;
pub mod compare;
pub mod corners;
pub mod drawn;
pub mod ecn;
pub mod evolution;
pub mod family;
pub mod features;
pub mod invariants;
pub mod metamorphic;
pub mod mutants;
pub mod oracle;
pub mod pfc;
pub mod places;
pub mod prelude;
pub mod property;
pub mod protocol_model;
pub mod rack;
pub mod random;
pub mod shipped;
pub mod standing;
pub mod watch;
pub mod wide;
