//! `setaside saturate` and `setaside size`: rounds of runs in one sweep directory until a search
//! asks for no more.

use crate::executor::{self, Runs};
use crate::exit::{Exit, Failure, print};
use crate::forecast::{Plan, Sizes};
use crate::options::{Format, StudyArgs};
use crate::progress::Meter;
use crate::sweep::{job_of, options, strict, written};
use crate::{log, target};
use clap::Args;
use clap::builder::RangedI64ValueParser;
use scenario::{Input, Scenario, Set, Steps, Study};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use study::{
    Ask, Confidence, Job, LoadSearch, SizeSearch, SweepOptions, SweepResult, Table,
    default_directory, fnv_1a, hash_text,
};

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
        return Err(Failure::error(Exit::Usage, "--axis: no key"));
    };
    if others.iter().any(|other| other != steps) {
        let what = "--axis: keys that go in different steps; legal: keys of one kind";
        return Err(Failure::error(Exit::Usage, what));
    }
    let rest = |settings: &[Label]| -> Vec<Label> {
        settings.iter().filter(|(key, _)| !args.axis.contains(key)).cloned().collect()
    };
    let settings = report::distinct(study.points().iter().map(|point| rest(&point.settings)));
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
    whole.run(&args.runs, |table, place| {
        let answer = search.answer(table);
        (answer.to_text(place), json!(answer))
    })
}

/// Replicas of a point where the study gives none: fewer have a wide interval.
const REPLICAS: u32 = 3;
/// The most of a point that its interval leaves open.
const REPLICAS_MAX: u32 = 9;

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
    let input = target::read_study(&args.file)?;
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
    whole.run(&args.runs, |table, place| {
        let answer = search.answer(table);
        (answer.to_text(place), json!(answer))
    })
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

/// Names of run directories have room for so many runs; more make them longer.
const RUNS_SHOWN: usize = 1000;

type Label = (String, String);

/// A search that is to be run.
struct Search<'a> {
    /// What is searched.
    study: &'a Study,
    /// Name of the directory, before its hash.
    name: String,
    /// All that decides what it asks for and what of its points are not, in words.
    question: String,
    /// The same for people.
    title: String,
    /// Replicas that each point gets at least.
    replicas: u32,
    /// The scenario of a point.
    scenario: &'a dyn Fn(&[Label]) -> Result<Scenario, Failure>,
    /// What to run next.
    next: &'a dyn Fn(&Table) -> Vec<Ask>,
}

impl Search<'_> {
    /// Runs it to its end, writes the page, prints what `answer` makes of all runs: text and JSON.
    fn run(
        &self,
        args: &StudyArgs,
        answer: impl FnOnce(&Table, &str) -> (String, Value),
    ) -> Result<(), Failure> {
        let points = self.study.points().iter().map(|point| point.scenario.hash());
        let question = self.question.bytes().map(u64::from);
        let hash = fnv_1a(points.chain(question));
        let default = || Path::new("runs").join(default_directory(&self.name, hash));
        let out = args.out.clone().unwrap_or_else(default);
        executor::check(args, None)?;
        if args.dry_run {
            return self.plan(&out, hash, args);
        }
        let result = self.rounds(&out, hash, args)?;
        let (text, json) = answer(&result.table, &out.display().to_string());
        study::put_found(&out, &text)?;
        crate::report::write(&out)?;
        match args.format {
            Format::Json => print(&format!("{json:#}\n"))?,
            Format::Text => print(&text)?,
        }
        if !args.quiet {
            written(&out);
        }
        executor::ended(&result, args.executor, &out)?;
        // A search goes beyond saturation to find it.
        strict(&result.table, args, &["not_converged"])
    }

    /// Prints what its first round would be; what the next ones are it decides.
    fn plan(&self, out: &Path, hash: u64, args: &StudyArgs) -> Result<(), Failure> {
        let now = || 0.0;
        let none = Table::of(&options(self.study, out, args, &now).manifest, Vec::new());
        let mut asked = Asked::default();
        self.ask(&none, &mut asked)?;
        let question = format!("{}: round 1; what comes next depends on it", self.title);
        let scenarios: Vec<&Scenario> = asked.scenarios.iter().collect();
        let plan = Plan { jobs: &asked.jobs, scenarios: &scenarios, out, hash };
        plan.print(&question, true, args)
    }

    /// All runs that the search asked for. What an earlier start left is taken as it is; without
    /// what has failed the search continues.
    fn rounds(&self, out: &Path, hash: u64, args: &StudyArgs) -> Result<SweepResult, Failure> {
        let start = Instant::now();
        let now = move || start.elapsed().as_secs_f64();
        let mut options = options(self.study, out, args, &now);
        options.manifest.grows = true;
        options.manifest.question = self.title.clone();
        options.manifest.study_hash = hash_text(hash);
        let none = Table::of(&options.manifest, Vec::new());
        let mut result = SweepResult { table: none, interrupted: false };
        let mut asked = Asked::default();
        for round in 1.. {
            let known = asked.jobs.len();
            self.ask(&result.table, &mut asked)?;
            let Asked { jobs, scenarios, .. } = &asked;
            let new = jobs.len() - known;
            if new == 0 {
                break;
            }
            if !args.quiet {
                log::note(&format!("round {round}: {new} runs into {}", out.display()));
            }
            let is_logged = args.log.log.is_some();
            let runs = Runs {
                study: self.study,
                jobs,
                scenarios: &scenarios.iter().collect::<Vec<_>>(),
                meter: &Meter::new(jobs.len(), known, is_logged, args.quiet),
                args,
                emit_tasks: None,
            };
            let options =
                SweepOptions { fresh_from: args.fresh.then_some(known), ..options.clone() };
            result = runs.make(&options)?;
            if result.exit() == Exit::Interrupted {
                executor::ended(&result, args.executor, out)?;
            }
        }
        Ok(result)
    }

    /// Adds the runs that the search asks for next and that are not there yet.
    fn ask(&self, table: &Table, asked: &mut Asked) -> Result<(), Failure> {
        for Ask { labels, replicas } in (self.next)(table) {
            let has = asked.jobs.iter().filter(|job| job.labels == labels).count();
            let has = u32::try_from(has).unwrap_or(u32::MAX);
            let scenario = (self.scenario)(&labels)?;
            for replica in has..replicas {
                let seed = scenario.seed().saturating_add(u64::from(replica));
                let scenario = scenario.clone().with_seed(seed);
                let job = Job {
                    index: asked.jobs.len(),
                    labels: labels.clone(),
                    replica,
                    replicas: self.replicas,
                    ..job_of(&scenario, &mut asked.sizes)
                };
                asked.jobs.push(job.named(RUNS_SHOWN));
                asked.scenarios.push(scenario);
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Asked {
    jobs: Vec<Job>,
    scenarios: Vec<Scenario>,
    sizes: Sizes,
}

/// A search that its files do not allow.
fn refuse(file: &Path, what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{}: error: {what}", file.display()))
}
