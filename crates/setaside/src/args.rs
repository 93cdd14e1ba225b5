//! The command line as data.

use crate::examples;
use crate::options::{Format, RunArgs, SetArgs, SweepArgs, count};
use crate::search::{SaturateArgs, SizeArgs};
use crate::traces::TraceArgs;
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use scenario::Set;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Cycle-accurate model of switches for lossless networks, and of the fabrics built from them.
#[derive(Debug, Parser)]
#[command(name = "setaside", version = crate::built_in::version(), max_term_width = 80)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Simulate one scenario and write a run directory
    #[command(after_help = examples::RUN)]
    Run(RunArgs),
    /// Check scenarios and studies: every error with file, line, column and the legal values
    #[command(after_help = examples::CHECK)]
    Check {
        /// Scenario or study files, `-` is standard input; and keys of all of them with their
        /// values, KEY=VALUE
        #[arg(required = true, value_name = "FILE.toml|KEY=VALUE")]
        words: Vec<PathBuf>,
        /// KEY=VALUE too
        #[arg(long = "set", value_name = "KEY=VALUE")]
        sets: Vec<Set>,
        /// Threads that check the routes; what they find is the same
        #[arg(long, value_name = "N", default_value = "1")]
        threads: NonZeroUsize,
        /// How to print; json: an object a file, with every error
        #[arg(long, default_value = "text")]
        format: Format,
    },
    /// Print the JSON Schema of scenarios and studies
    #[command(after_help = examples::SCHEMA)]
    Schema,
    /// Run a study: every point of its axes, side by side
    #[command(after_help = examples::SWEEP)]
    Sweep {
        /// Study file; `-` is standard input
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        #[command(flatten)]
        args: SweepArgs,
    },
    /// Find the highest load at which all that is offered arrives
    #[command(after_help = examples::SATURATE)]
    Saturate(SaturateArgs),
    /// Find the least of a resource that meets the target of a study on all its workloads
    #[command(after_help = examples::SIZE)]
    Size(SizeArgs),
    /// Rebuild results.csv, results.json, windows.csv and the page of a sweep from its run
    /// directories, also of one that was killed, and print the answer
    #[command(after_help = examples::COLLECT)]
    Collect {
        /// Sweep directory
        dir: PathBuf,
        /// What to print on stdout; json: results.json
        #[arg(long, default_value = "text")]
        format: Format,
        /// Write results.parquet, windows.parquet and latency.parquet too: the CSV files with a
        /// type for each column. In builds with `--features parquet`
        #[arg(long)]
        parquet: bool,
    },
    /// Write one self-contained HTML page from the results of a run or a sweep
    #[command(after_help = examples::REPORT)]
    Report {
        /// Run or sweep directory
        dir: PathBuf,
    },
    /// Write every figure of that page as an SVG file, in light colours, with its legend
    #[command(after_help = examples::FIGURES)]
    Figures {
        /// Run or sweep directory
        dir: PathBuf,
        /// Where they are written [default: DIR/figures]
        #[arg(long, value_name = "OUT_DIR")]
        out: Option<PathBuf>,
    },
    /// Say what a scenario's network is: counts, hops, link loads, deadlock check, bounds of its
    /// workload
    #[command(after_help = examples::TOPO)]
    Topo {
        /// Scenario file; `-` is standard input
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        #[command(flatten)]
        sets: SetArgs,
        /// Threads that check the routes; what they find is the same
        #[arg(long, value_name = "N", default_value = "1")]
        threads: NonZeroUsize,
        /// How to print
        #[arg(long, default_value = "text")]
        format: Format,
        /// Draw the network too: super nodes and links of a hierarchical one
        #[arg(long, value_name = "OUT.svg")]
        svg: Option<PathBuf>,
    },
    /// Make the runs of a task file, which `sweep` with `--executor slurm` or `--emit-tasks` wrote
    #[command(after_help = examples::WORK)]
    Work {
        /// Task file, in its sweep directory
        #[arg(value_name = "DIR/tasks/N.json")]
        task: PathBuf,
        /// Runs side by side
        #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = count())]
        jobs: NonZeroUsize,
    },
    /// Say how far the sweep in a directory is: runs, tasks, what failed
    #[command(after_help = examples::STATUS)]
    Status {
        /// Sweep directory
        dir: PathBuf,
        /// How to print
        #[arg(long, default_value = "text")]
        format: Format,
    },
    /// End what the sweep in a directory has in Slurm, and the command that follows it
    #[command(after_help = examples::CANCEL)]
    Cancel {
        /// Sweep directory
        dir: PathBuf,
    },
    /// Say what a trace holds, of I/O or of messages; or write it as messages
    #[command(after_help = examples::TRACE)]
    Trace(TraceArgs),
    /// Print what a shell completes verbs and options from
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// For which shell
        shell: Shell,
    },
    /// Write the manual pages, one a verb
    #[command(after_help = examples::MAN)]
    Man {
        /// Where they are written
        dir: PathBuf,
    },
}
