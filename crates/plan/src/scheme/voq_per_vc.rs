use super::{PortView, QueueScheme};

/// `voq-per-vc`: at inputs a queue for each output, all of a VC in its share of the memory, with
/// port-level credits a VC (spec: rsi.md, Virtual channels). One FIFO a VC at outputs and end
/// nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoqPerVc;

impl QueueScheme for VoqPerVc {
    fn ingress_queues(&self, port: PortView) -> u32 {
        port.ports
    }
    fn egress_queues(&self, _: PortView) -> u32 {
        1
    }
    fn ingress_queue(&self, output: u32, _: &u32) -> u32 {
        output
    }
    fn egress_queue(&self, _: u32, _: &u32) -> u32 {
        0
    }
    fn per_queue_credits(&self) -> bool {
        false
    }
}
