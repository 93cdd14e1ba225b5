//! The MMU against a plain model: each queue a list of packets and markers.
//!
//! Inside the crate, so that the wrapping counters can be started near their end.

use std::collections::VecDeque;

use proptest::prelude::*;

use crate::{Lease, Mmu, MmuError};
use units::{LineId, PacketId, QueueId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Packet(PacketId, u16),
    Marker(LineId),
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Push(QueueId, u16),
    Pop(QueueId),
    Release(usize),
    Move(QueueId, QueueId),
    Swap(QueueId, QueueId),
    Place(LineId, QueueId),
    Take(QueueId),
}

struct Plain {
    pool: u32,
    queues: Vec<VecDeque<Entry>>,
}

impl Plain {
    fn packets(&self, queue: QueueId) -> impl Iterator<Item = (PacketId, u16)> + '_ {
        self.queues[queue.index()].iter().filter_map(|entry| match *entry {
            Entry::Packet(item, cells) => Some((item, cells)),
            Entry::Marker(_) => None,
        })
    }

    fn markers(&self, queue: QueueId) -> Vec<(LineId, u32)> {
        let mut ahead = 0;
        let mut markers = Vec::new();
        for entry in &self.queues[queue.index()] {
            match *entry {
                Entry::Packet(..) => ahead += 1,
                Entry::Marker(marker) => markers.push((marker, ahead)),
            }
        }
        markers
    }

    fn cells(&self, queue: QueueId) -> u32 {
        self.packets(queue).map(|(_, cells)| u32::from(cells)).sum()
    }

    fn host(&self, marker: LineId) -> Option<QueueId> {
        self.queues.iter().position(|queue| queue.contains(&Entry::Marker(marker))).map(QueueId::at)
    }

    fn pop(&mut self, queue: QueueId) -> Option<(PacketId, u16)> {
        let packet = self.packets(queue).next()?;
        self.queues[queue.index()].retain(|&entry| entry != Entry::Packet(packet.0, packet.1));
        Some(packet)
    }
}

/// Both models, the packets on their way out, and the next item number (items are distinct).
struct Pair {
    mmu: Mmu<u32>,
    plain: Plain,
    leases: Vec<Lease>,
    next: u32,
}

impl Pair {
    fn new(cells: u16, queues: usize, markers: usize, pushed: u32) -> Self {
        let mut mmu = Mmu::with_registers(cells, queues, markers, 0);
        for queue in &mut mmu.queues {
            queue.record.pushed = pushed;
        }
        for queue in (0..queues).map(QueueId::at) {
            *mmu.register_mut(queue) = 7 + u32::from(queue.0);
        }
        Self {
            mmu,
            plain: Plain { pool: u32::from(cells), queues: vec![VecDeque::new(); queues] },
            leases: Vec::new(),
            next: 100,
        }
    }

    fn step(&mut self, step: Step) {
        let Self { mmu, plain, .. } = self;
        match step {
            Step::Push(queue, cells) => {
                let leased: u32 = self.leases.iter().map(|l| u32::from(l.cells)).sum();
                let queued: u32 =
                    (0..plain.queues.len()).map(|q| plain.cells(QueueId::at(q))).sum();
                let free = plain.pool - leased - queued;
                let result = mmu.push(queue, PacketId(self.next), cells);
                if u32::from(cells) > free {
                    assert_eq!(result, refused(cells, free, plain.pool));
                } else {
                    assert_eq!(result, Ok(()));
                    plain.queues[queue.index()]
                        .push_back(Entry::Packet(PacketId(self.next), cells));
                    self.next += 1;
                }
            }
            Step::Pop(queue) => match plain.pop(queue) {
                Some(packet) => {
                    let lease = mmu.pop(queue).unwrap();
                    assert_eq!((lease.packet, lease.cells), packet);
                    self.leases.push(lease);
                }
                None => assert_eq!(mmu.pop(queue), empty(queue)),
            },
            Step::Release(index) => {
                if !self.leases.is_empty() {
                    let lease = self.leases.swap_remove(index % self.leases.len());
                    mmu.release(lease).unwrap();
                }
            }
            Step::Move(from, to) => match plain.pop(from) {
                Some((item, cells)) => {
                    mmu.move_front(from, to).unwrap();
                    plain.queues[to.index()].push_back(Entry::Packet(item, cells));
                }
                None => assert_eq!(mmu.move_front(from, to), empty(from)),
            },
            Step::Swap(a, b) => {
                mmu.swap(a, b).unwrap();
                plain.queues.swap(a.index(), b.index());
            }
            Step::Place(marker, host) => {
                let placed = plain.host(marker);
                let result = mmu.place_marker(marker, host);
                if let Some(host) = placed {
                    let text = format!("marker {marker} is in queue {host} already");
                    assert_eq!(result, Err(MmuError(text)));
                } else {
                    assert_eq!(result, Ok(()));
                    plain.queues[host.index()].push_back(Entry::Marker(marker));
                }
            }
            Step::Take(queue) => {
                let list = &mut plain.queues[queue.index()];
                let expected = match list.front() {
                    Some(&Entry::Marker(marker)) => {
                        list.pop_front();
                        Some(marker)
                    }
                    _ => None,
                };
                assert_eq!(mmu.take_head_marker(queue), expected);
            }
        }
        self.compare();
    }

    fn compare(&self) {
        let Self { mmu, plain, .. } = self;
        mmu.audit().unwrap();
        let mut queued = 0;
        for (index, list) in plain.queues.iter().enumerate() {
            let queue = QueueId::at(index);
            let packets: Vec<_> = plain.packets(queue).collect();
            let markers = plain.markers(queue);
            let front = packets.first().copied();
            queued += plain.cells(queue);
            assert_eq!(*mmu.register(queue), 7 + u32::from(queue.0));
            assert_eq!(mmu.packets(queue) as usize, packets.len());
            assert_eq!(mmu.cells(queue), plain.cells(queue));
            assert_eq!(mmu.front(queue), front.map(|(item, _)| item));
            let second = packets.get(1).copied();
            assert_eq!(mmu.second(queue), second.map(|(item, _)| item));
            assert_eq!(mmu.is_empty(queue), packets.is_empty());
            assert_eq!(mmu.is_vacant(queue), list.is_empty());
            assert_eq!(mmu.has_markers(queue), !markers.is_empty());
            let head = markers.first().filter(|(_, ahead)| *ahead == 0);
            assert_eq!(mmu.head_marker(queue), head.map(|(marker, _)| *marker));
            assert!(mmu.items(queue).eq(packets));
            assert!(mmu.queue_markers(queue).eq(markers));
        }
        for marker in (0..mmu.markers()).map(LineId::at) {
            assert_eq!(mmu.marker_host(marker), plain.host(marker));
        }
        let leased: u32 = self.leases.iter().map(|l| u32::from(l.cells)).sum();
        assert_eq!((mmu.queued_cells(), mmu.leased_cells()), (queued, leased));
        assert_eq!(mmu.free_cells(), plain.pool - queued - leased);
    }

    /// Everything leaves; the whole pool must be free again.
    fn drain(mut self) {
        for queue in (0..self.plain.queues.len()).map(QueueId::at) {
            while !self.mmu.is_empty(queue) {
                self.step(Step::Pop(queue));
            }
            while self.mmu.has_markers(queue) {
                self.step(Step::Take(queue));
            }
        }
        while !self.leases.is_empty() {
            self.step(Step::Release(0));
        }
        assert_eq!(self.mmu.free_cells(), self.mmu.pool_cells());
    }
}

fn refused<T>(cells: u16, free: u32, pool: u32) -> Result<T, MmuError> {
    let text = format!("cell pool exhausted: {cells} cells needed, {free} free of {pool}");
    Err(MmuError(text))
}

fn empty<T>(queue: QueueId) -> Result<T, MmuError> {
    Err(MmuError(format!("queue {queue} has no packet")))
}

const QUEUES: u16 = 5;
const MARKERS: u8 = 4;

fn step() -> impl Strategy<Value = Step> {
    let cells = || prop_oneof![3 => Just(1_u16), 2 => 2_u16..6, 1 => 6_u16..12];
    let queue = || (0..QUEUES).prop_map(QueueId);
    prop_oneof![
        8 => (queue(), cells()).prop_map(|(q, n)| Step::Push(q, n)),
        4 => queue().prop_map(Step::Pop),
        4 => any::<usize>().prop_map(Step::Release),
        3 => (queue(), queue()).prop_map(|(a, b)| Step::Move(a, b)),
        1 => (queue(), queue()).prop_map(|(a, b)| Step::Swap(a, b)),
        3 => ((0..MARKERS).prop_map(LineId), queue()).prop_map(|(m, q)| Step::Place(m, q)),
        3 => queue().prop_map(Step::Take),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2005),
        ..ProptestConfig::default()
    })]

    // Every queue holds what the list holds, in its order, and its register, after every operation,
    // for packets of any size, leases released in any order, several markers at one position,
    // swaps, moves, and counters that wrap on the way.
    #[test]
    fn mmu_equals_the_plain_lists(
        cells in 1u16..40,
        until_wrap in 0u32..40,
        steps in prop::collection::vec(step(), 0..200),
    ) {
        let (queues, markers) = (usize::from(QUEUES), usize::from(MARKERS));
        let mut pair = Pair::new(cells, queues, markers, u32::MAX - until_wrap);
        for step in steps {
            pair.step(step);
        }
        pair.drain();
    }
}

// A small space completely: every sequence of 5 operations on 3 cells, 2 queues and 2 markers,
// after two that fill.
#[test]
fn every_short_sequence_equals_the_plain_lists() {
    let steps = [
        Step::Push(QueueId(0), 1),
        Step::Push(QueueId(1), 2),
        Step::Pop(QueueId(0)),
        Step::Pop(QueueId(1)),
        Step::Release(0),
        Step::Release(1),
        Step::Move(QueueId(0), QueueId(1)),
        Step::Move(QueueId(1), QueueId(1)),
        Step::Swap(QueueId(0), QueueId(1)),
        Step::Place(LineId(0), QueueId(0)),
        Step::Place(LineId(1), QueueId(0)),
        Step::Place(LineId(1), QueueId(1)),
        Step::Take(QueueId(0)),
        Step::Take(QueueId(1)),
    ];
    let count = steps.len();
    for sequence in 0..count.pow(5) {
        let mut pair = Pair::new(3, 2, 2, u32::MAX - 1);
        pair.step(Step::Push(QueueId(0), 1));
        pair.step(Step::Place(LineId(0), QueueId(0)));
        let mut rest = sequence;
        for _ in 0..5 {
            pair.step(steps[rest % count]);
            rest /= count;
        }
    }
}
