//! Time of one arbitration: each arbiter at radix 8 and 32, with 1/16 and with all of the requests.

use criterion::{Criterion, criterion_group, criterion_main};
use crossbar::{AnyArbiter, Arbiter, ArbiterKind, Matching};
use random_requests::RandomRequests;
use std::hint::black_box;

#[path = "../tests/it/random_requests.rs"]
mod random_requests;

/// Different requests by turns, so that branches are not learnt by heart.
const REQUESTS: usize = 64;

fn arbiters(criterion: &mut Criterion) {
    let kinds = ArbiterKind::ALL.iter().copied().chain([ArbiterKind::Islip { iterations: 4 }]);
    for kind in kinds {
        let mut group = criterion.benchmark_group(kind.to_string());
        for ports in [8, 32] {
            for (load, density) in [("sparse", 1), ("full", 16)] {
                let mut random = RandomRequests::new(ports, density, 1);
                let requests: Vec<RandomRequests> = (0..REQUESTS)
                    .map(|_| {
                        random.next(None);
                        random.clone()
                    })
                    .collect();
                let mut arbiter = AnyArbiter::new(kind, ports, 1).expect("legal radix");
                let mut matching = Matching::new(ports);
                let mut turn = 0;
                group.bench_function(format!("{ports}/{load}"), |bencher| {
                    bencher.iter(|| {
                        turn = (turn + 1) % REQUESTS;
                        matching.clear();
                        arbiter.arbitrate(&requests[turn].requests(), &mut matching);
                        black_box(matching.len())
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .measurement_time(std::time::Duration::from_millis(800))
        .warm_up_time(std::time::Duration::from_millis(300));
    targets = arbiters
}
criterion_main!(benches);
