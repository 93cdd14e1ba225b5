use super::{PortView, QueueScheme};

/// `damq`: the queues of `voq-sw` with look-ahead, in one pool with port-level credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damq;

impl QueueScheme for Damq {
    fn ingress_queues(&self, port: PortView) -> u32 {
        port.ports
    }
    fn egress_queues(&self, port: PortView) -> u32 {
        port.peer_ports.unwrap_or(1)
    }
    fn ingress_queue(&self, output: u32, _: &u32) -> u32 {
        output
    }
    fn egress_queue(&self, next_output: u32, _: &u32) -> u32 {
        next_output
    }
    fn per_queue_credits(&self) -> bool {
        false
    }
}
