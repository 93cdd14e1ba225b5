//! The registry of arbiters: names, kinds and static dispatch. A new arbiter is a file of
//! `arbiter/` and a line here.

use crate::arbiter::{
    Arbiter, Requests, islip::Islip, maximum_matching::MaximumMatching, oldest_first::OldestFirst,
    random::Random, round_robin::RoundRobin,
};
use crate::{Matching, PORTS_MAX};
use std::fmt;
use std::str::FromStr;
use units::PortId;

/// Makes `ArbiterKind` and `AnyArbiter` from lines of `Variant { parameter = default }: "name" =>
/// constructor`.
macro_rules! registry {
    (
        ($ports:ident, $seed:ident)
        $( $(#[$doc:meta])* $kind:ident
           $({ $(#[$field_doc:meta])* $field:ident = $default:literal })?
           : $name:literal => $type:ident :: new ( $($argument:expr),* ); )*
    ) => {
        /// Which arbiter: the key `switch.arbiter` of a scenario.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ArbiterKind {
            $( $(#[$doc])* $kind $({ $(#[$field_doc])* $field: u8 })?, )*
        }

        impl ArbiterKind {
            /// The names, without parameters, in the order of the registry.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Every kind with the default of its parameter, in the order of the registry.
            pub const ALL: &'static [ArbiterKind] =
                &[$(ArbiterKind::$kind $({ $field: $default })?),*];

            /// The name, without a parameter.
            pub fn name(self) -> &'static str {
                match self { $( ArbiterKind::$kind { .. } => $name, )* }
            }

            /// The parameter in use and its default, of a kind that has one.
            fn parameter(self) -> Option<(u8, u8)> {
                match self {
                    $( ArbiterKind::$kind $({ $field })? =>
                        registry!(@some $($field, $default)?), )*
                }
            }

            /// This kind with another parameter; itself, if it has none.
            fn with_parameter(self, parameter: u8) -> ArbiterKind {
                match self {
                    $( ArbiterKind::$kind { .. } =>
                        ArbiterKind::$kind $({
                            $field: registry!(@second $default, parameter)
                        })?, )*
                }
            }
        }

        /// One of the arbiters, dispatched by a match rather than a virtual call.
        // The variants differ by some hundred bytes; there are one or two in a switch, and a box
        // would cost a jump in memory.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyArbiter {
            $( $(#[$doc])* $kind($type), )*
        }

        impl AnyArbiter {
            fn build(kind: ArbiterKind, $ports: usize, $seed: u64) -> AnyArbiter {
                match kind {
                    $( ArbiterKind::$kind $({ $field })? =>
                        AnyArbiter::$kind($type::new($($argument),*)), )*
                }
            }
        }

        impl Arbiter for AnyArbiter {
            #[inline]
            fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching) {
                match self {
                    $( AnyArbiter::$kind(arbiter) => arbiter.arbitrate(requests, matching), )*
                }
            }
            #[inline]
            fn grant_one(&mut self, output: PortId, inputs: u64) -> Option<PortId> {
                match self {
                    $( AnyArbiter::$kind(arbiter) => arbiter.grant_one(output, inputs), )*
                }
            }
        }
    };
    (@some) => { None };
    (@some $value:expr, $default:literal) => { Some(($value, $default)) };
    (@second $first:literal, $second:expr) => { $second };
}

registry! {
    (ports, seed)
    /// [`RoundRobin`]: round robin over inputs per output.
    RoundRobin: "round-robin" => RoundRobin::new(ports);
    /// [`Islip`]: grant and accept pointers, in iterations.
    Islip {
        /// Iterations in each call, 1 or more.
        iterations = 1
    }: "islip" => Islip::new(ports, iterations);
    /// [`OldestFirst`]: the oldest request first.
    OldestFirst: "oldest-first" => OldestFirst::new(ports);
    /// [`Random`]: outputs in random order, each a random input.
    Random: "random" => Random::new(seed);
    /// [`MaximumMatching`]: as many grants as possible, from a random start.
    MaximumMatching: "maximum-matching" => MaximumMatching::new(ports, seed);
}

impl ArbiterKind {
    /// Whether it reads [`Requests::ages`]; else they may be empty.
    pub fn reads_ages(self) -> bool {
        self == ArbiterKind::OldestFirst
    }
}

impl AnyArbiter {
    /// The arbiter `kind` for `ports` ports. Only `random` and `maximum-matching` use `seed`.
    /// Errors: [`ArbiterError`] if there are not 1 to 64 ports, or if iSLIP has 0 iterations.
    pub fn new(kind: ArbiterKind, ports: usize, seed: u64) -> Result<AnyArbiter, ArbiterError> {
        if !(1..=PORTS_MAX).contains(&ports) {
            return Err(ArbiterError::Ports { given: ports });
        }
        if kind.parameter().is_some_and(|(given, _)| given == 0) {
            return Err(ArbiterError::NoIterations);
        }
        Ok(AnyArbiter::build(kind, ports, seed))
    }
}

/// An arbiter that cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArbiterError {
    /// A number of ports that a set of ports cannot hold.
    #[error("a crossbar with {given} ports: legal are 1 to {PORTS_MAX}")]
    Ports {
        /// The number given; legal are 1 to [`PORTS_MAX`].
        given: usize,
    },
    /// iSLIP with 0 iterations, which would grant nothing.
    #[error("islip with 0 iterations: legal are 1 to 255")]
    NoIterations,
}

/// `islip(4)`; a parameter at its default is left out.
impl fmt::Display for ArbiterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parameter() {
            Some((given, default)) if given != default => {
                f.pad(&format!("{}({given})", self.name()))
            }
            _ => f.pad(self.name()),
        }
    }
}

impl FromStr for ArbiterKind {
    type Err = ParseArbiterError;

    fn from_str(text: &str) -> Result<ArbiterKind, ParseArbiterError> {
        let error = || ParseArbiterError { given: text.to_owned() };
        let (name, parameter) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => (name, Some(rest.strip_suffix(')').ok_or_else(error)?)),
        };
        let kind = ArbiterKind::ALL.iter().find(|kind| kind.name() == name).ok_or_else(error)?;
        let Some(parameter) = parameter else {
            return Ok(*kind);
        };
        // `u8::from_str` takes "+4" too, which is no number of iterations.
        let digits = parameter.bytes().all(|byte| byte.is_ascii_digit());
        let value =
            parameter.parse().ok().filter(|&value: &u8| digits && value > 0).ok_or_else(error)?;
        kind.parameter().ok_or_else(error)?;
        Ok(kind.with_parameter(value))
    }
}

/// A name that is not of an arbiter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown arbiter `{given}`: legal are {}", legal())]
pub struct ParseArbiterError {
    /// The text given.
    pub given: String,
}

fn legal() -> String {
    let names = ArbiterKind::ALL.iter().map(|kind| match (kind.name(), kind.parameter()) {
        (name, Some(_)) => format!("{name}, {name}(K) with K from 1 to 255"),
        (name, None) => name.to_owned(),
    });
    names.collect::<Vec<_>>().join(", ")
}
