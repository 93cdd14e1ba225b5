//! The protocol of RECN in small networks, for exhaustive exploration: every decision is the
//! production code's ([`recn::RecnPort`]), carried between ports as `Switch` does it, in every
//! order that links and arbiters allow.
//!
//! [`ProtocolModel`] is a [`stateright::Model`]. What is modelled, what is left out and what was
//! found: docs/model-checking.md.

pub mod cases;
mod commit;
mod events;
mod explore;
mod model;
mod mutants;
mod network;
mod properties;
mod queues;
mod state;

pub use cases::{Case, LARGE, SMALL, caught};
pub use explore::{Explored, explore};
pub use model::{Action, Event, Limits, ProtocolModel, Timers};
pub use mutants::Mutant;
pub use network::{Element, Flow, Hop, Network, Side, Unit};
pub use properties::Rule;
pub use queues::{Held, Queues};
pub use state::{Fault, Port, State};
