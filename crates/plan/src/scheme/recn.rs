use super::{PortView, QueueScheme};

/// Normal queues of RECN: at ingress a detection queue for each output (`recn`, `recn-dd`) or one
/// normal or cold queue (`recn-basic`, `recn-dd-iq`), at egress one queue; one pool with port-level
/// credits (spec: recn.md). SAQs come on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecnQueues {
    /// Whether an ingress port has a detection queue for each output.
    pub detection_queues: bool,
}

impl QueueScheme for RecnQueues {
    fn ingress_queues(&self, port: PortView) -> u32 {
        if self.detection_queues { port.ports } else { 1 }
    }
    fn egress_queues(&self, _: PortView) -> u32 {
        1
    }
    fn ingress_queue(&self, output: u32, _: &u32) -> u32 {
        if self.detection_queues { output } else { 0 }
    }
    fn egress_queue(&self, _: u32, _: &u32) -> u32 {
        0
    }
    fn per_queue_credits(&self) -> bool {
        false
    }
}
