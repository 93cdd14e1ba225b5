//! The events hash: pinned, so that results of different versions can be compared.

use observe::{Event, EventsHash, Observer, PacketKey, PacketView, Place, Side, View};
use turnpool::Point;
use units::{ClassId, LineId, PortId, QueueId, Span, Tick, WireId};

const NOW: u64 = 123_456;
const PORT: u32 = 77;
const PLACE: Place = Place { port: WireId(PORT), side: Side::Egress };
const VIEW: View<'static> = View { now: Tick(NOW), owners: &[] };

/// The hash of one event from plain numbers, as decision 0014 has it.
fn hashed(value: u64) -> u64 {
    let place = u64::from(PORT) << 1 | 1;
    let a = u128::from(value ^ 0x9e37_79b9_7f4a_7c15);
    let b = u128::from((NOW << 24 ^ place) ^ 0x6a09_e667_f3bc_c909);
    let product = a * b;
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of events.
fn hash(events: &[Event]) -> EventsHash {
    let mut hash = EventsHash::until(Tick::MAX);
    events.iter().for_each(|&event| hash.event(VIEW, PLACE, event));
    hash
}

fn packet() -> PacketView {
    PacketView::new(PacketKey { source: 3, destination: 9, sequence: 41 }, 64)
}

// Packets by their contents, with queue and output, SAQs by their line and point: what was hashed
// of plain numbers is hashed now. Credit and hops are in no hash: they follow from the rest.
#[test]
fn events_hash_as_they_did() {
    let (packet, queue, output) = (packet(), QueueId(5), PortId(2));
    let identity = u64::from(packet.payload) << 16;
    let (line, point, in_use) = (LineId(4), Point::from_turn(5, 3), 1);
    let saq = point.turns() as u64 ^ (point.turns() >> 64) as u64 ^ (4 << 8 | 3);
    for (event, value) in [
        (Event::Stored { packet, queue }, identity ^ 5),
        (Event::Departed { packet, queue, output }, !(identity ^ 5) ^ 2 << 56),
        (Event::Moved { packet, queue }, identity.rotate_left(9) ^ 5),
        (Event::SaqAllocated { line, point, in_use }, saq),
        (Event::SaqFreed { line, point, in_use }, !saq),
    ] {
        assert_eq!(hash(&[event]).combined(), hashed(value), "{event:?}");
    }
    let mut events = hash(&[]);
    events.ejected(VIEW, PLACE, packet);
    assert_eq!(events.combined(), hashed(u64::from(packet.payload) << 32 ^ 41));
    let credit = Event::CreditSent { class: ClassId(1), cells: 3 };
    let hop = Event::Hop { at: Tick(NOW), span: Span(32) };
    assert_eq!(hash(&[credit, hop]).combined(), 0);
}

// What is lost is not what is stranded, nor what is stored.
#[test]
fn faults_are_hashed() {
    let (packet, queue) = (packet(), QueueId(0));
    let [lost, stranded, stored] = [
        Event::Lost { packet },
        Event::Stranded { packet, queue },
        Event::Stored { packet, queue },
    ]
    .map(|event| hash(&[event]).combined());
    assert!(lost != stranded && stranded != stored && stored != lost);
}

// A store reported ahead of its tick that does not happen leaves nothing behind.
#[test]
fn a_retracted_store_does_not_count() {
    let (packet, queue) = (packet(), QueueId(5));
    let moved = Event::Moved { packet, queue };
    let mut both = hash(&[Event::Stored { packet, queue }, moved]);
    both.retract_stored(VIEW, PLACE, packet, queue);
    assert_eq!(both.combined(), hash(&[moved]).combined());
}
