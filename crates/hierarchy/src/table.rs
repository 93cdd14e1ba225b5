//! T1 and T2: what a port looks up.

use crate::node::{Address, Region};

/// The two tables of a port (lai-rsi): sets of egress ports, a bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoLevelTable {
    /// T1 by node of the super node, then T2 by super node; the own entries are empty.
    entries: Box<[u64]>,
    /// Entries of T1.
    nodes: usize,
}

impl TwoLevelTable {
    /// Tables with these entries.
    pub fn new(t1: Box<[u64]>, t2: Box<[u64]>) -> TwoLevelTable {
        TwoLevelTable { nodes: t1.len(), entries: [t1, t2].concat().into() }
    }

    /// Nodes of a super node.
    pub fn nodes(&self) -> u16 {
        self.nodes as u16
    }

    /// Super nodes.
    pub fn super_nodes(&self) -> u16 {
        (self.entries.len() - self.nodes) as u16
    }

    /// Entries that the hardware has: none for the node and the super node themselves.
    pub fn entries(&self) -> usize {
        self.entries.len() - 2
    }

    /// The ports of an entry, a bit each.
    #[inline]
    pub fn entry(&self, region: Region) -> u64 {
        let (t1, t2) = self.levels();
        match region {
            Region::Node(node) => t1[usize::from(node)],
            Region::SuperNode(super_node) => t2[usize::from(super_node)],
        }
    }

    /// An entry has these ports from now on.
    pub fn set(&mut self, region: Region, ports: u64) {
        let at = self.find(region).expect("an entry of the tables");
        self.entries[at] = ports;
    }

    /// All entries, T1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Region, u64)> + '_ {
        self.entries.iter().enumerate().map(|(at, &ports)| (self.at(at), ports))
    }

    /// The entry that a node at `here` looks up for a packet to `there`, another node.
    #[inline]
    pub fn region(here: Address, there: Address) -> Region {
        if here.super_node == there.super_node {
            Region::Node(there.node)
        } else {
            Region::SuperNode(there.super_node)
        }
    }

    /// T1 and T2.
    #[inline]
    pub(crate) fn levels(&self) -> (&[u64], &[u64]) {
        self.entries.split_at(self.nodes)
    }

    /// All entries, T1 first, as their ports.
    pub(crate) fn all(&self) -> &[u64] {
        &self.entries
    }

    /// Where an entry is among all.
    pub(crate) fn find(&self, region: Region) -> Option<usize> {
        let (at, end) = match region {
            Region::Node(node) => (usize::from(node), self.nodes),
            Region::SuperNode(s) => (self.nodes + usize::from(s), self.entries.len()),
        };
        (at < end).then_some(at)
    }

    /// The entry at a place among all.
    pub(crate) fn at(&self, at: usize) -> Region {
        match at.checked_sub(self.nodes) {
            None => Region::Node(at as u16),
            Some(super_node) => Region::SuperNode(super_node as u16),
        }
    }
}
