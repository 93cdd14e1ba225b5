//! What `setaside saturate` and `setaside size` share: rounds of runs in one sweep directory, until
//! a search asks for no more.

use crate::args::{EngineArg, Format, SetArgs, count};
use crate::exit::{Exit, Failure, print};
use crate::interrupt;
use crate::kin;
use crate::log::{self, LogArgs};
use crate::memory;
use crate::progress::Meter;
use crate::run::build_info;
use crate::sweep::{INTERRUPTED, ended, job_of, simulated, target};
use clap::Args;
use observe::Record;
use scenario::{Scenario, Study};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use study::{Ask, Job, SweepOptions, Table, default_directory, run_sweep, study_hash};

/// Names of run directories have room for so many runs; more make them longer.
const RUNS_SHOWN: usize = 1000;

/// Options of both.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Runs side by side [default: as many as there are cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count())]
    jobs: Option<NonZeroUsize>,
    /// Which engine; results are the same to the byte
    #[arg(long, default_value = "fast")]
    engine: EngineArg,
    #[command(flatten)]
    pub(crate) sets: SetArgs,
    /// Sweep directory [default: runs/NAME-HASH8]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write also where the sweep directory holds another sweep, or none; files of others in it
    /// stay
    #[arg(long)]
    force: bool,
    /// What to print on stdout
    #[arg(long, default_value = "text")]
    format: Format,
    /// Nothing on stderr but warnings and errors
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

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
        args: &SearchArgs,
        text: impl FnOnce(&Table, &str) -> String,
        json: impl FnOnce(&Table) -> serde_json::Value,
    ) -> Result<(), Failure> {
        let points = self
            .study
            .points()
            .iter()
            .map(|point| point.scenario.hash());
        let question = self.question.bytes().map(u64::from);
        let hash = study_hash(points.chain(question));
        let default = || Path::new("runs").join(default_directory(&self.name, hash));
        let out = args.out.clone().unwrap_or_else(default);
        let table = self.rounds(&out, hash, args)?;
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
        Ok(())
    }

    /// All runs that the search asked for. What an earlier start left is taken as it is.
    fn rounds(&self, out: &Path, hash: u64, args: &SearchArgs) -> Result<Table, Failure> {
        let start = Instant::now();
        let now = move || start.elapsed().as_secs_f64();
        let options = SweepOptions {
            workers: args.jobs.map_or(0, NonZeroUsize::get),
            force: args.force,
            name: self.study.name.clone(),
            scenario: self.study.scenario.clone(),
            target: target(self.study),
            grows: true,
            question: self.title.clone(),
            memory_bytes: memory::available(),
            hash,
            build: build_info(),
            engine: args.engine.name().to_string(),
            interrupt: Some(interrupt::flag()),
            now_seconds: &now,
            ..SweepOptions::new(out.to_path_buf())
        };
        let mut table = Table::new(&options.name, &options.scenario, Vec::new())
            .judged_by(options.target.clone());
        let (mut jobs, mut scenarios): (Vec<Job>, Vec<Scenario>) = (Vec::new(), Vec::new());
        for round in 1.. {
            let known = jobs.len();
            for ask in (self.next)(&table) {
                self.add(&ask, &mut jobs, &mut scenarios)?;
            }
            let new = jobs.len() - known;
            if new == 0 {
                break;
            }
            if !args.quiet {
                log::say(&format!("round {round}: {new} runs into {}", out.display()));
            }
            let meter = Meter::new(jobs.len(), args.log.log.is_some(), args.quiet).knowing(known);
            let run =
                |job: &Job| simulated(&scenarios[job.index], job, args.engine.engine(), &meter);
            let derive = |job: &Job, record: Record| kin::derive(&scenarios[job.index], record);
            let options = SweepOptions {
                derive: Some(&derive),
                ..options.clone()
            };
            let result = run_sweep(&jobs, &options, run, &meter);
            meter.clear();
            let result = result?;
            ended(&result, INTERRUPTED)?;
            table = result.table;
        }
        Ok(table)
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

/// A search that its files do not allow.
pub(crate) fn refuse(file: &Path, what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{}: error: {what}", file.display()))
}
