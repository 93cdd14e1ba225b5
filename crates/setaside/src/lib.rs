//! Command line of the setaside switch and fabric model.
//!
//! stdout is data, stderr is progress and errors. Exit codes are in [`Exit`]. Ctrl-C, SIGTERM and
//! SIGHUP end a run within about 100 ms. The verbs are one file each; the project's own verbs
//! (`cargo xtask`) call the same functions.

mod about;
mod args;
mod brief;
mod check;
mod collect;
mod cpu;
mod drawing;
mod embedded;
mod executor;
mod exit;
mod forecast;
mod inspect;
mod interrupt;
mod kin;
mod kind;
mod large_pages;
mod log;
mod memory;
mod messages;
mod pace;
mod places;
mod progress;
mod record;
mod report;
mod run;
mod status;
mod summary;
mod sweep;
mod target;
mod topo;
mod traces;
mod walk;
mod waves;
mod work;

pub use args::{EngineArg, ExecutorArg, Format, SetArgs, SweepArgs};
pub use embedded::embedded_study;
pub use exit::{Exit, Failure};
pub use inspect::{Recorded, interval_of, simulate_recorded};
pub use large_pages::ask_for_large_pages;
pub use log::LogArgs;
pub use run::{build_info, simulate};
pub use sweep::{StudySource, jobs_of, run_jobs, sweep};

use args::{Cli, Verb};
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command line.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Ok
            };
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
        Verb::Check {
            files,
            sets,
            threads,
            format,
        } => check::check(&files, &sets.sets, threads, format),
        Verb::Schema => exit::print(&format!("{:#}\n", scenario::schema())),
        Verb::Sweep { file, args } => sweep(&StudySource::File(file), &args),
        Verb::Collect { dir, format } => collect::collect(&dir, format),
        Verb::Report { dir, svg } => {
            let mut line = report::write(&dir, svg.as_deref())?.into_os_string();
            line.push("\n");
            exit::print_bytes(line.as_encoded_bytes()) // a path is not always text
        }
        Verb::Topo {
            file,
            sets,
            threads,
            format,
            svg,
        } => topo::topo(&file, &sets.sets, threads, format, svg.as_deref()),
        Verb::Work { task, jobs } => work::work(&task, jobs),
        Verb::Status { dir, format } => status::status(&dir, format),
        Verb::Cancel { dir } => status::cancel(&dir),
        Verb::Trace(args) => traces::trace(&args),
    }
}
