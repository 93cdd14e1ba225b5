//! What a CAM lookup costs: none, one, the default number and the most lines valid.

use std::hint::black_box;

use cam::{Allocation, Cam, LINES_MAX};
use criterion::{Criterion, criterion_group, criterion_main};
use turnpool::{Point, Route};

const WIDTH: u32 = 3;

/// Points of 1 to 3 turns, all distinct, so that many lines match partly.
fn points() -> impl Iterator<Item = Point> {
    (0u32..).map(|n| {
        let mut point = Point::from_turn(n % 8, WIDTH);
        let mut rest = n / 8;
        while rest > 0 {
            point = point.prepend((rest - 1) % 8, WIDTH).expect("few turns");
            rest = (rest - 1) / 8;
        }
        point
    })
}

fn routes() -> Vec<Route> {
    (0u32..256)
        .map(|n| {
            let mut route = Route::EMPTY;
            for hop in 0..5 {
                let turn = n.wrapping_mul(0x9e37_79b9) >> (3 * hop + 8) & 7;
                route.push_back(turn, WIDTH).expect("15 bits");
            }
            route
        })
        .collect()
}

fn lookup(c: &mut Criterion) {
    let routes = routes();
    for valid in [0, 1, 8, LINES_MAX] {
        let mut cam = Cam::new(LINES_MAX);
        for point in points().take(valid) {
            assert!(matches!(cam.allocate(point), Allocation::Allocated(_)));
        }
        let mut n = 0;
        c.bench_function(&format!("lookup/{valid}-valid"), |b| {
            b.iter(|| {
                n = (n + 1) % routes.len();
                black_box(&cam).lookup(black_box(&routes[n]))
            });
        });
    }
}

criterion_group!(benches, lookup);
criterion_main!(benches);
