//! Flow control of lossless links: credits, Xon/Xoff of set-aside queues, the control packets that
//! carry both, and pause of virtual channels (PFC).
//!
//! Main decision: this crate holds the *registers and queues* of flow control and none of its
//! timing. A unit asks [`Credits`] ([`ClassCredits`] of a memory with classes) whether a whole
//! packet fits, asks [`XoffRegister`] whether an occupancy crosses a threshold, and hands what must
//! be sent to the other end of the link to a [`ControlQueue`]. The cost: the caller must check
//! the registers at the right moments (arrivals, departures, moves), since nothing here watches a
//! queue.
//!
//! ```
//! use flow_control::{ControlQueue, Credits, Edge, Thresholds, XoffRegister};
//! use units::ClassId;
//!
//! // A sender sees a memory of 64 cells at the other end, and starts a packet of 2 cells.
//! let mut credits = Credits::new(64);
//! credits.take(2)?;
//! // The receiver's SAQ is at Xoff = 10 packets, and is let go at 5.
//! let thresholds = Thresholds::new(10, 5, Edge::Reached)?;
//! let mut xoff_sent = XoffRegister::default();
//! assert!(xoff_sent.rise(10, &thresholds) && !xoff_sent.fall(6, &thresholds));
//! // Credit returns that wait for the link are merged into one control packet.
//! let mut control = ControlQueue::new(1);
//! control.add_credit(ClassId(0), 1);
//! control.add_credit(ClassId(0), 1);
//! assert_eq!(control.next_credit(), Some((ClassId(0), 2)));
//! credits.give(2)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deliberately out of scope: links and their timing, the size of a control
//! packet, queues and memories, CAM lines, who the two ends are, and the clock. Units: cells for
//! credits, packets for thresholds, bytes for pause. Sources: spec pages `switch.md` (memory and
//! credits), `recn.md` (flow control of SAQs), `clock.md` (links), `pfc.md` (pause).

mod class_credits;
mod control;
mod control_queue;
mod credits;
mod headroom;
mod pause;
mod per_class;
mod thresholds;
mod xoff;

pub use class_credits::ClassCredits;
pub use control::Control;
pub use control_queue::ControlQueue;
pub use credits::{CreditError, Credits};
pub use headroom::{HeadroomError, LinkLoop};
pub use pause::{PauseError, PauseRegister, PauseRule, PauseState, PauseWord};
pub use thresholds::{Edge, ThresholdError, Thresholds};
pub use xoff::XoffRegister;
