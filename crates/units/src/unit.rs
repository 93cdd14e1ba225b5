//! Units, and their names as people and results write them.

use crate::Tick;
use std::fmt;
use std::str::FromStr;

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

/// A text that names no kind of unit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{given:?} names no unit; legal: {}", UnknownUnit::LEGAL)]
pub struct UnknownUnit {
    /// The text.
    pub given: String,
}

impl UnknownUnit {
    /// The forms of a name.
    pub const LEGAL: &'static str = "switch 3, switch 3 in 2, switch 3 out 2, node 7, \
         node 7 injection, or as results spell them: fabric.switch3.in2";
}

/// A run of letters or of digits.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Word(&'a str),
    Number(u32),
}

use Part::{Number, Word};

/// Cuts a text at spaces, at dots, and between letters and digits; none where it has anything else.
fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    for piece in text.split([' ', '.']).filter(|piece| !piece.is_empty()) {
        let digits = piece.find(|c: char| c.is_ascii_digit());
        let (word, number) = piece.split_at(digits.unwrap_or(piece.len()));
        if !word.is_empty() {
            parts.push(Word(word));
        }
        if !number.is_empty() {
            parts.push(Number(number.parse().ok()?));
        }
    }
    Some(parts)
}

/// `switch 3 in 2` and `fabric.switch3.in2` are the same.
impl FromStr for Unit {
    type Err = UnknownUnit;

    fn from_str(text: &str) -> Result<Unit, UnknownUnit> {
        let unknown = || UnknownUnit { given: text.to_string() };
        let parts = parts(text).ok_or_else(unknown)?;
        let parts = match &parts[..] {
            [Word("fabric"), rest @ ..] => rest,
            all => all,
        };
        let port = |port: u32| u8::try_from(port).map_err(|_| unknown());
        Ok(match *parts {
            [Word("switch"), Number(switch)] => Unit::Switch { switch },
            [Word("switch"), Number(switch), Word("in"), Number(at)] => {
                Unit::Ingress { switch, port: port(at)? }
            }
            [Word("switch"), Number(switch), Word("out"), Number(at)] => {
                Unit::Egress { switch, port: port(at)? }
            }
            [Word("node"), Number(node)] => Unit::Node { node },
            [Word("node"), Number(node), Word("injection")] => Unit::Injection { node },
            _ => return Err(unknown()),
        })
    }
}

/// A broken invariant of the model, as it travels with the panic that ends the run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("broken invariant: {what} at {unit}, tick {tick}")]
pub struct Broken {
    /// The unit.
    pub unit: Unit,
    /// When.
    pub tick: Tick,
    /// What does not hold.
    pub what: String,
}

/// Stops the model: an invariant of the hardware does not hold, so nothing after this tick means
/// anything.
///
/// # Panics
/// Always, with [`Broken`] as the payload.
#[cold]
#[inline(never)]
#[track_caller]
pub fn broken(unit: Unit, tick: Tick, what: &dyn fmt::Display) -> ! {
    let what = what.to_string();
    std::panic::panic_any(Broken { unit, tick, what })
}
