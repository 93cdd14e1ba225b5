//! RED (spec: pfc.md, DCQCN): "below `kmin` none, above `kmax` all, between linear up to `pmax`".

use ecn::marking::{Kind, Marker, Marking, Red, RedError};
use rand_core::SeedableRng;
use units::draw::Stream;
use units::{PortId, Ratio, Span, Tick};

const OUT: PortId = PortId(0);

fn marker(red: Red, calm: Span) -> Marker {
    Marker::new(Marking::Red(red), 1, calm)
}

fn stream() -> Stream {
    Stream::seed_from_u64(2015)
}

fn percent() -> Ratio {
    Ratio::new(1, 100).unwrap()
}

#[test]
fn the_probability_is_linear_between_the_thresholds() {
    let red = Red::new(5_000, 200_000, percent()).unwrap();
    let is = |bytes, num: u64, den: u64| {
        let (part, whole) = red.probability(bytes);
        assert_eq!(part * den, num * whole, "{bytes} bytes");
    };
    is(0, 0, 1);
    is(4_999, 0, 1);
    is(5_000, 0, 1);
    is(102_500, 1, 200);
    is(200_000, 1, 100);
    is(200_001, 1, 1);
    is(u64::MAX, 1, 1);
    let step = Red::new(7, 7, percent()).unwrap();
    assert_eq!([6, 7, 8].map(|q| step.probability(q)), [(0, 1), (1, 100), (1, 1)]);
}

#[test]
fn marks_are_as_frequent_as_the_probability() {
    let red = Red::new(0, 2, Ratio::new(1, 2).unwrap()).unwrap();
    let (marker, mut stream) = (marker(red, Span::ZERO), stream());
    // 100,000 draws with probability 1/4: 25,000 +- 5 standard deviations of 137.
    let mut draw = || marker.stored(OUT, Kind::Data, 1, Tick(0), &mut stream);
    let marked = (0..100_000).filter(|_| draw()).count();
    assert!(marked.abs_diff(25_000) < 685, "{marked}");
}

// What is certain takes no number, so that it moves no other draw.
#[test]
fn certain_outcomes_draw_nothing() {
    let red = Red::new(100, 200, percent()).unwrap();
    let (mut marker, mut stream) = (marker(red, Span(5)), stream());
    let fresh = stream.clone();
    let mut stored = |marker: &Marker, kind, bytes| {
        let marks = marker.stored(OUT, kind, bytes, Tick(9), &mut stream);
        assert_eq!(stream, fresh);
        marks
    };
    assert!(!stored(&marker, Kind::Data, 99));
    assert!(stored(&marker, Kind::Data, 201));
    assert!(!stored(&marker, Kind::Ack, 201));
    marker.blocked(OUT);
    assert!(!stored(&marker, Kind::Data, 201));
    let counting = Marker::new(Marking::InputTriggered, 1, Span::ZERO);
    assert!(!stored(&counting, Kind::Data, 201));
}

#[test]
fn senseless_thresholds_are_refused() {
    let error = Red::new(8, 7, percent()).unwrap_err();
    assert_eq!(error, RedError::KminAboveKmax { kmin: 8, kmax: 7 });
    assert_eq!(error.to_string(), "kmin of 8 bytes is above kmax; legal: 0 to 7");
    let text = |num, den| Red::new(1, 2, Ratio::new(num, den).unwrap()).unwrap_err().to_string();
    assert_eq!(text(3, 2), "pmax of 3/2 is above 1; legal: above 0, up to 1");
    let too_fine = "pmax of 1/4294967296 is too fine; legal: a denominator of at most 4294967295";
    assert_eq!(text(1, 1 << 32), too_fine);
}

// The widest legal numbers do not overflow.
#[test]
fn the_widest_numbers_fit() {
    let pmax = Ratio::new((1 << 32) - 2, (1 << 32) - 1).unwrap();
    let red = Red::new(0, u32::MAX, pmax).unwrap();
    let (part, whole) = red.probability(u32::MAX.into());
    assert!(part < whole);
}
