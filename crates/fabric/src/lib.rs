//! Switches, links and end nodes put together, stepped, looked at.
//!
//! A [`Fabric`] is built from a checked [`plan::FabricConfig`] and stepped with
//! [`Fabric::run_until`]; [`Run`] adds the default observers and makes a
//! [`observe::Record`] of what they saw.
//!
//! Two engines, written apart (docs: decision 0023), write the same bytes; that is a property test:
//!
//! - [`Engine::Reference`]: the units, clocked. Every tick has two phases. *Evaluate*: arbiters
//!   decide on what was committed before. *Commit*: what they granted happens, then everything else
//!   that is due, in the order of the specification (clock.md). Elements meet only over wires of at
//!   least one tick, so the order of visiting does not show.
//! - [`Engine::Fast`]: flat records and few events; [`Engine::Parallel`] on several threads, each
//!   with a part of the fabric that meets the others at the ends of windows.
//!
//! The crate opens no files and reads no clock: configuration comes in as values, and what is
//! written is up to the caller.

mod engine;
mod fabric;
mod faults;
mod feed;
mod flat;
mod gone;
mod ideal;
mod reference;
mod routing;
mod run;
mod waits;
mod watch;

pub use engine::Engine;
pub use fabric::Fabric;
pub use ideal::{Ideal, Ideals, NoIdeal, PIECES_MAX, ideal};
pub use run::{DRAIN_LOOK_NS, Run, recording, stats_config, watch};
pub use watch::{RunError, least_watchdog};
