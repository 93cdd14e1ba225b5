//! One switch of a lossless network, register by register, and the egress port that end nodes share
//! with it.
//!
//! **Units** own their registers, take the tick and plain values and return effects: [`Ru`],
//! [`Ppu`], [`Mu`], [`PortMemory`] (MMU), [`Cdu`], [`Fcu`], [`LinkArbiter`], [`Link`],
//! [`Scheduler`], and [`recn::RecnPort`]. **Glue** ([`Ingress`], [`Egress`], [`Switch`]) calls them
//! in the order of the hardware and carries each effect to its unit, or out to the [`Env`].
//!
//! A [`Switch`] is stepped by a clock that it does not own. In every tick, first everything is
//! *evaluated* on what was committed before; then the commit runs in a fixed order (clock.md):
//!
//! | step | what | method |
//! |---|---|---|
//! | evaluate | links, then crossbars | [`Switch::evaluate_link`], [`Switch::evaluate_crossbar`] |
//! | 1 | departures | [`Switch::start_link`], [`Switch::start_crossbar`], [`Switch::tails_leave`] |
//! | 2 | stores, with detection and Xoff | [`Switch::store`], [`Switch::store_egress`] |
//! | 3 | PPU moves | [`Switch::ppu_step`] |
//! | 4 | control packets from the links | [`Switch::credit`], [`Switch::control`] |
//! | 5 to 8 | messages, markers, frees, tokens | [`Switch::recn_step`] |
//!
//! Switches meet only over wires of at least one tick, and within a step ports do not read each
//! other's writes: no result depends on the order of visiting. [`Switch::next_due`] and
//! [`Switch::port_due`] give the tick until which nothing happens if nothing comes.

mod egress;
mod env;
mod ingress;
mod link;
mod memory;
mod mu;
mod packet;
mod probe;
mod routing;
mod scheduler;
mod switch;

pub use egress::{Egress, EgressConfig, Fcu, LinkArbiter, LinkGrant, PausedVcs};
pub use env::Env;
pub use ingress::{
    Bypass, COLD, Cdu, Decisions, Ingress, NextWord, Overflow, Pauser, Ppu, Ru, TwoLevel,
};
pub use link::{Link, Peer, Started};
pub use memory::{Head, PortMemory};
pub use mu::Mu;
pub use packet::{Flow, Packet, Packets};
pub use probe::RequestView;
pub use routing::{LookAhead, NextSwitch, Router};
pub use scheduler::{
    Class, CrossbarGrant, Crossing, PORTS_MAX, Ports, RequestRegisters, Scheduler,
};
pub use switch::{EgressCounters, Switch};

use units::{Tick, Unit, broken};

/// The value, or the end of the run: a broken invariant of the protocol.
pub(crate) fn must<T, E: std::fmt::Display>(result: Result<T, E>, unit: Unit, now: Tick) -> T {
    result.unwrap_or_else(|error| broken(unit, now, &error))
}
