use super::{PortView, QueueScheme};

/// `1q`: one FIFO a port, port-level credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneQueue;

impl QueueScheme for OneQueue {
    fn ingress_queues(&self, _: PortView) -> u32 {
        1
    }
    fn egress_queues(&self, _: PortView) -> u32 {
        1
    }
    fn ingress_queue(&self, _: u32, _: &u32) -> u32 {
        0
    }
    fn egress_queue(&self, _: u32, _: &u32) -> u32 {
        0
    }
    fn per_queue_credits(&self) -> bool {
        false
    }
}
