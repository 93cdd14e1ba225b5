//! Flow control of lossless links: credits, Xon/Xoff of set-aside queues, the control packets that
//! carry both, and pause of virtual channels (PFC).
//!
//! Main decision: this crate holds the *registers and queues* of flow control and none of its
//! timing. A unit asks [`ClassCredits`] whether a whole packet fits, asks [`XoffRegister`] whether
//! an occupancy crosses a threshold, and hands what must be sent to the other end of the link to a
//! [`ControlQueue`]. The cost: the caller must check the registers at the right moments (arrivals,
//! departures, moves), since nothing here watches a queue.
//!
//! ```
//! use flow_control::{ClassCredits, ControlQueue, Edge, Thresholds, XoffRegister};
//! use units::ClassId;
//!
//! // A sender sees a memory of 64 cells at the other end, and starts a packet of 2 cells.
//! let mut credits = ClassCredits::new(64, 1);
//! credits.take(ClassId(0), 2)?;
//! // The receiver's SAQ is at Xoff = 10 packets, and is let go at 5.
//! let thresholds = Thresholds::new(10, 5, Edge::Reached)?;
//! let mut xoff_sent = XoffRegister::default();
//! assert!(xoff_sent.rise(10, &thresholds) && !xoff_sent.fall(6, &thresholds));
//! // Credit returns that wait for the link are merged into one control packet.
//! let mut control = ControlQueue::new(1);
//! control.add_credit(ClassId(0), 1);
//! control.add_credit(ClassId(0), 1);
//! assert_eq!(control.next_credit(), Some((ClassId(0), 2)));
//! credits.give(ClassId(0), 2)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Out of scope: links and their timing, queues and memories, CAM lines, and the clock. Units:
//! cells for credits, packets for thresholds, bytes for pause. Sources: spec pages `switch.md`,
//! `recn.md`, `clock.md`, `pfc.md`.

mod control;
mod control_queue;
mod credits;
mod headroom;
mod pause;
mod per_class;
mod thresholds;

pub use control::Control;
pub use control_queue::ControlQueue;
pub use credits::{ClassCredits, CreditError, Credits};
pub use headroom::{HeadroomError, LinkLoop};
pub use pause::{PauseError, PauseRegister, PauseRule, PauseState, PauseWord};
pub use thresholds::{Edge, ThresholdError, Thresholds, XoffRegister};
