//! The registry of marking rules.

use super::Red;

units::named! {
    /// Which rule: the key `ecn.marking` (spec: ecn.md, Marking; pfc.md, DCQCN).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum MarkingRule: "marking rule" {
        /// No packet is marked.
        #[default]
        None = "none",
        /// A full buffer marks the packets in it that are not being sent.
        Naive = "naive",
        /// A full buffer marks all packets of the switch for each output that it holds one for.
        InputTriggered = "input-triggered",
        /// The same, and a queue for an output above a threshold marks the packets for that output.
        InputOutputTriggered = "input-output-triggered",
        /// At an egress queue, at random, the more the more is stored.
        Red = "red",
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

units::named! {
    /// Until when a packet counts in cnt1: the key `ecn.waits_until`, which the paper leaves open.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum WaitsUntil: "end of waiting" {
        /// Its transmission starts [choice: ecn.md].
        #[default]
        Start = "start",
        /// Its tail has left.
        End = "end",
    }
}
