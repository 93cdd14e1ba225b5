//! What is watched: one packet, or one unit.

use observe::PacketKey;
use std::fmt;
use std::str::FromStr;
use topology::{Endpoint, Network};
use units::{Unit, UnknownUnit};

/// One packet, or one unit: what `--watch` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// `packet=SRC:DST:N`: packet N, from 0, of the flow from node SRC to node DST.
    Packet(PacketKey),
    /// `unit=UNIT`: a port, or all of a switch or an end node.
    Unit(Unit),
}

/// Why something cannot be watched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// Neither a packet nor a unit, and what is legal.
    #[error("{0}")]
    Form(String),
    /// Not a unit.
    #[error(transparent)]
    Unit(#[from] UnknownUnit),
    /// Not in this network.
    #[error(transparent)]
    Absent(#[from] AbsentUnit),
}

/// A unit that a network does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{unit} is not in this network; legal: {legal}")]
pub struct AbsentUnit {
    /// The unit.
    pub unit: Unit,
    /// What there is in its place.
    pub legal: String,
}

impl AbsentUnit {
    /// Finds a unit.
    ///
    /// # Errors
    /// No such switch, node or port, or nothing is connected there.
    pub fn check(unit: Unit, network: &Network) -> Result<(), AbsentUnit> {
        let graph = network.graph();
        let absent = |legal| Err(AbsentUnit { unit, legal });
        let (number, count, what) = match unit {
            Unit::Node { node } | Unit::Injection { node } => (node, graph.nodes(), "node"),
            Unit::Switch { switch }
            | Unit::Ingress { switch, .. }
            | Unit::Egress { switch, .. } => (switch, graph.switches(), "switch"),
        };
        if number as usize >= count {
            return absent(format!("{what} 0 to {}", count.saturating_sub(1)));
        }
        if let Unit::Ingress { switch, port } | Unit::Egress { switch, port } = unit {
            let is_there = |port: &u8| graph.peer(switch, *port) != Endpoint::None;
            let ports = graph.ports(switch) as u8;
            if port >= ports || !is_there(&port) {
                let connected: Vec<String> =
                    (0..ports).filter(is_there).map(|port| port.to_string()).collect();
                return absent(format!("port {} of switch {switch}", connected.join(", ")));
            }
        }
        Ok(())
    }
}

impl Selection {
    /// Finds it in a network.
    ///
    /// # Errors
    /// A unit or a node that it does not have.
    pub fn check(&self, network: &Network) -> Result<(), SelectionError> {
        match *self {
            Selection::Packet(key) => {
                for node in [key.source, key.destination] {
                    AbsentUnit::check(Unit::Node { node }, network)?;
                }
            }
            Selection::Unit(unit) => AbsentUnit::check(unit, network)?,
        }
        Ok(())
    }

    pub(super) fn is_a_packet(&self) -> bool {
        matches!(self, Selection::Packet(_))
    }

    /// Whether something that happens at `unit` to `packet`, which goes to output `to` of the
    /// switch, belongs to the story: of a port also what starts to it over the crossbar.
    pub(super) fn has(&self, unit: Unit, to: Option<u8>, packet: Option<PacketKey>) -> bool {
        match (*self, unit, to) {
            (Selection::Packet(key), ..) => packet == Some(key),
            (
                Selection::Unit(Unit::Egress { switch, port }),
                Unit::Ingress { switch: of, .. },
                to,
            ) => switch == of && to == Some(port),
            (Selection::Unit(wanted), ..) => wanted == unit || whole(unit) == wanted,
        }
    }
}

/// The switch or end node of a port.
pub(crate) fn whole(unit: Unit) -> Unit {
    match unit {
        Unit::Ingress { switch, .. } | Unit::Egress { switch, .. } => Unit::Switch { switch },
        Unit::Injection { node } => Unit::Node { node },
        whole => whole,
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Packet(key) => {
                write!(f, "packet={}:{}:{}", key.source, key.destination, key.sequence)
            }
            Selection::Unit(unit) => write!(f, "unit={unit}"),
        }
    }
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Selection, SelectionError> {
        let error = |text: &str, what| SelectionError::Form(format!("{text:?} is {what}"));
        match text.split_once('=') {
            Some(("packet", packet)) => packet_of(packet).map(Selection::Packet).ok_or_else(|| {
                error(packet, "no packet; legal: SRC:DST:N, three numbers, as packet=3:17:0")
            }),
            Some(("unit", unit)) => Ok(Selection::Unit(unit.parse()?)),
            _ => {
                let legal = "neither a packet nor a unit; legal: packet=SRC:DST:N, unit=UNIT";
                Err(error(text, legal))
            }
        }
    }
}

fn packet_of(text: &str) -> Option<PacketKey> {
    let mut numbers = text.split(':').map(|number| number.parse().ok());
    let mut next = || numbers.next().flatten();
    let key = PacketKey { source: next()?, destination: next()?, sequence: next()? };
    numbers.next().is_none().then_some(key)
}
