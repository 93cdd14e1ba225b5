//! Which destination is served next.

use super::Queue;
use plan::AdmittanceArbiter;
use units::QueueId;
use units::bits::Set;
use units::draw::{Stream, below};

/// The arbiter of the admittance queues.
#[derive(Debug)]
pub(super) struct Arbiter {
    rule: AdmittanceArbiter,
    /// Round robin: the destination that it begins with.
    pointer: usize,
    /// By injection queue: the destination that its own round robin begins with.
    pointers: Box<[usize]>,
    /// `random`: destinations that may move, reused.
    candidates: Vec<usize>,
    stream: Stream,
}

impl Arbiter {
    pub(super) fn new(rule: AdmittanceArbiter, injection_queues: usize, stream: Stream) -> Arbiter {
        Arbiter {
            rule,
            pointer: 0,
            pointers: vec![0; injection_queues].into(),
            candidates: Vec::new(),
            stream,
        }
    }

    /// A destination with waiting messages, of those for which `queue_of` names the injection queue
    /// that takes the next packet.
    pub(super) fn choose(
        &mut self,
        queues: &[Queue],
        waiting: &Set,
        mut queue_of: impl FnMut(usize) -> Option<QueueId>,
    ) -> Option<usize> {
        if self.rule == AdmittanceArbiter::RoundRobin {
            return self.take_turn(waiting, queue_of);
        }
        let has_message = |&destination: &usize| !queues[destination].messages.is_empty();
        let destinations = (0..queues.len()).filter(has_message);
        let mut movable = destinations.filter(|&destination| queue_of(destination).is_some());
        if self.rule == AdmittanceArbiter::OldestFirst {
            return movable.min_by_key(|&at| (queues[at].messages[0].born, at));
        }
        // A uniform draw; none from the stream where none may move.
        self.candidates.clear();
        self.candidates.extend(&mut movable);
        let count = self.candidates.len() as u64;
        (count > 0).then(|| self.candidates[below(&mut self.stream, count) as usize])
    }

    /// Round robin over the destinations that may move, which gives the next injection queue; of
    /// the destinations of that queue its own round robin chooses. With one pointer for all, what
    /// goes to other queues would pass destinations over, as often as theirs falls free.
    fn take_turn(
        &mut self,
        waiting: &Set,
        mut queue_of: impl FnMut(usize) -> Option<QueueId>,
    ) -> Option<usize> {
        let mut queue = None;
        let first = waiting.first_from(self.pointer, |destination| {
            queue = queue_of(destination);
            queue.is_some()
        })?;
        let pointer = self.pointers[queue?.index()];
        let chosen = if pointer == self.pointer {
            first
        } else {
            waiting.first_from(pointer, |destination| queue_of(destination) == queue)?
        };
        self.pointer = first + 1;
        self.pointers[queue?.index()] = chosen + 1;
        Some(chosen)
    }
}
