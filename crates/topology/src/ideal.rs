//! What a workload can get over given routes, by the links alone: [`Flows`], [`MaxMin`],
//! [`Flows::cut_bound`].
//!
//! A *flow* is a (source, destination) pair with a demand, bytes/ns. It has one route. Every
//! directed link, from a node, between switches and to a node, has a capacity: its rate. Rates `x`
//! of the flows are *feasible* if no flow has more than its demand and the flows on a link have no
//! more than its capacity together. Queues, arbiters and control packets are left out, so no switch
//! delivers more, but for what was in its queues before.
//!
//! **Max-min fair** rates [bertsekas-gallager-1992, section 6.5.2]: no flow can have more without
//! less for one that has no more than it. They are unique, and found by progressive filling: the
//! rates of all flows rise together from 0; a flow stops at its demand, and all flows on a link
//! stop when the link is full. So the rate of a flow is the least of its demand and of the levels
//! at which links on its route filled up. Only those levels are kept.
//!
//! **Cut bound**: an upper bound on the total of *any* feasible rates, fair or not. Give each link
//! l any weight y(l) >= 0. Then
//!
//! ```text
//! sum of x(f)  <=  sum over l of capacity(l) y(l)
//!                + sum over f of demand(f) max(0, 1 - y(route of f))
//! ```
//!
//! with y(route of f) the sum of y(l) over it, since x(f) = x(f) y(route) + x(f) (1 - y(route));
//! the first parts add up to no more than capacity(l) y(l) over each link, and the second is at
//! most demand(f) max(0, 1 - y(route)). (Weak duality of the linear program of the greatest total;
//! the least such bound is that total.) With weights 0 and 1 this is a cut: full links, and the
//! demand of all that bypasses them. [`Flows::cut_bound`] searches for good weights; with any, the
//! bound holds. It is never below the max-min total.

use thiserror::Error;

mod cut;
mod flows;
mod max_min;

pub use cut::CUT_LOOKS;
pub use flows::Flows;
pub use max_min::{MaxMin, Part};

/// The most switches that the routes of all flows may cross together: above it the bounds would
/// take seconds.
pub const FLOW_HOPS_MAX: u64 = 1 << 28;

/// The most numbers that are kept to count flows by demand and link, 64 MB.
pub const COUNTS_MAX: usize = 1 << 24;

/// What lies this part above a capacity is rounding.
const ROUNDING: f64 = 1e-12;

/// Why there are no bounds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct IdealError(String);
