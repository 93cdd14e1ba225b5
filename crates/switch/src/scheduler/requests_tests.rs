//! The search for a queue among those that request, against a scan of a set.

use super::{Class, RequestRegisters};
use proptest::prelude::*;
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None,
        ..ProptestConfig::default() })]

    // "round robin over its queues that request this output": the first at or after `start`,
    // cyclic, that may go. In a part of a word, in a word, in several.
    #[test]
    fn the_search_equals_a_scan(
        (ports, queues) in prop_oneof![
            (Just(5_usize), prop_oneof![1_usize..20, 60_usize..70, 130_usize..140]),
            (Just(8), 7_usize..10),
            (Just(1), 63_usize..66),
            (Just(64), 1_usize..3),
        ],
        saq: bool,
        requests in prop::collection::vec(any::<(usize, usize, usize)>(), 0..60),
        start in 0..140_usize,
        keep in 1..4_usize,
    ) {
        let class = Class::ALL[usize::from(saq)];
        let queues = if saq { 64 } else { queues };
        let mut registers = RequestRegisters::new(ports, if saq { 1 } else { queues });
        let mut set = BTreeSet::new();
        for (input, output, queue) in requests {
            let request = (input % ports, output % ports, queue % queues);
            registers.set(class, request.0, request.1, request.2);
            set.insert(request);
        }
        let start = start % queues;
        for (input, output) in (0..ports).flat_map(|i| (0..ports).map(move |o| (i, o))) {
            let of_pair = set.iter().filter(|r| (r.0, r.1) == (input, output)).map(|r| r.2);
            let of_pair: BTreeSet<usize> = of_pair.collect();
            let scan = (0..queues).map(|step| (start + step) % queues);
            let first = scan.clone().find(|q| of_pair.contains(q) && q % keep == 0);
            let found = registers.find((class, input, output), start as u32, |q| q % keep == 0);
            prop_assert_eq!(found, first);
        }
    }
}

// A queue that there is not would raise the request of another output.
#[test]
#[should_panic(expected = "queue 3 of 3")]
fn a_queue_that_there_is_not_is_refused() {
    RequestRegisters::new(4, 3).set(Class::Normal, 0, 0, 3);
}
