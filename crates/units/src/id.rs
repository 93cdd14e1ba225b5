//! Numbers of things, each kind a type of its own.

use std::fmt;

macro_rules! ids {
    ($( $(#[$doc:meta])* $name:ident($number:ty), $prefix:literal; )+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[repr(transparent)]
        pub struct $name(pub $number);

        impl $name {
            /// As an index into a table with one entry for each.
            #[inline(always)]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The one with this index.
            ///
            /// # Panics
            /// If there cannot be so many.
            #[inline(always)]
            #[must_use]
            pub const fn at(index: usize) -> $name {
                assert!(index <= <$number>::MAX as usize);
                $name(index as $number)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )+ };
}

ids! {
    /// An end node, counted from 0. Shown as in edge lists: `n12`.
    NodeId(u32), "n";
    /// A switch, counted from 0. Shown as in edge lists: `s3`.
    SwitchId(u32), "s";
    /// A switch or end node of a fabric or of a part of it: switches first, then end nodes.
    ElementId(u32), "";
    /// A port of a switch, counted from 0: ingress and egress side have the same number.
    PortId(u8), "";
    /// A wire, by the port at which it ends: ports of all switches in their order, then end nodes.
    WireId(u32), "";
    /// A queue of a port memory: normal queues first, then SAQs.
    QueueId(u16), "";
    /// A class of credit: cells of a memory that are counted together.
    ClassId(u16), "";
    /// A virtual channel.
    VcId(u8), "";
    /// A CAM line of a port, and its marker.
    LineId(u8), "";
    /// A packet that is in the fabric.
    PacketId(u32), "";
}

/// Which virtual channel a packet takes on the link that follows a hop: one register of a routing
/// unit for each egress port of its switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VcStep {
    /// That of the link by which the packet came.
    #[default]
    Keep,
    /// This one.
    Set(VcId),
}

impl VcStep {
    /// The virtual channel of the next link for a packet that came over `vc`.
    #[inline(always)]
    pub fn next(self, vc: VcId) -> VcId {
        match self {
            Self::Keep => vc,
            Self::Set(next) => next,
        }
    }
}
