//! The interface of crossbar arbiters. Each implementation is a file of `arbiter/` and a line of
//! the registry in `kind.rs`.

use crate::Matching;
use crate::ports::has;
use units::PortId;

pub mod islip;
pub mod maximum_matching;
pub mod oldest_first;
pub mod random;
pub mod round_robin;

/// The requests of one arbitration.
#[derive(Clone, Copy, Debug)]
pub struct Requests<'a> {
    /// For each output, the inputs that request it and may be granted: input and output of the
    /// crossbar free, room in the next memory. One mask per port, bit `i` = input `i`.
    pub inputs_of: &'a [u64],
    /// The tick of arrival of the oldest head that requests, at `input * ports + output`. Read only
    /// by arbiters whose [`ArbiterKind::reads_ages`](crate::ArbiterKind::reads_ages) holds, and
    /// only for requesting pairs; else it may be empty.
    pub ages: &'a [u64],
}

impl Requests<'_> {
    /// The inputs that `output` can still be granted to, given `matching`.
    #[inline]
    pub fn grantable_to(&self, output: PortId, matching: &Matching) -> u64 {
        if has(matching.matched_outputs(), output) {
            0
        } else {
            self.inputs_of[output.index()] & !matching.matched_inputs()
        }
    }

    /// The outputs that `matching` still lets grant to some input; none: the call may be skipped.
    #[inline]
    pub fn grantable_outputs(&self, matching: &Matching) -> u64 {
        let free_inputs = !matching.matched_inputs();
        let mut outputs = 0;
        for (output, inputs) in self.inputs_of.iter().enumerate() {
            outputs |= u64::from(inputs & free_inputs != 0) << output;
        }
        outputs & !matching.matched_outputs()
    }
}

/// Matches requesting inputs with requested outputs.
///
/// The contract of every implementation, checked by the kit of `tests/it/kit.rs`:
///
/// 1. A granted pair has requested; an input and an output get one partner at most.
/// 2. The matching given is *extended*: pairs in it stay. So a tick arbitrates once per class, in
///    order of priority, with one matching.
/// 3. **A call in which nothing can be granted changes no state**: no pointer moves, no random
///    number is drawn. The fast engine skips such calls.
/// 4. What is granted follows from the state and the requests alone; no call allocates.
///
/// **Give every class its own arbiter**: a pointer that the grants of another class move may pass
/// over a waiting input for ever. `requests.inputs_of` has one mask for each port of the arbiter,
/// with bits of its ports only, the matching as many ports; anything else may panic.
pub trait Arbiter {
    /// Adds grants to `matching`.
    fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching);

    /// The input that [`Arbiter::arbitrate`] would grant `output` if that were the only one
    /// requested, by `inputs` (one or more), and nothing were matched; state moves on as there. The
    /// common case by far. `None`, and nothing changes, if the arbiter has no shorter way for it.
    #[inline]
    fn grant_one(&mut self, _output: PortId, _inputs: u64) -> Option<PortId> {
        None
    }
}

/// What a call can grant, by how much there is to decide: one output is by far the common case.
pub(crate) enum Grantable {
    /// Nothing: state must not change.
    Nothing,
    /// One output, with the inputs that it can be granted to.
    One(PortId, u64),
    /// Two outputs or more, as a mask.
    Many(u64),
}

impl Grantable {
    #[inline]
    pub(crate) fn of(requests: &Requests<'_>, matching: &Matching) -> Grantable {
        let outputs = requests.grantable_outputs(matching);
        if outputs == 0 {
            Grantable::Nothing
        } else if outputs & (outputs - 1) == 0 {
            let output = PortId(outputs.trailing_zeros() as u8);
            Grantable::One(output, requests.grantable_to(output, matching))
        } else {
            Grantable::Many(outputs)
        }
    }
}

/// One past `port`, cyclic over `ports`.
#[inline]
pub(crate) fn one_past(port: PortId, ports: u8) -> PortId {
    let next = port.0 + 1;
    PortId(if next == ports { 0 } else { next })
}

/// The number of ports as the arbiters hold it. Panics: Outside 1 to 64; [`crate::AnyArbiter::new`]
/// refuses it with a typed error before it comes to this.
pub(crate) fn radix(ports: usize) -> u8 {
    assert!(
        (1..=crate::PORTS_MAX).contains(&ports),
        "an arbiter of {ports} ports: legal are 1 to {}",
        crate::PORTS_MAX
    );
    ports as u8
}
