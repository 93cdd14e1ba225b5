//! "Link arbiter at an output: round robin over eligible queues", VCs and SAQs included: those
//! whose head is visible and has credit.

use crate::common::{OUT0, cases, classes};
use proptest::prelude::*;
use switch::{Fcu, Head, LinkArbiter, PortMemory};
use units::{ClassId, PortId, QueueId, Tick};

const NOW: Tick = Tick(50);

/// Heads of so many queues, each visible at a tick and of a class; each takes a cell.
fn memory(heads: &[(Tick, ClassId)]) -> PortMemory {
    let mut memory = PortMemory::new(classes(heads.len() as u32, 1), 0, true, OUT0);
    for (queue, &(visible, class)) in heads.iter().enumerate() {
        *memory.head_mut(QueueId::at(queue)) =
            Head { visible, class, cells: 1, output: PortId(0), requests: true };
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

    // "round robin over eligible queues": one past the queue that went, whatever withdraws; in one
    // word and in several, ports have 8 queues, or one for each of 300 nodes.
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
