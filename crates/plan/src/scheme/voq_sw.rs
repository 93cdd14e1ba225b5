use super::{PortView, QueueScheme};
use crate::VoqSwOutput;

/// `voq-sw`: at the input a queue for each output of the switch; the output side by
/// [`VoqSwOutput`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoqSw {
    /// Key `voq_sw.output`.
    pub output: VoqSwOutput,
}

impl QueueScheme for VoqSw {
    fn ingress_queues(&self, port: PortView) -> u32 {
        port.ports
    }
    fn egress_queues(&self, port: PortView) -> u32 {
        match self.output {
            VoqSwOutput::LookAhead => port.peer_ports.unwrap_or(1),
            VoqSwOutput::SingleFifo | VoqSwOutput::SplitFifo => 1,
        }
    }
    fn ingress_queue(&self, output: u32, _: &u32) -> u32 {
        output
    }
    fn egress_queue(&self, next_output: u32, _: &u32) -> u32 {
        match self.output {
            VoqSwOutput::LookAhead => next_output,
            VoqSwOutput::SingleFifo | VoqSwOutput::SplitFifo => 0,
        }
    }
    fn per_queue_credits(&self) -> bool {
        true
    }
    fn egress_memory_divisor(&self, port: PortView) -> u32 {
        match self.output {
            VoqSwOutput::SplitFifo => port.ports,
            VoqSwOutput::LookAhead | VoqSwOutput::SingleFifo => 1,
        }
    }
}
