//! Runs that an executor makes.

use crate::options::EngineArg;
use crate::progress::Meter;
use scenario::{Scenario, Study};
use std::path::Path;
use study::Job;

/// Runs, and who makes them.
pub(crate) struct Runs<'a> {
    /// Of which they are: what it says of Slurm, and where its files are.
    pub(crate) study: &'a Study,
    /// Whose they are.
    pub(crate) jobs: &'a [Job],
    /// By the index of a job.
    pub(crate) scenarios: &'a [&'a Scenario],
    /// Told of each.
    pub(crate) meter: &'a Meter,
    /// `--emit-tasks`.
    pub(crate) emit_tasks: Option<&'a Path>,
}

/// How many of them a task has: as the study says, else by a probe.
pub(super) struct Sized<'a> {
    pub(super) runs: &'a Runs<'a>,
    pub(super) engine: EngineArg,
}
