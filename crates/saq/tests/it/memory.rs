//! Packets and cells: when memory is taken and given back, and what is refused.

use saq::{Mmu, MmuError};
use units::{LineId, PacketId, QueueId};

const A: QueueId = QueueId(0);
const B: QueueId = QueueId(1);

// The largest memory: every number of a cell but the one that means none; one packet may take it
// all.
#[test]
fn largest_pool_can_be_filled() {
    let mut mmu = Mmu::new(u16::MAX, 2, 0);
    mmu.push(A, PacketId(0), u16::MAX).unwrap();
    let lease = mmu.pop(A).unwrap();
    mmu.release(lease).unwrap();
    for item in 0..u32::from(u16::MAX) {
        mmu.push(A, PacketId(item), 1).unwrap();
    }
    mmu.swap(A, B).unwrap();
    assert_eq!((mmu.packets(B), mmu.free_cells()), (65535, 0));
    mmu.audit().unwrap();
}

// "moves between queues": relinked behind what is there, in no other cells.
#[test]
fn moved_packet_keeps_its_cells() {
    let mut mmu = Mmu::new(8, 2, 0);
    mmu.push(A, PacketId(1), 2).unwrap();
    mmu.push(A, PacketId(2), 1).unwrap();
    mmu.push(B, PacketId(3), 1).unwrap();
    mmu.move_front(A, B).unwrap();
    assert!(mmu.items(A).eq([(PacketId(2), 1)]));
    assert!(mmu.items(B).eq([(PacketId(3), 1), (PacketId(1), 2)]));
    let _ahead = mmu.pop(B).unwrap();
    let moved = mmu.pop(B).unwrap();
    assert_eq!((moved.first, moved.last), (0, 1));
}

#[test]
fn unknown_numbers_are_refused() {
    let mut mmu = Mmu::new(4, 2, 1);
    let far = QueueId(2);
    let unknown = || MmuError("no queue 2: legal are numbers below 2".to_owned());
    assert_eq!(mmu.push(far, PacketId(0), 1), Err(unknown()));
    assert_eq!(mmu.pop(far), Err(unknown()));
    for result in [mmu.move_front(far, A), mmu.move_front(A, far), mmu.swap(A, far)] {
        assert_eq!(result, Err(unknown()));
    }
    assert_eq!(mmu.place_marker(LineId(0), far), Err(unknown()));
    let error = mmu.place_marker(LineId(1), A).unwrap_err();
    assert_eq!(error.to_string(), "no marker 1: legal are numbers below 1");
    let error = mmu.push(A, PacketId(9), 0).unwrap_err();
    assert_eq!(error.to_string(), "packet 9 has 0 cells: at least 1 is needed");
    mmu.audit().unwrap();
}

#[test]
fn lease_of_another_memory_is_refused() {
    let mut mmu = Mmu::new(4, 1, 0);
    let mut other = Mmu::new(4, 1, 0);
    other.push(A, PacketId(1), 1).unwrap();
    let lease = other.pop(A).unwrap();
    let error = mmu.release(lease).unwrap_err().to_string();
    let text = "lease of 1 cells from 0 to 0 is not of this memory: 0 cells are leased";
    assert_eq!(error, text);
}

// A lease that is dropped is not forgotten: its cells stay counted, and the end of a run sees them.
#[test]
fn dropped_lease_stays_counted() {
    let mut mmu = Mmu::new(4, 1, 0);
    mmu.push(A, PacketId(1), 2).unwrap();
    drop(mmu.pop(A).unwrap());
    assert_eq!(mmu.leased_cells(), 2);
    mmu.audit().unwrap();
}

// A memory has as many queues and markers as their ids can number, and no more.
#[test]
fn last_queue_and_last_marker_can_be_used() {
    let mut mmu = Mmu::new(4, 1 << 16, 1 << 8);
    let (queue, marker) = (QueueId(u16::MAX), LineId(u8::MAX));
    mmu.push(queue, PacketId(1), 1).unwrap();
    mmu.place_marker(marker, queue).unwrap();
    assert_eq!(mmu.marker_host(marker), Some(queue));
    let _lease = mmu.pop(queue).unwrap();
    assert_eq!(mmu.take_head_marker(queue), Some(marker));
}

#[test]
#[should_panic(expected = "65537 queues: legal are 0 to 65536")]
fn more_queues_than_ids_are_refused() {
    let _ = Mmu::new(1, (1 << 16) + 1, 0);
}

#[test]
#[should_panic(expected = "257 markers: legal are 0 to 256")]
fn more_markers_than_ids_are_refused() {
    let _ = Mmu::new(1, 1, 257);
}
