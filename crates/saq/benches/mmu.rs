//! Cost of what a packet does in a port memory.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use saq::Mmu;
use units::{LineId, PacketId, QueueId};

/// 8 detection queues and 8 SAQs, 6 packets in each: in 32 KB where they take one cell of 64 bytes,
/// else in what they need.
fn memory(cells: u16) -> Mmu {
    let mut mmu = Mmu::new(512 * cells, 16, 8);
    for item in 0..96_u16 {
        mmu.push(QueueId(item % 16), PacketId(item.into()), cells).unwrap();
    }
    mmu
}

fn packets(c: &mut Criterion) {
    for cells in [1u16, 2, 33] {
        let mut mmu = memory(cells);
        let mut queue = QueueId(0);
        c.bench_function(&format!("mmu/push-pop-release-{cells}-cells"), |b| {
            b.iter(|| {
                queue = QueueId((queue.0 + 5) % 16);
                mmu.push(queue, black_box(PacketId(7)), cells).unwrap();
                let lease = mmu.pop(queue).unwrap();
                mmu.release(lease).unwrap();
            });
        });
    }
    let mut mmu = memory(1);
    c.bench_function("mmu/move-front", |b| {
        b.iter(|| {
            mmu.move_front(black_box(QueueId(0)), black_box(QueueId(9))).unwrap();
            mmu.move_front(black_box(QueueId(9)), black_box(QueueId(0))).unwrap();
        });
    });
}

fn markers(c: &mut Criterion) {
    let mut mmu = memory(1);
    while mmu.packets(QueueId(3)) > 0 {
        let lease = mmu.pop(QueueId(3)).unwrap();
        mmu.release(lease).unwrap();
    }
    c.bench_function("mmu/place-take-marker", |b| {
        b.iter(|| {
            mmu.place_marker(black_box(LineId(2)), QueueId(3)).unwrap();
            mmu.take_head_marker(QueueId(3))
        });
    });
    c.bench_function("mmu/head-marker-none", |b| {
        b.iter(|| black_box(&mmu).head_marker(black_box(QueueId(5))));
    });
    for placed in [0u8, 1, 8] {
        let mut mmu = memory(1);
        for marker in 0..placed {
            mmu.place_marker(LineId(marker), QueueId(1)).unwrap();
        }
        c.bench_function(&format!("mmu/swap-{placed}-markers"), |b| {
            b.iter(|| mmu.swap(black_box(QueueId(1)), black_box(QueueId(12))).unwrap());
        });
    }
}

fn memories(c: &mut Criterion) {
    c.bench_function("mmu/new-2048-cells", |b| {
        b.iter(|| Mmu::new(black_box(2048), 16, 8));
    });
    let mmu = memory(1);
    c.bench_function("mmu/audit-512-cells", |b| b.iter(|| black_box(&mmu).audit()));
}

criterion_group!(benches, packets, markers, memories);
criterion_main!(benches);
