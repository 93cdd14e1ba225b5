//! A record of an I/O trace.

/// What a record does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Data goes from the device to the host.
    Read,
    /// Data goes from the host to the device.
    Write,
}

/// One request to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// When it was issued, ns after the first record.
    pub time_ns: u64,
    /// Number of the machine that issued it, in the order of first appearance, where the format
    /// has machines.
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

/// A record as it stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raw {
    /// The time of the file, in ns.
    pub(crate) time: u128,
    /// With a time of 0.
    pub(crate) record: Record,
}
