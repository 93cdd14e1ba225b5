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
/// port, and the virtual channel where it is not 0.
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

/// Why there is no route: a node that does not exist, one that sends to itself where that was not
/// allowed, a routing rule that fails for this pair, or more turns than the widest pool holds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RouteError(pub(crate) String);

/// The error of a route that does not lead to its destination, and at which switch that happens.
pub(crate) fn astray(
    (source, destination): (u32, u32),
    switch: u32,
    how: impl fmt::Display,
) -> RouteError {
    RouteError(format!("the route from n{source} to n{destination} {how} at s{switch}"))
}

pub(crate) const DEAD_END: &str = "leaves by an unconnected port";
pub(crate) const U_TURN: &str = "turns back into the port that it came from";
/// It is longer than the number of directed links.
pub(crate) const LOOP: &str = "goes in circles";
