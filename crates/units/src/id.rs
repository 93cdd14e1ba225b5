use std::fmt;

/// An end node, counted from 0. Shown as in edge lists: `n12`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeId(pub u32);

/// A switch, counted from 0. Shown as in edge lists: `s3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SwitchId(pub u32);

impl NodeId {
    /// The number as an index into a table with one entry per end node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SwitchId {
    /// The number as an index into a table with one entry per switch.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl fmt::Display for SwitchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}
