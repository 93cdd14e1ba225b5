//! Head registers, as the arbiters of the crossbar ([`mod@crate::scheduler`]) and of the link
//! ([`mod@crate::egress`]) see them.

use units::{ClassId, PortId, Tick};

/// What the head of a queue requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requested {
    /// Nothing.
    Nothing,
    /// One output.
    One,
    /// Several outputs, of which it takes the first that is granted.
    Several,
}

/// Register of the head of a queue, as an arbiter sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// From this tick on; at an ingress queue of a switch also since when this packet is at the
    /// head and may request.
    pub visible: Tick,
    /// Class that it takes in the next memory.
    pub class: ClassId,
    /// Cells that it takes there.
    pub cells: u16,
    /// Output that an ingress queue requests, the first of several.
    pub output: PortId,
    /// What it requests.
    pub requested: Requested,
}

impl Head {
    /// Of a queue that requests nothing.
    pub const NONE: Head = Head {
        visible: Tick::ZERO,
        class: ClassId(0),
        cells: 0,
        output: PortId(0),
        requested: Requested::Nothing,
    };
}
