//! The matching of inputs and outputs that one tick's arbitration makes.

use crate::PORTS_MAX;
use crate::pick::bits;
use std::fmt;

/// No partner: no port has this number, [`PORTS_MAX`] being 64.
const NONE: u8 = u8::MAX;

/// Which input is granted which output: at most one of each. Kept by the switch and reused from
/// tick to tick.
///
/// Invariant: `input_of[o] == i` exactly if `output_of[i] == o`; bit `o` of `outputs` and bit `i`
/// of `inputs` are then set.
// With few ports all but the partners of inputs is in one cache line.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Matching {
    inputs: u64,
    outputs: u64,
    ports: u8,
    input_of: [u8; PORTS_MAX],
    output_of: [u8; PORTS_MAX],
}

impl Matching {
    /// An empty matching of a crossbar with `ports` ports.
    ///
    /// # Panics
    /// If `ports` is above [`PORTS_MAX`]. [`crate::AnyArbiter::new`] refuses such a radix with a
    /// typed error, so make the arbiter first.
    pub fn new(ports: usize) -> Matching {
        assert!(
            ports <= PORTS_MAX,
            "a matching of {ports} ports: the most is {PORTS_MAX}"
        );
        Matching {
            input_of: [NONE; PORTS_MAX],
            output_of: [NONE; PORTS_MAX],
            inputs: 0,
            outputs: 0,
            ports: ports as u8,
        }
    }

    /// The number of ports.
    #[inline]
    pub fn ports(&self) -> usize {
        usize::from(self.ports)
    }

    /// Forgets every pair.
    #[inline]
    pub fn clear(&mut self) {
        for output in bits(self.outputs) {
            self.input_of[usize::from(output)] = NONE;
        }
        for input in bits(self.inputs) {
            self.output_of[usize::from(input)] = NONE;
        }
        self.inputs = 0;
        self.outputs = 0;
    }

    /// Matches `output` with `input`.
    ///
    /// # Errors
    /// [`AlreadyMatched`] if one of the two has a partner; the matching stays as it was.
    ///
    /// # Panics
    /// If a port number is 64 or more.
    pub fn grant(&mut self, output: u8, input: u8) -> Result<(), AlreadyMatched> {
        if self.outputs >> output & 1 == 1 || self.inputs >> input & 1 == 1 {
            return Err(AlreadyMatched { output, input });
        }
        self.grant_free(output, input);
        Ok(())
    }

    /// [`Matching::grant`] for two ports known to be unmatched.
    #[inline]
    pub(crate) fn grant_free(&mut self, output: u8, input: u8) {
        debug_assert!(output < self.ports && input < self.ports);
        debug_assert!(self.outputs >> output & 1 == 0 && self.inputs >> input & 1 == 0);
        self.input_of[usize::from(output)] = input;
        self.output_of[usize::from(input)] = output;
        self.outputs |= 1 << output;
        self.inputs |= 1 << input;
    }

    /// The pairs (output, input), by output.
    #[inline]
    pub fn pairs(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        bits(self.outputs).map(|output| (output, self.input_of[usize::from(output)]))
    }

    /// The output that `input` is granted.
    #[inline]
    pub fn output_of(&self, input: u8) -> Option<u8> {
        let output = self.output_of[usize::from(input)];
        (output != NONE).then_some(output)
    }

    /// The input that is granted `output`.
    #[inline]
    pub fn input_of(&self, output: u8) -> Option<u8> {
        let input = self.input_of[usize::from(output)];
        (input != NONE).then_some(input)
    }

    /// The inputs that have an output.
    #[inline]
    pub fn matched_inputs(&self) -> u64 {
        self.inputs
    }

    /// The outputs that have an input.
    #[inline]
    pub fn matched_outputs(&self) -> u64 {
        self.outputs
    }

    /// The number of pairs.
    #[inline]
    pub fn len(&self) -> usize {
        self.outputs.count_ones() as usize
    }

    /// Whether there is no pair.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.outputs == 0
    }
}

impl fmt::Debug for Matching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Matching of {} ports, (output, input): ", self.ports)?;
        f.debug_list().entries(self.pairs()).finish()
    }
}

/// A grant to an output or an input that has a partner already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadyMatched {
    /// The output of the refused pair.
    pub output: u8,
    /// The input of the refused pair.
    pub input: u8,
}

impl fmt::Display for AlreadyMatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "output {} granted to input {}: one of them is matched already",
            self.output, self.input
        )
    }
}

impl std::error::Error for AlreadyMatched {}

#[cfg(test)]
mod tests {
    use super::*;

    // "iterator over pairs (output, input) in output order"
    #[test]
    fn pairs_come_in_output_order() {
        let mut matching = Matching::new(4);
        matching.grant(3, 0).unwrap();
        matching.grant(1, 2).unwrap();
        assert_eq!(matching.pairs().collect::<Vec<_>>(), [(1, 2), (3, 0)]);
        assert_eq!(
            (matching.input_of(3), matching.output_of(0)),
            (Some(0), Some(3))
        );
        assert_eq!((matching.input_of(0), matching.output_of(1)), (None, None));
        assert_eq!(
            (matching.matched_inputs(), matching.matched_outputs()),
            (0b0101, 0b1010)
        );
    }

    // "one packet at a time per input and per output" (switch.md)
    #[test]
    fn second_grant_of_a_port_is_refused() {
        let mut matching = Matching::new(4);
        matching.grant(3, 0).unwrap();
        let before = matching.clone();
        assert_eq!(
            matching.grant(3, 1),
            Err(AlreadyMatched {
                output: 3,
                input: 1
            })
        );
        assert_eq!(
            matching.grant(2, 0),
            Err(AlreadyMatched {
                output: 2,
                input: 0
            })
        );
        assert_eq!(matching, before);
    }

    #[test]
    fn cleared_matching_equals_a_new_one() {
        let mut matching = Matching::new(64);
        for port in 0..64 {
            matching.grant(port, 63 - port).unwrap();
        }
        matching.clear();
        assert_eq!(matching, Matching::new(64));
    }
}
