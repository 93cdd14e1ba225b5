//! The work that is measured, from `verbs/bench.toml`.

use crate::page::{self, failed};
use serde::Deserialize;
use setaside::Failure;

const FILE: &str = "verbs/bench.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Work {
    /// Run with one run at a time and with as many as there are cores.
    pub(super) study: String,
    pub(super) instructions: Vec<Run>,
    /// Whose instructions are counted by part.
    pub(super) parts: Vec<Run>,
    /// Whose cache misses are simulated.
    pub(super) misses: Vec<Run>,
    /// The same run with observers and checks on and off.
    pub(super) observers: Vec<Run>,
    pub(super) table: Vec<Table>,
    pub(super) goal: Vec<Goal>,
}

/// A run between two lengths, so that start-up does not count.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    pub(super) name: String,
    /// Below `scenarios`.
    #[serde(default = "bmin")]
    pub(super) scenario: String,
    /// With `--set`; of observers those of [`Run::recn`].
    #[serde(default)]
    pub(super) sets: Vec<String>,
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// The two run lengths, ns.
    #[serde(default = "short")]
    pub(super) between_ns: (u32, u32),
    #[serde(default)]
    pub(super) program: Program,
    /// At most so many instructions a packet-hop, where there is a goal.
    pub(super) at_most: Option<f64>,
    /// Whether `--check` counts it; what has a goal is counted too.
    #[serde(default)]
    checked: bool,
}

fn bmin() -> String {
    "speed/bmin-64-uniform.toml".to_string()
}

fn short() -> (u32, u32) {
    (20_000, 50_000)
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Program {
    /// The release build.
    #[default]
    Setaside,
    /// A release build without the checks of the model's invariants.
    Unchecked,
    /// This program with an observer that counts packet-hops ([`mod@super::hops`]), and arguments.
    Hops,
}

/// Runs whose times are in one table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) title: String,
    pub(super) about: String,
    scenario: String,
    #[serde(default)]
    sets: Vec<String>,
    /// A name, then what is set over it, or an argument `--...`.
    rows: Vec<Vec<String>>,
    /// The rows in turn, so many times; the median of each is taken.
    #[serde(default = "three")]
    pub(super) rounds: usize,
    /// Takes minutes.
    #[serde(default)]
    pub(super) long: bool,
    /// Fails if the rows do not write the same results.
    #[serde(default)]
    pub(super) same_results: bool,
}

fn three() -> usize {
    3
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Goal {
    /// By which its line on the page is known.
    pub(super) what: String,
    /// Table, row, figure.
    pub(super) value: (String, String, Figure),
    /// Row of the same table by whose figure it is divided.
    pub(super) of: Option<String>,
    pub(super) at_most: Option<f64>,
    pub(super) at_least: Option<f64>,
    pub(super) unit: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Figure {
    Ns,
    Seconds,
    Mib,
}

impl Work {
    pub(super) fn read() -> Result<Work, Failure> {
        let work: Work =
            toml::from_str(&page::read(FILE)?).map_err(|e| failed(format!("{FILE}: {e}")))?;
        match work.unknown() {
            None => Ok(work),
            Some(what) => Err(failed(format!("{FILE}: no table with the row {what}"))),
        }
    }

    /// A row that a goal is about and no table has.
    fn unknown(&self) -> Option<String> {
        let mut wanted = self.goal.iter().flat_map(|goal| {
            let (table, row, _) = &goal.value;
            [row].into_iter().chain(&goal.of).map(move |row| (table, row))
        });
        let has = |(title, row): &(&String, &String)| {
            let table = self.table.iter().find(|table| table.title == **title);
            table.is_some_and(|table| table.runs().any(|run| run.name == **row))
        };
        let missing = wanted.find(|wanted| !has(wanted));
        missing.map(|(title, row)| format!("`{row}`: `{title}`"))
    }
}

impl Run {
    pub(super) fn is_checked(&self) -> bool {
        self.checked || self.at_most.is_some()
    }

    /// With 8 SAQs.
    pub(super) fn recn(&self) -> Run {
        let sets = ["switch.scheme=recn", "recn.saqs=8"].map(str::to_string);
        Run { sets: sets.to_vec(), ..self.clone() }
    }
}

impl Table {
    pub(super) fn runs(&self) -> impl Iterator<Item = Run> {
        self.rows.iter().map(|row| {
            let (args, sets): (Vec<String>, Vec<String>) =
                row.iter().skip(1).cloned().partition(|word| word.starts_with("--"));
            Run {
                name: row.first().cloned().unwrap_or_default(),
                scenario: self.scenario.clone(),
                sets: self.sets.iter().cloned().chain(sets).collect(),
                args,
                ..Run::default()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Work;
    use crate::page::root;
    use scenario::{Scenario, Set};

    // The measures take hours: what they run is read here.
    #[test]
    fn what_is_measured_is_legal() {
        let work = Work::read().expect("legal");
        let observers = work.observers.iter().map(super::Run::recn);
        let counted = work.instructions.iter().chain(&work.parts).chain(&work.misses);
        let timed = work.table.iter().flat_map(|table| table.runs());
        for run in counted.cloned().chain(observers).chain(timed) {
            let path = root().join("scenarios").join(&run.scenario);
            let sets = run.sets.iter().map(|set| {
                let (key, value) = set.split_once('=').expect("a set");
                Set::new(key, value)
            });
            let scenario = Scenario::load(&path, &sets.collect::<Vec<_>>());
            assert!(scenario.is_ok(), "{}: {:?}", run.name, scenario.err());
        }
        assert!(root().join(&work.study).is_file());
    }

    #[test]
    fn a_goal_is_about_a_row_that_is_there() {
        let mut work = Work::read().expect("legal");
        work.goal[0].of = Some("load 2".to_string());
        assert_eq!(work.unknown(), Some("`load 2`: `Load`".to_string()));
    }
}
