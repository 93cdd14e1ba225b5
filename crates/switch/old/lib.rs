//! One switch of a lossless network, register by register, and the egress port that end nodes share with it.
//!
//! A [`Switch`] is stepped by a clock that it does not own. In every tick, first everything is *evaluated* on what was
//! committed before ([`Switch::evaluate_crossbar`], [`OutPort::evaluate`]: grants come out, and what happened in ticks before
//! and nobody has looked at is caught up on), then the
//! commit runs in the fixed order of the specification (clock.md):
//!
//! | step | what | unit | method |
//! |---|---|---|---|
//! | 1 | departures: granted transfers start, tails leave | scheduler, FCU | [`Switch::start_crossbar`], [`Switch::start_link`]; tails: [`Switch::finish_transfer`], [`OutPort::finish_tail`]; credit packets: [`Link::catch_up`] |
//! | 2 | stores, steered by the CAM as committed, with detection and Xoff | RU, MU, PPU, MMU, CDU, FCU | [`Switch::store`], [`Switch::store_egress`] |
//! | 4 | control packets from the links | FCU | [`Switch::control`] |
//! | 5-8 | internal messages, markers, frees, internal tokens | CDU, MMU, FCU | [`Switch::recn_step`] |
//!
//! (Of step 3 the PPU is here, [`Switch::ppu_step`]; admittance belongs to end nodes.) Units of different switches touch each other only over wires of at least
//! one tick, and within a step ports do not read each other's writes: no result depends on the order of visiting.
//!
//! The crate knows neither links' far ends nor end nodes nor engines: time, packets and wires come in as an [`Env`].
//!
//! Cost of the main decision (one struct per port, registers kept incrementally): each head change updates a few bit
//! vectors, and arbitration then looks only at outputs that something happened to.

mod ahead;
mod cdu;
mod config;
mod cost;
mod env;
mod fcu;
mod heads;
mod in_port;
mod link;
mod messages;
mod mmu;
mod mu;
mod out_port;
mod overdue;
mod packet;
mod params;
mod ppu;
mod probe;
mod recn;
mod requests;
mod ru;
mod scheduler;
pub mod scheme;
mod switch;

pub use config::*;
pub use cost::{
    Per, PortBits, PortSide, Register, SAQ_REGISTERS, SERVICE_LEVEL_BITS, Width, port_bits,
};
pub use env::{Env, Event, Place, Side, Wake};
pub use heads::{Head, Memory};
pub use in_port::InPort;
pub use link::{Link, Peer, PeerSwitch};
pub use messages::{Internal, InternalKind};
pub use out_port::{LinkGrant, OutPort};
pub use packet::{Fifo, NO_PACKET, Packet, PacketId, Packets, payload};
pub use params::{
    CELLS_MAX, ConfigError, MemoryLayout, PacketLengths, Params, QUEUES_MAX, StageTicks,
};
pub use probe::{CellsInUse, CrossingView, RequestView, Waits};
pub use recn::{
    Answer, Detection, Freed, Illegal, IngressDetection, LifeEvent, LifeState, Line, MarkedQueues,
    Message, Met, ProtocolError, Received, RecnPort, Row, Rules, Says, TABLE_DD, TABLE_TOKENS,
    table,
};
pub use requests::{Class, RequestRegisters, bits, bits_of};
pub use switch::{CrossbarGrant, Switch};
