//! Hardware cost in bits.

use serde::{Deserialize, Serialize};

/// Hardware cost of the costliest port, ingress and egress memory together, and of the
/// costliest switch, bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryBits {
    /// Queues of its ingress memory, SAQs included.
    pub queues_ingress: u32,
    /// Queues of its egress memory, SAQs included.
    pub queues_egress: u32,
    /// Data memory of the port.
    pub port_data_bits: u64,
    /// Next-slot registers, heads and tails of the port.
    pub port_queue_bits: u64,
    /// CAM of the port.
    pub port_cam_bits: u64,
    /// Registers of SAQs and of congestion detection beside the CAM.
    #[serde(default)]
    pub port_saq_bits: u64,
    /// Credit counters of the port: free cells of the next memory and of its own output memory,
    /// one for each class.
    #[serde(default)]
    pub port_credit_bits: u64,
    /// Registers of the ECN marker for the port's output.
    #[serde(default)]
    pub port_marker_bits: u64,
    /// Queue registers, CAM, SAQ registers, credit counters and marker of all ports of the
    /// costliest switch.
    pub switch_control_bits: u64,
    /// Data memory of all ports of the costliest switch.
    pub switch_data_bits: u64,
}

impl MemoryBits {
    /// All bits of the port but the data memory.
    pub fn port_control_bits(&self) -> u64 {
        self.port_queue_bits
            + self.port_cam_bits
            + self.port_saq_bits
            + self.port_credit_bits
            + self.port_marker_bits
    }
}
