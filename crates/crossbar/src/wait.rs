//! The longest wait of a request.

use crate::ports::{has, ports};
use crate::{Matching, Requests};
use units::PortId;

/// Records how many calls in a row a pair of input and output has requested without being granted.
///
/// For arbiters that promise no bound (`random`, `maximum-matching`; spec `rsi.md`: "no waiting
/// bound is promised, so report the longest wait") the longest wait is a result. Use one meter for
/// each class of requests, beside its arbiter. A wait ends with a grant, or with a call in which
/// the pair does not request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitMeter {
    ports: usize,
    /// For each output, the inputs that wait; `waits` of the others are stale.
    waiting: Vec<u64>,
    /// Calls waited so far, at `input * ports + output`.
    waits: Vec<u32>,
    /// The longest wait so far, likewise.
    longest: Vec<u32>,
}

impl WaitMeter {
    /// For a crossbar with `ports` ports (up to 64), with no wait seen.
    pub fn new(ports: usize) -> WaitMeter {
        WaitMeter {
            ports,
            waiting: vec![0; ports],
            waits: vec![0; ports * ports],
            longest: vec![0; ports * ports],
        }
    }

    /// Takes note of one call: what was requested, and the matching after it.
    #[inline]
    pub fn record(&mut self, requests: &Requests<'_>, matching: &Matching) {
        for (output, (&requesting, waiting)) in
            requests.inputs_of.iter().zip(&mut self.waiting).enumerate()
        {
            let granted = matching.input_of(PortId::at(output)).map_or(0, |input| 1_u64 << input.0);
            let still = requesting & !granted;
            for input in ports(still) {
                let at = input.index() * self.ports + output;
                let before = if has(*waiting, input) { self.waits[at] } else { 0 };
                self.waits[at] = before.saturating_add(1);
                self.longest[at] = self.longest[at].max(self.waits[at]);
            }
            *waiting = still;
        }
    }

    /// The calls that `input` has waited for `output` by now.
    pub fn wait_of(&self, input: PortId, output: PortId) -> u32 {
        let waits = has(self.waiting[output.index()], input);
        if waits { self.waits[self.at(input, output)] } else { 0 }
    }

    /// The longest wait of `input` for `output`, in calls.
    pub fn longest_of(&self, input: PortId, output: PortId) -> u32 {
        self.longest[self.at(input, output)]
    }

    /// The longest wait of any pair, in calls; 0 if every request was granted at once.
    pub fn longest(&self) -> u32 {
        self.longest.iter().copied().max().unwrap_or(0)
    }

    fn at(&self, input: PortId, output: PortId) -> usize {
        input.index() * self.ports + output.index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(meter: &mut WaitMeter, inputs_of: &[u64; 2], pairs: &[(u8, u8)]) {
        let mut matching = Matching::new(2);
        for &(output, input) in pairs {
            matching.grant(PortId(output), PortId(input)).unwrap();
        }
        meter.record(&Requests { inputs_of, ages: &[] }, &matching);
    }

    // "records the longest wait (in calls) of every (input, output) pair that requested
    // continuously"
    #[test]
    fn wait_counts_calls_until_the_grant() {
        let mut meter = WaitMeter::new(2);
        record(&mut meter, &[0b11, 0], &[(0, 0)]);
        record(&mut meter, &[0b11, 0], &[(0, 0)]);
        assert_eq!(
            (meter.wait_of(PortId(1), PortId(0)), meter.wait_of(PortId(0), PortId(0))),
            (2, 0)
        );
        record(&mut meter, &[0b11, 0], &[(0, 1)]);
        assert_eq!(
            (meter.wait_of(PortId(1), PortId(0)), meter.wait_of(PortId(0), PortId(0))),
            (0, 1)
        );
        assert_eq!(
            (
                meter.longest_of(PortId(1), PortId(0)),
                meter.longest_of(PortId(0), PortId(0)),
                meter.longest_of(PortId(0), PortId(1))
            ),
            (2, 1, 0)
        );
        assert_eq!(meter.longest(), 2);
    }

    #[test]
    fn wait_starts_anew_after_a_call_without_the_request() {
        let mut meter = WaitMeter::new(2);
        for _ in 0..3 {
            record(&mut meter, &[0b10, 0], &[]);
        }
        record(&mut meter, &[0, 0], &[]);
        record(&mut meter, &[0b10, 0], &[]);
        assert_eq!(
            (meter.wait_of(PortId(1), PortId(0)), meter.longest_of(PortId(1), PortId(0))),
            (1, 3)
        );
    }
}
