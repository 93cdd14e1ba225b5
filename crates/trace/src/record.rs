//! A record of an I/O trace, and names in the order of first appearance.

use crate::error::Problem;
use crate::messages::Message;
use std::collections::BTreeMap;
use std::fmt::{Arguments, Write as _};

/// What a record does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Data moves from the device to the host.
    Read,
    /// Data moves from the host to the device.
    Write,
}

/// One request to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// When it was issued, ns after the first record.
    pub time_ns: u64,
    /// Number of the machine that issued it, by first appearance, where the format has machines.
    pub machine: Option<u32>,
    /// The process that issued it, where the format has it.
    pub process: Option<u32>,
    /// Number of the device, in the order of first appearance.
    pub device: u32,
    /// What it does.
    pub operation: Operation,
    /// Where on the device, in bytes.
    pub offset_bytes: u64,
    /// How much, in bytes.
    pub bytes: u64,
    /// Time to the answer in ns, where the format has it.
    pub response_ns: Option<u64>,
}

impl Record {
    /// At time 0, with what every format has.
    pub(crate) fn new(device: u32, operation: Operation, offset_bytes: u64, bytes: u64) -> Record {
        Record {
            time_ns: 0,
            machine: None,
            process: None,
            device,
            operation,
            offset_bytes,
            bytes,
            response_ns: None,
        }
    }
}

/// A record or a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// Of a trace of I/O.
    Record(Record),
    /// Of a trace of messages.
    Message(Message),
}

impl Item {
    pub(crate) fn time_and_bytes(&self) -> (u64, u64) {
        match self {
            Item::Record(record) => (record.time_ns, record.bytes),
            Item::Message(message) => (message.time_ns, message.bytes),
        }
    }
}

/// A record as in a file: the time of the file in ns, and the record at time 0.
pub(crate) type Raw = (u128, Record);

/// The most devices, and the most machines, of a trace: what is remembered of one is bounded.
pub const NAMES_MAX: usize = 65_536;

/// Names of things, numbered in the order of first appearance.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: BTreeMap<String, u32>,
    pub(crate) all: Vec<String>,
    name: String,
}

impl Names {
    /// The number of a name, the next one where it is new; an error beyond [`NAMES_MAX`].
    pub(crate) fn number(
        &mut self,
        what: &'static str,
        name: Arguments<'_>,
    ) -> Result<u32, Problem> {
        self.name.clear();
        let _ = self.name.write_fmt(name); // a String takes all
        if let Some(number) = self.numbers.get(&self.name) {
            return Ok(*number);
        }
        if self.all.len() == NAMES_MAX {
            let problem = format!("more than {NAMES_MAX} {what}; expected: at most {NAMES_MAX}");
            return Err(Problem::Other(problem));
        }
        let number = self.all.len() as u32;
        self.all.push(self.name.clone());
        self.numbers.insert(self.name.clone(), number);
        Ok(number)
    }
}
