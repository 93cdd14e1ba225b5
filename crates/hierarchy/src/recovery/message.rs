//! Messages between routers, and what an event leads to.

use units::PortId;

pub use crate::{Address, Region};

/// Who made a packet of [`Protocol::Paper`](super::Protocol), and which of its packets it is: a
/// router drops what it has seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stamp {
    /// The router that made it.
    pub origin: Address,
    /// Counted by that router, from 0.
    pub number: u32,
}

/// A control packet of this protocol. On one link and direction they stay in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Message {
    /// FD: cannot reach it through me. About a node: on local links only.
    Unreachable(Region),
    /// FR: can reach it again through me.
    Reachable(Region),
    /// All empty entries of the sender were sent since this link came up: the link may be used.
    End,
    /// FD of [`Protocol::Paper`](super::Protocol): this node cannot be reached.
    Failed(Address, Stamp),
    /// FR of [`Protocol::Paper`](super::Protocol). It does not name what can be reached.
    Recovered(Stamp),
}

/// What an event of a router leads to, in the order in which it happens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// To the router behind the port.
    Send {
        /// A port whose link is up.
        port: PortId,
        /// The message.
        message: Message,
    },
    /// An entry has changed: to every copy of the tables in this router.
    Entry {
        /// Which.
        region: Region,
        /// Bit i = port i may be used.
        ports: u64,
    },
}
