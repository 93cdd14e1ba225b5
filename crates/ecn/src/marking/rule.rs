//! The registry of marking rules.

use super::Red;

/// A rule with what it needs: the key `ecn.marking` (spec: ecn.md, Marking; pfc.md, DCQCN).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Marking {
    /// No packet is marked.
    #[default]
    None,
    /// A full buffer marks the packets in it that are not being sent.
    Naive,
    /// A full buffer marks all packets of the switch for each output that it holds one for.
    InputTriggered,
    /// The same, and a queue for an output above a threshold marks the packets for that output.
    InputOutputTriggered {
        /// Data packets waiting for an output beyond which an arrival marks them (key
        /// `ecn.output_threshold_packets`).
        output_threshold: u32,
    },
    /// At an egress queue, at random, the more the more is stored.
    Red(Red),
}

impl Marking {
    /// The names of all.
    pub const NAMES: &'static [&'static str] =
        &["none", "naive", "input-triggered", "input-output-triggered", "red"];

    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Marking::None => "none",
            Marking::Naive => "naive",
            Marking::InputTriggered => "input-triggered",
            Marking::InputOutputTriggered { .. } => "input-output-triggered",
            Marking::Red(_) => "red",
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
