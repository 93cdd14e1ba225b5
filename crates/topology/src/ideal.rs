//! What a workload can get over given routes, by the links alone: [`Flows`], [`MaxMin`],
//! [`Flows::cut_bound`].
//!
//! A *flow* is a (source, destination) pair with a demand, bytes/ns, and one route. Every directed
//! link has a capacity: its rate. Rates `x` of the flows are *feasible* if no flow has more than
//! its demand and the flows on a link no more than its capacity together. Queues, arbiters and
//! control packets are left out, so no switch delivers more, but for what was in its queues before.
//!
//! **Max-min fair** rates [bertsekas-gallager-1992, section 6.5.2]: no flow can have more without
//! less for one that has no more than it. They are unique, and found by progressive filling: all
//! rates rise together from 0; a flow stops at its demand, and all flows on a link when it is full.
//! So a rate is the least of the demand and of the levels at which links on the route filled up.
//!
//! **Cut bound** on the total of *any* feasible rates: with any weights y(l) >= 0 of the links, it
//! is at most the sum of capacity(l) y(l) over the links plus that of demand(f) max(0, 1 - y(f))
//! over the flows, y(f) being the sum of y(l) over the route, since x(f) = x(f) y(f) + x(f) (1 -
//! y(f)) (weak duality; the least such bound is the greatest total). With weights 0 and 1 this is a
//! cut: full links, and the demand of all that bypasses them. The search is for good weights; any
//! give a bound.

use thiserror::Error;

mod cut;
mod flows;
mod max_min;

pub use cut::CUT_LOOKS;
pub use flows::Flows;
pub use max_min::{MaxMin, Part};

/// The most switches on the routes of all flows: above it the bounds would take seconds.
pub const FLOW_HOPS_MAX: u64 = 1 << 28;

/// The most numbers that are kept to count flows by demand and link, 64 MB.
pub const COUNTS_MAX: usize = 1 << 24;

/// What lies this part above a capacity is rounding.
const ROUNDING: f64 = 1e-12;

/// Why there are no bounds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct IdealError(String);
