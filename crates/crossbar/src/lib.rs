//! Crossbar arbiters and transfer timing.
//!
//! A multiplexed crossbar carries one packet at a time per input and per output. In a tick in which
//! ports are free, an [`Arbiter`] matches the inputs that request with the outputs they request;
//! [`transfer_end`] is how long a granted transfer holds its two ports.
//!
//! Main decision: a set of ports is one `u64`, so a pick is a mask, a shift and a count of trailing
//! zeros. The cost: a radix of at most [`PORTS_MAX`] = 64. The crate does not model the clock,
//! packets, queues, memories or credits: the caller leaves out of the requests what must not be
//! granted.
//!
//! ```
//! use crossbar::{AnyArbiter, Arbiter, ArbiterKind, Matching, Requests};
//! use units::PortId;
//!
//! let kind: ArbiterKind = "round-robin".parse()?;
//! let mut arbiter = AnyArbiter::new(kind, 3, 1)?;
//! let mut matching = Matching::new(3);
//! // Output 0 is requested by inputs 0 and 1, output 2 by input 0.
//! arbiter.arbitrate(&Requests { inputs_of: &[0b011, 0, 0b001], ages: &[] }, &mut matching);
//! assert!(matching.pairs().eq([(PortId(0), PortId(0))]));
//! // A second call extends the matching: output 2 is free, but input 0 is not; input 1 may go.
//! arbiter.arbitrate(&Requests { inputs_of: &[0, 0, 0b011], ages: &[] }, &mut matching);
//! let granted = [(PortId(0), PortId(0)), (PortId(2), PortId(1))];
//! assert!(matching.pairs().eq(granted));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sources: spec `switch.md` (organisations), `clock.md` (time base, switching), `rsi.md`.

pub mod arbiter;
mod kind;
mod matching;
mod ports;
mod timing;

pub use arbiter::{Arbiter, Requests};
pub use kind::{AnyArbiter, ArbiterError, ArbiterKind, ParseArbiterError};
pub use matching::{AlreadyMatched, Matching};
pub use timing::{crossbar_length_ticks, transfer_end};

/// The largest radix: a set of ports is one `u64`.
pub const PORTS_MAX: usize = 64;
