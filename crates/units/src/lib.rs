//! Identifiers, ticks, exact ratios and the time base of the setaside model; bit vectors
//! ([`bits`]) and unbiased draws ([`draw`]).
//!
//! The model counts time in integer ticks: a [`TimeBase`] picks the tick so that a link moves a
//! phit every `p` ticks and the crossbar one every `q` ticks, where `p/q` is the speedup in lowest
//! terms. So no speedup is ever rounded; the price is that nanoseconds appear only at the edge
//! (configuration in, results out). Source: spec `clock.md`.
//!
//! ```
//! use units::{Ratio, Span, TimeBase};
//! let link = Ratio::new(1, 1)?; // 8 Gbit/s = 1 byte/ns
//! let base = TimeBase::new(2, link, "1.5".parse()?)?;
//! assert_eq!((base.link_phit_ticks(), base.crossbar_phit_ticks()), (Span(3), Span(2)));
//! assert_eq!(base.span_to_ns(base.link_ticks(64)), 64.0);
//! assert_eq!(base.ns_to_ticks_exact(10u64)?, Span(15));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate does not model switches, packets or scenarios, and it never reads a clock.

pub mod bits;
pub mod draw;
mod id;
mod names;
mod per_node;
mod ratio;
mod tick;
mod time;
mod unit;

pub use id::{
    ClassId, ElementId, LineId, NodeId, PacketId, PortId, QueueId, SwitchId, VcId, VcStep, WireId,
};
pub use names::{UnknownName, grouped};
pub use per_node::PerNode;
pub use ratio::{Ratio, RatioError};
pub use tick::{Span, Tick};
pub use time::{IntoNs, NotWholeTicks, PHIT_TICKS_MAX, TimeBase, TimeBaseError};
pub use unit::{Broken, Unit, UnknownUnit, broken};
