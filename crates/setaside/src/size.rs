//! `setaside size`: the least of a resource that meets the target of a study on all its workloads.

use crate::exit::{Exit, Failure};
use crate::kind;
use crate::log;
use crate::options::StudyArgs;
use crate::search::{Label, Search, refuse};
use clap::Args;
use scenario::Study;
use std::path::PathBuf;
use study::{Confidence, SizeSearch};

/// Replicas of a point where the study says nothing: fewer have a wide interval.
const REPLICAS: u32 = 3;
/// The most of a point that its interval leaves open.
pub(crate) const REPLICAS_MAX: u32 = 9;

/// Options of `size`.
#[derive(Debug, Args)]
pub(crate) struct SizeArgs {
    /// Study file with `[size]`; `-` is standard input
    #[arg(value_name = "STUDY.toml")]
    file: PathBuf,
    #[command(flatten)]
    runs: StudyArgs,
}

pub(crate) fn size(args: &SizeArgs) -> Result<(), Failure> {
    log::start(&args.runs.log, false)?;
    let input = kind::read_study(&args.file)?;
    let study = Study::from_input(&input, &args.runs.sets.all())?;
    if study.size().is_empty() {
        let what = "it has no table `size`: write [size] with a key and its values, such as \
                    \"recn.saqs\" = { from = 1, to = 16, step = 1 }";
        return Err(refuse(&args.file, what));
    }
    let labels = study.points().iter().filter(|point| point.replica == 0);
    let labels: Vec<Vec<Label>> = labels.map(|point| point.settings.clone()).collect();
    let has_p99 = study.target.p99_ns.is_some() || study.target.p99_times.is_some();
    let confidence = confidence(&study);
    let search = SizeSearch::new(study.size(), &labels, has_p99, confidence);
    if search.is_empty() {
        return Err(refuse(&args.file, "[[only]] or [[skip]] leave no value of [size]"));
    }
    let scenario = |labels: &[Label]| {
        let mut points = study.points().iter();
        let point = points.find(|point| point.settings == labels);
        let point = point.ok_or_else(|| Failure::new(Exit::Failure, "no such point"))?;
        Ok(point.scenario.clone())
    };
    let whole = Search {
        study: &study,
        name: format!("{}-size", study.name),
        title: format!("{}: the least {}", study.name, study.size().join(", ")),
        question: format!("size {:?} {:?} {confidence:?}", study.size(), study.target),
        replicas: confidence.replicas,
        scenario: &scenario,
        next: &|table| search.next(table),
    };
    whole.run(
        &args.runs,
        |table, place| search.answer(table).to_text(place),
        |table| search.answer(table).to_json(),
    )
}

/// The replicas that the study asks for.
fn confidence(study: &Study) -> Confidence {
    let replicas = match (study.replicas, study.max_replicas) {
        (1, Some(max)) => REPLICAS.min(max),
        (1, None) => REPLICAS,
        (replicas, _) => replicas,
    };
    Confidence { replicas, max_replicas: study.max_replicas.unwrap_or(REPLICAS_MAX).max(replicas) }
}
