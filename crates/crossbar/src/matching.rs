//! The matching of inputs and outputs that one tick's arbitration makes.

use crate::PORTS_MAX;
use crate::ports::{has, ports};
use std::fmt;
use units::PortId;

/// Which input is granted which output: at most one of each; reused from tick to tick.
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
    /// Of a port without a partner: port 0. So are those of `output_of`.
    input_of: [PortId; PORTS_MAX],
    output_of: [PortId; PORTS_MAX],
}

impl Matching {
    /// An empty matching of a crossbar with `ports` ports. Panics: If `ports` is above
    /// [`PORTS_MAX`]. [`crate::AnyArbiter::new`] refuses such a radix with a typed error, so make
    /// the arbiter first.
    pub fn new(ports: usize) -> Matching {
        assert!(ports <= PORTS_MAX, "a matching of {ports} ports: the most is {PORTS_MAX}");
        Matching {
            input_of: [PortId(0); PORTS_MAX],
            output_of: [PortId(0); PORTS_MAX],
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
        for output in ports(self.outputs) {
            self.input_of[output.index()] = PortId(0);
        }
        for input in ports(self.inputs) {
            self.output_of[input.index()] = PortId(0);
        }
        self.inputs = 0;
        self.outputs = 0;
    }

    /// Matches `output` with `input`.
    /// Errors: [`AlreadyMatched`] if one of the two has a partner; the matching stays as it was.
    /// Panics: If a port number is 64 or more.
    pub fn grant(&mut self, output: PortId, input: PortId) -> Result<(), AlreadyMatched> {
        if has(self.outputs, output) || has(self.inputs, input) {
            return Err(AlreadyMatched { output, input });
        }
        self.grant_free(output, input);
        Ok(())
    }

    /// [`Matching::grant`] for two ports known to be unmatched.
    #[inline]
    pub(crate) fn grant_free(&mut self, output: PortId, input: PortId) {
        debug_assert!(output.0 < self.ports && input.0 < self.ports);
        debug_assert!(!has(self.outputs, output) && !has(self.inputs, input));
        self.input_of[output.index()] = input;
        self.output_of[input.index()] = output;
        self.outputs |= 1 << output.0;
        self.inputs |= 1 << input.0;
    }

    /// The pairs (output, input), by output.
    #[inline]
    pub fn pairs(&self) -> impl Iterator<Item = (PortId, PortId)> + '_ {
        ports(self.outputs).map(|output| (output, self.input_of[output.index()]))
    }

    /// The output that `input` is granted.
    #[inline]
    pub fn output_of(&self, input: PortId) -> Option<PortId> {
        has(self.inputs, input).then(|| self.output_of[input.index()])
    }

    /// The input that is granted `output`.
    #[inline]
    pub fn input_of(&self, output: PortId) -> Option<PortId> {
        has(self.outputs, output).then(|| self.input_of[output.index()])
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("output {output} granted to input {input}: one of them is matched already")]
pub struct AlreadyMatched {
    /// The output of the refused pair.
    pub output: PortId,
    /// The input of the refused pair.
    pub input: PortId,
}

#[cfg(test)]
mod tests {
    use super::*;

    // "one packet at a time per input and per output" (switch.md); pairs come by output.
    #[test]
    fn a_port_has_one_partner() {
        let mut matching = Matching::new(4);
        matching.grant(PortId(3), PortId(0)).unwrap();
        matching.grant(PortId(1), PortId(2)).unwrap();
        for (output, input) in [(3, 1), (2, 0)].map(|(o, i)| (PortId(o), PortId(i))) {
            assert_eq!(matching.grant(output, input), Err(AlreadyMatched { output, input }));
        }
        let pairs = [(PortId(1), PortId(2)), (PortId(3), PortId(0))];
        assert!(matching.pairs().eq(pairs));
        assert_eq!((matching.matched_inputs(), matching.matched_outputs()), (0b0101, 0b1010));
        assert_eq!((matching.input_of(PortId(0)), matching.output_of(PortId(1))), (None, None));
        matching.clear();
        assert_eq!(matching, Matching::new(4));
    }
}
