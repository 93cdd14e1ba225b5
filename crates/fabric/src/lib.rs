//! The clock: switches, links and end nodes put together, two engines, observers.
//!
//! A [`Fabric`] is built from a checked [`FabricConfig`] and stepped with [`Fabric::run_until`]; [`Run`] adds the default
//! observers and makes a [`Record`] of what they saw.
//!
//! Every tick has two phases. *Evaluate*: arbiters decide on what was committed before. *Commit*: what they granted
//! happens, then everything else that is due, in the order of the specification (clock.md). Units of different elements
//! meet only over wires of at least one tick, so neither the order of visiting nor the engine shows in the results:
//!
//! - [`Engine::Reference`] visits every unit on every tick and looks at all its registers;
//! - [`Engine::Fast`] keeps a timing wheel of what is due and touches nothing else; [`Engine::Parallel`] does so on several
//!   threads, each with parts of the fabric that meet the others at the ends of windows.
//!
//! Both call the same phases of the same units; that they agree to the byte is a property test. The crate opens no files
//! and reads no clock: configuration comes in as values, and what is written is up to the caller.

mod admittance;
mod audit;
mod build;
mod config;
mod engine;
mod env;
mod fabric;
mod ideal;
mod mail;
mod memory;
mod names;
mod node;
mod observer;
mod observers;
mod outstanding;
mod part;
mod partition;
mod record;
mod routing;
mod run;
mod units_of;
mod waits;
mod watch;
mod wheel;
mod wires;

pub use config::*;
pub use engine::Engine;
pub use fabric::{Fabric, PortProbe};
pub use ideal::{Ideal, Ideals, NoIdeal, PIECES_MAX, ideal};
pub use node::EndNode;
pub use observer::{Observer, Offered, View};
pub use observers::{
    Branch, EventsHash, Inside, Move, Recorder, RecorderConfig, Recording, Stats, StatsConfig,
    Trace, Tree, TreeRow, Trees, TreesRecord,
};
pub use record::*;
pub use run::{DRAIN_LOOK_NS, Run};
pub use watch::{RunError, least_watchdog};
pub use wires::{Owner, Wires};
