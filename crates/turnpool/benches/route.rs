//! What a switch pays to read and take one turn, and what comparing a route with a point costs.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use turnpool::{Point, Route, forward};

const PORTS: u32 = 8;
const WIDTH: u32 = 3;

fn route() -> Route {
    let mut route = Route::EMPTY;
    for turn in black_box([4, 1, 6, 0, 2, 5, 3, 1, 4, 2]) {
        route.push_back(turn, WIDTH).expect("30 bits");
    }
    route
}

fn steps(c: &mut Criterion) {
    let sent = route();
    c.bench_function("route/ten-steps", |b| {
        b.iter(|| {
            let mut route = black_box(sent);
            let mut port = 0;
            while !route.is_arrived() {
                let turn = route.next(WIDTH).expect("a turn remains");
                port = forward(port, turn, PORTS);
                route.consume(WIDTH).expect("a turn remains");
            }
            port
        });
    });
    c.bench_function("route/push-ten", |b| b.iter(route));
    let point = Point::from_turn(1, WIDTH).prepend(4, WIDTH).expect("6 bits");
    c.bench_function("point/matches", |b| {
        b.iter(|| black_box(&point).matches(black_box(&sent)));
    });
}

criterion_group!(benches, steps);
criterion_main!(benches);
