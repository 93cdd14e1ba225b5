//! The protocol of RECN in small networks, for exhaustive exploration: every decision is the
//! production code's ([`recn::RecnPort`]), and so is who carries it between the ports of a switch
//! ([`recn::commit`]), in every order that links and arbiters allow.
//!
//! The model is a [`stateright::Model`]. What is modelled, what is left out and what was
//! found: docs/model-checking.md.

mod broken;
mod cases;
mod commit;
mod events;
mod model;
mod network;
mod properties;
mod queues;
mod state;

pub use broken::{MUTANTS, Mutant};
pub use cases::{Case, LARGE, SMALL, caught};
pub use model::Explored;
pub use properties::Rule;
pub use queues::Queues;
