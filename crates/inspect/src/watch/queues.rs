//! The packets ahead of a watched one in its queue.

use observe::{Event, PacketKey, PacketKind, Place};
use std::collections::{BTreeMap, BTreeSet};
use units::QueueId;

pub(super) type At = (Place, QueueId);

pub(super) type Id = (PacketKey, PacketKind);

/// All packets that are in a queue, and those before each watched one.
#[derive(Debug, Clone, Default)]
pub(super) struct Queues {
    held: BTreeMap<Id, At>,
    before: BTreeMap<Id, BTreeSet<Id>>,
}

impl Queues {
    /// Returns the watched packets that become heads by an event, and their queues; not those that
    /// come into an empty queue.
    pub(super) fn event(
        &mut self,
        place: Place,
        event: Event,
        is_watched: impl Fn(PacketKey) -> bool,
    ) -> Vec<(Id, At)> {
        match event {
            Event::Stored { packet, queue } => {
                self.stored(packet.id(), (place, queue), is_watched(packet.key()));
                Vec::new()
            }
            Event::Moved { packet, queue } => {
                let heads = self.left(packet.id());
                self.stored(packet.id(), (place, queue), is_watched(packet.key()));
                heads
            }
            Event::Swapped { queue, saq } => {
                self.swapped((place, queue), (place, saq));
                Vec::new()
            }
            Event::Departed { packet, .. }
            | Event::Lost { packet }
            | Event::Stranded { packet, .. } => self.left(packet.id()),
            _ => Vec::new(),
        }
    }

    /// The order of the packets does not change.
    fn swapped(&mut self, a: At, b: At) {
        for held in self.held.values_mut() {
            if *held == a {
                *held = b;
            } else if *held == b {
                *held = a;
            }
        }
    }

    fn stored(&mut self, packet: Id, at: At, is_watched: bool) {
        if is_watched {
            let others = self.held.iter().filter(|(_, held)| **held == at);
            let before: BTreeSet<Id> = others.map(|(id, _)| *id).collect();
            if !before.is_empty() {
                self.before.insert(packet, before);
            }
        }
        self.held.insert(packet, at);
    }

    fn left(&mut self, packet: Id) -> Vec<(Id, At)> {
        self.held.remove(&packet);
        self.before.remove(&packet);
        let mut heads = Vec::new();
        self.before.retain(|watched, before| {
            before.remove(&packet);
            if before.is_empty() {
                heads.extend(self.held.get(watched).map(|at| (*watched, *at)));
            }
            !before.is_empty()
        });
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::{PacketView, Side};
    use units::{PortId, WireId};

    const PLACE: Place = Place { port: WireId(3), side: Side::Egress };

    fn packet(sequence: u32) -> PacketView {
        let key = PacketKey { source: 0, destination: 1, sequence };
        PacketView::new(key, 64)
    }

    fn stored(sequence: u32, queue: u16) -> Event {
        Event::Stored { packet: packet(sequence), queue: QueueId(queue) }
    }

    fn departed(sequence: u32, queue: u16) -> Event {
        Event::Departed { packet: packet(sequence), queue: QueueId(queue), output: PortId(0) }
    }

    /// Events, and which of the packets from 8 on each makes heads of which queues.
    fn check(steps: &[(Event, &[(u32, u16)])]) {
        let mut queues = Queues::default();
        for (event, expected) in steps {
            let heads = queues.event(PLACE, *event, |packet| packet.sequence >= 8).into_iter();
            let heads = heads.map(|(id, (_, queue))| (id.0.sequence, queue.0));
            assert_eq!(heads.collect::<Vec<_>>(), *expected, "{event:?}");
        }
    }

    // Of queue 0 the watched packet 9 is third; others leave in any order, and from other queues.
    #[test]
    fn a_packet_is_the_head_when_all_before_it_have_left() {
        check(&[
            (stored(1, 0), &[]),
            (stored(2, 0), &[]),
            (stored(3, 1), &[]),
            (stored(9, 0), &[]),
            (stored(4, 0), &[]),
            (departed(2, 0), &[]),
            (departed(3, 1), &[]),
            (departed(4, 0), &[]),
            (departed(1, 0), &[(9, 0)]),
            (departed(9, 0), &[]),
        ]);
    }

    // Ingress detection: the full queue becomes the SAQ, an empty one takes its place.
    #[test]
    fn packets_of_a_queue_that_is_swapped_are_in_the_saq() {
        check(&[
            (stored(1, 0), &[]),
            (stored(8, 0), &[]),
            (Event::Swapped { queue: QueueId(0), saq: QueueId(5) }, &[]),
            (stored(9, 5), &[]),
            (departed(1, 5), &[(8, 5)]),
            (departed(8, 5), &[(9, 5)]),
            // the queue that took its place is empty
            (stored(10, 0), &[]),
            (departed(10, 0), &[]),
        ]);
    }

    #[test]
    fn a_packet_that_is_moved_is_behind_others_again() {
        let moved = |sequence| Event::Moved { packet: packet(sequence), queue: QueueId(5) };
        check(&[
            (stored(1, 0), &[]),
            (stored(9, 0), &[]),
            (moved(1), &[(9, 0)]),
            (moved(9), &[]),
            (departed(1, 5), &[(9, 5)]),
            // into an empty queue: it is the head at once
            (departed(9, 5), &[]),
            (stored(9, 2), &[]),
        ]);
    }
}
