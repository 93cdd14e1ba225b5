//! MMU of a port with the packet that is leaving, and the FCU: "A credit is consumed at the start
//! of transmission and returned when the packet's tail leaves that memory".

use crate::common::{IN0, OUT0, broken_by, cases, classes};
use plan::MemoryLayout;
use proptest::prelude::*;
use std::collections::VecDeque;
use switch::{Fcu, PortMemory};
use units::{ClassId, PacketId, QueueId, Span, Tick};

const QUEUE: QueueId = QueueId(0);
const CLASS: ClassId = ClassId(0);
const NOW: Tick = Tick(10);

/// An egress memory of two queues and classes of 4 cells.
fn egress() -> PortMemory {
    PortMemory::new(classes(2, 4), 0, true, OUT0)
}

// A packet that no output leads on from is removed "at once, its credit returned".
#[test]
fn a_discarded_packet_gives_its_cells_back_at_once() {
    let mut memory = PortMemory::new(MemoryLayout::single(3), 0, false, IN0);
    memory.push(QUEUE, PacketId(1), 3, NOW);
    assert_eq!(memory.discard(QUEUE, NOW), PacketId(1));
    memory.push(QUEUE, PacketId(2), 3, NOW);
    assert_eq!(memory.discard(QUEUE, NOW), PacketId(2));
    assert_eq!(memory.left_over(), None);
}

// "Overflow is a bug of the model, never a drop."
#[test]
fn what_does_not_fit_stops_the_run() {
    let ingress = || PortMemory::new(MemoryLayout::single(3), 0, false, IN0);
    let broken = [
        broken_by(|| ingress().push(QUEUE, PacketId(1), 4, NOW)),
        broken_by(|| ingress().reserve(CLASS, 1, NOW)),
        broken_by(|| egress().pop(QUEUE, NOW)),
        broken_by(|| egress().reserve(CLASS, 5, NOW)),
        // Credit that is not there, or comes twice.
        broken_by(|| Fcu::new(1, 5, OUT0).take(CLASS, 6, NOW)),
        broken_by(|| Fcu::new(1, 5, OUT0).give(CLASS, 1, NOW)),
    ];
    assert_eq!(broken[1].what, "no memory to have room in");
    assert_eq!(broken[4].what, "credit underflow: 6 cells needed, 5 available");
    let units = [IN0, IN0, OUT0, OUT0, OUT0, OUT0];
    assert_eq!(broken.map(|b| (b.unit, b.tick)), units.map(|unit| (unit, NOW)));
}

// Only an egress memory has room that the crossbar asks for, and only where there is one.
#[test]
fn only_an_egress_memory_has_room() {
    let memory = |layout, has_room| PortMemory::new(layout, 0, has_room, OUT0);
    assert!(memory(classes(1, 4), true).has_room());
    assert!(!memory(classes(1, 4), false).has_room());
    let none = memory(MemoryLayout::default(), true);
    assert!(!none.has_room() && !none.is_there() && memory(classes(1, 4), false).is_there());
    assert_eq!(none.room(CLASS), 0);
    // SAQs have queues of their own above the normal ones.
    let memory = PortMemory::new(classes(2, 4), 3, true, OUT0);
    assert_eq!((memory.queues(), memory.pool_cells(), memory.unit()), (5, 8, OUT0));
    let classes = egress().room_classes().map(flow_control::ClassCredits::len);
    assert_eq!(classes, Some(2));
}

// Everything is at home after a run: cells, room that was reserved, and credit.
#[test]
fn what_is_left_over_is_named() {
    let mut memory = egress();
    assert_eq!(memory.left_over(), None);
    memory.push(QUEUE, PacketId(1), 3, NOW);
    let text = "fabric.switch0.out0: 3 cells in use";
    assert_eq!(memory.left_over().as_deref(), Some(text));
    memory.discard(QUEUE, NOW);
    memory.reserve(ClassId(1), 1, NOW);
    let text = "fabric.switch0.out0: room of class 1 is away";
    assert_eq!(memory.left_over().as_deref(), Some(text));
    let mut fcu = Fcu::new(3, 5, OUT0);
    assert_eq!(fcu.left_over(), None);
    fcu.take(ClassId(2), 4, NOW);
    let text = "fabric.switch0.out0: 4 credits of class 2 are away";
    assert_eq!(fcu.left_over().as_deref(), Some(text));
    fcu.give(ClassId(2), 4, NOW);
    assert_eq!(fcu.left_over(), None);
}

/// A port memory as lists: what arrived, what leaves until when.
#[derive(Debug, Default)]
struct Plain {
    queues: [VecDeque<(PacketId, u16)>; 2],
    leaving: Option<(ClassId, u16, Tick)>,
}

impl Plain {
    fn leaving_cells(&self, class: Option<ClassId>) -> u32 {
        let leaving = self.leaving.filter(|l| class.is_none_or(|c| c == l.0));
        leaving.map_or(0, |l| l.1.into())
    }

    fn cells(&self, queue: usize) -> u32 {
        self.queues[queue].iter().map(|p| u32::from(p.1)).sum()
    }

    fn room(&self, class: ClassId) -> u32 {
        4 - self.cells(class.index()) - self.leaving_cells(Some(class))
    }
}

proptest! {
    #![proptest_config(cases(300))]

    // "A packet leaves a queue when its transmission starts"; its cells "come back when the packet
    // has left", and are room of its class again: what lists say, in every tick.
    #[test]
    fn a_memory_is_what_lists_say(
        steps in prop::collection::vec((0..2_usize, 0..4_u8, 1..4_u16, 1..9_u64), 0..60),
    ) {
        let (mut memory, mut plain) = (egress(), Plain::default());
        let (mut now, mut next) = (Tick(1), 0);
        for (queue, what, cells, ticks) in steps {
            let id = QueueId::at(queue);
            let class = ClassId::at(queue);
            match what {
                0 if !plain.queues[queue].is_empty() && plain.leaving.is_none() => {
                    let end = now + Span(ticks);
                    let lease = memory.pop(id, now);
                    memory.leave(lease, class, end);
                    let (_, cells) = plain.queues[queue].pop_front().expect("not empty");
                    plain.leaving = Some((class, cells, end));
                }
                1 if plain.room(class) >= cells.into() => {
                    let packet = PacketId(next);
                    next += 1;
                    memory.reserve(class, cells.into(), now);
                    memory.push(id, packet, cells, now);
                    plain.queues[queue].push_back((packet, cells));
                }
                _ => {
                    let left = plain.leaving.take_if(|l| l.2 <= now.next());
                    let left = left.map(|l| (l.0, u32::from(l.1)));
                    prop_assert_eq!(memory.tail_leaves(now), left);
                    now = now.next();
                }
            }
            prop_assert_eq!(memory.leaving_cells(), plain.leaving_cells(None));
            prop_assert_eq!(memory.queued_cells(), plain.cells(0) + plain.cells(1));
            for queue in 0..2 {
                let (id, list) = (QueueId::at(queue), &plain.queues[queue]);
                let class = ClassId::at(queue);
                prop_assert_eq!(memory.room(class), plain.room(class));
                prop_assert_eq!(memory.front(id), list.front().map(|p| p.0));
                prop_assert_eq!(memory.packets(id) as usize, list.len());
                prop_assert_eq!(memory.cells(id), plain.cells(queue));
            }
            prop_assert_eq!(memory.audit(), Ok(()));
        }
    }
}
