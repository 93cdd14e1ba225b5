use super::{PortView, QueueScheme};

/// Normal queues of enhanced RECN: at ingress a detection queue for each output, at egress one queue; one pool with
/// port-level credits (spec: recn.md, Enhanced RECN). Packets that match a CAM line never come here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecnQueues;

impl QueueScheme for RecnQueues {
    fn ingress_queues(&self, port: PortView) -> u32 {
        port.ports
    }
    fn egress_queues(&self, _: PortView) -> u32 {
        1
    }
    #[inline]
    fn ingress_queue(&self, output: u32, _: u32) -> u32 {
        output
    }
    #[inline]
    fn egress_queue(&self, _: u32, _: u32) -> u32 {
        0
    }
    #[inline]
    fn per_queue_credits(&self) -> bool {
        false
    }
}
