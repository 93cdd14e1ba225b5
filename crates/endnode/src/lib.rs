//! One end node of a lossless network, register by register: what generates messages, holds them,
//! cuts them into packets, and takes packets in.
//!
//! Units own their registers, take the tick and plain values and return effects: [`Sources`] (the
//! generators), [`Admittance`], [`Injection`] (a [`switch::Egress`]), [`Reception`], [`Transport`]
//! (replies) and [`Ecn`] (ACKs, rates). [`EndNode`] calls them in the order of the hardware and
//! carries their effects to each other or out to the [`NodeEnv`]. A clock that it does not own
//! steps it (clock.md):
//!
//! | step | what | method |
//! |---|---|---|
//! | evaluate | the injection link | [`EndNode::evaluate_link`] |
//! | 1 | departure; tails leave | [`EndNode::start_link`], [`EndNode::tails_leave`] |
//! | 2 | ejection; messages enter admittance | [`EndNode::eject`], [`EndNode::generate`] |
//! | 3 | one packet moves from admittance to injection | [`EndNode::admit`] |
//! | 4 | control packets from the link | [`EndNode::credit`], [`EndNode::control`] |
//! | 6, 7 | markers and frees of the injection port | [`EndNode::recn_step`] |
//!
//! Each method may be called in every tick; [`EndNode::next_due`] gives, from the registers, the
//! tick until when nothing happens if none is. The crate knows neither the graph nor other nodes
//! nor engines. Source: spec page switch.md, End nodes.

mod admittance;
mod ecn;
mod env;
mod injection;
mod node;
mod reception;
mod reorder;
mod sources;
mod transport;

pub use self::ecn::{Ack, Ecn};
pub use admittance::{Admittance, AdmittanceConfig, Piece, Waiting};
pub use env::NodeEnv;
pub use injection::Injection;
pub use node::{EndNode, NodeConfig};
pub use reception::Reception;
pub use reorder::ReorderBuffer;
pub use sources::Sources;
pub use transport::Transport;
