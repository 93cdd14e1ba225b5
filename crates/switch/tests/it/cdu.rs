//! CDU: "detects, computes the congested output, asks for a SAQ" (spec page `recn.md`).

use crate::common::{cases, recn};
use proptest::prelude::*;
use recn::{Rules, Version};
use switch::{COLD, Cdu};
use units::{PortId, QueueId};

fn cdu(version: Version) -> Cdu {
    Cdu::new(Some(Rules::of(version)), 4)
}

// "Ingress detection fires when a detection queue holds at least this many packets": 3 here, in the
// enhanced versions; `recn-basic` detects at egress ports only.
#[test]
fn a_detection_queue_at_its_threshold_is_congestion() {
    let cases = [
        (Cdu::new(None, 4), [false; 3]),
        (cdu(Version::Basic), [false; 3]),
        (cdu(Version::Enhanced), [false, true, true]),
        (cdu(Version::Dd), [false, true, true]),
    ];
    for (mut cdu, expected) in cases {
        // Where detection is by queues, departures are not counted.
        cdu.left(COLD, PortId(1));
        let fires = [2, 3, 4].map(|packets| cdu.stored(PortId(1), packets, &recn()));
        assert_eq!(fires, expected, "{cdu:?}");
    }
}

proptest! {
    #![proptest_config(cases(200))]

    // `recn-dd-iq`: "counters of the cold queue": packets of each output that are in it, whatever
    // the queue holds in all, and whatever leaves SAQs.
    #[test]
    fn the_cold_queue_is_counted_by_output(
        steps in prop::collection::vec((0..4_u8, 0..3_u8), 0..100),
    ) {
        let mut cdu = cdu(Version::DdIq);
        let mut plain = [0_u32; 4];
        for (output, what) in steps {
            let (port, count) = (PortId(output), &mut plain[usize::from(output)]);
            match what {
                0 if *count > 0 => {
                    cdu.left(COLD, port);
                    *count -= 1;
                }
                1 => cdu.left(QueueId(2), port),
                _ => {
                    *count += 1;
                    prop_assert_eq!(cdu.stored(port, 1, &recn()), *count >= 3);
                }
            }
        }
    }
}
