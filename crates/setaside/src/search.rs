//! What `setaside saturate` and `setaside size` share: rounds of runs in one sweep directory, until
//! a search asks for no more.

use crate::executor::{self, Runs};
use crate::exit::{Exit, Failure, print};
use crate::forecast::{self, Plan, Sizes};
use crate::log;
use crate::options::{Format, StudyArgs};
use crate::progress::Meter;
use crate::sweep::{job_of, options, strict};
use scenario::{Scenario, Study};
use std::path::Path;
use std::time::Instant;
use study::{
    Ask, Job, SweepManifest, SweepOptions, SweepResult, Table, default_directory, hash_text,
    study_hash,
};

/// Names of run directories have room for so many runs; more make them longer.
const RUNS_SHOWN: usize = 1000;

/// A key and its value.
pub(crate) type Label = (String, String);

/// A search that is to be run.
pub(crate) struct Search<'a> {
    /// What is searched.
    pub(crate) study: &'a Study,
    /// Name of the directory, before its hash.
    pub(crate) name: String,
    /// All that decides what it asks for and what of its points are not, in words.
    pub(crate) question: String,
    /// The same for people.
    pub(crate) title: String,
    /// Replicas that each point gets at least.
    pub(crate) replicas: u32,
    /// The scenario of a point.
    pub(crate) scenario: &'a dyn Fn(&[Label]) -> Result<Scenario, Failure>,
    /// What to run next.
    pub(crate) next: &'a dyn Fn(&Table) -> Vec<Ask>,
}

impl Search<'_> {
    /// Runs it to its end, writes the page, and prints what `text` or `json` make of all runs and
    /// their directory.
    pub(crate) fn run(
        &self,
        args: &StudyArgs,
        text: impl FnOnce(&Table, &str) -> String,
        json: impl FnOnce(&Table) -> serde_json::Value,
    ) -> Result<(), Failure> {
        let points = self.study.points().iter().map(|point| point.scenario.hash());
        let question = self.question.bytes().map(u64::from);
        let hash = study_hash(points.chain(question));
        let default = || Path::new("runs").join(default_directory(&self.name, hash));
        let out = args.out.clone().unwrap_or_else(default);
        executor::check(args, None)?;
        if args.dry_run {
            return self.plan(&out, hash, args);
        }
        let SweepResult { table, interrupted } = self.rounds(&out, hash, args)?;
        let text = text(&table, &out.display().to_string());
        study::put_found(&out, &text)?;
        crate::report::write(&out)?;
        match args.format {
            Format::Json => print(&format!("{:#}\n", json(&table)))?,
            Format::Text => print(&text)?,
        }
        if !args.quiet {
            log::say(&format!("results {}", out.join("results.csv").display()));
            log::say(&format!("report  {}", out.join("report.html").display()));
        }
        let result = SweepResult { table, interrupted };
        executor::ended(&result, args.executor, &out)?;
        // A search looks beyond saturation to find it.
        strict(&result.table, args, &["not_converged"])
    }

    /// Says what its first round would be; what the next ones are it decides.
    fn plan(&self, out: &Path, hash: u64, args: &StudyArgs) -> Result<(), Failure> {
        let now = || 0.0;
        let none = no_runs(&options(self.study, out, args, &now));
        let (mut jobs, mut scenarios) = (Vec::new(), Vec::new());
        for ask in (self.next)(&none) {
            self.add(&ask, &mut jobs, &mut scenarios)?;
        }
        let mut sizes = Sizes::default();
        for (job, scenario) in jobs.iter_mut().zip(&scenarios) {
            job.memory_bytes = sizes.memory_bytes(scenario);
        }
        let plan = Plan {
            question: format!("{}: round 1; what comes next depends on it", self.title),
            jobs: &jobs,
            scenarios: &scenarios.iter().collect::<Vec<_>>(),
            out,
            hash,
        };
        forecast::say(&plan, true, args)
    }

    /// All runs that the search asked for. What an earlier start left is taken as it is; without
    /// what has failed the search goes on.
    fn rounds(&self, out: &Path, hash: u64, args: &StudyArgs) -> Result<SweepResult, Failure> {
        let start = Instant::now();
        let now = move || start.elapsed().as_secs_f64();
        let mut options = options(self.study, out, args, &now);
        options.manifest.grows = true;
        options.manifest.question = self.title.clone();
        options.manifest.study_hash = hash_text(hash);
        let mut result = SweepResult { table: no_runs(&options), interrupted: false };
        let (mut jobs, mut scenarios): (Vec<Job>, Vec<Scenario>) = (Vec::new(), Vec::new());
        for round in 1.. {
            let known = jobs.len();
            for ask in (self.next)(&result.table) {
                self.add(&ask, &mut jobs, &mut scenarios)?;
            }
            let new = jobs.len() - known;
            if new == 0 {
                break;
            }
            if !args.quiet {
                log::say(&format!("round {round}: {new} runs into {}", out.display()));
            }
            let meter = Meter::new(jobs.len(), args.log.log.is_some(), args.quiet);
            let runs = Runs {
                study: self.study,
                jobs: &jobs,
                scenarios: &scenarios.iter().collect::<Vec<_>>(),
                meter: &meter.knowing(known),
                emit_tasks: None,
            };
            let options =
                SweepOptions { fresh_from: args.fresh.then_some(known), ..options.clone() };
            result = runs.make(&options, args)?;
            if result.exit() == Exit::Interrupted {
                executor::ended(&result, args.executor, out)?;
            }
        }
        Ok(result)
    }

    /// Adds the replicas of a point that are not there yet.
    fn add(
        &self,
        ask: &Ask,
        jobs: &mut Vec<Job>,
        scenarios: &mut Vec<Scenario>,
    ) -> Result<(), Failure> {
        let has = jobs.iter().filter(|job| job.labels == ask.labels).count();
        let has = u32::try_from(has).unwrap_or(u32::MAX);
        let scenario = (self.scenario)(&ask.labels)?;
        for replica in has..ask.replicas {
            let seed = scenario.seed().saturating_add(u64::from(replica));
            let scenario = scenario.clone().with_seed(seed);
            let job = Job {
                index: jobs.len(),
                labels: ask.labels.clone(),
                replica,
                replicas: self.replicas,
                ..job_of(&scenario)
            };
            jobs.push(job.named(RUNS_SHOWN));
            scenarios.push(scenario);
        }
        Ok(())
    }
}

/// What a search begins with.
fn no_runs(options: &SweepOptions<'_>) -> Table {
    let SweepManifest { name, scenario, target, .. } = &options.manifest;
    Table::new(name, scenario, Vec::new()).judged_by(target.clone())
}

/// A search that its files do not allow.
pub(crate) fn refuse(file: &Path, what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{}: error: {what}", file.display()))
}
