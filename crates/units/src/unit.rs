use std::fmt;

use crate::Tick;

/// How the text of every broken invariant begins; the command line tells such a panic from others
/// by it.
pub const BROKEN_PREFIX: &str = "broken invariant: ";

/// A hardware unit, as named in messages: `fabric.switch3.in2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// A whole switch: `fabric.switch3`.
    Switch {
        /// Number of the switch.
        switch: u32,
    },
    /// An ingress port: `fabric.switch3.in2`.
    Ingress {
        /// Number of the switch.
        switch: u32,
        /// Port of that switch.
        port: u8,
    },
    /// An egress port: `fabric.switch3.out1`.
    Egress {
        /// Number of the switch.
        switch: u32,
        /// Port of that switch.
        port: u8,
    },
    /// An end node: `fabric.node7`.
    Node {
        /// Number of the end node.
        node: u32,
    },
    /// The injection port of an end node: `fabric.node7.injection`.
    Injection {
        /// Number of the end node.
        node: u32,
    },
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Unit::Switch { switch } => write!(f, "fabric.switch{switch}"),
            Unit::Ingress { switch, port } => write!(f, "fabric.switch{switch}.in{port}"),
            Unit::Egress { switch, port } => write!(f, "fabric.switch{switch}.out{port}"),
            Unit::Node { node } => write!(f, "fabric.node{node}"),
            Unit::Injection { node } => write!(f, "fabric.node{node}.injection"),
        }
    }
}

/// Stops the model: an invariant of the hardware does not hold, so nothing after this tick means
/// anything.
///
/// # Panics
/// Always, with `broken invariant: {what} at {unit}, tick {tick}`.
#[cold]
#[inline(never)]
#[track_caller]
pub fn broken(unit: Unit, tick: Tick, what: &dyn fmt::Display) -> ! {
    panic!("{BROKEN_PREFIX}{what} at {unit}, tick {tick}")
}
