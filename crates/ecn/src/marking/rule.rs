//! The registry of marking rules.

use std::fmt;
use std::str::FromStr;

use super::Red;

/// Which rule: the key `ecn.marking` (spec: ecn.md, Marking; pfc.md, DCQCN).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum MarkingRule {
    /// No packet is marked.
    #[default]
    None,
    /// A full buffer marks the packets in it that are not being sent.
    Naive,
    /// A full buffer marks all packets of the switch for each output that it holds a packet for.
    InputTriggered,
    /// The same, and a queue for an output above a threshold marks the packets for that output.
    InputOutputTriggered,
    /// At an egress queue, at random, the more the more is stored.
    Red,
}

/// A name that is no marking rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown marking rule `{given}`; legal: {}", MarkingRule::NAMES.join(", "))]
pub struct ParseMarkingRuleError {
    /// What was given.
    pub given: String,
}

impl MarkingRule {
    const ALL: [MarkingRule; 5] = [
        MarkingRule::None,
        MarkingRule::Naive,
        MarkingRule::InputTriggered,
        MarkingRule::InputOutputTriggered,
        MarkingRule::Red,
    ];

    /// All legal names, in the order of the variants.
    pub const NAMES: &'static [&'static str] =
        &["none", "naive", "input-triggered", "input-output-triggered", "red"];

    /// The name in scenario files.
    pub const fn name(self) -> &'static str {
        MarkingRule::NAMES[self as usize]
    }
}

impl FromStr for MarkingRule {
    type Err = ParseMarkingRuleError;

    fn from_str(given: &str) -> Result<MarkingRule, ParseMarkingRuleError> {
        let mut all = MarkingRule::ALL.into_iter();
        all.find(|rule| rule.name() == given)
            .ok_or_else(|| ParseMarkingRuleError { given: given.to_string() })
    }
}

impl fmt::Display for MarkingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule with what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Marking {
    /// [`MarkingRule::None`].
    #[default]
    None,
    /// [`MarkingRule::Naive`].
    Naive,
    /// [`MarkingRule::InputTriggered`].
    InputTriggered,
    /// [`MarkingRule::InputOutputTriggered`].
    InputOutputTriggered {
        /// Data packets waiting for an output beyond which an arrival marks them (key
        /// `ecn.output_threshold_packets`).
        output_threshold: u32,
    },
    /// [`MarkingRule::Red`].
    Red(Red),
}

impl Marking {
    /// Which rule it is.
    pub const fn rule(&self) -> MarkingRule {
        match self {
            Marking::None => MarkingRule::None,
            Marking::Naive => MarkingRule::Naive,
            Marking::InputTriggered => MarkingRule::InputTriggered,
            Marking::InputOutputTriggered { .. } => MarkingRule::InputOutputTriggered,
            Marking::Red(_) => MarkingRule::Red,
        }
    }
}

/// Until when a packet counts in cnt1: the key `ecn.waits_until`, which the paper leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WaitsUntil {
    /// Its transmission starts [choice: ecn.md].
    #[default]
    Start,
    /// Its tail has left.
    End,
}

impl WaitsUntil {
    /// All legal names, in the order of the variants.
    pub const NAMES: &'static [&'static str] = &["start", "end"];

    /// By its name in scenario files.
    pub fn of_name(name: &str) -> Option<WaitsUntil> {
        match name {
            "start" => Some(WaitsUntil::Start),
            "end" => Some(WaitsUntil::End),
            _ => None,
        }
    }
}
