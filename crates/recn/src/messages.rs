//! What ports send: over links, and inside a switch.

use arrayvec::ArrayVec;
use flow_control::Control;
use turnpool::Point;
use units::{PortId, QueueId};

/// What is sent over a link at once, in this order: a notification, and the Xoff that follows it.
pub type Controls = ArrayVec<Control, 2>;

/// What an egress port sends inside its switch: about which point, empty for a root at the port
/// itself, and what.
pub type Message = (Point, InternalKind);

/// Message from an egress port to ingress ports of its switch; carried out in step 5 of the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Internal {
    /// Egress port.
    pub egress: PortId,
    /// Its queue.
    pub queue: QueueId,
    /// Point as the egress port names it; empty for a root there.
    pub point: Point,
    /// Which message.
    pub kind: InternalKind,
}

/// Kinds of [`Internal`] messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InternalKind {
    /// Token versions: congestion notification to the ingress port that sent the last packet.
    Notify {
        /// Ingress port.
        sender: PortId,
    },
    /// DD versions: allocation request to the ingress port that sent the last packet.
    Request {
        /// Ingress port.
        sender: PortId,
        /// Whether the new SAQ is blocked (`iq_egress_lines`).
        blocked: bool,
    },
    /// Xoff: to the child ports; DD versions: to all ingress ports, and the sender allocates where
    /// it has no match.
    Xoff {
        /// Ingress port that sent the last packet, where one is to allocate.
        sender: Option<PortId>,
    },
    /// Xon.
    Xon,
}
