//! What a study answers: [`Table::answer`]. Where points differ in `recn.saqs`, a setting is what
//! they have in common, and the answer the fewest SAQs from which on the target is met; else every
//! point is a setting, and the answer whether it meets it. Points whose workload, network, links or
//! times differ have references of their own.

mod cautions;
mod level;
mod settings;
mod text;

use crate::Interval;
use crate::table::Table;
use crate::target::{Flows, Target};
pub(crate) use cautions::of_failed;
pub(crate) use level::{Judged, Levels, is_asked, judged_row, question_of};
use observe::LatencySummary;
use serde::Serialize;

/// The key whose fewest is asked for.
const SAQS: &str = "recn.saqs";
const SCHEME: &str = "switch.scheme";
/// The window that is judged, where a scenario has it.
const DURING: &str = "during";
/// Sections of keys that state what is asked of a switch; those keys of them that do not.
const ASKED: [&str; 5] = ["network", "workload", "run", "windows", "faults"];
const NOT_ASKED: [&str; 2] = ["network.turnpool", "network.wiring"];
/// Other keys that do.
const ASKED_KEYS: [&str; 2] = ["link.rate_bytes_per_ns", "link.wire_ns"];

pub(crate) type Label = (String, String);

/// What a study answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What counts as enough.
    pub target: Target,
    /// Whose throughput was judged: all flows where the target asks for victims and there are none.
    pub flows: Flows,
    /// That of the target, else that of the tree, else the measured time.
    pub window: String,
    /// Its start and end, ns, where they are the same in all runs.
    pub window_ns: Option<(f64, f64)>,
    /// Whether numbers of SAQs are compared; else each setting is a point.
    pub has_sizes: bool,
    /// Several questions were asked; each has its own reference.
    pub questions: usize,
    /// Some runs of the study are not there: the best is that of those that are.
    pub is_partial: bool,
    /// Replicas that the study has.
    pub replicas: usize,
    /// The point that all settings are held against, where it is one for all.
    pub reference: Option<Held>,
    /// A line a setting, in the order of the study.
    pub settings: Vec<Setting>,
    /// Their numbers, those that matter most first.
    pub rank: Vec<usize>,
    /// Points without SAQs, where numbers of them are compared.
    pub without: Vec<Held>,
    /// What to know before trusting it, a sentence each.
    pub cautions: Vec<String>,
}

/// A point beside its reference. Half widths are of 95 % intervals by Student's t over the
/// replicas: none of one replica, of a lower bound, and beside a reference with other seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// What a person calls it.
    pub name: String,
    /// Its axes.
    pub labels: Vec<Label>,
    /// Delivered by the flows that are judged, bytes/ns.
    pub bytes_per_ns: f64,
    /// Half of its interval.
    pub half_95_bytes_per_ns: Option<f64>,
    /// Of the reference; `None` where there is none.
    pub share: Option<f64>,
    /// Half of its interval, each run beside that of the reference with the same seed.
    pub share_half_95: Option<f64>,
    /// Whether that meets the target.
    pub throughput: Met,
    /// The whole interval is on one side of the target; `None` where there is no interval.
    pub throughput_is_certain: Option<bool>,
    /// Delivered less that of the reference, bytes/ns, run by run of the same seed.
    pub difference: Option<Interval>,
    /// p99 latency of their messages, ns, the mean over the replicas.
    pub p99_ns: Option<f64>,
    /// Half of its interval.
    pub p99_half_95_ns: Option<f64>,
    /// It is at least that: some had not arrived.
    pub p99_is_lower_bound: bool,
    /// Whether that meets the target.
    pub p99: Met,
    /// As [`Held::throughput_is_certain`].
    pub p99_is_certain: Option<bool>,
    /// Of all replicas together; `None` where their histograms were not read.
    pub merged_latency_ns: Option<LatencySummary>,
    /// Of a port.
    pub control_bits: Option<f64>,
}

/// Whether a target is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Met {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// A run is missing, a reference is not known, or a lower bound leaves it open.
    Unknown,
}

impl Met {
    pub(crate) fn of(is_met: bool) -> Met {
        if is_met { Met::Yes } else { Met::No }
    }

    /// Yes where all are, no where one is not.
    pub(crate) fn all_of(all: impl IntoIterator<Item = Met>) -> Met {
        all.into_iter().fold(Met::Yes, |met, next| match (met, next) {
            (Met::No, _) | (_, Met::No) => Met::No,
            (Met::Yes, Met::Yes) => Met::Yes,
            _ => Met::Unknown,
        })
    }

    /// In files, and for people.
    pub fn word(self) -> &'static str {
        match self {
            Met::Yes => "yes",
            Met::No => "no",
            Met::Unknown => "unknown",
        }
    }
}

/// The fewest SAQs from which on, with more of them too, a target is met.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fewest {
    /// `None`: none that was compared.
    #[serde(rename = "fewest")]
    pub saqs: Option<f64>,
    /// A number that has no value, or a bound, leaves it open.
    pub is_unknown: bool,
    /// It is the largest that was compared: that more of them do too is not known.
    pub is_largest: bool,
    /// All numbers that decide it are on one side of the target with their intervals.
    pub is_certain: Option<bool>,
    /// Least and most of single replicas, where they differ; `None` in it: none.
    pub by_replica: Option<[Option<f64>; 2]>,
}

/// What can be had with a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// What its points have in common.
    pub labels: Vec<Label>,
    /// For the throughput and for the p99; `None` of a setting that is a point.
    pub fewest: Option<[Fewest; 2]>,
    /// By throughput; of a setting that is a point by its p99 too.
    pub is_enough: Met,
    /// Whether chance leaves that as it is: see [`Held::throughput_is_certain`].
    pub is_certain: Option<bool>,
    /// Its point with the fewest SAQs, else its best; `None` where no run finished.
    pub at: Option<Held>,
}

impl Table {
    pub(crate) fn judged_flows(&self) -> (Flows, String) {
        let Levels { flows, window, .. } = Levels::of(self);
        (flows, window)
    }

    /// What the judged flows of each point do, beside the reference; `None` where no run finished.
    pub(crate) fn judged(&self) -> Vec<Option<Held>> {
        let levels = Levels::of(self);
        (0..self.points.len()).map(|p| levels.held(p)).collect()
    }

    /// What the study answers; without settings where no run finished.
    pub fn answer(&self) -> Answer {
        let levels = Levels::of(self);
        let (has_sizes, settings, rank) = settings::all(self, &levels);
        let has_none = |&p: &usize| has_sizes && self.points[p].label(SAQS).is_none();
        let without = (0..self.points.len()).filter(has_none);
        Answer {
            target: self.target.clone(),
            flows: levels.flows,
            window_ns: levels.window_ns(),
            has_sizes,
            questions: levels.measured.len(),
            is_partial: self.is_partial(),
            replicas: levels.replicas().len(),
            reference: levels.reference(),
            settings,
            rank,
            without: without.filter_map(|p| levels.held(p)).collect(),
            cautions: cautions::of(self, &levels),
            window: levels.window,
        }
    }
}
