//! `setaside completions` and `setaside man`: the command line for shells and for man.

use crate::args::Cli;
use crate::exit::Failure;
use crate::target;
use clap::CommandFactory;
use clap_complete::Shell;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "setaside", &mut script);
    script
}

pub(crate) fn man(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    target::check_directory("DIR", dir)?;
    let failure = |error| target::failure("DIR", dir, &error);
    fs::create_dir_all(dir).map_err(failure)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(failure)?;
    let mut command = Cli::command();
    command.build();
    let verbs = command.get_subcommands().map(clap::Command::get_name);
    let verbs = verbs.filter(|name| *name != "help");
    let pages = verbs.map(|name| dir.join(format!("setaside-{name}.1")));
    Ok([dir.join("setaside.1")].into_iter().chain(pages).collect())
}
