//! Is admittance into injection as exact as decision 0003 says?

use observe::{Event, Side};
use setaside_tests::erased::seen_drained;
use setaside_tests::family::adversarial;
use setaside_tests::random::RECN;
use setaside_tests::watch::Watch;
use std::collections::BTreeMap;
use units::QueueId;

/// "It moves if the injection memory has a cell and, where its queue is a SAQ, ready or not, that
/// SAQ is below Xoff" (recn.md); "no SAQ of an injection port grows beyond Xoff by admittance"
/// (decision 0003). Nothing but admittance fills those SAQs, so none ever holds a packet more; many
/// hold just as many.
#[test]
fn no_saq_of_an_injection_port_grows_beyond_xoff() {
    for scheme in RECN {
        let (mut at_xoff, mut below) = (0, 0);
        for seed in 0..120 {
            let config = adversarial(scheme, seed);
            let watch = seen_drained(&config, Watch::with_events());
            let switches = config.network.switches() as u32;
            let xoff = config.switch.recn.thresholds.xoff;
            let mut packets: BTreeMap<(u32, u16), u32> = BTreeMap::new();
            let injection =
                |s: &&setaside_tests::watch::Seen| s.element >= switches && s.side == Side::Egress;
            for seen in watch.events.iter().filter(injection) {
                match seen.event {
                    // Queue 0 is the normal one.
                    Event::Stored { queue, .. } if queue > QueueId(0) => {
                        let held = packets.entry((seen.element, queue.0)).or_default();
                        *held += 1;
                        assert!(
                            *held <= xoff,
                            "{scheme}, seed {seed}: {held} packets at Xoff {xoff}: {seen:?}"
                        );
                        at_xoff += u32::from(*held == xoff);
                        below += u32::from(*held < xoff);
                    }
                    Event::Departed { queue, .. } if queue > QueueId(0) => {
                        *packets.entry((seen.element, queue.0)).or_default() -= 1;
                    }
                    _ => {}
                }
            }
        }
        assert!(at_xoff > 1_000 && below > 300, "{scheme}: {at_xoff} at Xoff, {below} below");
    }
}
