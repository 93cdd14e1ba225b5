//! The ECN marker of a switch: which packets it marks.
//!
//! By the rules of `santos-ecn-2002` an input buffer that becomes full triggers marks: of the
//! packets in that buffer (`naive`), or of all packets of the switch that wait for an output wanted
//! there (`input-triggered`). `red` is the rule of DCQCN at an egress queue. Source: spec pages
//! `ecn.md` (Marking) and `pfc.md` (DCQCN).
//!
//! Main decision: [`Marker`] holds no packets, it counts: packets that wait, and pending marks, one
//! register each an output. The switch reports what arrives, what starts and what is in a full
//! buffer. The cost: an event leaves as many marks pending as a search would set, but which packets
//! get them may differ ([`Marker::started`]).
//!
//! ```
//! use ecn::marking::{Held, Kind, Marker, Marking};
//! use units::{PortId, Span, Tick};
//!
//! let (now, out) = (Tick(7), PortId(2));
//! let mut marker = Marker::new(Marking::InputTriggered, 4, Span::ZERO);
//! marker.arrived(out, Kind::Data, now);
//! marker.arrived(out, Kind::Data, now);
//! // A buffer with one of them is full: two marks are pending.
//! let held = [Held { output: out, kind: Kind::Data, sending: false }];
//! marker.full(held, now, |_| unreachable!("only `naive` marks in the buffer"));
//! marker.arrived(out, Kind::Data, now);
//! assert!(marker.started(out, Kind::Data)?);
//! assert!(marker.started(out, Kind::Data)?);
//! assert!(!marker.started(out, Kind::Data)?);
//! # Ok::<(), ecn::marking::MarkerError>(())
//! ```
//!
//! It does not know buffers, arbiters, links or sources, and draws from a stream that is handed in.

mod marker;
mod red;
mod rule;

pub use marker::{Held, Kind, Marker, MarkerError};
pub use red::{Red, RedError};
pub use rule::{Marking, WaitsUntil};
