//! Packet records: the slots that they live in, and pipelines linked through them.

use crate::common::{cases, packet};
use observe::payload;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use switch::{Fifo, Packets};
use units::{PacketId, PortId, Tick};

// "Ejected packets are checked for order and for payload identity": what differs in anything
// differs in its contents.
#[test]
fn contents_tell_packets_apart() {
    let all =
        [payload(1, 2, 3, 64), payload(2, 1, 3, 64), payload(1, 2, 4, 64), payload(1, 2, 3, 65)];
    assert_eq!(BTreeSet::from(all).len(), all.len());
}

// `oq`: heads that come to one output in one tick are stored in the order of their inputs.
#[test]
fn packets_due_at_once_are_ordered_by_sender() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
        let (mut packets, mut fifo) = (Packets::new(), Fifo::default());
        for sender in order {
            let mut packet = packet(0);
            packet.sender = PortId(sender);
            let id = packets.insert(packet);
            fifo.insert_by_sender(&mut packets, id);
        }
        let mut last = packet(0);
        last.sender = PortId(0);
        let last = packets.insert(last);
        let senders: Vec<_> = fifo.iter(&packets).map(|id| packets[id].sender.0).collect();
        assert_eq!(senders, [0, 1, 2]);
        // The end of the list is known: what is added goes behind it.
        fifo.push(&mut packets, last);
        assert_eq!(fifo.iter(&packets).last(), Some(last));
    }
}

proptest! {
    #![proptest_config(cases(200))]

    // First in, first out, whatever slots are used again.
    #[test]
    fn a_pipeline_is_a_queue(steps in prop::collection::vec(any::<bool>(), 0..80)) {
        let (mut packets, mut fifo) = (Packets::new(), Fifo::default());
        let (mut plain, mut next) = (VecDeque::new(), 0);
        for push in steps {
            if push {
                let mut packet = packet(0);
                packet.stored = Tick(next);
                next += 1;
                let id = packets.insert(packet);
                fifo.push(&mut packets, id);
                plain.push_back(id);
            } else {
                prop_assert_eq!(fifo.pop(&packets), plain.front().copied());
                if let Some(id) = plain.pop_front() {
                    packets.remove(id);
                }
            }
            prop_assert_eq!(fifo.front(), plain.front().copied());
            prop_assert_eq!(fifo.due(&packets), plain.front().map(|&id| packets[id].stored));
            prop_assert_eq!(fifo.iter(&packets).collect::<VecDeque<_>>(), plain.clone());
        }
    }

    // A slot is one packet's until that is removed.
    #[test]
    fn slots_are_used_again(steps in prop::collection::vec(any::<(bool, usize)>(), 0..80)) {
        let mut packets = Packets::new();
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
