//! RECN: set-aside queues (SAQs) named by points of the network, one port at a time.
//!
//! [`RecnPort`] is one port's share of the protocol: its CAM, the registers of its lines, and every
//! decision about them, grouped by the unit that takes it: CDU (detection and propagation), FCU
//! (Xoff and Xon), allocation, markers, release, link. What the versions differ in is data:
//! [`Rules`]. The life cycle of a SAQ is a table: [`life_cycle`].
//!
//! Main decision: a port knows itself alone. What is to be sent is returned, and the switch or a
//! model checker carries it. The cost: the caller must call in the order of the commit (spec page
//! `clock.md`) and report every packet that comes and goes.
//!
//! ```
//! use flow_control::{Control, Edge, Thresholds};
//! use recn::{RecnConfig, RecnPort, Rules, Version};
//! use saq::Mmu;
//! use turnpool::Point;
//! use units::{PacketId, QueueId, Span, Tick};
//!
//! # let config = RecnConfig {
//! #     saqs: 1,
//! #     detection_egress_packets: 3,
//! #     detection_ingress_packets: 3,
//! #     propagation_packets: 1,
//! #     thresholds: Thresholds::new(2, 1, Edge::Reached)?,
//! #     saq_timer: Span(10),
//! #     retry: Span(10),
//! #     xoff_repeat: Span(10),
//! #     ppu_interval: Span(1),
//! #     iq_egress_lines: false,
//! #     root_xoff_packets: None,
//! # };
//! // An ingress port with one normal queue and one SAQ, 64 cells.
//! let normal = QueueId(0);
//! let mut memory = Mmu::new(64, 2, 1);
//! let mut port = RecnPort::new(1, QueueId(1), Rules::of(Version::Enhanced), false);
//! // An egress port of the switch notifies it of congestion, one turn away.
//! let point = Point::from_turn(5, 3);
//! port.notified(&mut memory, point, normal, true, Tick(0))?;
//! let line = port.cam().find(&point).expect("a SAQ was free");
//! // Packets to there go to the SAQ: beyond the propagation threshold upstream is notified.
//! for packet in 0..2 {
//!     memory.push(port.queue(line), PacketId(packet), 1)?;
//! }
//! let controls = port.ingress_propagation(line, 2, Tick(7), &config)?;
//! assert_eq!(controls[..], [Control::Notification(point)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It does not know links, switches, the clock or packets: a packet is its sender and its queue.
//! Source: spec page `recn.md`.

mod allocation;
mod cdu;
pub mod commit;
mod error;
mod fcu;
pub mod life_cycle;
mod link;
mod markers;
mod messages;
mod port;
mod queues;
mod release;
mod rules;

pub use allocation::Answer;
pub use cdu::Detection;
pub use error::ProtocolError;
pub use fcu::{Change, Met};
pub use life_cycle::{Illegal, LifeEvent, LifeState};
pub use link::{QueuelessLine, Received};
pub use messages::{Controls, Internal, InternalKind, Message};
pub use port::{Line, RecnPort};
pub use queues::MarkedQueues;
pub use release::Freed;
pub use rules::{IngressDetection, RecnConfig, Rules, Version};
