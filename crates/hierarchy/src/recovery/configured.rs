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
    ///
    /// ```
    /// use hierarchy::recovery::{Configured, RecoveryError, Region};
    /// // Node 0 of a super node of three; port 2 leads to super node 1.
    /// let tables = Configured::new(vec![0, 0b001, 0b010], vec![0, 0b100], 0b011, 0b100)?;
    /// assert_eq!((tables.nodes(), tables.super_nodes(), tables.linked()), (3, 2, 0b111));
    /// assert_eq!(tables.regions().last(), Some(Region::SuperNode(1)));
    /// assert_eq!(tables.ports(Region::Node(2)), 0b010);
    /// // A node of this super node is not behind a global port.
    /// assert!(Configured::new(vec![0, 0b100], vec![0, 0b100], 0b011, 0b100).is_err());
    /// # Ok::<(), RecoveryError>(())
    /// ```
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
                return Err(RecoveryError::Ports {
                    region,
                    ports,
                    legal,
                });
            }
        }
        Ok(tables)
    }

    /// The same with addresses, which `Protocol::Paper` needs: of the router itself, and by port of
    /// who is behind it (what stands at ports without a link is not read).
    ///
    /// ```
    /// use hierarchy::recovery::{Address, Configured, Effect, Message, Protocol};
    /// use hierarchy::recovery::{Recovery, Region, Stamp};
    /// use units::PortId;
    /// // Node 0 of a super node of three; super node 1 is behind the link of node 2.
    /// let tables = Configured::new(vec![0, 0b01, 0b10], vec![0, 0b10], 0b11, 0)?;
    /// let at = |node| Address { super_node: 0, node };
    /// let tables = tables.with_places(at(0), vec![at(1), at(2)]);
    /// let mut unit = Recovery::new(Protocol::Paper, tables);
    /// let mut effects = Vec::new();
    /// unit.port_down(PortId(1), &mut |effect| effects.push(effect));
    /// let message = Message::Failed(at(2), Stamp { origin: at(0), number: 0 });
    /// let entry = Effect::Entry { region: Region::Node(2), ports: 0 };
    /// assert_eq!(effects, [entry, Effect::Send { port: PortId(0), message }]);
    /// // The published rules leave the other entry of that port as it was.
    /// assert_eq!(unit.entry(Region::SuperNode(1)), unit.configured().ports(Region::SuperNode(1)));
    /// # Ok::<(), hierarchy::recovery::RecoveryError>(())
    /// ```
    #[must_use]
    pub fn with_places(self, place: Address, peers: Vec<Address>) -> Configured {
        Configured {
            place,
            peers: peers.into(),
            ..self
        }
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
