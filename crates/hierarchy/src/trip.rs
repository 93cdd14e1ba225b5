//! What travels in the header besides the destination: the phase, where the packet goes by, and
//! the state of its VC.

use crate::node::{Address, PortKind};

/// Where a packet goes by before it goes to its destination.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    /// Nowhere, or it has been there.
    #[default]
    Nowhere,
    /// Any node of a super node.
    SuperNode(u16),
    /// A node.
    Node(Address),
}

/// Routing state in the header of a packet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trip {
    /// Where it goes by.
    pub via: Via,
    /// Phase bit: it has been misrouted. One misroute a packet.
    pub misrouted: bool,
    /// The output that it is assigned to here is a misroute.
    pub misroutes_here: bool,
    /// Global hops taken; 1 at least where it went by a node.
    pub globals: u8,
    /// Local groups that lie behind it: one for each global hop; 2, and those behind, where it went
    /// by a node.
    pub groups: u8,
    /// Local hops taken since the last group ended.
    pub locals: u8,
    /// Local misroutes taken.
    pub local_misroutes: u8,
}

impl Trip {
    /// It has arrived at a node: is this where it goes by?
    pub fn arrive(mut self, here: Address) -> Trip {
        match self.via {
            Via::SuperNode(super_node) if super_node == here.super_node => {
                self.via = Via::Nowhere;
            }
            Via::Node(node) if node == here => {
                self.via = Via::Nowhere;
                // As if the first leg had led to another super node: what follows is on higher VCs
                // than any first leg.
                self.globals = self.globals.max(1);
                self.groups = 2;
                self.locals = 0;
            }
            Via::Nowhere | Via::SuperNode(_) | Via::Node(_) => {}
        }
        self
    }

    /// It leaves by a port of this kind, with the choice that it carries.
    pub fn leave(mut self, by: PortKind) -> Trip {
        self.misrouted |= self.misroutes_here;
        match by {
            PortKind::Local => {
                self.locals = self.locals.saturating_add(1);
                self.local_misroutes += u8::from(self.misroutes_here);
            }
            PortKind::Global(_) => {
                self.globals += 1;
                self.groups += 1;
                self.locals = 0;
            }
            PortKind::Node | PortKind::Unconnected => {}
        }
        self.misroutes_here = false;
        self
    }

    /// Where it goes now: where it goes by, or its destination.
    pub fn target(&self, destination: Address) -> Address {
        match self.via {
            Via::Nowhere => destination,
            Via::Node(node) => node,
            // Any node there: only the super node is read.
            Via::SuperNode(super_node) => Address { super_node, node: 0 },
        }
    }
}
