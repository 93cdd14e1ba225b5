//! Request registers: "which queue of which input requests which output", by class, as a set.

use crate::common::cases;
use proptest::prelude::*;
use std::collections::BTreeSet;
use switch::{Class, RequestRegisters};

/// Class, input, output, queue.
type Request = (usize, usize, usize, usize);

fn word(ports: usize, holds: impl Fn(usize) -> bool) -> u64 {
    (0..ports).filter(|&port| holds(port)).fold(0, |set, port| set | 1 << port)
}

// A queue that requests several outputs withdraws one, and still requests the other.
#[test]
fn an_output_is_requested_until_the_last_queue_withdraws() {
    let mut registers = RequestRegisters::new(4, 2);
    registers.set(Class::Normal, 1, 3, 0);
    registers.set(Class::Normal, 1, 3, 1);
    registers.set(Class::Normal, 1, 2, 0);
    registers.clear(Class::Normal, 1, 3, 0);
    assert_eq!((registers.outputs(1), registers.inputs(Class::Normal, 3)), (0b1100, 0b10));
    registers.clear(Class::Normal, 1, 3, 1);
    assert_eq!((registers.outputs(1), registers.inputs(Class::Normal, 3)), (0b100, 0));
}

// A SAQ of the input keeps the output requested.
#[test]
fn an_output_is_requested_in_either_class() {
    let mut registers = RequestRegisters::new(4, 2);
    registers.set(Class::Normal, 1, 3, 0);
    registers.set(Class::Saq, 1, 3, 0);
    registers.clear(Class::Normal, 1, 3, 0);
    assert_eq!(registers.outputs(1), 0b1000);
    assert_eq!(registers.inputs(Class::Normal, 3), 0);
    assert_eq!(registers.inputs(Class::Saq, 3), 0b10);
}

proptest! {
    #![proptest_config(cases(200))]

    // Whatever the number of queues: what fits a word, just fits it, and just does not.
    #[test]
    fn registers_equal_a_set(
        (ports, queues) in prop_oneof![
            (Just(5_usize), prop_oneof![1_usize..20, 60_usize..70, 130_usize..140]),
            (Just(8), 7_usize..10),
            (Just(1), 63_usize..66),
            (Just(64), 1_usize..3),
        ],
        steps in prop::collection::vec(any::<(bool, bool, usize, usize, usize)>(), 0..80),
    ) {
        let mut registers = RequestRegisters::new(ports, queues);
        let mut set: BTreeSet<Request> = BTreeSet::new();
        for (raise, saq, input, output, queue) in steps {
            let (input, output) = (input % ports, output % ports);
            let class = Class::ALL[usize::from(saq)];
            let queue = queue % if saq { 64 } else { queues };
            let request = (class as usize, input, output, queue);
            if raise {
                registers.set(class, input, output, queue);
                set.insert(request);
            } else {
                registers.clear(class, input, output, queue);
                set.remove(&request);
            }
            let any = |of: &dyn Fn(&Request) -> bool| set.iter().any(of);
            prop_assert_eq!(registers.requested(), word(ports, |output| any(&|r| r.2 == output)));
            for port in 0..ports {
                let outputs = word(ports, |output| any(&|r| (r.1, r.2) == (port, output)));
                prop_assert_eq!(registers.outputs(port), outputs);
                for class in Class::ALL {
                    let of = |input| any(&|r| (r.0, r.1, r.2) == (class as usize, input, port));
                    prop_assert_eq!(registers.inputs(class, port), word(ports, of));
                }
            }
        }
    }
}
