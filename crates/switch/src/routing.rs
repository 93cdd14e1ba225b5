//! What a routing unit reads: turns or a table, and what lies behind each output.

use crate::ingress::TwoLevel;
use crate::mu::Mu;
use plan::RouteTable;
use std::sync::Arc;
use turnpool::{Route, RouteEnded};
use units::PortId;

/// Where an ingress port gets the output of a packet from.
#[derive(Debug, Clone)]
pub enum Router {
    /// The next turn of the header.
    Turns,
    /// Its copy of the table.
    Table(Arc<RouteTable>),
    /// Its copies of T1 and T2.
    TwoLevel(Box<TwoLevel>),
}

/// How the output that a packet will request in the next switch is known.
#[derive(Debug, Clone)]
pub enum LookAhead {
    /// By the turn behind the next one.
    Turns,
    /// By the table of the ingress port there.
    Table(Arc<RouteTable>),
    /// Not at all: it is chosen there.
    Unknown,
}

/// The switch behind an output.
#[derive(Debug, Clone)]
pub struct NextSwitch {
    /// Its ingress port on this link.
    pub in_port: PortId,
    /// Its ports.
    pub ports: u8,
    /// Width of its turns.
    pub width: u8,
    /// How what a packet will request there is known.
    pub look_ahead: LookAhead,
    /// The mapping of its memory.
    pub mu: Mu,
}

impl NextSwitch {
    /// The output that a packet will request there; the turn is `skip` bits on. Port 0 where it is
    /// not known, and schemes do not ask.
    /// Errors: The route ends before that turn.
    pub fn output(
        &self,
        route: &Route,
        skip: u32,
        destination: &u32,
    ) -> Result<PortId, RouteEnded> {
        Ok(match &self.look_ahead {
            LookAhead::Turns => {
                let turn = route.later(skip, u32::from(self.width))?;
                let (in_port, ports) = (u32::from(self.in_port.0), u32::from(self.ports));
                PortId(turnpool::forward(in_port, turn, ports) as u8)
            }
            LookAhead::Table(table) => lowest(table.candidates(*destination)),
            LookAhead::Unknown => PortId(0),
        })
    }
}

/// The lowest output of a set; port 0 of none.
pub(crate) fn lowest(outputs: u64) -> PortId {
    PortId(outputs.trailing_zeros() as u8 % 64)
}
