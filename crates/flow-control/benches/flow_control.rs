//! Cost of the registers and queues that a link touches for each packet.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flow_control::{ClassCredits, Control, ControlQueue, Edge, Thresholds, XoffRegister};
use turnpool::Point;
use units::ClassId;

fn credits(c: &mut Criterion) {
    let (mut credits, class) = (ClassCredits::new(512, 1), ClassId(0));
    c.bench_function("credits/take-give", |b| {
        b.iter(|| {
            let cells = black_box(1);
            credits.take(class, cells).is_ok() && credits.give(class, cells).is_ok()
        });
    });
}

fn xoff(c: &mut Criterion) {
    let thresholds = Thresholds::new(10, 5, Edge::Reached).unwrap();
    let mut register = XoffRegister::default();
    c.bench_function("xoff/rise-fall", |b| {
        b.iter(|| {
            let rises = register.rise(black_box(10), &thresholds);
            rises && register.fall(black_box(5), &thresholds)
        });
    });
}

fn control_queue(c: &mut Criterion) {
    for classes in [1usize, 8, 64, 512] {
        let mut queue = ControlQueue::new(classes);
        let mut class = 0;
        c.bench_function(&format!("control/credit-next-{classes}-classes"), |b| {
            b.iter(|| {
                class = (class + 37) % classes;
                queue.add_credit(ClassId::at(class), black_box(1));
                queue.next_credit()
            });
        });
    }
    let mut queue = ControlQueue::new(1);
    c.bench_function("control/is-empty", |b| b.iter(|| black_box(&queue).is_empty()));
    let xoff = Control::Xoff(Point::from_turn(3, 3));
    c.bench_function("control/named-next", |b| {
        b.iter(|| {
            queue.push(black_box(xoff));
            queue.next()
        });
    });
}

criterion_group!(benches, credits, xoff, control_queue);
criterion_main!(benches);
