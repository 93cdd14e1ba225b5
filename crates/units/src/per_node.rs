//! [`PerNode`].

/// Up to so many nodes a record of each is made at once.
const AT_ONCE_MAX: usize = 4096;
/// Beyond, so many together: of all pairs of 16,384 nodes a run of some time meets few.
const PAGE: usize = 8;
const NONE: u32 = u32::MAX;

/// A record for each other node, by number, made when it is first changed.
///
/// ```
/// let mut sent = units::PerNode::new(16_384, 0u32);
/// *sent.get_mut(9_000) += 1;
/// assert_eq!((*sent.get(9_000), *sent.get(1)), (1, 0));
/// assert_eq!(sent.made(), 8); // its neighbours with it
/// ```
#[derive(Debug, Clone)]
pub struct PerNode<T> {
    nodes: usize,
    shift: u32,
    /// By page: where it is among those made.
    pages: Box<[u32]>,
    records: Vec<T>,
    empty: T,
}

impl<T: Clone> PerNode<T> {
    /// For so many nodes; `empty` is what was never changed.
    pub fn new(nodes: usize, empty: T) -> PerNode<T> {
        let shift = match nodes {
            0..=AT_ONCE_MAX => AT_ONCE_MAX.trailing_zeros(),
            _ => PAGE.trailing_zeros(),
        };
        PerNode {
            nodes,
            shift,
            pages: vec![NONE; nodes.div_ceil(1 << shift)].into(),
            records: Vec::new(),
            empty,
        }
    }

    #[inline(always)]
    fn place(&self, node: usize) -> usize {
        // Where there is no page this is beyond all records.
        let page = self.pages[node >> self.shift] as usize;
        (page << self.shift) + node % (1 << self.shift)
    }

    /// That of a node.
    #[inline]
    pub fn get(&self, node: usize) -> &T {
        self.records.get(self.place(node)).unwrap_or(&self.empty)
    }

    /// That of a node, to be changed.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    pub fn get_mut(&mut self, node: usize) -> &mut T {
        let mut at = self.place(node);
        if at >= self.records.len() {
            self.make(node);
            at = self.place(node);
        }
        &mut self.records[at]
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self, node: usize) {
        assert!(node < self.nodes, "node {node} of {}", self.nodes);
        let size = self.nodes.min(1 << self.shift);
        self.pages[node >> self.shift] = (self.records.len() >> self.shift) as u32;
        self.records.resize(self.records.len() + size, self.empty.clone());
    }

    /// How many are made at most, of so many nodes, where so many are changed.
    pub fn made_at_most(nodes: usize, changed: usize) -> usize {
        match nodes {
            0..=AT_ONCE_MAX => nodes,
            _ => nodes.min(changed.saturating_mul(PAGE)),
        }
    }

    /// How many are made.
    pub fn made(&self) -> usize {
        self.records.len()
    }

    /// Those that are made, by node.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let pages = self.pages.iter().enumerate().filter(|page| *page.1 != NONE);
        pages.flat_map(move |(page, &at)| {
            let records = self.records.iter().skip((at as usize) << self.shift);
            let nodes = (page << self.shift..self.nodes).take(1 << self.shift);
            nodes.zip(records)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        // A record is the last one put, else empty; records are visited in order of nodes.
        #[test]
        fn records_are_what_was_put_there(
            nodes in prop_oneof![1usize..200, 4090usize..4200],
            changes in prop::collection::vec((any::<prop::sample::Index>(), 1u32..), 0..40),
        ) {
            let (mut records, mut oracle) = (PerNode::new(nodes, 0), BTreeMap::new());
            for (node, value) in changes {
                let node = node.index(nodes);
                *records.get_mut(node) = value;
                oracle.insert(node, value);
            }
            for node in 0..nodes {
                prop_assert_eq!(records.get(node), oracle.get(&node).unwrap_or(&0));
            }
            let most = PerNode::<u32>::made_at_most(nodes, oracle.len());
            prop_assert!(records.made() <= most, "{} of {most}", records.made());
            let put: Vec<_> = records.iter().filter(|of| *of.1 != 0).collect();
            prop_assert_eq!(put, oracle.iter().map(|(n, v)| (*n, v)).collect::<Vec<_>>());
        }
    }
}
