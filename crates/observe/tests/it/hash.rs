//! The events hash: pinned, so that results of different versions can be compared.

use observe::{Event, EventsHash, Observer, PacketKey, PacketView, Place, Side, View};
use turnpool::Point;
use units::{ClassId, LineId, PortId, QueueId, Span, Tick, WireId};

const NOW: u64 = 123_456;
const PORT: u32 = 77;

/// The hash of one event from plain numbers, as decision 0014 has it.
fn hashed(side: u64, value: u64) -> u64 {
    let place = u64::from(PORT) << 1 | side;
    let a = u128::from(value ^ 0x9e37_79b9_7f4a_7c15);
    let b = u128::from((NOW << 24 ^ place) ^ 0x6a09_e667_f3bc_c909);
    let product = a * b;
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of one event that an observer is told of.
fn told(tell: impl FnOnce(&mut EventsHash, View<'_>, Place, PacketView)) -> u64 {
    let mut hash = EventsHash::until(Tick::MAX);
    let view = View { now: Tick(NOW), owners: &[] };
    let place = Place { port: WireId(PORT), side: Side::Egress };
    tell(&mut hash, view, place, packet());
    hash.combined()
}

fn packet() -> PacketView {
    let key = PacketKey { source: 3, destination: 9, sequence: 41 };
    PacketView::new(key, 64)
}

// Packets by their contents, with queue and output: what was hashed of plain numbers is hashed now.
#[test]
fn packets_hash_as_they_did() {
    let identity = u64::from(packet().payload) << 16;
    let (queue, output) = (QueueId(5), PortId(2));
    let stored = told(|hash, view, place, packet| {
        hash.event(view, place, Event::Stored { packet, queue });
    });
    assert_eq!(stored, hashed(1, identity ^ 5));
    let departed = told(|hash, view, place, packet| {
        hash.event(view, place, Event::Departed { packet, queue, output });
    });
    assert_eq!(departed, hashed(1, !(identity ^ 5) ^ 2 << 56));
    let moved = told(|hash, view, place, packet| {
        hash.event(view, place, Event::Moved { packet, queue });
    });
    assert_eq!(moved, hashed(1, identity.rotate_left(9) ^ 5));
    let ejected = told(|hash, view, place, packet| hash.ejected(view, place, packet));
    assert_eq!(ejected, hashed(1, u64::from(packet().payload) << 32 ^ 41));
}

// SAQs by their line and point.
#[test]
fn saqs_hash_as_they_did() {
    let point = Point::from_turn(5, 3);
    let turns = point.turns() as u64 ^ (point.turns() >> 64) as u64;
    let value = turns ^ (4 << 8 | 3);
    let (line, in_use) = (LineId(4), 1);
    let allocated = told(|hash, view, place, _| {
        let event = Event::SaqAllocated { line, point, in_use };
        hash.event(view, place, event);
    });
    assert_eq!(allocated, hashed(1, value));
    let freed = told(|hash, view, place, _| {
        let event = Event::SaqFreed { line, point, in_use };
        hash.event(view, place, event);
    });
    assert_eq!(freed, hashed(1, !value));
}

// Credit and hops are in no hash: they follow from the rest.
#[test]
fn credit_and_hops_are_not_hashed() {
    let nothing = told(|hash, view, place, _| {
        let (class, cells) = (ClassId(1), 3);
        hash.event(view, place, Event::CreditSent { class, cells });
        hash.event(view, place, Event::Hop { at: Tick(NOW), span: Span(32) });
    });
    assert_eq!(nothing, 0);
}

// What is lost is not what is stranded, nor what is stored.
#[test]
fn faults_are_hashed() {
    let queue = QueueId(0);
    let lost = told(|hash, view, place, packet| hash.event(view, place, Event::Lost { packet }));
    let stranded = told(|hash, view, place, packet| {
        hash.event(view, place, Event::Stranded { packet, queue });
    });
    let stored = told(|hash, view, place, packet| {
        hash.event(view, place, Event::Stored { packet, queue });
    });
    assert!(lost != stranded && stranded != stored && stored != lost);
}

// What was told ahead of its tick and does not happen leaves nothing behind.
#[test]
fn an_untold_store_was_never_told() {
    let queue = QueueId(5);
    let other = told(|hash, view, place, packet| {
        hash.event(view, place, Event::Moved { packet, queue });
    });
    let both = told(|hash, view, place, packet| {
        hash.event(view, place, Event::Stored { packet, queue });
        hash.event(view, place, Event::Moved { packet, queue });
        hash.retract_stored(view, place, packet, queue);
    });
    assert_eq!(both, other);
}
