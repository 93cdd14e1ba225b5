//! RECN: set-aside queues (SAQs) named by points of the network, one port at a time.
//!
//! [`RecnPort`] is one port's share of the protocol: its CAM, the registers of its lines, and every
//! decision about them, grouped by the unit that takes it: CDU (detection and propagation), FCU
//! (Xoff and Xon), allocation, markers, release (frees and tokens), link (control packets that
//! arrive). What the versions differ in is data: [`Rules`]. The life cycle of a SAQ is a table:
//! [`life_cycle`].
//!
//! Main decision: a port knows itself alone. What is to be said is returned, and who carries it is
//! the switch, the link, or a model checker. The cost: the caller must call in the order of the
//! commit (spec page `clock.md`) and tell of every packet that comes and goes.
//!
//! This crate does not know links, switches, the clock or packets: `now` is handed in, a packet is
//! its sender and its queue. Source: spec page `recn.md`.

mod allocation;
mod cdu;
mod config;
mod error;
mod fcu;
pub mod life_cycle;
mod link;
mod markers;
mod messages;
mod port;
mod queueless;
mod queues;
mod release;
mod rules;

pub use allocation::{Answer, Notification};
pub use cdu::Detection;
pub use config::RecnConfig;
pub use error::ProtocolError;
pub use fcu::{Change, Met};
pub use life_cycle::{Illegal, LifeEvent, LifeState};
pub use link::Received;
pub use messages::{Internal, InternalKind, Message, Says};
pub use port::{Line, RecnPort};
pub use queueless::QueuelessLine;
pub use queues::MarkedQueues;
pub use release::Freed;
pub use rules::{IngressDetection, Rules, Version};
