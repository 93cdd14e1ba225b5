//! Helpers of the integration tests.

use ecn::response::{Algorithm, Config, Dcqcn, Response};
use units::{Ratio, Span, Tick};

pub(crate) const ONE: u64 = 1 << 32;

/// Ticks from one event of a timer to the next.
pub(crate) const TIMER: u64 = 55_000;

pub(crate) fn ratio(num: u64, den: u64) -> Ratio {
    Ratio::new(num, den).unwrap()
}

/// A flow without a window, one tick a byte.
pub(crate) fn flow(algorithm: Algorithm) -> Response {
    Response::new(Config::new(algorithm, None, Ratio::ONE).unwrap())
}

pub(crate) fn dcqcn() -> Dcqcn {
    Dcqcn::new(Span(TIMER), Span(TIMER)).unwrap()
}

pub(crate) fn acked(flow: &mut Response, marked: bool) {
    flow.acked(marked, Tick::ZERO).unwrap();
}

/// x, for comparisons: 32 binary places fit the 52 of a small number.
pub(crate) fn x(flow: &Response) -> f64 {
    flow.spacing().bits() as f64 / ONE as f64
}

/// The three that answer ACKs.
pub(crate) fn of_acks(rate_ratio: u32) -> [Algorithm; 3] {
    [Algorithm::Lipd { rate_ratio }, Algorithm::Fimd { rate_ratio }, Algorithm::Aimd { rate_ratio }]
}
