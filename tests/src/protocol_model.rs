//! The protocol of RECN in small networks, for exhaustive exploration: every decision is the
//! production code's ([`recn::RecnPort`]), and so is who carries it between the ports of a switch
//! ([`recn::commit`]), in every order that links and arbiters allow.
//!
//! [`ProtocolModel`] is a [`stateright::Model`]. What is modelled, what is left out and what was
//! found: docs/model-checking.md.

mod action;
mod broken;
pub mod cases;
mod commit;
mod events;
mod explore;
mod iq;
mod limits;
mod model;
mod mutants;
mod network;
mod properties;
mod queues;
mod says;
mod state;
mod steering;
mod time;

pub use action::{Action, Event};
pub use cases::{Case, LARGE, SMALL, caught};
pub use explore::{Explored, explore};
pub use limits::{Limits, Timers};
pub use model::ProtocolModel;
pub use mutants::Mutant;
pub use network::{Element, Flow, Hop, Network, Side, Unit};
pub use properties::Rule;
pub use queues::{Held, Queues};
pub use state::{Fault, Port, State};
