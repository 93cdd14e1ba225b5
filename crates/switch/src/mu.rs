//! MU: the normal queue of an arriving packet, and the class of credit that it takes.

use plan::Params;
use units::{ClassId, PortId, QueueId, VcId};

/// The mapping of one port memory: queues of the scheme, once for each VC.
///
/// ```
#[doc = include_str!("of_examples.txt")]
/// let params = params(|config| config.scheme = SchemeKind::VoqSw);
/// let mu = Mu::new(8, 2); // 4 outputs, 2 VCs
/// assert_eq!(mu.ingress(&params, VcId(0), PortId(3), 1), QueueId(3));
/// assert_eq!(mu.ingress(&params, VcId(1), PortId(3), 1), QueueId(7));
/// // At an egress port by what it will request in the next switch.
/// assert_eq!(mu.egress(&params, VcId(0), PortId(2), 1), QueueId(2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mu {
    /// Queues of the scheme.
    queues_a_vc: u16,
}

impl Mu {
    /// Of a memory with so many normal queues, those of all VCs.
    pub fn new(queues: u32, vcs: u8) -> Mu {
        Mu { queues_a_vc: (queues / u32::from(vcs)) as u16 }
    }

    fn of_vc(self, vc: VcId, queue: u32) -> QueueId {
        // Nearly always there is one VC.
        let first = if vc.0 == 0 { 0 } else { u16::from(vc.0) * self.queues_a_vc };
        QueueId(first + queue as u16)
    }

    /// Queue at an ingress port of a packet that requests `output`.
    pub fn ingress(self, params: &Params, vc: VcId, output: PortId, destination: u32) -> QueueId {
        let output = u32::from(output.0);
        self.of_vc(vc, params.scheme.ingress_queue(output, destination))
    }

    /// Queue at an egress port of a packet that will request `ahead` in the next switch.
    pub fn egress(self, params: &Params, vc: VcId, ahead: PortId, destination: u32) -> QueueId {
        let ahead = u32::from(ahead.0);
        self.of_vc(vc, params.scheme.egress_queue(ahead, destination))
    }
}

/// The class of credit that a packet takes in a memory: its queue's own, or that of its VC.
pub(crate) fn class_of(params: &Params, vc: VcId, queue: impl FnOnce() -> QueueId) -> ClassId {
    if params.per_queue_credits { ClassId(queue().0) } else { ClassId(u16::from(vc.0)) }
}
