//! `setaside saturate`: the highest load at which all that is offered arrives.

use crate::exit::{Exit, Failure};
use crate::log;
use crate::options::StudyArgs;
use crate::search::{Label, Search};
use crate::size::REPLICAS_MAX;
use clap::Args;
use clap::builder::RangedI64ValueParser;
use scenario::{Input, Set, Steps, Study};
use std::path::PathBuf;
use study::{Confidence, LoadSearch};

/// Options of `saturate`.
#[derive(Debug, Args)]
pub(crate) struct SaturateArgs {
    /// Scenario or study file; `-` is standard input. Other axes of a study are searched side by
    /// side
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Key that is the load, such as workload.load; several keys move together
    #[arg(long, value_name = "KEY[,KEY]", value_delimiter = ',', required = true)]
    axis: Vec<String>,
    /// The lowest load
    #[arg(long, value_name = "LOAD", default_value = "0.05")]
    from: String,
    /// The highest load
    #[arg(long, value_name = "LOAD", default_value = "1")]
    to: String,
    /// The answer is a bracket of at most this part of the load
    #[arg(long, value_name = "PART", default_value = "0.01", value_parser = part)]
    tolerance: f64,
    /// Saturated is where more than this part of what is offered is not delivered
    #[arg(long, value_name = "PART", default_value = "0.01", value_parser = part)]
    loss: f64,
    /// Runs of each load, each with the next seed
    #[arg(long, value_name = "N", default_value = "3", value_parser = replicas())]
    replicas: u32,
    /// The most runs of a load that its interval leaves open; 1 with --replicas 1: the one run
    /// decides
    #[arg(long, value_name = "N", value_parser = replicas())]
    max_replicas: Option<u32>,
    #[command(flatten)]
    runs: StudyArgs,
}

/// Reads a number of replicas, as many as a study may have.
fn replicas() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=10_000)
}

/// Reads a part: above 0 and below 1.
fn part(given: &str) -> Result<f64, String> {
    let part = given.parse().ok().filter(|part| *part > 0.0 && *part < 1.0);
    part.ok_or_else(|| "legal: a number above 0 and below 1".to_string())
}

pub(crate) fn saturate(args: &SaturateArgs) -> Result<(), Failure> {
    log::start(&args.runs.log, false)?;
    let input = Input::read(&args.file)?;
    let study = match input.is_study() {
        true => Study::from_input(&input, &args.runs.sets.all())?,
        false => Study::of_scenario(&input, &args.runs.sets.all())?,
    };
    let steps = args.axis.iter();
    let steps = steps.map(|key| Steps::new(key, &args.from, &args.to, args.tolerance));
    let steps: Vec<Steps> = steps.collect::<Result<_, _>>()?;
    let [steps, others @ ..] = steps.as_slice() else {
        return Err(Failure::new(Exit::Usage, "error: --axis: no key"));
    };
    if others.iter().any(|other| other != steps) {
        let what = "error: --axis: keys that go in different steps; legal: keys of one kind";
        return Err(Failure::new(Exit::Usage, what));
    }
    let mut settings: Vec<Vec<Label>> = Vec::new();
    for point in study.points() {
        let labels = point.settings.iter();
        let rest = labels.filter(|(key, _)| !args.axis.contains(key)).cloned();
        let rest: Vec<Label> = rest.collect();
        if !settings.contains(&rest) {
            settings.push(rest);
        }
    }
    let max_replicas = args.max_replicas.unwrap_or(REPLICAS_MAX).max(args.replicas);
    let confidence = Confidence { replicas: args.replicas, max_replicas };
    let search = LoadSearch {
        keys: args.axis.clone(),
        settings,
        loads: (0..steps.len()).map(|at| (steps.text(at), steps.value(at))).collect(),
        loss: args.loss,
        tolerance: args.tolerance,
        confidence,
    };
    let scenario = |labels: &[Label]| {
        let sets = labels.iter().map(|(key, value)| Set::new(key, value));
        Ok(study.at(&sets.collect::<Vec<_>>())?)
    };
    let (axis, tolerance, loss) = (args.axis.join(","), args.tolerance, args.loss);
    let whole = Search {
        study: &study,
        name: format!("{}-saturate", study.name),
        title: format!("{}: saturation along {axis}", study.name),
        question: format!("saturate {axis} {steps:?} {tolerance} {loss} {confidence:?}"),
        replicas: args.replicas,
        scenario: &scenario,
        next: &|table| search.next(table),
    };
    whole.run(
        &args.runs,
        |table, place| search.answer(table).to_text(place),
        |table| search.answer(table).to_json(),
    )
}
