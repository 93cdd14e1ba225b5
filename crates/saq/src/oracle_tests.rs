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

/// Both models, the packets on their way out, and the next item number (items are distinct).
struct Pair {
    mmu: Mmu<u32>,
    pool: u32,
    lists: Vec<VecDeque<Entry>>,
    leases: Vec<Lease>,
    next: u32,
}

impl Pair {
    fn new(cells: u16, queues: usize, markers: usize, pushed: u32) -> Self {
        let mut mmu = Mmu::with_registers(cells, queues, markers, 0);
        for (number, queue) in (7..).zip(&mut mmu.queues) {
            queue.record.pushed = pushed;
            queue.register = number;
        }
        let lists = vec![VecDeque::new(); queues];
        Self { mmu, pool: cells.into(), lists, leases: Vec::new(), next: 100 }
    }

    fn packets(&self, queue: QueueId) -> impl Iterator<Item = (PacketId, u16)> + '_ {
        self.lists[queue.index()].iter().filter_map(|entry| match *entry {
            Entry::Packet(item, cells) => Some((item, cells)),
            Entry::Marker(_) => None,
        })
    }

    /// Each with the packets ahead of it.
    fn markers(&self, queue: QueueId) -> Vec<(LineId, u32)> {
        let mut ahead = 0;
        let list = self.lists[queue.index()].iter();
        let markers = list.filter_map(|entry| match *entry {
            Entry::Packet(..) => {
                ahead += 1;
                None
            }
            Entry::Marker(marker) => Some((marker, ahead)),
        });
        markers.collect()
    }

    fn cells(&self, queue: QueueId) -> u32 {
        self.packets(queue).map(|(_, cells)| u32::from(cells)).sum()
    }

    /// Free, queued and leased cells.
    fn counts(&self) -> [u32; 3] {
        let queued = (0..self.lists.len()).map(|queue| self.cells(QueueId::at(queue))).sum();
        let leased = self.leases.iter().map(|lease| u32::from(lease.cells)).sum();
        [self.pool - queued - leased, queued, leased]
    }

    fn host(&self, marker: LineId) -> Option<QueueId> {
        self.lists.iter().position(|list| list.contains(&Entry::Marker(marker))).map(QueueId::at)
    }

    /// Takes the first packet off a list.
    fn pop(&mut self, queue: QueueId) -> Result<(PacketId, u16), MmuError> {
        let first = self.packets(queue).next();
        let (item, cells) = first.ok_or(MmuError(format!("queue {queue} has no packet")))?;
        self.lists[queue.index()].retain(|&entry| entry != Entry::Packet(item, cells));
        Ok((item, cells))
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Push(queue, cells) => {
                let ([free, ..], pool) = (self.counts(), self.pool);
                let item = PacketId(self.next);
                let expected = if u32::from(cells) <= free {
                    self.lists[queue.index()].push_back(Entry::Packet(item, cells));
                    self.next += 1;
                    Ok(())
                } else {
                    // "Overflow is a bug of the model, never a drop": nothing is stored.
                    Err(MmuError(format!(
                        "cell pool exhausted: {cells} cells needed, {free} free of {pool}"
                    )))
                };
                assert_eq!(self.mmu.push(queue, item, cells), expected);
            }
            Step::Pop(queue) => {
                let lease = self.mmu.pop(queue);
                let taken = lease.as_ref().map(|lease| (lease.packet, lease.cells));
                assert_eq!(taken.map_err(Clone::clone), self.pop(queue));
                self.leases.extend(lease);
            }
            Step::Release(index) => {
                if !self.leases.is_empty() {
                    let lease = self.leases.swap_remove(index % self.leases.len());
                    self.mmu.release(lease).unwrap();
                }
            }
            Step::Move(from, to) => {
                let popped = self.pop(from);
                assert_eq!(self.mmu.move_front(from, to), popped.clone().map(|_| ()));
                let moved = popped.map(|(item, cells)| Entry::Packet(item, cells));
                self.lists[to.index()].extend(moved);
            }
            Step::Swap(a, b) => {
                self.mmu.swap(a, b).unwrap();
                self.lists.swap(a.index(), b.index());
            }
            Step::Place(marker, host) => {
                let expected = match self.host(marker) {
                    Some(host) => {
                        Err(MmuError(format!("marker {marker} is in queue {host} already")))
                    }
                    None => {
                        self.lists[host.index()].push_back(Entry::Marker(marker));
                        Ok(())
                    }
                };
                assert_eq!(self.mmu.place_marker(marker, host), expected);
            }
            Step::Take(queue) => {
                let is_marker = |entry: &mut Entry| matches!(entry, Entry::Marker(_));
                let expected = self.lists[queue.index()].pop_front_if(is_marker);
                assert_eq!(self.mmu.take_head_marker(queue).map(Entry::Marker), expected);
            }
        }
        self.compare();
    }

    fn compare(&self) {
        let mmu = &self.mmu;
        mmu.audit().unwrap();
        for (number, list) in self.lists.iter().enumerate() {
            let queue = QueueId::at(number);
            let packets: Vec<_> = self.packets(queue).collect();
            let markers = self.markers(queue);
            let item = |at: usize| packets.get(at).map(|(item, _)| *item);
            assert_eq!(*mmu.register(queue), 7 + u32::from(queue.0));
            assert_eq!(mmu.packets(queue) as usize, packets.len());
            assert_eq!(mmu.cells(queue), self.cells(queue));
            assert_eq!((mmu.front(queue), mmu.second(queue)), (item(0), item(1)));
            assert_eq!(mmu.is_empty(queue), packets.is_empty());
            assert_eq!(mmu.is_vacant(queue), list.is_empty());
            assert_eq!(mmu.has_markers(queue), !markers.is_empty());
            let head = markers.first().filter(|(_, ahead)| *ahead == 0);
            assert_eq!(mmu.head_marker(queue), head.map(|(marker, _)| *marker));
            assert!(mmu.items(queue).eq(packets));
            assert!(mmu.queue_markers(queue).eq(markers));
        }
        for marker in (0..mmu.markers()).map(LineId::at) {
            assert_eq!(mmu.marker_host(marker), self.host(marker));
        }
        let counts = [mmu.free_cells(), mmu.queued_cells(), mmu.leased_cells()];
        assert_eq!(counts, self.counts());
    }

    /// Everything leaves; the whole pool must be free again.
    fn drain(mut self) {
        for queue in (0..self.lists.len()).map(QueueId::at) {
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
        assert_eq!((self.mmu.free_cells(), self.mmu.pool_cells()), (self.pool, self.pool));
    }
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
