//! Options that verbs share, and those of `run` and `sweep`.

use crate::exit::{Exit, Failure};
use crate::waves::WaveArgs;
use clap::{Args, ValueEnum};
use fabric::Engine;
use inspect::Selection;
use scenario::Set;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use study::Shown;

/// Options of verbs that log.
#[derive(Debug, Clone, Default, Args)]
pub struct LogArgs {
    /// Log to stderr what FILTER lets through: a level (error, warn, info, debug, trace), or
    /// TARGET=LEVEL,...
    #[arg(long, value_name = "FILTER")]
    pub log: Option<String>,
    /// How to log: lines of text, or a JSON object a line [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<Format>,
}

/// Keys and their values over those of a file, wherever one is read.
#[derive(Debug, Clone, Default, Args)]
pub struct SetArgs {
    /// Keys of the scenario, and `study.*`, `target.*` and `slurm.*` of a study, such as
    /// recn.saqs=8; VALUE is read as TOML, else taken as a string
    #[arg(value_name = "KEY=VALUE")]
    given: Vec<Set>,
    /// KEY=VALUE too
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<Set>,
}

impl SetArgs {
    /// All of them, in the order in which they are put over the file.
    pub fn all(&self) -> Vec<Set> {
        self.sets.iter().chain(&self.given).cloned().collect()
    }

    /// One more.
    pub fn push(&mut self, set: Set) {
        self.given.push(set);
    }
}

/// The KEY=VALUE that a word is where a file is legal too: no file has this name, and KEY is
/// made as those of scenarios are.
pub fn as_set(word: &Path) -> Option<Set> {
    let (key, _) = word.to_str()?.split_once('=')?;
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let is_key = key.contains('.') && key.chars().all(is_of_key);
    (is_key && !word.exists()).then(|| word.to_str()?.parse().ok())?
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Scenario file; `-` is standard input
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) sets: SetArgs,
    /// Seed of all random streams [default: `run.seed` of the scenario]
    #[arg(long, allow_negative_numbers = true, value_parser = whole(0, i64::MAX as u64))]
    pub(crate) seed: Option<u64>,
    /// Which engine; results are the same to the byte
    #[arg(long, default_value = "fast")]
    pub(crate) engine: EngineArg,
    /// Threads that check the routes, and threads of the fast engine, at most one a switch; results
    /// are the same to the byte. With --record or --waves the engine has one
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = count())]
    pub(crate) threads: NonZeroUsize,
    /// Run directory [default: runs/NAME-HASH8]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write also where the run directory holds another run, or no run; files of others in it stay
    #[arg(long)]
    pub(crate) force: bool,
    /// Record congestion trees, CAM lines and ports over time too: trees.csv, trees.json, cam.csv,
    /// ports.csv, topology.json
    #[arg(long)]
    pub(crate) record: bool,
    /// With --record: time between looks at the ports [default: about a hundredth of
    /// run.series_bin_ns]
    #[arg(long, value_name = "NS", requires = "record", allow_negative_numbers = true, value_parser = whole(1, NS_MAX))]
    pub(crate) record_interval_ns: Option<u64>,
    /// Write every message that is generated to a file, as a trace that `[workload.trace]` replays
    /// (docs: traces.md)
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) record_messages: Option<PathBuf>,
    /// Use the records of a trace that is cut off up to there: `workload.trace.allow_truncated`
    #[arg(long)]
    pub(crate) allow_truncated: bool,
    /// Tell on stderr what happens to a packet, packet=SRC:DST:N, or at a unit, as
    /// unit='switch 3 in 2'; may be given several times
    #[arg(long = "watch", value_name = "WHAT")]
    pub(crate) watches: Vec<Selection>,
    #[command(flatten)]
    pub(crate) log: LogArgs,
    #[command(flatten)]
    pub(crate) waves: WaveArgs,
    /// End with exit 5 where a mean is not known as well as run.until asks for: saturated, or not
    /// converged
    #[arg(long)]
    pub(crate) strict: bool,
    /// What to print on stdout
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,
    /// Print a line for each group of sources in each window too
    #[arg(long)]
    pub(crate) table: bool,
    /// With --table, which it implies, columns: all, else those that fit 80 characters
    #[arg(long, value_name = "all", value_parser = ["all"])]
    pub(crate) columns: Option<String>,
    /// Print everything
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Nothing on stderr but warnings and errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Options of `sweep`.
#[derive(Debug, Clone, Default, Args)]
pub struct SweepArgs {
    /// How its runs are made.
    #[command(flatten)]
    pub runs: StudyArgs,
    /// Write tasks of some runs each and a file with one command a line, for whatever starts them;
    /// `setaside collect` takes their results in
    #[arg(long, value_name = "FILE", conflicts_with = "executor")]
    pub emit_tasks: Option<PathBuf>,
    /// Run the first N points only
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count())]
    pub max_runs: Option<NonZeroUsize>,
    /// Print a line for each point too
    #[arg(long)]
    pub table: bool,
    /// With --table, which it implies, columns: all, or names of results.csv apart by commas
    /// [default: those that fit 80 characters]
    #[arg(long, value_name = "all|NAMES")]
    pub columns: Option<Shown>,
    /// Print everything: what is simulated, a line for each point, and what its marks mean
    #[arg(long, short)]
    pub verbose: bool,
}

/// Options of the verbs that make the runs of a study: `sweep`, `saturate`, `size`.
#[derive(Debug, Clone, Default, Args)]
pub struct StudyArgs {
    /// Runs side by side on this machine [default: as many as there are cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count())]
    pub jobs: Option<NonZeroUsize>,
    /// Which engine; results are the same to the byte
    #[arg(long, default_value = "fast")]
    pub engine: EngineArg,
    /// Where runs are executed; for slurm see `[slurm]` of the study, or --set slurm.KEY=VALUE:
    /// partition, account, time_minutes, memory_mb, cpus, extra, runs_per_task, tries
    #[arg(long, default_value = "local")]
    pub executor: ExecutorArg,
    /// Run all runs anew, also those that are finished; each stays until its new one is complete
    #[arg(long)]
    pub fresh: bool,
    /// Take finished runs of the same scenario, seed and build from the run and sweep directories
    /// in DIR and below; may be given several times
    #[arg(long, value_name = "DIR")]
    pub reuse: Vec<PathBuf>,
    /// Simulate also the runs that provably equal others
    #[arg(long)]
    pub no_derive: bool,
    /// Say what would be run, of a search in its first round, and what that takes; run nothing
    #[arg(long)]
    pub dry_run: bool,
    /// End with exit 5 where a mean is not known as well as run.until asks for: not converged, or,
    /// where nothing is searched, saturated
    #[arg(long)]
    pub strict: bool,
    /// What is put over the files.
    #[command(flatten)]
    pub sets: SetArgs,
    /// Sweep directory [default: runs/NAME-HASH8]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write also where the sweep directory holds another sweep, or none; files of others in it
    /// stay
    #[arg(long)]
    pub force: bool,
    /// What to print on stdout; json: results.json, or the answer of a search
    #[arg(long, default_value = "text")]
    pub format: Format,
    /// Nothing on stderr but warnings and errors
    #[arg(long, short)]
    pub quiet: bool,
    /// What to log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The longest time that a scenario can name, ns.
const NS_MAX: u64 = 3_600_000_000_000;
/// More threads or runs than any machine has or any study holds.
const COUNT_MAX: u64 = 1_000_000;

/// Reads a whole number; what is none is refused with the legal range.
fn whole(min: u64, max: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |given| {
        let number = given.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| format!("legal: an integer from {min} to {max}"))
    }
}

/// Reads a number of things, at least one.
pub(crate) fn count() -> impl Fn(&str) -> Result<NonZeroUsize, String> + Clone + Send + Sync {
    let whole = whole(1, COUNT_MAX);
    move |given| {
        let number = usize::try_from(whole(given)?).ok();
        number.and_then(NonZeroUsize::new).ok_or_else(|| "legal: 1 or more".to_string())
    }
}

/// Which engine runs a scenario.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum EngineArg {
    /// Activity-driven
    #[default]
    Fast,
    /// The units, clocked: the oracle
    Reference,
}

impl EngineArg {
    /// The engine, on one thread.
    pub(crate) fn engine(self) -> Engine {
        match self {
            EngineArg::Fast => Engine::Fast,
            EngineArg::Reference => Engine::Reference,
        }
    }

    /// The engine on this many threads; the reference engine runs on one.
    pub(crate) fn on(self, threads: NonZeroUsize) -> Result<Engine, Failure> {
        match (self, threads.get()) {
            (_, 1) => Ok(self.engine()),
            (EngineArg::Fast, _) => Ok(Engine::Parallel(threads)),
            (EngineArg::Reference, n) => {
                let what = format!("--threads: {n}; legal with --engine reference: 1");
                Err(Failure::error(Exit::Usage, what))
            }
        }
    }

    /// Its name on the command line and in manifests.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EngineArg::Fast => "fast",
            EngineArg::Reference => "reference",
        }
    }
}

/// Where runs are executed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ExecutorArg {
    /// On this machine
    #[default]
    Local,
    /// In job arrays of Slurm, followed from here
    Slurm,
}

/// What stdout gets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}
