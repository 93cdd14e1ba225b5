//! What is built, as plain immutable values: a [`FabricConfig`] as the user set it, checked
//! ([`checked`]) and worked out ([`Params`], [`Layouts`]). Both engines are built from this and
//! from nothing of each other.
//!
//! Main decision: legality and every derived number are here once, so that the engines can differ
//! in how they work but not in what they work on. The cost: an error in a derived number is the
//! same in both; tables of the specification are tested against it instead.

mod config;
mod cost;
mod endnode;
mod layouts;
mod legal;
mod memory;
mod order;
mod params;
mod pfc;
mod routes;
pub mod scheme;
mod switch;

pub use config::*;
pub use cost::{Per, PortBits, PortSide, Register, SAQ_REGISTERS, Width, port_bits};
pub use endnode::{AdmittanceArbiter, CnpConfig, EcnEndConfig, EndNodeConfig, GeneratorRule};
pub use layouts::{Layouts, params};
pub use legal::{checked, order, recovery};
pub use memory::memory_bits;
pub use order::{Order, Overtaking};
pub use params::{
    CELLS_MAX, Common, ConfigError, MemoryLayout, PacketLengths, Params, QUEUES_MAX, StageTicks,
    VCS_MAX, short,
};
pub use pfc::{Pause, PfcConfig};
pub use routes::RouteTable;
pub use switch::*;
