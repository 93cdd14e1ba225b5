//! What may put packets of a flow out of order (docs: hierarchical.md, Order).

use crate::SwitchConfig;
use crate::{EndNodeConfig, FabricConfig, FaultConfig, FaultTables};
use hierarchy::{Algorithm, Selection};
use std::fmt;
use topology::Ways;

/// What lets packets of one source and destination overtake one another and be delivered so.
/// Displayed as a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overtaking {
    /// A routing with several ways for a pair.
    Algorithm(Algorithm),
    /// One of several minimal ports, another one for each packet.
    Selection(Selection),
    /// The tables change.
    Faults,
}

impl Overtaking {
    /// Whether anything does; `None`: each flow is delivered in order, whatever happens.
    pub fn of(
        ways: Ways,
        switch: &SwitchConfig,
        endnode: &EndNodeConfig,
        faults: &FaultConfig,
    ) -> Option<Overtaking> {
        if endnode.reorder_buffer {
            return None;
        }
        // An entry of one port loses that or none: packets go the same way, or strand.
        let changes = ways != Ways::One || faults.tables == FaultTables::Recomputed;
        let by_faults = (!faults.is_none() && changes).then_some(Overtaking::Faults);
        Overtaking::without_faults(ways, switch).or(by_faults)
    }

    /// Whether packets of a pair take several ways while nothing fails.
    pub fn without_faults(ways: Ways, switch: &SwitchConfig) -> Option<Overtaking> {
        match (ways, switch.adaptive.as_ref()?.selection) {
            (Ways::One, _) | (Ways::Ports, Selection::First) => None,
            (Ways::Ports, selection) => Some(Overtaking::Selection(selection)),
            (Ways::Algorithm(algorithm), _) => Some(Overtaking::Algorithm(algorithm)),
        }
    }
}

impl fmt::Display for Overtaking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Overtaking::Algorithm(algorithm) => write!(
                f,
                "routing.algorithm = \"{algorithm}\" sends packets of a flow several ways"
            ),
            Overtaking::Selection(selection) => write!(
                f,
                "routing.selection = \"{selection}\" sends packets of a flow by several minimal ports"
            ),
            Overtaking::Faults => {
                f.write_str("faults change the ports that packets of a flow take")
            }
        }
    }
}

impl FabricConfig {
    /// What may put packets of a flow out of order.
    pub fn overtaking(&self) -> Option<Overtaking> {
        Overtaking::of(self.network.ways(), &self.switch, &self.endnode, &self.faults)
    }
}

/// What is asked of the order of packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// They are delivered in order: each pair has one way, or a reorder buffer.
    Kept,
    /// They may come out of order.
    Free,
}
