//! From records of an I/O trace to messages between end nodes, and which part of a trace is used.

use crate::error::SettingError;
use crate::record::{Operation, Record};
use units::{Ratio, named};

/// Bytes of a request, and of an acknowledgement.
pub const REQUEST_BYTES: u64 = 64;

named! {
    /// Which host node a record is of.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum HostRule: "host rule" {
        /// Machine + process, modulo the number of host nodes; round robin without them (SPC).
        #[default]
        Origin = "origin",
        /// Device + number of the record in the trace, modulo the number of host nodes.
        RoundRobin = "round-robin",
    }
}

/// Which part of a trace is used, how fast, how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Times are divided by it: 10 is ten times as fast, 0.5 half as fast.
    pub compression: Ratio,
    /// What is before this time of the trace is left out; it becomes time 0.
    pub start_ns: u64,
    /// What is at this time or later is left out.
    pub end_ns: Option<u64>,
    /// How often it is played, one after the other; without an end up to its last time and a ns.
    pub repetitions: u64,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing { compression: Ratio::ONE, start_ns: 0, end_ns: None, repetitions: 1 }
    }
}

/// How records become messages between end nodes.
///
/// A read is a request from the host to the device and then a reply of the record's size. A write
/// is a message of that size and then an acknowledgement. A record of no bytes moves
/// [`Mapping::request_bytes`]. The device node is the device's number modulo their count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// End nodes of hosts.
    pub hosts: Vec<u32>,
    /// End nodes of devices.
    pub devices: Vec<u32>,
    /// Bytes of a request and of an acknowledgement, at least 1.
    pub request_bytes: u64,
    /// Which host node a record is of.
    pub host_rule: HostRule,
    /// Which part of the trace, how fast, how often.
    pub timing: Timing,
}

impl Mapping {
    /// The first half of `nodes` are hosts, the others devices.
    ///
    /// # Errors
    /// Fewer than 2 nodes.
    pub fn halves(nodes: u32) -> Result<Mapping, SettingError> {
        Mapping::split(nodes, nodes / 2)
    }

    /// The first `hosts` of `nodes` are hosts, the others devices.
    ///
    /// # Errors
    /// No host or no device.
    pub fn split(nodes: u32, hosts: u32) -> Result<Mapping, SettingError> {
        if nodes < 2 {
            return Err(SettingError::new("nodes", nodes, "2 or more"));
        }
        if hosts == 0 || hosts >= nodes {
            let legal = format!("1 to {}, of {nodes} nodes", nodes - 1);
            return Err(SettingError::new("hosts", hosts, legal));
        }
        Ok(Mapping {
            hosts: (0..hosts).collect(),
            devices: (hosts..nodes).collect(),
            request_bytes: REQUEST_BYTES,
            host_rule: HostRule::Origin,
            timing: Timing::default(),
        })
    }

    /// Refuses lists that are empty or share a node, nodes that are not there, wrong settings.
    ///
    /// # Errors
    /// The first of these.
    pub fn check(&self, nodes: u32) -> Result<(), SettingError> {
        for (key, list) in [("hosts", &self.hosts), ("devices", &self.devices)] {
            if list.is_empty() {
                return Err(SettingError::new(key, "none", "at least one end node"));
            }
            if let Some(node) = list.iter().find(|node| **node >= nodes) {
                let legal = format!("end nodes 0 to {}", nodes.saturating_sub(1));
                return Err(SettingError::new(key, node, legal));
            }
        }
        let mut hosts = self.hosts.clone();
        hosts.sort_unstable();
        let is_host = |node: &&u32| hosts.binary_search(node).is_ok();
        if let Some(node) = self.devices.iter().find(is_host) {
            let legal = "end nodes that are no hosts";
            return Err(SettingError::new("devices", node, legal));
        }
        if self.request_bytes == 0 {
            return Err(SettingError::new("request_bytes", 0, "1 or more"));
        }
        let Timing { start_ns, end_ns, repetitions, .. } = self.timing;
        if let Some(end) = end_ns.filter(|end| *end <= start_ns) {
            return Err(SettingError::new(
                "end_ns",
                end,
                format!("more than start_ns, {start_ns}"),
            ));
        }
        if repetitions == 0 {
            return Err(SettingError::new("repetitions", 0, "1 or more"));
        }
        Ok(())
    }

    /// The host node of a record, which is the `number`th of its trace.
    pub(crate) fn host(&self, record: &Record, number: u64) -> u32 {
        let has_origin = record.machine.is_some() || record.process.is_some();
        let by = match self.host_rule {
            HostRule::Origin if has_origin => {
                u64::from(record.machine.unwrap_or(0)) + u64::from(record.process.unwrap_or(0))
            }
            _ => u64::from(record.device).wrapping_add(number),
        };
        pick(&self.hosts, by)
    }

    pub(crate) fn device(&self, record: &Record) -> u32 {
        pick(&self.devices, record.device.into())
    }

    /// Bytes from host to device, then from device to host.
    pub(crate) fn bytes(&self, record: &Record) -> (u64, u64) {
        let data = match record.bytes {
            0 => self.request_bytes,
            bytes => bytes,
        };
        match record.operation {
            Operation::Read => (self.request_bytes, data),
            Operation::Write => (data, self.request_bytes),
        }
    }
}

fn pick(nodes: &[u32], number: u64) -> u32 {
    let at = number.checked_rem(nodes.len() as u64).unwrap_or(0);
    nodes.get(at as usize).copied().unwrap_or(0)
}
