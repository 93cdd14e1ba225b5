//! Switches, links and end nodes put together, stepped, looked at.
//!
//! A [`Fabric`] is built from a checked [`plan::FabricConfig`] and stepped with
//! [`Fabric::run_until`]; [`Run`] adds the default observers and makes a [`observe::Record`].
//!
//! Two engines, written apart (decision 0023), write the same bytes, by a property test:
//!
//! - [`Engine::Reference`]: the units, clocked. In every tick arbiters are *evaluated* on what was
//!   committed before, then everything that is due is *committed* in the order of clock.md.
//! - [`Engine::Fast`]: flat records and few events; [`Engine::Parallel`] on several threads, each
//!   with a part of the fabric that meets the others at the ends of windows.
//!
//! The crate opens no files and reads no clock.

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
