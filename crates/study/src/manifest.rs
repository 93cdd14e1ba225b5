//! How a result came about: [`Manifest`] of a run, [`SweepManifest`] of a sweep. Never part of byte
//! equality.

use crate::disk::{MANIFEST, RUN_FILES, manifest_of, put_json};
use crate::error::{StoreError, malformed};
use crate::job::hash_text;
use crate::target::Target;
use observe::Summary;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// The times of a run that its results are read with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Times {
    /// Bin of `series.csv`, ns; the last one ends with `duration_ns`.
    pub series_bin_ns: f64,
    /// Start of the measured time, ns.
    pub warmup_ns: f64,
    /// End of the measured time, ns; what follows to drain does not count.
    pub duration_ns: f64,
}

impl Times {
    /// Those of a run: where it has a measured time of its own finding, that.
    #[must_use]
    pub fn of_run(self, summary: &Summary) -> Times {
        summary.until.as_ref().map_or(self, |until| Times {
            warmup_ns: until.warmup_ns,
            duration_ns: until.duration_ns,
            ..self
        })
    }
}

/// Which program ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Version of the program.
    pub version: String,
    /// Commit it was built from; empty where unknown.
    pub commit: String,
    /// Built from a tree with changes that are not in the commit.
    pub dirty: bool,
    /// Hash of the sources, 16 hex digits: tells trees with changes apart.
    #[serde(default)]
    pub sources: String,
}

impl Build {
    /// Whether both run scenarios alike: the same sources, whatever else was committed between.
    pub fn is_same_program(&self, other: &Build) -> bool {
        match self.sources.is_empty() || other.sources.is_empty() {
            true => self == other,
            false => (&self.version, &self.sources) == (&other.version, &other.sources),
        }
    }
}

/// `manifest.json` of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the scenario, or of the study that the run belongs to.
    pub name: String,
    /// Which program ran.
    #[serde(flatten)]
    pub build: Build,
    /// Seed of every random stream.
    pub seed: u64,
    /// Hash of the resolved scenario, 16 hex digits.
    pub hash: String,
    /// Time from the start to the end of the run, s.
    pub wall_seconds: f64,
    /// Simulated ticks.
    pub ticks: u64,
    /// Simulated ticks divided by wall time; null when that is 0.
    pub ticks_per_second: Option<f64>,
    /// Packet-hops divided by wall time; null when that is 0.
    pub packet_hops_per_second: Option<f64>,
    /// Engine asked for; beyond 2^31 ticks `fast` is the reference.
    pub engine: String,
    /// Axis values in a sweep, `(key, value)`; empty for a single run.
    #[serde(default)]
    pub labels: Vec<(String, String)>,
    /// Bins of the series and the measured time.
    #[serde(flatten)]
    pub times: Times,
    /// Hash of the study, 16 hex digits; empty for a single run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub study_hash: String,
    /// Place in the study; `None` for a single run and in earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Replica of the point, from 0.
    #[serde(default)]
    pub replica: u32,
    /// Replicas that the study asks for at the point; 0 for a single run.
    #[serde(default)]
    pub replicas: u32,
    /// Run of the sweep that this one provably equals: not simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived_from: Option<String>,
    /// Names of the files of the run beside this one: what a later run may replace. Other files in
    /// the directory are not of the run.
    #[serde(default = "files_of_every_run")]
    pub files: Vec<String>,
    /// Digest of these files, 16 hex digits: tells a run that a power cut left half written. Empty
    /// in manifests of earlier versions.
    #[serde(default)]
    pub digest: String,
}

/// The files of a manifest that lists none.
fn files_of_every_run() -> Vec<String> {
    RUN_FILES.map(String::from).to_vec()
}

/// Those in the directory itself: a manifest tampered with reaches no further.
pub(crate) fn own_files(files: &[String]) -> Vec<&str> {
    let harmless = |name: &&str| {
        let mut parts = Path::new(name).components();
        matches!(parts.next(), Some(Component::Normal(part)) if part == *name)
            && parts.next().is_none()
    };
    files.iter().map(String::as_str).filter(harmless).collect()
}

impl Manifest {
    /// The manifest of a run that took `wall_seconds`.
    pub fn new(
        name: &str,
        build: &Build,
        engine: &str,
        seed: u64,
        hash: u64,
        wall_seconds: f64,
        record: &observe::Record,
    ) -> Self {
        let per_second = |count: u64| (wall_seconds > 0.0).then(|| count as f64 / wall_seconds);
        Manifest {
            name: name.to_string(),
            build: build.clone(),
            seed,
            hash: hash_text(hash),
            wall_seconds,
            ticks: record.ticks,
            ticks_per_second: per_second(record.ticks),
            packet_hops_per_second: per_second(record.summary.packet_hops),
            engine: engine.to_string(),
            ..Manifest::default()
        }
    }
}

/// `manifest.json` of a sweep.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepManifest {
    /// Name of the study.
    pub name: String,
    /// Scenario that the study varies.
    pub scenario: String,
    /// Hash of all runs of the study, 16 hex digits: a sweep directory takes only sweeps of the
    /// same one.
    #[serde(default)]
    pub study_hash: String,
    /// Which program ran.
    #[serde(flatten)]
    pub build: Build,
    /// Engine asked for; beyond 2^31 ticks `fast` is the reference.
    pub engine: String,
    /// Runs side by side.
    pub workers: usize,
    /// From the start of the first new run to the end of the last, s.
    pub wall_seconds: f64,
    /// Runs of the sweep.
    pub runs: usize,
    /// Runs of the study that are not in the sweep.
    #[serde(default)]
    pub left_out: usize,
    /// The line above the answer.
    #[serde(default)]
    pub question: String,
    /// What its points are judged by.
    #[serde(default)]
    pub target: Target,
    /// Runs that finished.
    pub finished: usize,
    /// Runs that failed; the others were not started or were interrupted.
    pub failed: usize,
    /// Other studies whose runs it replaces when complete (`--force`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<String>,
    /// A search adds runs in rounds: those of earlier rounds stay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grows: bool,
    /// What a search that came to its end found, in words; empty elsewhere.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// Files of the sweep beside this one, `report.html` and the runs.
    #[serde(default = "SweepManifest::files_of_every")]
    pub files: Vec<String>,
}

impl SweepManifest {
    /// What every sweep writes.
    pub(crate) const FILES: [&'static str; 4] =
        ["results.csv", "results.json", "windows.csv", "latency.csv"];

    /// The same for a sweep.
    pub(crate) fn files_of_every() -> Vec<String> {
        SweepManifest::FILES.map(String::from).to_vec()
    }

    pub(crate) fn read(dir: &Path) -> Result<SweepManifest, StoreError> {
        let path = dir.join(MANIFEST);
        manifest_of(dir).ok_or_else(|| malformed(&path)("is not that of a sweep"))
    }

    /// Puts it into the directory of the sweep, whose lock the caller holds.
    pub(crate) fn put(&self, dir: &Path) -> Result<(), StoreError> {
        put_json(&dir.join(MANIFEST), self)
    }
}
