//! `setaside check`.

use crate::exit::{Exit, Failure, print};
use crate::walk;
use fabric::{Engine, Run};
use scenario::{Scenario, Set, Study, is_study};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Checks every file; each error is printed, and any makes the exit code 2.
pub(crate) fn check(files: &[PathBuf], sets: &[Set], threads: NonZeroUsize) -> Result<(), Failure> {
    let mut wrong = false;
    for file in files {
        match one(file, sets, threads) {
            Ok(what) => print(&format!("{}: {what}\n", file.display()))?,
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

fn warn(file: &Path, warnings: impl IntoIterator<Item = String>) {
    for warning in warnings {
        eprintln!("{}: warning: {warning}", file.display());
    }
}

fn one(file: &Path, sets: &[Set], threads: NonZeroUsize) -> Result<String, Failure> {
    // A file that cannot be read is reported by the scenario reader, with its reason.
    if std::fs::read_to_string(file).is_ok_and(|text| is_study(&text)) {
        let study = Study::load(file, sets)?;
        // Many points share one; each is said once.
        let all = study.points().iter().flat_map(|p| p.scenario.warnings());
        warn(file, all.collect::<BTreeSet<String>>());
        return Ok(format!("a legal study, {} runs", study.points().len()));
    }
    let scenario = Scenario::load(file, sets)?;
    warn(file, scenario.warnings());
    let config = walk::shown(scenario, threads, |scenario| scenario.build())?;
    let at = |error| Failure::new(Exit::Usage, format!("{}: error: {error}", file.display()));
    Run::new(&config, Engine::Fast).map_err(at)?;
    Ok(format!(
        "a legal scenario, {} end nodes, {} switches",
        config.network.nodes(),
        config.network.switches()
    ))
}
