//! Which destination is served next.

use super::queues::Queues;
use plan::AdmittanceArbiter;
use units::QueueId;
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
    candidates: Vec<u32>,
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
        queues: &Queues,
        queue_of: impl FnMut(u32) -> Option<QueueId>,
    ) -> Option<u32> {
        match self.rule {
            AdmittanceArbiter::RoundRobin => self.take_turn(queues, queue_of),
            AdmittanceArbiter::Random => self.draw(queues, queue_of),
            AdmittanceArbiter::OldestFirst => movable(queues, queue_of)
                .min_by_key(|&destination| (queues.front(destination).born, destination)),
        }
    }

    /// Round robin over the destinations that may move, which gives the next injection queue; of
    /// the destinations of that queue its own round robin chooses. With one pointer for all, what
    /// goes to other queues would pass destinations over, as often as theirs falls free.
    fn take_turn(
        &mut self,
        queues: &Queues,
        mut queue_of: impl FnMut(u32) -> Option<QueueId>,
    ) -> Option<u32> {
        let waiting = queues.waiting();
        let mut queue = None;
        let first = waiting.first_from(self.pointer, |destination| {
            queue = queue_of(destination as u32);
            queue.is_some()
        })?;
        let pointer = self.pointers[queue?.index()];
        let chosen = if pointer == self.pointer {
            first
        } else {
            let takes = |destination: usize| queue_of(destination as u32) == queue;
            waiting.first_from(pointer, takes)?
        };
        self.pointer = first + 1;
        self.pointers[queue?.index()] = chosen + 1;
        Some(chosen as u32)
    }

    /// A uniform draw among the destinations that may move; none from the stream where none may.
    fn draw(
        &mut self,
        queues: &Queues,
        queue_of: impl FnMut(u32) -> Option<QueueId>,
    ) -> Option<u32> {
        self.candidates.clear();
        self.candidates.extend(movable(queues, queue_of));
        if self.candidates.is_empty() {
            return None;
        }
        let at = below(&mut self.stream, self.candidates.len() as u64);
        Some(self.candidates[at as usize])
    }
}

/// Destinations whose next packet an injection queue takes, the lowest first.
fn movable(
    queues: &Queues,
    mut queue_of: impl FnMut(u32) -> Option<QueueId>,
) -> impl Iterator<Item = u32> {
    queues.destinations().filter(move |&destination| queue_of(destination).is_some())
}
