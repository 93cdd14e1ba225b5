use super::{PortView, QueueScheme};

/// `voq-net`: a queue for each destination at every port, per-queue credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoqNet;

impl QueueScheme for VoqNet {
    fn ingress_queues(&self, port: PortView) -> u32 {
        port.nodes
    }
    fn egress_queues(&self, port: PortView) -> u32 {
        port.nodes
    }
    fn ingress_queue(&self, _: u32, destination: &u32) -> u32 {
        *destination
    }
    fn egress_queue(&self, _: u32, destination: &u32) -> u32 {
        *destination
    }
    fn queues_share_outputs(&self) -> bool {
        true
    }
    fn per_queue_credits(&self) -> bool {
        true
    }
}
