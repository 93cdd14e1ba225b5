//! Packet records: their contents, and the slots that they live in.

use crate::common::{cases, packet};
use observe::payload;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use switch::Packets;
use units::PacketId;

// "Ejected packets are checked for order and for payload identity": what differs in anything
// differs in its contents.
#[test]
fn contents_tell_packets_apart() {
    let all =
        [payload(1, 2, 3, 64), payload(2, 1, 3, 64), payload(1, 2, 4, 64), payload(1, 2, 3, 65)];
    assert_eq!(BTreeSet::from(all).len(), all.len());
}

proptest! {
    #![proptest_config(cases(200))]

    // A slot is one packet's until that is removed.
    #[test]
    fn slots_are_used_again(steps in prop::collection::vec(any::<(bool, usize)>(), 0..80)) {
        let mut packets = Packets::default();
        let mut plain: BTreeMap<PacketId, u32> = BTreeMap::new();
        for (at, (insert, which)) in steps.into_iter().enumerate() {
            if insert || plain.is_empty() {
                let id = packets.insert(packet(at as u32));
                prop_assert_eq!(plain.insert(id, at as u32), None);
            } else {
                let id = *plain.keys().nth(which % plain.len()).expect("not empty");
                packets.remove(id);
                plain.remove(&id);
            }
            prop_assert_eq!(packets.alive(), plain.len());
            let mut alive = Vec::new();
            packets.for_each(|packet| alive.push(packet.destination));
            alive.sort_unstable();
            let mut expected: Vec<_> = plain.values().copied().collect();
            expected.sort_unstable();
            prop_assert_eq!(alive, expected);
        }
    }
}
