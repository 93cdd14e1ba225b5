//! "Link arbiter at an output: round robin over eligible queues", VCs and SAQs included: those
//! whose head is visible and has credit.

use crate::common::{OUT0, cases, classes};
use proptest::prelude::*;
use switch::{Fcu, Head, LinkArbiter, PortMemory, Requested};
use units::{ClassId, PortId, QueueId, Tick};

const NOW: Tick = Tick(50);

/// Heads of so many queues, each visible at a tick and of a class; each takes a cell.
fn memory(heads: &[(Tick, ClassId)]) -> PortMemory {
    let mut memory = PortMemory::new(classes(heads.len() as u32, 1), 0, true, OUT0);
    for (queue, &(visible, class)) in heads.iter().enumerate() {
        *memory.head_mut(QueueId::at(queue)) =
            Head { visible, class, cells: 1, output: PortId(0), requested: Requested::One };
    }
    memory
}

/// Credit of 0 or 1 cell by class.
fn fcu(credit: &[bool]) -> Fcu {
    let mut fcu = Fcu::new(credit.len() as u16, 1, OUT0);
    for (class, has) in credit.iter().enumerate() {
        if !has {
            fcu.take(ClassId::at(class), 1, NOW);
        }
    }
    fcu
}

fn all_visible(queues: usize) -> PortMemory {
    memory(&vec![(NOW, ClassId(0)); queues])
}

fn picked(arbiter: &LinkArbiter, memory: &PortMemory, fcu: &Fcu) -> Option<QueueId> {
    arbiter.pick(memory, fcu, NOW)
}

// "round robin over eligible queues": one past the queue that went.
#[test]
fn a_queue_that_went_comes_last() {
    let (memory, fcu) = (all_visible(3), fcu(&[true]));
    let mut arbiter = LinkArbiter::new(3);
    (0..3).for_each(|queue| arbiter.raise(QueueId(queue)));
    let turns = [0, 1, 2, 0].map(|_| {
        let queue = picked(&arbiter, &memory, &fcu).expect("all may go");
        arbiter.granted(queue);
        queue.0
    });
    assert_eq!(turns, [0, 1, 2, 0]);
}

// A queue that is stopped, or empty, does not take part.
#[test]
fn a_queue_that_withdraws_is_passed_over() {
    let (memory, fcu) = (all_visible(3), fcu(&[true]));
    let mut arbiter = LinkArbiter::new(3);
    assert!(!arbiter.has_requests());
    assert_eq!(picked(&arbiter, &memory, &fcu), None);
    arbiter.raise(QueueId(0));
    arbiter.raise(QueueId(2));
    arbiter.withdraw(QueueId(0));
    assert_eq!(picked(&arbiter, &memory, &fcu), Some(QueueId(2)));
    arbiter.withdraw(QueueId(2));
    assert!(!arbiter.has_requests());
}

// Picking changes nothing: it may be asked again.
#[test]
fn the_turn_moves_with_the_grant_only() {
    let (memory, fcu) = (all_visible(2), fcu(&[true]));
    let mut arbiter = LinkArbiter::new(2);
    (0..2).for_each(|queue| arbiter.raise(QueueId(queue)));
    assert_eq!(picked(&arbiter, &memory, &fcu), picked(&arbiter, &memory, &fcu));
}

/// The queue that goes, as a scan of the queues from `start` on.
fn scan(
    heads: &[(Tick, ClassId)],
    eligible: &[bool],
    credit: &[bool],
    start: usize,
) -> Option<QueueId> {
    let in_turn = (0..heads.len()).map(|step| (start + step) % heads.len());
    let may_go = |&queue: &usize| {
        let (visible, class) = heads[queue];
        eligible[queue] && visible <= NOW && credit[class.index()]
    };
    in_turn.into_iter().find(may_go).map(QueueId::at)
}

proptest! {
    #![proptest_config(cases(300))]

    // In one word and in several: ports have 8 queues, or one for each of 300 nodes.
    #[test]
    fn the_first_in_turn_that_may_go_is_picked(
        queues in prop_oneof![1_usize..10, 60_usize..70, Just(300)],
        seed in prop::collection::vec((any::<bool>(), 48_u64..53, 0..4_u16), 300),
        credit in prop::collection::vec(any::<bool>(), 4),
        last in prop::option::of(any::<usize>()),
    ) {
        let heads: Vec<_> = seed[..queues].iter().map(|s| (Tick(s.1), ClassId(s.2))).collect();
        let eligible: Vec<_> = seed[..queues].iter().map(|s| s.0).collect();
        let mut arbiter = LinkArbiter::new(queues);
        for (queue, is_eligible) in eligible.iter().enumerate() {
            arbiter.raise(QueueId::at(queue));
            if !is_eligible {
                arbiter.withdraw(QueueId::at(queue));
            }
        }
        let last = last.map(|last| last % queues);
        if let Some(last) = last {
            arbiter.granted(QueueId::at(last));
        }
        let start = last.map_or(0, |last| last + 1) % queues;
        let found = arbiter.pick(&memory(&heads), &fcu(&credit), NOW);
        prop_assert_eq!(found, scan(&heads, &eligible, &credit, start));
        prop_assert_eq!(arbiter.has_requests(), eligible.contains(&true));
    }
}
