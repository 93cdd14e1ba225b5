//! T1 and T2: what a port looks up.

use crate::node::{Address, Region};

/// The two tables of a port (lai-rsi): sets of egress ports, a bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoLevelTable {
    /// By node of the super node; the own entry is empty.
    t1: Box<[u64]>,
    /// By super node; the own entry is empty.
    t2: Box<[u64]>,
}

impl TwoLevelTable {
    /// Tables with these entries.
    #[must_use]
    pub fn new(t1: Box<[u64]>, t2: Box<[u64]>) -> TwoLevelTable {
        TwoLevelTable { t1, t2 }
    }

    /// Nodes of a super node.
    #[must_use]
    pub fn nodes(&self) -> u16 {
        self.t1.len() as u16
    }

    /// Super nodes.
    #[must_use]
    pub fn super_nodes(&self) -> u16 {
        self.t2.len() as u16
    }

    /// Entries that the hardware has: none for the node and the super node themselves.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.t1.len() + self.t2.len() - 2
    }

    /// The ports of an entry, a bit each.
    ///
    /// # Panics
    /// If the tables have no such entry.
    #[inline]
    #[must_use]
    pub fn entry(&self, region: Region) -> u64 {
        match region {
            Region::Node(node) => self.t1[usize::from(node)],
            Region::SuperNode(super_node) => self.t2[usize::from(super_node)],
        }
    }

    /// An entry has these ports from now on.
    ///
    /// # Panics
    /// If the tables have no such entry.
    pub fn set(&mut self, region: Region, ports: u64) {
        match region {
            Region::Node(node) => self.t1[usize::from(node)] = ports,
            Region::SuperNode(super_node) => self.t2[usize::from(super_node)] = ports,
        }
    }

    /// All entries, T1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Region, u64)> + '_ {
        let t1 = (0..).map(Region::Node).zip(self.t1.iter().copied());
        let t2 = (0..).map(Region::SuperNode).zip(self.t2.iter().copied());
        t1.chain(t2)
    }

    /// The entry that a node at `here` looks up for a packet to `there`, another node.
    #[inline]
    #[must_use]
    pub fn region(here: Address, there: Address) -> Region {
        if here.super_node == there.super_node {
            Region::Node(there.node)
        } else {
            Region::SuperNode(there.super_node)
        }
    }
}
