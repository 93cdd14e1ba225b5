use super::{PortView, QueueScheme};

/// `dbbm`: destination modulo Q at every port, per-queue credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dbbm {
    /// Q, at least 1.
    pub queues: u32,
}

impl QueueScheme for Dbbm {
    fn ingress_queues(&self, _: PortView) -> u32 {
        self.queues
    }
    fn egress_queues(&self, _: PortView) -> u32 {
        self.queues
    }
    fn ingress_queue(&self, _: u32, destination: &u32) -> u32 {
        destination % self.queues
    }
    fn egress_queue(&self, _: u32, destination: &u32) -> u32 {
        destination % self.queues
    }
    fn queues_share_outputs(&self) -> bool {
        true
    }
    fn per_queue_credits(&self) -> bool {
        true
    }
}
