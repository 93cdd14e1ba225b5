//! `setaside check`.

use crate::exit::{Exit, Failure, print};
use crate::walk;
use fabric::{Engine, Run};
use scenario::{Input, Scenario, Set, Study};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use topology::Network;

/// Checks every file; each error is printed, and any makes the exit code 2.
pub(crate) fn check(files: &[PathBuf], sets: &[Set], threads: NonZeroUsize) -> Result<(), Failure> {
    let mut wrong = false;
    for file in files {
        let checked = Input::read(file)
            .map_err(Failure::from)
            .and_then(|input| Ok((one(&input, sets, threads)?, input)));
        match checked {
            Ok((what, input)) => print(&format!("{}: {what}\n", input.name()))?,
            Err(failure) => {
                wrong = true;
                eprintln!("{}", failure.message);
            }
        }
    }
    if wrong {
        Err(Failure::new(Exit::Usage, ""))
    } else {
        Ok(())
    }
}

fn warn(input: &Input, warnings: impl IntoIterator<Item = String>) {
    for warning in warnings {
        eprintln!("{}: warning: {warning}", input.name());
    }
}

fn one(input: &Input, sets: &[Set], threads: NonZeroUsize) -> Result<String, Failure> {
    if input.is_study() {
        let study = Study::from_input(input, sets)?;
        // Many points share one; each is said once.
        let all = study.points().iter().flat_map(|p| p.scenario.warnings());
        warn(input, all.collect::<BTreeSet<String>>());
        return Ok(format!("a legal study, {} runs", study.points().len()));
    }
    let scenario = Scenario::from_input(input, sets)?;
    warn(input, scenario.warnings());
    let config = walk::shown(scenario, threads, |scenario| scenario.build())?;
    let at = |error| Failure::new(Exit::Usage, format!("{}: error: {error}", input.name()));
    Run::new(&config, Engine::Fast).map_err(at)?;
    Ok(format!("a legal scenario, {}", counts(&config.network)))
}

/// How large a network is; virtual channels and tables where there are any.
fn counts(network: &Network) -> String {
    let (nodes, switches) = (network.nodes(), network.switches());
    let mut text = format!("{nodes} end nodes, {switches} switches");
    if network.vcs() > 1 {
        text += &format!(
            ", {} of {} virtual channels used",
            network.vcs_used(),
            network.vcs()
        );
    }
    if let Some(tables) = network.tables() {
        text += &format!(", {} table entries", tables.entries());
    }
    text
}
