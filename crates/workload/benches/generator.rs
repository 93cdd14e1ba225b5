//! Cost of one message by arrivals and load: uniform destinations, 64 bytes.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use units::{Ratio, Tick};
use workload::{Arrivals, Generator, GeneratorOptions, MessageBytes, Target};

fn generator(arrivals: Arrivals, load: Ratio) -> Generator {
    Generator::new(GeneratorOptions {
        seed: 1,
        node: 12,
        group: 0,
        group_name: "random",
        arrivals,
        message_ticks: Ratio::new(96, 1).expect("96 ticks"),
        load,
        message_bytes: &MessageBytes::Fixed(64),
        target: Target::Uniform { count: 63, without: 12 },
        start_tick: Tick::ZERO,
        end_tick: None,
        closed: None,
    })
    .expect("96 ticks / load")
}

fn next(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("next");
    for arrivals in Arrivals::ALL {
        for (name, num, den) in [("10%", 1, 10), ("90%", 9, 10)] {
            let mut generator = generator(*arrivals, Ratio::new(num, den).expect("a load"));
            group.bench_function(format!("{arrivals}/{name}"), |bencher| {
                bencher.iter(|| black_box(generator.next()))
            });
        }
    }
    group.finish();
}

criterion_group!(benches, next);
criterion_main!(benches);
