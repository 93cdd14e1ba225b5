//! `[target]` of a study: what counts as enough.

use serde::{Deserialize, Serialize};

/// What a setting must reach.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Whose throughput is judged.
    pub flows: Flows,
    /// Window judged; `None`: that of the tree, else the measured time.
    pub window: Option<String>,
    /// At least this part of the reference, up to 1.
    pub share: f64,
    /// What it is held against.
    pub reference: Reference,
    /// The p99 latency may be up to so many times that of the reference.
    pub p99_times: f64,
    /// The p99 latency may be up to so many ns; in the place of `p99_times`.
    pub p99_ns: Option<f64>,
}

impl Default for Target {
    /// Victims, 98 % of the best of the study, a p99 of up to twice that of the best.
    fn default() -> Self {
        Target {
            flows: Flows::Victims,
            window: None,
            share: 0.98,
            reference: Reference::Best,
            p99_times: 2.0,
            p99_ns: None,
        }
    }
}

/// Flows whose throughput is judged. All flows hide what a tree costs: its hot destination takes
/// the same rate however much the others lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flows {
    /// Those to no hot destination, which SAQs protect.
    Victims,
    /// All.
    All,
}

impl Flows {
    pub(crate) fn set(self) -> FlowSet {
        match self {
            Flows::Victims => FlowSet::Victims,
            Flows::All => FlowSet::All,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Flows::Victims => "victims",
            Flows::All => "all flows",
        }
    }
}

/// What a setting is held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Reference {
    /// The best point of the whole study that answers the same question.
    Best,
    /// What the flows offer in the same run.
    Offered,
    /// What routes and links allow the flows of the same run.
    Possible,
    /// The best point of a queue scheme.
    Scheme(String),
}

impl From<String> for Reference {
    /// As a study writes it.
    fn from(word: String) -> Reference {
        match word.as_str() {
            "best" => Reference::Best,
            "offered" => Reference::Offered,
            "possible" => Reference::Possible,
            _ => Reference::Scheme(word),
        }
    }
}

impl From<Reference> for String {
    fn from(reference: Reference) -> String {
        reference.word().into()
    }
}

impl Reference {
    /// As a study writes it.
    pub fn word(&self) -> &str {
        match self {
            Reference::Best => "best",
            Reference::Offered => "offered",
            Reference::Possible => "possible",
            Reference::Scheme(scheme) => scheme,
        }
    }
}

/// Which flows a line of `windows.csv` is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlowSet {
    /// All.
    All,
    /// Those to no hot destination.
    Victims,
    /// A group by its name.
    Group(String),
}

impl FlowSet {
    /// As files have it: the kind, and the name of a group.
    pub(crate) fn fields(&self) -> [&str; 2] {
        match self {
            FlowSet::All => ["all", ""],
            FlowSet::Victims => ["victims", ""],
            FlowSet::Group(name) => ["group", name],
        }
    }

    /// For people. A group may be called `hot`, as flows to hot destinations are.
    pub fn title(&self) -> String {
        match self {
            FlowSet::All => "all".into(),
            FlowSet::Victims => "victims".into(),
            FlowSet::Group(name) => format!("group {name}"),
        }
    }
}
