//! Where settings saturate, for people and for programs.

use super::saturate::{Load, LoadAnswer, LoadSetting};
use super::size_text::{p99, plus_minus};
use crate::WIDTH;
use crate::answer::Met;
use crate::job::point_name;
use crate::lines::sentence;
use crate::text_table::TextTable;
use serde_json::{Value, json};

/// More settings or loads than these are counted.
const ROWS_MAX: usize = 12;
/// More cautions than these are counted.
const CAUTIONS_MAX: usize = 3;

impl LoadAnswer {
    /// The answer in an object.
    pub fn to_json(&self) -> Value {
        json!(self)
    }

    /// At most 25 lines of [`WIDTH`]: where it saturates, then the loads that were looked at, or a
    /// line a setting where there are several. `place` is where the runs are.
    pub fn to_text(&self, place: &str) -> String {
        let key = self.keys.join(", ");
        let head = match self.settings.as_slice() {
            [one] => format!("{}: {}", self.name, self.told(one, &format!("{key} "))),
            many => format!("{}: {} settings, along {key}", self.name, many.len()),
        };
        let mut text = sentence(&head);
        text += &sentence(&format!(
            "saturated: more than {} % of what is offered is not delivered in the measured time",
            number(self.loss * 100.0)
        ));
        text += &match self.settings.as_slice() {
            [one] => loads(&one.loads),
            many => self.settings_table(many),
        };
        text += &sentence(&format!("{} runs in {place}", self.runs));
        let crooked = self.settings.iter().filter(|setting| !setting.is_monotone).count();
        let open = self.settings.iter().map(|setting| self.open(setting)).max();
        let mut cautions = Vec::new();
        if crooked > 0 {
            let of = crate::lines::listed_count(crooked, self.settings.len(), "setting");
            cautions.push(format!("{of} delivers all at a load above one at which it does not"));
        }
        if let Some(open) = open.filter(|open| *open > 0) {
            let most = self.settings.iter().flat_map(|setting| &setting.loads);
            let most = most.map(|load| load.verdict.replicas).max().unwrap_or(0);
            cautions.push(format!(
                "open with {most} seeds: {open} of the loads; higher --max-replicas, longer \
                 run.duration_ns"
            ));
        }
        cautions.extend(self.cautions.iter().cloned());
        for caution in cautions.iter().take(CAUTIONS_MAX) {
            text += &sentence(&format!("! {caution}"));
        }
        text
    }

    /// Loads of a setting that no number of replicas decided.
    fn open(&self, setting: &LoadSetting) -> usize {
        let loads = setting.loads.iter();
        loads.filter(|load| load.verdict.met == Met::Unknown).count()
    }

    /// `saturates at workload.load 0.62 [0.61, 0.63]`; `key` stands before numbers.
    fn told(&self, setting: &LoadSetting, key: &str) -> String {
        let [from, to] = self.range;
        match (setting.below, setting.above) {
            (Some(below), Some(above)) => format!(
                "saturates at {key}{} [{}, {}]",
                number((below + above) / 2.0),
                number(below),
                number(above)
            ),
            (Some(below), None) if below == to => {
                format!("not saturated up to {key}{}", number(to))
            }
            (Some(below), None) => {
                format!("saturates above {key}{}, if it does up to {}", number(below), number(to))
            }
            (None, Some(above)) if above == from => {
                format!("saturated at {key}{} already", number(from))
            }
            (None, Some(above)) => format!("saturates below {key}{}", number(above)),
            (None, None) => "not known".into(),
        }
    }

    fn settings_table(&self, settings: &[LoadSetting]) -> String {
        let mut table = TextTable::new();
        table.names("setting");
        table.numbers("saturates at", "");
        table.numbers("from", "");
        table.numbers("to", "");
        table.numbers("accepted", "B/ns");
        table.numbers("p99", "ns");
        for setting in settings.iter().take(ROWS_MAX) {
            let told = |value: Option<f64>| value.map_or("-".into(), number);
            let saturates = match (setting.below, setting.above) {
                (Some(below), Some(above)) => number((below + above) / 2.0),
                (Some(below), None) => format!("> {}", number(below)),
                (None, Some(above)) => format!("< {}", number(above)),
                (None, None) => "?".into(),
            };
            let at = setting.loads.iter().rfind(|load| load.verdict.met == Met::Yes);
            let accepted = at.and_then(|load| load.delivered_bytes_per_ns);
            table.row(vec![
                point_name(&setting.labels),
                saturates,
                told(setting.below),
                told(setting.above),
                plus_minus(accepted, 1.0, 2),
                at.map_or("-".into(), |load| p99(&load.verdict, 1.0, 0)),
            ]);
        }
        let mut text = table.fitted(WIDTH, &["p99", "accepted"]).0;
        let more = settings.len().saturating_sub(ROWS_MAX);
        if more > 0 {
            text += &format!("{more} more settings: --format json\n");
        }
        text += "accepted, p99: at the highest load below saturation\n";
        text
    }
}

/// The loads around the edge.
fn loads(loads: &[Load]) -> String {
    let mut table = TextTable::new();
    table.numbers("load", "");
    table.numbers("offered", "B/ns");
    table.numbers("accepted", "B/ns");
    table.numbers("lost", "%");
    table.numbers("p99", "ns");
    table.numbers("seeds", "");
    table.names("saturated");
    let edge = loads.iter().rposition(|load| load.verdict.met == Met::Yes);
    let first = edge.map_or(0, |edge| (edge + 1).saturating_sub(ROWS_MAX / 2));
    let first = first.min(loads.len().saturating_sub(ROWS_MAX));
    for load in loads.iter().skip(first).take(ROWS_MAX) {
        let saturated = match load.verdict.met {
            Met::Yes => "no",
            Met::No => "yes",
            Met::Unknown => "open",
        };
        table.row(vec![
            load.load.clone(),
            plus_minus(load.offered_bytes_per_ns, 1.0, 3),
            plus_minus(load.delivered_bytes_per_ns, 1.0, 3),
            plus_minus(load.verdict.share, 100.0, 2),
            p99(&load.verdict, 1.0, 0),
            load.verdict.replicas.to_string(),
            saturated.into(),
        ]);
    }
    let mut text = table.fitted(WIDTH, &["seeds", "offered"]).0;
    let more = loads.len().saturating_sub(ROWS_MAX);
    if more > 0 {
        text += &format!("{more} more loads: --format json\n");
    }
    text
}

/// As short as it is, to nine digits.
fn number(value: f64) -> String {
    ((value * 1e9).round() / 1e9).to_string()
}
