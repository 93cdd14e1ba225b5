//! The tables as configured: what a fabric without faults has.

use super::{Address, Region};
use crate::TwoLevelTable;

/// The most entries of a table.
const ENTRIES_MAX: usize = u16::MAX as usize;

/// Wrong tables, or a message that is from no router of this fabric.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RecoveryError(pub(crate) String);

/// The configured tables of a router: the ports of all minimal routes, by entry. Never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configured {
    pub(crate) table: TwoLevelTable,
    local: u64,
    global: u64,
    /// The router itself.
    pub(crate) place: Address,
    /// By port: the router behind it. Empty if not given.
    pub(crate) peers: Box<[Address]>,
}

impl Configured {
    /// T1 has local ports only; the entries of the router itself and of its super node are 0.
    /// `local` and `global`: the ports that have a link to a node of this super node, and of
    /// another one, bit i = port i.
    ///
    /// # Errors
    /// If ports or numbers of entries are not legal.
    pub fn new(table: TwoLevelTable, local: u64, global: u64) -> Result<Configured, RecoveryError> {
        if local & global != 0 {
            return Err(RecoveryError(format!("ports {:#x} are local and global", local & global)));
        }
        let (t1, t2) = table.levels();
        if let Some(given) = [t1.len(), t2.len()].into_iter().find(|&len| len > ENTRIES_MAX) {
            let text = format!("{given} entries; at most {ENTRIES_MAX} are legal");
            return Err(RecoveryError(text));
        }
        let (place, peers) = Default::default();
        let configured = Configured { table, local, global, place, peers };
        for (region, ports) in configured.table.iter() {
            let legal = configured.announced_on(region);
            if ports & !legal != 0 {
                let text = format!("entry {region:?} names ports {ports:#x}; legal: {legal:#x}");
                return Err(RecoveryError(text));
            }
        }
        Ok(configured)
    }

    /// The same with addresses, which `Protocol::Paper` needs: of the router itself, and by port of
    /// the router behind it (not read at ports without a link).
    pub fn with_places(self, place: Address, peers: Vec<Address>) -> Configured {
        Configured { place, peers: peers.into(), ..self }
    }

    /// The configured ports of all entries.
    pub fn table(&self) -> &TwoLevelTable {
        &self.table
    }

    /// Ports with a link, as a mask.
    pub fn linked(&self) -> u64 {
        self.local | self.global
    }

    /// Ports on which an entry is announced: beyond global links a node's index is another node's.
    pub(crate) fn announced_on(&self, region: Region) -> u64 {
        match region {
            Region::Node(_) => self.local,
            Region::SuperNode(_) => self.linked(),
        }
    }
}
