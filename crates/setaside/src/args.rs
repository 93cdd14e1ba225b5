//! The command line as data.

use crate::options::{Format, RunArgs, SetArgs, SweepArgs, count};
use crate::search::{SaturateArgs, SizeArgs};
use crate::traces::TraceArgs;
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use scenario::Set;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What `--help` shows below the options of a verb. Every line that begins with `setaside` is read
/// by a test as the command line is, and its files have to be there.
macro_rules! examples {
    ($verb:literal) => {
        include_str!(concat!("examples/", $verb, ".txt")).trim_ascii_end()
    };
}

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
    #[command(after_help = examples!("run"))]
    Run(RunArgs),
    /// Check scenarios and studies: every error with file, line, column and the legal values
    #[command(after_help = examples!("check"))]
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
    #[command(after_help = examples!("schema"))]
    Schema,
    /// Run a study: every point of its axes, side by side
    #[command(after_help = examples!("sweep"))]
    Sweep {
        /// Study file; `-` is standard input
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        #[command(flatten)]
        args: SweepArgs,
    },
    /// Find the highest load at which all that is offered arrives
    #[command(after_help = examples!("saturate"))]
    Saturate(SaturateArgs),
    /// Find the least of a resource that meets the target of a study on all its workloads
    #[command(after_help = examples!("size"))]
    Size(SizeArgs),
    /// Rebuild results.csv, results.json, windows.csv and the page of a sweep from its run
    /// directories, also of one that was killed, and print the answer
    #[command(after_help = examples!("collect"))]
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
    #[command(after_help = examples!("report"))]
    Report {
        /// Run or sweep directory
        dir: PathBuf,
    },
    /// Write every figure of that page as an SVG file, in light colours, with its legend
    #[command(after_help = examples!("figures"))]
    Figures {
        /// Run or sweep directory
        dir: PathBuf,
        /// Where they are written [default: DIR/figures]
        #[arg(long, value_name = "OUT_DIR")]
        out: Option<PathBuf>,
    },
    /// Say what a scenario's network is: counts, hops, link loads, deadlock check, bounds of its
    /// workload
    #[command(after_help = examples!("topo"))]
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
    #[command(after_help = examples!("work"))]
    Work {
        /// Task file, in its sweep directory
        #[arg(value_name = "DIR/tasks/N.json")]
        task: PathBuf,
        /// Runs side by side
        #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = count())]
        jobs: NonZeroUsize,
    },
    /// Say how far the sweep in a directory is: runs, tasks, what failed
    #[command(after_help = examples!("status"))]
    Status {
        /// Sweep directory
        dir: PathBuf,
        /// How to print
        #[arg(long, default_value = "text")]
        format: Format,
    },
    /// End what the sweep in a directory has in Slurm, and the command that follows it
    #[command(after_help = examples!("cancel"))]
    Cancel {
        /// Sweep directory
        dir: PathBuf,
    },
    /// Say what a trace holds, of I/O or of messages; or write it as messages
    #[command(after_help = examples!("trace"))]
    Trace(TraceArgs),
    /// Print what a shell completes verbs and options from
    #[command(after_help = examples!("completions"))]
    Completions {
        /// For which shell
        shell: Shell,
    },
    /// Write the manual pages, one a verb
    #[command(after_help = examples!("man"))]
    Man {
        /// Where they are written
        dir: PathBuf,
    },
}

#[cfg(test)]
mod tests {
    use super::{Cli, Verb};
    use clap::{CommandFactory, Parser};
    use std::path::Path;

    /// The words of a line, those in single quotes as one, up to what the shell takes.
    fn words(line: &str) -> Vec<String> {
        let of_part = |(n, part): (usize, &str)| match n % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(String::from).collect(),
        };
        let words = line.split('\'').enumerate().flat_map(of_part);
        words.take_while(|word| word != ">" && word != "|").collect()
    }

    // "--help with examples": two or three a verb, legal, with files that are there and keys that
    // are.
    #[test]
    fn examples_of_every_verb_are_legal() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for verb in Cli::command().get_subcommands() {
            let (name, help) = (verb.get_name(), verb.get_after_help());
            let help = help.map(ToString::to_string).unwrap_or_default();
            let lines = help.lines().map(str::trim_start);
            let examples: Vec<&str> = lines.filter(|line| line.starts_with("setaside ")).collect();
            assert!((2..=3).contains(&examples.len()), "{name}: {examples:?}");
            for example in examples {
                let words = words(example);
                assert_eq!(words[1], name, "{example}");
                let parsed = Cli::try_parse_from(&words);
                let parsed = parsed.unwrap_or_else(|error| panic!("{example}: {error}"));
                for file in words.iter().filter(|word| word.starts_with("scenarios/")) {
                    assert!(root.join(file).is_file(), "{example}");
                }
                let sets = match &parsed.verb {
                    Verb::Run(args) => args.sets.all(),
                    Verb::Topo { sets, .. } => sets.all(),
                    _ => continue,
                };
                let scenario = scenario::Scenario::load(&root.join(&words[2]), &sets);
                assert!(scenario.is_ok(), "{example}: {scenario:?}");
            }
        }
    }
}
