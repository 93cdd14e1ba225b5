//! The head of a page: topology, scheme, speedup, load and windows in the field's words, from the
//! resolved scenarios of the runs.

mod scenario;

use crate::names;
use crate::store::Store;
use crate::text::time;
use crate::values::listed;
use scenario::Scenario;
use std::fs;
use std::path::Path;

/// Values of a sweep that are told one by one; of more, how many there are.
const VALUES_MAX: usize = 8;

/// What the head says.
#[derive(Debug, Default)]
pub(crate) struct Head {
    /// Heading and text.
    pub(crate) facts: Vec<(String, String)>,
    /// The resolved scenario of the run, or of the first run of a sweep; empty where there is none.
    pub(crate) scenario: String,
}

/// A heading, and what of a scenario stands beside it.
type Asked = (&'static str, fn(&Scenario) -> Option<String>);

/// The head of a store; what cannot be read is left out.
pub(crate) fn of(dir: &Path, store: &Store) -> Head {
    let runs = store.runs.iter().filter(|run| run.status == "ok");
    let texts: Vec<String> = runs
        .filter_map(|run| {
            let dir = match store.is_sweep {
                true => dir.join("runs").join(&run.directory),
                false => dir.to_path_buf(),
            };
            fs::read_to_string(dir.join("scenario.toml")).ok()
        })
        .collect();
    let scenarios: Vec<Scenario> =
        texts.iter().filter_map(|text| text.parse().ok().map(Scenario)).collect();
    let mut facts = Vec::new();
    let asked: [Asked; 6] = [
        ("Topology", Scenario::topology),
        ("Switch", Scenario::switch),
        ("Scheme", Scenario::scheme),
        ("Speedup", |s| s.text("switch.speedup")),
        ("Load", Scenario::load),
        ("Simulated time", Scenario::times),
    ];
    for (name, value) in asked {
        let mut values: Vec<String> = Vec::new();
        for value in scenarios.iter().filter_map(value) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if !values.is_empty() {
            facts.push((name.to_string(), listed(&values, VALUES_MAX, " | ")));
        }
    }
    facts.extend(windows(store).map(|windows| ("Windows".to_string(), windows)));
    if store.is_sweep && !store.axes.is_empty() {
        let axes: Vec<String> = store.axes.iter().map(|axis| names::key(axis).0).collect();
        facts.push(("Axes".into(), axes.join(", ")));
    }
    Head { facts, scenario: texts.into_iter().next().unwrap_or_default() }
}

/// The windows of all runs, or that they differ.
fn windows(store: &Store) -> Option<String> {
    let Some(windows) = store.windows_of_all_runs() else {
        return Some("they differ from run to run".into());
    };
    let said = windows.iter().map(|row| match row.end_ns > row.start_ns {
        true => format!("{} {} to {}", row.window, time(row.start_ns), time(row.end_ns)),
        false => format!("{} empty", row.window),
    });
    let said = said.collect::<Vec<_>>().join(", ");
    (!said.is_empty()).then_some(said)
}
