//! Routes as data: hops, paths, and what is wrong with one.

use std::fmt;

use smallvec::SmallVec;
use thiserror::Error;
use units::{NodeId, SwitchId};

units::named! {
    /// Whose digits choose the up ports of a BMIN or tree (key `routing.up_choice`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum UpChoice: "up choice" {
        /// Those of the destination: every down link carries one destination only (default).
        #[default]
        Destination = "destination",
        /// Those of the source: the mirror image of the route from destination to source.
        Source = "source",
    }
}

/// One switch on a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The switch.
    pub switch: u32,
    /// The port by which the packet enters.
    pub in_port: u8,
    /// The port that it leaves by.
    pub out_port: u8,
    /// The virtual channel of the link by that port.
    pub vc: u8,
}

/// The switches of a route in the order of travel: few as a rule, a mesh alone has many.
pub type Hops = SmallVec<[Hop; 8]>;

/// A whole route. Displayed as `n0 -> s0[0>4] -> s16[1>2 vc1] -> n6`: switches with in port > out
/// port, and the virtual channel from there on where it is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The node that sends.
    pub source: u32,
    /// The node that receives.
    pub destination: u32,
    /// The switches in the order of travel.
    pub hops: Hops,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", NodeId(self.source))?;
        for hop in &self.hops {
            let (switch, in_port, out_port) = (SwitchId(hop.switch), hop.in_port, hop.out_port);
            match hop.vc {
                0 => write!(f, " -> {switch}[{in_port}>{out_port}]")?,
                vc => write!(f, " -> {switch}[{in_port}>{out_port} vc{vc}]")?,
            }
        }
        write!(f, " -> {}", NodeId(self.destination))
    }
}

/// What is wrong with a route that does not lead to its destination.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    #[error("leaves by an unconnected port")]
    DeadEnd,
    #[error("ends at n{0}")]
    WrongNode(u32),
    #[error("turns back into the port that it came from")]
    UTurn,
    /// It is longer than the number of directed links.
    #[error("goes in circles")]
    Loop,
}

impl Fault {
    /// The error of a pair of nodes, and at which switch it happens.
    pub(crate) fn of(self, (source, destination): (u32, u32), switch: u32) -> RouteError {
        let text = format!("the route from n{source} to n{destination} {self} at s{switch}");
        RouteError::Refused(text)
    }
}

/// Why there is no route.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RouteError {
    /// A node that does not exist, one that sends to itself where that was not allowed, or a
    /// routing rule that fails for this pair.
    #[error("{0}")]
    Refused(String),
    /// More turns than the widest pool holds.
    #[error(transparent)]
    TooLong(#[from] turnpool::RouteTooLong),
}
