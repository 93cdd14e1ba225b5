//! Command line of the setaside switch and fabric model: stdout is data, stderr progress and
//! errors, [`Exit`] the exit codes. Ctrl-C, SIGTERM and SIGHUP end a run within about 100 ms. The
//! verbs are one file each; `cargo xtask` calls the same functions.

mod about;
mod args;
mod brief;
mod built_in;
mod check;
mod drawing;
mod drive;
mod executor;
mod exit;
mod forecast;
mod help;
mod inspect;
mod log;
mod memory;
mod options;
mod progress;
mod record;
mod report;
mod run;
mod search;
mod status;
mod summary;
mod sweep;
mod target;
mod topo;
mod traces;
mod until;
mod waves;
mod work;

pub use built_in::{ask_for_large_pages, build_info, embedded_study};
pub use exit::{Exit, Failure};
pub use inspect::{Recorded, simulate_recorded};
pub use options::{EngineArg, ExecutorArg, Format, LogArgs, SetArgs, StudyArgs, SweepArgs, as_set};
pub use run::{simulate, store};
pub use sweep::{jobs_of, run_jobs, sweep};

use args::{Cli, Verb};
use clap::Parser;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the command line.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Ok };
            let _ = error.print();
            return code.into();
        }
    };
    conclude(dispatch(cli.verb))
}

/// Prints a failure and makes an exit code of it.
pub fn conclude(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => Exit::Ok.into(),
        Err(failure) => {
            if !failure.message.is_empty() {
                log::error(&failure.message);
            }
            failure.exit.into()
        }
    }
}

fn dispatch(verb: Verb) -> Result<(), Failure> {
    exit::quiet_panics();
    match verb {
        Verb::Run(args) => run::run(&args),
        Verb::Check { words, mut sets, threads, format } => {
            sets.extend(words.iter().filter_map(|word| as_set(word)));
            let files: Vec<_> = words.into_iter().filter(|word| as_set(word).is_none()).collect();
            if files.is_empty() {
                let what = "FILE.toml: none is given; legal: one or more, beside KEY=VALUE";
                return Err(Failure::error(Exit::Usage, what));
            }
            check::check(&files, &sets, threads, format)
        }
        Verb::Schema => exit::print(&format!("{:#}\n", scenario::schema())),
        Verb::Sweep { file, args } => sweep(Some(&file), &args),
        Verb::Saturate(args) => search::saturate(&args),
        Verb::Size(args) => search::size(&args),
        Verb::Collect { dir, format, parquet } => report::collect(&dir, format, parquet),
        Verb::Report { dir } => print_paths(&[report::write(&dir)?]),
        Verb::Figures { dir, out } => {
            let out = out.unwrap_or_else(|| dir.join("figures"));
            print_paths(&report::figures(&dir, &out)?)
        }
        Verb::Topo { file, sets, threads, format, svg } => {
            topo::topo(&file, &sets.all(), threads, format, svg.as_deref())
        }
        Verb::Work { task, jobs } => work::work(&task, jobs),
        Verb::Status { dir, format } => status::status(&dir, format),
        Verb::Cancel { dir } => status::cancel(&dir),
        Verb::Trace(args) => traces::trace(&args),
        Verb::Completions { shell } => exit::print_bytes(&help::completions(shell)),
        Verb::Man { dir } => print_paths(&help::man(&dir)?),
    }
}

/// A path a line, which is not always text.
fn print_paths(paths: &[PathBuf]) -> Result<(), Failure> {
    let mut lines = OsString::new();
    for path in paths {
        lines.push(path);
        lines.push("\n");
    }
    exit::print_bytes(lines.as_encoded_bytes())
}
