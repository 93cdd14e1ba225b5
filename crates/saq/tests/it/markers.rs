//! Markers: the order rules of RECN as far as a memory knows them.

use saq::{Mmu, MmuError};
use units::{LineId, PacketId, QueueId};

const HOST: QueueId = QueueId(0);
const SAQ: QueueId = QueueId(1);

fn pop(mmu: &mut Mmu, queue: QueueId) -> u32 {
    let lease = mmu.pop(queue).unwrap();
    let packet = lease.packet.0;
    mmu.release(lease).unwrap();
    packet
}

// "A marker naming the SAQ goes behind the last packet of its host queue": packets pushed later are
// behind it.
#[test]
fn marker_waits_for_the_packets_ahead_only() {
    let mut mmu = Mmu::new(16, 2, 1);
    mmu.push(HOST, PacketId(1), 1).unwrap();
    mmu.push(HOST, PacketId(2), 1).unwrap();
    mmu.place_marker(LineId(0), HOST).unwrap();
    mmu.push(HOST, PacketId(3), 1).unwrap();
    assert_eq!(mmu.head_marker(HOST), None);
    assert_eq!(pop(&mut mmu, HOST), 1);
    assert_eq!(mmu.take_head_marker(HOST), None);
    assert_eq!(pop(&mut mmu, HOST), 2);
    assert_eq!(mmu.take_head_marker(HOST), Some(LineId(0)));
    assert_eq!(mmu.front(HOST), Some(PacketId(3)));
}

// "several may sit at one position of a queue", "consumed one after the other"
#[test]
fn markers_at_one_position_are_consumed_in_order() {
    let mut mmu = Mmu::new(16, 2, 3);
    mmu.push(HOST, PacketId(1), 1).unwrap();
    for marker in [2, 0, 1] {
        mmu.place_marker(LineId(marker), HOST).unwrap();
    }
    assert_eq!(mmu.take_head_marker(HOST), None);
    pop(&mut mmu, HOST);
    for marker in [2, 0, 1] {
        assert_eq!(mmu.head_marker(HOST), Some(LineId(marker)));
        assert_eq!(mmu.take_head_marker(HOST), Some(LineId(marker)));
    }
    assert!(mmu.is_vacant(HOST));
}

// "Markers take no cells"
#[test]
fn full_memory_takes_markers() {
    let mut mmu = Mmu::new(1, 1, 64);
    mmu.push(HOST, PacketId(1), 1).unwrap();
    for marker in 0..64 {
        mmu.place_marker(LineId(marker), HOST).unwrap();
    }
    assert_eq!((mmu.packets(HOST), mmu.cells(HOST)), (1, 1));
    mmu.audit().unwrap();
}

// "A queue that holds only markers is not empty."
#[test]
fn queue_with_only_markers_is_not_vacant() {
    let mut mmu = Mmu::new(4, 1, 1);
    mmu.place_marker(LineId(0), HOST).unwrap();
    assert!(mmu.is_empty(HOST));
    assert!(!mmu.is_vacant(HOST));
    assert!(mmu.has_markers(HOST));
    assert_eq!(mmu.head_marker(HOST), Some(LineId(0)));
}

// "each CAM line owns one marker record": it is in one place at most, and free again once consumed.
#[test]
fn marker_is_in_one_place_at_most() {
    let mut mmu = Mmu::new(4, 2, 1);
    mmu.place_marker(LineId(0), HOST).unwrap();
    let placed = MmuError::MarkerPlaced {
        marker: LineId(0),
        host: HOST,
    };
    assert_eq!(mmu.place_marker(LineId(0), SAQ), Err(placed));
    assert_eq!(mmu.take_head_marker(HOST), Some(LineId(0)));
    assert_eq!(mmu.marker_host(LineId(0)), None);
    mmu.place_marker(LineId(0), SAQ).unwrap();
    assert_eq!(mmu.marker_host(LineId(0)), Some(SAQ));
}

// "the full queue becomes the SAQ, an empty one takes its place ... markers inside go along"
#[test]
fn swap_takes_packets_and_markers_along() {
    let mut mmu = Mmu::new(16, 2, 2);
    mmu.push(HOST, PacketId(1), 2).unwrap();
    mmu.place_marker(LineId(0), HOST).unwrap();
    mmu.push(HOST, PacketId(2), 1).unwrap();
    mmu.place_marker(LineId(1), HOST).unwrap();
    mmu.swap(HOST, SAQ).unwrap();
    assert!(mmu.is_vacant(HOST));
    assert_eq!(mmu.marker_host(LineId(0)), Some(SAQ));
    assert_eq!(mmu.marker_host(LineId(1)), Some(SAQ));
    assert_eq!(pop(&mut mmu, SAQ), 1);
    assert_eq!(mmu.take_head_marker(SAQ), Some(LineId(0)));
    assert_eq!(mmu.take_head_marker(SAQ), None);
    assert_eq!(pop(&mut mmu, SAQ), 2);
    assert_eq!(mmu.take_head_marker(SAQ), Some(LineId(1)));
}

// A PPU move is a departure to the queue it leaves, and an arrival to the queue it joins: markers
// there stay ahead.
#[test]
fn move_brings_the_marker_behind_to_the_head() {
    let mut mmu = Mmu::new(16, 2, 2);
    mmu.push(HOST, PacketId(1), 1).unwrap();
    mmu.place_marker(LineId(0), HOST).unwrap();
    mmu.place_marker(LineId(1), SAQ).unwrap();
    mmu.move_front(HOST, SAQ).unwrap();
    assert_eq!(mmu.head_marker(HOST), Some(LineId(0)));
    assert_eq!(mmu.head_marker(SAQ), Some(LineId(1)));
    assert!(mmu.queue_markers(SAQ).eq([(LineId(1), 0)]));
}

// "A queue that is not ready consumes no markers": the memory keeps a marker at the head for as
// long as it is left.
#[test]
fn marker_at_the_head_stays_while_packets_come_and_go() {
    let mut mmu = Mmu::new(4, 1, 1);
    mmu.place_marker(LineId(0), HOST).unwrap();
    for item in 0..1000 {
        mmu.push(HOST, PacketId(item), 1).unwrap();
        assert_eq!(pop(&mut mmu, HOST), item);
        assert_eq!(mmu.head_marker(HOST), Some(LineId(0)));
    }
}
