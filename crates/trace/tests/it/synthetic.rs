//! The made workload: what it promises, and that a seed gives it again.

use trace::{Operation, Record, Requests, Summary, Synthetic, Trace};

fn made(text: &str) -> (Synthetic, Vec<Record>) {
    let synthetic: Synthetic = text.parse().expect("legal");
    let records = synthetic.records().expect("legal").collect();
    (synthetic, records)
}

#[test]
fn requests_are_as_many_as_promised_in_order_and_inside() {
    for text in ["", "bias=0.5", "bias=1", "duration_ns=1,bytes_per_s=100000000000000,seed=9"] {
        let (synthetic, records) = made(text);
        assert_eq!(records.len() as u64, synthetic.requests(), "{text}");
        assert!(records.len() > 1);
        assert!(records.windows(2).all(|w| w[0].time_ns <= w[1].time_ns), "{text}");
        assert!(records.iter().all(|r| r.time_ns < synthetic.duration_ns), "{text}");
        assert!(records.iter().all(|r| synthetic.sizes_bytes.contains(&r.bytes)), "{text}");
        assert_eq!(records, made(text).1, "{text}");
    }
    assert_ne!(made("seed=2").1, made("seed=3").1);
}

/// The index of dispersion grows with the bias, and with the scale where there is one.
#[test]
fn a_bias_makes_it_bursty() {
    let index = |bias: &str| {
        let (_, records) = made(&format!("bias={bias},seed=5"));
        let summary = Summary::of(Trace::Made(Box::new(records.into_iter()))).expect("good");
        let at = |ns| summary.dispersion.iter().find(|d| d.window_ns == ns).map(|d| d.index);
        (at(1_000_000).expect("1 ms"), at(10_000_000).expect("10 ms"))
    };
    let (even, some, much) = (index("0.5"), index("0.65"), index("0.8"));
    assert!(even.0 < 2.0 && even.1 < 2.0, "{even:?}");
    assert!(some.0 > 5.0 * even.0 && much.0 > 3.0 * some.0, "{some:?} {much:?}");
    assert!(some.1 > 2.0 * some.0 && much.1 > 2.0 * much.0, "{some:?} {much:?}");
}

#[test]
fn shares_are_about_those_asked_for() {
    let (_, records) = made("read_percent=25,devices=4,hosts=2,sizes_bytes=512/1024");
    let share = |is: &dyn Fn(&Record) -> bool| {
        records.iter().filter(|record| is(record)).count() as f64 / records.len() as f64
    };
    assert!((share(&|r| r.operation == Operation::Read) - 0.25).abs() < 0.01);
    assert!((share(&|r| r.device == 3) - 0.25).abs() < 0.01);
    assert!((share(&|r| r.process == Some(1)) - 0.5).abs() < 0.01);
    assert!((share(&|r| r.bytes == 512) - 0.5).abs() < 0.01);
}

/// "in constant or log memory"
#[test]
fn a_long_one_needs_an_entry_a_level() {
    let text = "duration_ns=3600000000000,bytes_per_s=100000000000,sizes_bytes=4096";
    let synthetic: Synthetic = text.parse().expect("legal");
    assert_eq!(synthetic.requests(), 87_890_625_000);
    let mut requests: Requests = synthetic.records().expect("legal");
    for _ in 0..100_000 {
        requests.next().expect("more than that");
        assert!(requests.waiting() <= 64, "{}", requests.waiting());
    }
}

#[test]
fn wrong_settings_are_refused() {
    let refused = |text: &str| text.parse::<Synthetic>().expect_err("refused").to_string();
    assert_eq!(refused("bias=0.4"), "bias: 2/5; legal: 0.5 to 1");
    assert_eq!(refused("sizes_bytes=0"), "sizes_bytes: [0]; legal: one or more, each 1 or more");
    assert_eq!(refused("devices=0"), "devices: 0; legal: 1 to 65536");
    assert_eq!(refused("seed=x"), "seed: x; legal: a whole number");
    assert!(refused("rate=1").starts_with("synthetic: rate; legal: seed, bias, bytes_per_s, "));
}
