//! Channels, and circles of them.

use std::fmt;

use units::SwitchId;

/// A virtual channel of a directed link, named by the switch port that it leaves; displayed as
/// `s4.1 vc0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    /// The switch.
    pub switch: u32,
    /// Its port.
    pub port: u8,
    /// The virtual channel, from 0.
    pub vc: u8,
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} vc{}", SwitchId(self.switch), self.port, self.vc)
    }
}

/// Channels each of which waits for the next and the last for the first; displayed as
/// `s0.3 vc0 -> s4.1 vc0 -> s0.3 vc0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle(pub Vec<Channel>);

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for channel in &self.0 {
            write!(f, "{channel} -> ")?;
        }
        match self.0.first() {
            Some(first) => first.fmt(f),
            None => f.write_str("empty"),
        }
    }
}
