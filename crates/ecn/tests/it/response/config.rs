//! What is refused, and names.

use super::common::{dcqcn, ratio};
use ecn::response::{Algorithm, Config, Dcqcn, DcqcnError, RATIO_MAX};
use units::{Ratio, Span};

#[test]
fn a_flow_that_would_stop_for_ever_or_has_no_exact_numbers_is_refused() {
    let config = |algorithm, window, ticks_per_byte| {
        Config::new(algorithm, window, ticks_per_byte).map_err(|error| error.to_string())
    };
    let refused = |text: &str| Err(text.to_owned());
    let zero = refused("a window of 0 packets; at least 1 is needed");
    assert_eq!(config(Algorithm::None, Some(0), Ratio::ONE), zero);
    for given in [0, RATIO_MAX + 1] {
        let text = format!("a rate ratio of {given}; legal: 1 to 1048576");
        for algorithm in super::common::of_acks(given) {
            assert_eq!(config(algorithm, Some(1), Ratio::ONE), refused(&text));
        }
    }
    assert!(config(Algorithm::Lipd { rate_ratio: RATIO_MAX }, None, Ratio::ONE).is_ok());
    for given in [ratio(2049, 1), ratio((1 << 40) + 1, 1 << 40)] {
        let legal = "ticks a byte; legal: up to 2048, with a numerator up to 1099511627776";
        assert_eq!(config(Algorithm::None, None, given), refused(&format!("{given} {legal}")));
    }
    assert!(config(Algorithm::None, None, ratio(2048, 1)).is_ok());
}

// The longest packet at the lowest rate starts a successor at some tick.
#[test]
fn the_slowest_flow_does_not_stop() {
    let algorithm = Algorithm::Lipd { rate_ratio: RATIO_MAX };
    for ticks_per_byte in [ratio(2048, 1), ratio((1 << 40) - 1, 1 << 30)] {
        let config = Config::new(algorithm, None, ticks_per_byte).unwrap();
        let mut flow = ecn::response::Response::new(config);
        flow.sent(u32::MAX, units::Tick::ZERO).unwrap();
        for _ in 0..=RATIO_MAX {
            super::common::acked(&mut flow, true);
        }
        assert_eq!(flow.spacing().bits(), u64::from(RATIO_MAX) << 32);
        assert!(flow.next_start(units::Tick::ZERO) < units::Tick(1 << 63));
    }
}

#[test]
fn parameters_of_dcqcn_are_checked() {
    let check = |result: Result<Dcqcn, DcqcnError>, text: &str| {
        assert_eq!(result.map_err(|error| error.to_string()), Err(text.to_owned()));
    };
    check(Dcqcn::new(Span(0), Span(1)), "alpha timer of 0; at least 1 is needed");
    check(Dcqcn::new(Span(1), Span(0)), "rate timer of 0; at least 1 is needed");
    check(dcqcn().with_byte_counter(0), "a byte counter of 0; at least 1 is needed");
    for given in [ratio(3, 2), ratio(1, 1 << 34)] {
        let legal = format!("of {given}; legal: 1/4294967296 to 1");
        check(dcqcn().with_g(given), &format!("g {legal}"));
        check(dcqcn().with_additive(given), &format!("an additive increase {legal}"));
        check(dcqcn().with_hyper(given), &format!("a hyper increase {legal}"));
    }
    for given in [ratio(2, 1), ratio(1, u64::from(RATIO_MAX) + 1)] {
        let text = format!("a lowest rate of {given} of the link rate; legal: 1/1048576 to 1");
        check(dcqcn().with_lowest_rate(given), &text);
    }
    assert!(dcqcn().with_lowest_rate(ratio(1, RATIO_MAX.into())).is_ok());
    assert!(dcqcn().with_g(Ratio::ONE).is_ok());
    let written = dcqcn().with_g(ratio(1, 256)).unwrap();
    let written = written.with_additive(ratio(1, 1000)).and_then(|d| d.with_hyper(ratio(1, 100)));
    assert_eq!(written.unwrap().with_lowest_rate(ratio(1, 1000)), Ok(dcqcn()));
}
