//! The tables as configured: what a fabric without faults has.

use super::{Address, RecoveryError, Region};

/// The most entries of a table.
const ENTRIES_MAX: usize = 1 << 16;

/// The configured tables of a router: the ports of all minimal routes, by entry. Never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configured {
    /// T1, then T2.
    entries: Box<[u64]>,
    /// Entries of T1.
    nodes: usize,
    local: u64,
    global: u64,
    /// The router itself.
    pub(crate) place: Address,
    /// By port: who is behind it. Empty if not told.
    pub(crate) peers: Box<[Address]>,
}

impl Configured {
    /// Tables as masks, bit i = port i: `t1` by L1 index, local ports only; `t2` by L2 index. The
    /// entries of the router itself and of its super node are 0. `local` and `global`: the ports
    /// that have a link to a node of this super node, and of another one.
    ///
    /// # Errors
    /// If ports or numbers of entries are not legal.
    pub fn new(
        t1: Vec<u64>,
        t2: Vec<u64>,
        local: u64,
        global: u64,
    ) -> Result<Configured, RecoveryError> {
        if local & global != 0 {
            return Err(RecoveryError::LocalAndGlobal(local & global));
        }
        for table in [&t1, &t2] {
            if table.len() > ENTRIES_MAX {
                return Err(RecoveryError::Entries(table.len()));
            }
        }
        let tables = Configured {
            nodes: t1.len(),
            entries: [t1, t2].concat().into(),
            local,
            global,
            place: Address::default(),
            peers: Box::default(),
        };
        for (at, &ports) in tables.entries.iter().enumerate() {
            let region = tables.region(at);
            let legal = tables.told_on(region);
            if ports & !legal != 0 {
                return Err(RecoveryError::Ports { region, ports, legal });
            }
        }
        Ok(tables)
    }

    /// The same with addresses, which `Protocol::Paper` needs: of the router itself, and by port of
    /// who is behind it (what stands at ports without a link is not read).
    #[must_use]
    pub fn with_places(self, place: Address, peers: Vec<Address>) -> Configured {
        Configured { place, peers: peers.into(), ..self }
    }

    /// The configured ports of an entry.
    ///
    /// # Panics
    /// If the tables do not have the entry.
    pub fn ports(&self, region: Region) -> u64 {
        self.entries[self.find(region).expect("an entry of the tables")]
    }

    /// Entries of T1.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Entries of T2.
    pub fn super_nodes(&self) -> usize {
        self.entries.len() - self.nodes
    }

    /// Ports with a link, as a mask.
    pub fn linked(&self) -> u64 {
        self.local | self.global
    }

    /// All entries, T1 before T2.
    pub fn regions(&self) -> impl Iterator<Item = Region> + '_ {
        (0..self.entries.len()).map(|at| self.region(at))
    }

    /// Ports on which an entry is spoken of: beyond global links a node's index is another node's.
    pub(crate) fn told_on(&self, region: Region) -> u64 {
        match region {
            Region::Node(_) => self.local,
            Region::SuperNode(_) => self.linked(),
        }
    }

    /// The configured ports of all entries.
    pub(crate) fn entries(&self) -> &[u64] {
        &self.entries
    }

    /// Where an entry is in `entries`.
    pub(crate) fn find(&self, region: Region) -> Option<usize> {
        match region {
            Region::Node(node) => Some(usize::from(node)).filter(|&at| at < self.nodes),
            Region::SuperNode(super_node) => {
                Some(self.nodes + usize::from(super_node)).filter(|&at| at < self.entries.len())
            }
        }
    }

    /// The entry at a place of `entries`.
    pub(crate) fn region(&self, at: usize) -> Region {
        if at < self.nodes {
            Region::Node(at as u16)
        } else {
            Region::SuperNode((at - self.nodes) as u16)
        }
    }
}
