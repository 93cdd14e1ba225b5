//! What is sent in the networks that are explored.
//!
//! ```text
//! node 0 ── 0┌──────────┐      ┌──────────┐2 ── node 3: point X
//!            │ switch 0 │2 ── 0│ switch 1 │3 ── node 4: point Y
//! node 1 ── 1└──────────┘      └──────────┘
//!                       node 2 ── 1 ┘
//! ```
//!
//! Output 2 of switch 0 is a point too, less specific than X and Y at every port before it. Point Z
//! is one switch further: there switch 2 is in the place of node 3.

use crate::protocol_model::network::{Flow, Hop};

/// A name, and flows.
pub type Traffic = (&'static str, &'static [Flow]);

const A_X: &[Hop] = &[(0, 0, 2), (1, 0, 2)];
const A_Y: &[Hop] = &[(0, 0, 2), (1, 0, 3)];
const B_X: &[Hop] = &[(0, 1, 2), (1, 0, 2)];
const C_X: &[Hop] = &[(1, 1, 2)];

/// Over three switches: switch 2 is in the place of node 3.
const A_Z: &[Hop] = &[(0, 0, 2), (1, 0, 2), (2, 0, 2)];
const B_Z: &[Hop] = &[(0, 1, 2), (1, 0, 2), (2, 0, 2)];

const fn flow(node: u8, packets: u8, hops: &'static [Hop]) -> Flow {
    Flow { node, packets, hops }
}

/// Two packets in a row.
pub const TWO: Traffic = ("0→X ×2", &[flow(0, 2, A_X)]);
/// Three packets in a row.
pub const THREE: Traffic = ("0→X ×3", &[flow(0, 3, A_X)]);
/// Four packets in a row.
pub const FOUR: Traffic = ("0→X ×4", &[flow(0, 4, A_X)]);
/// One source, two points.
pub const FORK: Traffic = ("0→X ×2, 0→Y", &[flow(0, 2, A_X), flow(0, 1, A_Y)]);
/// Two sources that meet in switch 0.
pub const MERGE: Traffic = ("0→X ×2, 1→X", &[flow(0, 2, A_X), flow(1, 1, B_X)]);
/// Two sources that meet in switch 1.
pub const CROSS: Traffic = ("0→X ×2, 2→X", &[flow(0, 2, A_X), flow(2, 1, C_X)]);
/// Two packets in a row over three switches.
pub const LONG_TWO: Traffic = ("0→Z ×2", &[flow(0, 2, A_Z)]);
/// Three packets in a row over three switches.
pub const LONG_THREE: Traffic = ("0→Z ×3", &[flow(0, 3, A_Z)]);
/// Two sources that meet in switch 0, over three switches.
pub const LONG_MERGE: Traffic = ("0→Z, 1→Z", &[flow(0, 1, A_Z), flow(1, 1, B_Z)]);
/// All three points, two sources.
pub const BRANCH: Traffic =
    ("0→X ×2, 0→Y, 1→X", &[flow(0, 2, A_X), flow(0, 1, A_Y), flow(1, 1, B_X)]);
