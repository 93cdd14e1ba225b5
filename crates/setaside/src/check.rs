//! `setaside check`.

use crate::exit::{Exit, Failure, print};
use crate::options::Format;
use crate::summary::IN_ORDER;
use crate::{log, progress};
use fabric::{Engine, Run};
use plan::Overtaking;
use scenario::{Errors, Input, Place, Scenario, ScenarioError, Set, Study};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use topology::Network;

/// Why a file is not legal: in words, and each error with its place as `errors` in JSON.
struct Refusal {
    text: String,
    errors: Value,
}

impl From<Errors> for Refusal {
    fn from(errors: Errors) -> Refusal {
        let json = errors.iter().map(error_json).collect();
        Refusal { text: Failure::from(errors).message, errors: json }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        let errors = json!([{ "message": failure.message }]);
        Refusal { text: failure.message, errors }
    }
}

fn error_json(error: &ScenarioError) -> Value {
    let place = match &*error.place {
        Place::File(span) => {
            let (line, column) = span.position();
            json!({ "file": span.file(), "line": line, "column": column })
        }
        Place::Set { key, value } => json!({ "set": **key, "value": **value }),
        Place::Unread { file } => json!({ "file": **file }),
    };
    json!({
        "place": place, "key": error.key, "message": error.message, "help": error.help,
        "note": error.note,
    })
}

/// Checks every file; each error is printed, and any makes the exit code 2.
pub(crate) fn check(
    files: &[PathBuf],
    sets: &[Set],
    threads: NonZeroUsize,
    format: Format,
) -> Result<(), Failure> {
    let mut wrong = false;
    let mut found = Vec::new();
    for file in files {
        let checked = Input::read(file)
            .map_err(Refusal::from)
            .and_then(|input| Ok((one(&input, sets, threads)?, input)));
        wrong |= checked.is_err();
        let name = file.display().to_string();
        match (checked, format) {
            (Ok((Legal { what, reorders }, input)), Format::Text) => {
                let lines = std::iter::once(what).chain(reorders.iter().map(|why| may(why)));
                for line in lines {
                    print(&format!("{}: {line}\n", input.name()))?;
                }
            }
            (Ok((Legal { what, reorders }, _)), Format::Json) => {
                let legal = json!({
                    "file": name, "legal": true, "what": what, "may_reorder": reorders,
                    "errors": [],
                });
                found.push(legal);
            }
            (Err(refusal), Format::Text) => log::line(&refusal.text),
            (Err(refusal), Format::Json) => {
                let errors = refusal.errors;
                found.push(json!({ "file": name, "legal": false, "errors": errors }));
            }
        }
    }
    if format == Format::Json {
        print(&format!("{:#}\n", Value::from(found)))?;
    }
    if wrong { Err(Failure::new(Exit::Usage, "")) } else { Ok(()) }
}

struct Legal {
    what: String,
    /// What may put packets of a flow out of order, each once; of a study in how many runs.
    reorders: Vec<String>,
}

fn may(why: &str) -> String {
    format!("may deliver out of order: {why}; {IN_ORDER}")
}

fn warn(input: &Input, warnings: impl IntoIterator<Item = String>) {
    for warning in warnings {
        log::line(&format!("{}: warning: {warning}", input.name()));
    }
}

fn one(input: &Input, sets: &[Set], threads: NonZeroUsize) -> Result<Legal, Refusal> {
    if input.is_study() {
        let study = Study::from_input(input, sets)?;
        // Many points share one; each is reported once.
        let all = study.points().iter().flat_map(|p| p.scenario.warnings());
        warn(input, all.collect::<BTreeSet<String>>());
        let runs = study.points().len();
        let mut reorders = BTreeMap::new();
        for why in study.points().iter().filter_map(|point| point.overtaking) {
            *reorders.entry(why).or_insert(0) += 1;
        }
        let of_runs = |(why, count): (&Overtaking, &usize)| match *count == runs {
            true => why.to_string(),
            false => format!("{why} ({count} of {runs} runs)"),
        };
        return Ok(Legal {
            what: format!("a legal study, {runs} runs"),
            reorders: reorders.iter().map(of_runs).collect(),
        });
    }
    let scenario = Scenario::from_input(input, sets)?;
    warn(input, scenario.warnings());
    let config = progress::of_routes(scenario, threads, |scenario| scenario.build())?;
    let at = |error| Failure::new(Exit::Usage, format!("{}: error: {error}", input.name()));
    Run::new(&config, Engine::Fast).map_err(at)?;
    Ok(Legal {
        what: format!("a legal scenario, {}", counts(&config.network)),
        reorders: config.overtaking().iter().map(ToString::to_string).collect(),
    })
}

/// How large a network is; virtual channels and tables where there are any.
fn counts(network: &Network) -> String {
    let (nodes, switches) = (network.nodes(), network.switches());
    let mut text = format!("{nodes} end nodes, {switches} switches");
    if network.vcs() > 1 {
        text += &format!(", {} of {} virtual channels used", network.vcs_used(), network.vcs());
    }
    if let Some(tables) = network.tables() {
        text += &format!(", {} table entries", tables.entries());
    }
    text
}
