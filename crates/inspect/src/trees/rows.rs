//! Trees as plain rows: `trees.csv` one line a tree, `trees.json` everything.

use serde::Serialize;

/// Everything that was recorded of all trees.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TreesRecord {
    /// The trees in the order of their birth; a tree is named by its place here.
    pub trees: Vec<TreeRow>,
    /// Roots that moved.
    pub moves: Vec<MoveRow>,
}

/// One tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeRow {
    /// Its number.
    pub tree: usize,
    /// The congested output port.
    pub root: String,
    /// `egress` or `ingress`.
    pub first_seen: &'static str,
    /// First SAQ.
    pub born_ns: f64,
    /// Last SAQ freed; null: alive at the end of the run.
    pub end_ns: Option<f64>,
    /// The most SAQs at once.
    pub saqs_peak: u32,
    /// When.
    pub peak_ns: f64,
    /// Ports that held SAQs then, without neighbours upstream that did.
    pub leaves_at_peak: Vec<String>,
    /// Ports that ever held SAQs for it.
    pub ports: PortCounts,
    /// Notifications and requests that found no free SAQ.
    pub refused: u64,
    /// The trees that it was a part of.
    pub inside: Vec<InsideRow>,
    /// Ports that acted as root, from each time on.
    pub acting: Vec<(f64, Vec<String>)>,
    /// Ports that joined, in order: the paths of the notifications.
    pub branches: Vec<BranchRow>,
    /// When SAQs were at Xoff (they had told the ports before them to stop): the place of the
    /// branch in `branches`, from when on, until when; null: to the end.
    pub xoffs: Vec<(usize, f64, Option<f64>)>,
    /// SAQs in use after each change.
    pub saqs: Vec<(f64, u32)>,
}

/// How many ports of each side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PortCounts {
    /// Ingress ports of switches.
    pub ingress: usize,
    /// Egress ports of switches.
    pub egress: usize,
    /// Injection ports of end nodes.
    pub injection: usize,
}

/// A part of another tree for some time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InsideRow {
    /// Number of the other tree.
    pub tree: usize,
    /// From when on.
    pub from_ns: f64,
    /// Until when; null: to the end.
    pub until_ns: Option<f64>,
}

/// A port that joined a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BranchRow {
    /// The port.
    pub port: String,
    /// Who told it; null: it found the congestion by itself.
    pub from: Option<String>,
    /// When.
    pub joined_ns: f64,
    /// When the egress port of the root took it over.
    pub adopted_ns: Option<f64>,
    /// When its SAQ was freed.
    pub left_ns: Option<f64>,
}

/// A root that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveRow {
    /// When.
    pub at_ns: f64,
    /// Where the root was.
    pub from: String,
    /// Where it is.
    pub to: String,
    /// `downstream` or `upstream`.
    pub direction: &'static str,
}
