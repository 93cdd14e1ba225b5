//! `cargo xtask`: the sweep, with what it needs and nothing else. Every other verb is handed on to
//! the package `verbs`, which is built when it is asked for the first time.

use clap::{Parser, Subcommand};
use setaside::SweepArgs;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The other verbs, a line each; `verbs` checks that they are those that it has.
const OTHERS: &str = include_str!("../verbs.txt");

/// The project's own verbs
#[derive(Parser)]
#[command(name = "cargo xtask", max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = OTHERS)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one, parsed once")]
enum Verb {
    /// Run a study; without FILE the embedded one: SAQ sizing on a 64-node BMIN under congestion
    /// trees that overlap and move
    Sweep {
        /// Study file
        #[arg(value_name = "FILE.toml")]
        file: Option<PathBuf>,
        #[command(flatten)]
        args: SweepArgs,
    },
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

fn main() -> ExitCode {
    setaside::ask_for_large_pages();
    match Cli::parse().verb {
        Verb::Sweep { file, mut args } => {
            let set = file.as_deref().and_then(setaside::as_set);
            let file = file.filter(|_| set.is_none());
            set.into_iter().for_each(|set| args.runs.sets.push(set));
            setaside::conclude(setaside::sweep(file.as_deref(), &args))
        }
        Verb::Other(words) => hand_on(&words),
    }
}

/// Names of the other verbs.
fn names() -> impl Iterator<Item = &'static str> {
    let words = |line: &'static str| line.strip_prefix("  ")?.split(' ').next();
    OTHERS.lines().filter_map(words)
}

/// Runs a verb of the package `verbs`.
fn hand_on(words: &[OsString]) -> ExitCode {
    let verb = words.first().map(OsString::as_os_str).unwrap_or_default();
    if !names().any(|name| OsStr::new(name) == verb) {
        let legal: Vec<&str> = names().collect();
        eprintln!("error: `{}` is no verb; legal: sweep, {}", verb.display(), legal.join(", "));
        return ExitCode::from(2);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ran = Command::new(cargo)
        .args(["run", "--release", "--package", "verbs", "--"])
        .args(words)
        .status();
    match ran {
        Ok(status) => ExitCode::from(status.code().map_or(1, |code| code as u8)),
        Err(error) => {
            eprintln!("error: cargo does not start: {error}");
            ExitCode::FAILURE
        }
    }
}
