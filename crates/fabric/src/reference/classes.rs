//! The class of credit that the cells of a queue count in.

use plan::Params;
use switch::PortMemory;
use units::{ClassId, QueueId};

/// The class of a queue of a memory: its own, or that of its VC, of which each has equally many
/// queues. Schemes with SAQs have one class for all.
pub(crate) fn class_of_queue(params: &Params, memory: &PortMemory, queue: QueueId) -> ClassId {
    if params.per_queue_credits {
        return ClassId(queue.0);
    }
    let normal = memory.queues() - params.saqs() as usize;
    if queue.index() >= normal {
        return ClassId(0);
    }
    let queues_of_vc = normal / usize::from(params.vcs);
    ClassId::at(queue.index() / queues_of_vc)
}
