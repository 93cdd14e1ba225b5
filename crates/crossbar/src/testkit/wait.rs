//! How long a standing request waits.

use super::{CALLS, DENSITIES, RandomRequests};
use crate::{Arbiter, Matching, WaitMeter};
use units::PortId;

/// The longest wait of a standing request while all others come and go, over densities and some
/// pairs.
pub(super) fn longest_wait<A: Arbiter>(make: &impl Fn(usize, u64) -> A, ports: usize) -> u32 {
    let last = PortId::at(ports - 1);
    let mut longest = 0;
    for density in DENSITIES {
        let (first, middle) = (PortId(0), PortId(last.0 / 2));
        for standing in [(first, first), (last, first), (first, last), (middle, last)] {
            let mut arbiter = make(ports, 81);
            let mut random = RandomRequests::new(ports, density, 82);
            let mut matching = Matching::new(ports);
            let mut meter = WaitMeter::new(ports);
            for _ in 0..CALLS {
                random.next(&[standing]);
                matching.clear();
                arbiter.arbitrate(&random.requests(), &mut matching);
                meter.record(&random.requests(), &matching);
                random.granted(&matching);
            }
            let (output, input) = standing;
            longest = longest.max(meter.longest_of(input, output));
        }
    }
    longest
}
