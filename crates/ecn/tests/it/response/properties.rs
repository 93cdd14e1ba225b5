//! What holds for any sequence of ACKs.

use super::common::{ONE, acked, dcqcn, flow, of_acks};
use ecn::response::Algorithm;
use proptest::prelude::*;
use units::{Span, Tick};

fn after(algorithm: Algorithm, marks: &[bool]) -> u64 {
    let mut flow = flow(algorithm);
    for &marked in marks {
        acked(&mut flow, marked);
    }
    flow.spacing().bits()
}

fn acks() -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(prop::bool::weighted(0.2), 0..60)
}

proptest! {
    #![proptest_config(crate::fixed::fixed(500, 2003))]

    // A mark never raises the rate, an ACK without one never lowers it; x stays in 1 to M.
    #[test]
    fn marks_slow_and_others_speed_up(
        m in prop_oneof![9 => 1u32..2000, 1 => Just(1)],
        marks in acks(),
        which in 0usize..3,
    ) {
        let algorithm = of_acks(m)[which];
        let before = after(algorithm, &marks);
        let then = |marked| after(algorithm, &[&marks[..], &[marked]].concat());
        prop_assert!(then(true) >= before);
        prop_assert!(then(false) <= before);
        prop_assert!((ONE..=u64::from(m) * ONE).contains(&before));
    }

    // Of two flows that see the same the slower one stays the slower one: fairness cannot be
    // turned round. (Powers and quotients round: some 2^-32 apart is equal.)
    #[test]
    fn the_slower_flow_stays_the_slower(
        m in 1u32..2000,
        (one, other, then) in (acks(), acks(), acks()),
        which in 0usize..3,
    ) {
        let algorithm = of_acks(m)[which];
        let (a, b) = (after(algorithm, &one), after(algorithm, &other));
        let a_then = after(algorithm, &[&one[..], &then].concat());
        let b_then = after(algorithm, &[&other[..], &then].concat());
        let (slow, fast) = if a >= b { (a_then, b_then) } else { (b_then, a_then) };
        prop_assert!(slow + (slow >> 30) >= fast, "{} {}", slow, fast);
    }

    // DCQCN does the same whether its timers are evaluated when they run out or late.
    #[test]
    fn timers_may_be_evaluated_late(
        events in prop::collection::vec((0u64..200_000, 0u8..3, 1u32..3_000_000), 0..60),
    ) {
        let mut eager = flow(Algorithm::Dcqcn(dcqcn()));
        let mut late = eager.clone();
        let mut now = Tick::ZERO;
        for (wait, what, bytes) in events {
            let next = now + Span(wait);
            while let Some(due) = eager.due().filter(|&due| due <= next) {
                prop_assert!(due > now);
                eager.next_start(due);
                now = due;
            }
            now = next;
            for flow in [&mut eager, &mut late] {
                match what {
                    0 => flow.cnp(now),
                    1 => flow.sent(bytes, now).unwrap(),
                    _ => flow.acked(true, now).unwrap(),
                }
            }
            prop_assert_eq!(&eager, &late);
            let spacing = eager.spacing().bits();
            prop_assert!((ONE..=1000 * ONE).contains(&spacing), "{}", spacing);
        }
    }
}
