//! What is refused, and names.

use super::common::{dcqcn, ratio};
use ecn::response::{Algorithm, Config, ConfigError, Dcqcn, DcqcnError, RATIO_MAX};
use units::{Ratio, Span};

#[test]
fn a_flow_that_would_stop_for_ever_is_refused() {
    let config = |algorithm, window| Config::new(algorithm, window, Ratio::ONE);
    assert_eq!(config(Algorithm::None, Some(0)), Err(ConfigError::WindowZero));
    for given in [0, RATIO_MAX + 1] {
        for algorithm in super::common::of_acks(given) {
            assert_eq!(config(algorithm, Some(1)), Err(ConfigError::RateRatio { given }));
        }
    }
    assert!(config(Algorithm::Lipd { rate_ratio: RATIO_MAX }, None).is_ok());
}

#[test]
fn times_that_do_not_fit_are_refused() {
    for given in [ratio(2049, 1), ratio((1 << 40) + 1, 1 << 40)] {
        let error = Config::new(Algorithm::None, None, given).unwrap_err();
        assert_eq!(error, ConfigError::TicksPerByte { given });
    }
    assert!(Config::new(Algorithm::None, None, ratio(2048, 1)).is_ok());
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
    let zero = |name| DcqcnError::Zero { name };
    assert_eq!(Dcqcn::new(Span(0), Span(1)), Err(zero("alpha timer")));
    assert_eq!(Dcqcn::new(Span(1), Span(0)), Err(zero("rate timer")));
    assert_eq!(dcqcn().with_byte_counter(0), Err(zero("a byte counter")));
    for given in [ratio(3, 2), ratio(1, 1 << 34)] {
        let refused = |name| Err(DcqcnError::Fraction { name, given });
        assert_eq!(dcqcn().with_g(given), refused("g"));
        let other = ratio(1, 2);
        assert_eq!(dcqcn().with_increase(given, other), refused("an additive increase"));
        assert_eq!(dcqcn().with_increase(other, given), refused("a hyper increase"));
    }
    for given in [ratio(3, 2), ratio(1, u64::from(RATIO_MAX) + 1)] {
        assert_eq!(dcqcn().with_lowest_rate(given), Err(DcqcnError::LowestRate { given }));
    }
    assert!(dcqcn().with_lowest_rate(ratio(1, RATIO_MAX.into())).is_ok());
    assert!(dcqcn().with_g(Ratio::ONE).is_ok());
    let written = dcqcn().with_g(ratio(1, 256)).unwrap();
    let written = written.with_increase(ratio(1, 1000), ratio(1, 100)).unwrap();
    assert_eq!(written.with_lowest_rate(ratio(1, 1000)), Ok(dcqcn()));
    let text = dcqcn().with_lowest_rate(ratio(2, 1)).unwrap_err().to_string();
    assert_eq!(text, "a lowest rate of 2 of the link rate; legal: 1/1048576 to 1");
}
