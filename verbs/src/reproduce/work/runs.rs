//! The runs of a work's studies, in the ordinary store: `runs/reproduce/WORK/STUDY`.

use super::data::{Filter, StudyOf, Work};
use crate::page::root;
use crate::reproduce::Extent;
use scenario::{Set, Study};
use setaside::{Exit, Failure, StudyArgs, SweepArgs, build_info, jobs_of, run_jobs};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use study::{Interval, Job, MEASURED, Outcome, PointRow, RunRow, StoredRun, Table, read_run};

pub(super) struct Runs {
    /// Of the runs that there are.
    pub(super) table: Table,
    /// What names each run of the whole study.
    pub(super) whole: Vec<Vec<(String, String)>>,
    dir: PathBuf,
}

/// By the name that a work gives a study.
pub(super) type Tables = BTreeMap<String, Runs>;

pub(super) fn dir(work: &str, extent: Extent) -> PathBuf {
    let quick = if extent == Extent::Quick { "-quick" } else { "" };
    root().join(format!("runs/reproduce/{work}{quick}"))
}

/// Runs all studies; of a quick version those that are in it.
pub(super) fn all(work: &str, data: &Work, extent: Extent) -> Result<Tables, Failure> {
    let mut tables = Tables::new();
    for (name, study) in data.studies() {
        if extent != Extent::Quick || !study.quick.skip {
            let runs = one(&dir(work, extent), &name, &study, extent)?;
            tables.insert(name, runs);
        }
    }
    Ok(tables)
}

fn one(dir: &Path, name: &str, study: &StudyOf, extent: Extent) -> Result<Runs, Failure> {
    let StudyOf { file, sets, quick } = study;
    let is_quick = extent == Extent::Quick;
    let sets = sets.iter().chain(is_quick.then_some(&quick.sets).into_iter().flatten());
    let sets: Vec<Set> = sets.map(|(key, value)| Set::new(key, value)).collect();
    let study = Study::load(&root().join("scenarios/studies").join(file), &sets)?;
    let all = Filter::default();
    let keep = if is_quick { &quick.keep } else { &all };
    let mut jobs = jobs_of(&study);
    let whole = jobs.iter().map(|job| job.labels.clone()).collect();
    jobs.retain(|job| keep.has(&job.labels));
    let dir = dir.join(directory(name));
    if extent == Extent::Stored {
        let rows = jobs.into_iter().filter_map(|job| stored(&dir, job));
        let table = Table::new(&study.name, &study.scenario, rows.collect());
        return Ok(Runs { table, whole, dir });
    }
    // These directories are the command's own: what another version of the study left goes.
    let runs = StudyArgs { force: true, ..StudyArgs::default() };
    let args = SweepArgs { runs, ..SweepArgs::default() };
    let result = run_jobs(&study, &jobs, &dir, &args)?;
    let table = result.table.clone();
    match result.exit() {
        Exit::Ok => Ok(Runs { table, whole, dir }),
        Exit::Interrupted => Err(Failure::new(Exit::Interrupted, "interrupted")),
        _ => Err(Failure::new(Exit::Failure, format!("error: some runs of {name} failed"))),
    }
}

fn directory(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }
    };
    name.chars().map(plain).collect()
}

/// A run that is stored whole, of the same scenario and program.
fn stored(dir: &Path, job: Job) -> Option<RunRow> {
    let run = read_run(&dir.join("runs").join(&job.directory)).ok()?;
    let is_same = run.manifest.hash == format!("{:016x}", job.hash)
        && run.manifest.build.sources == build_info().sources;
    is_same.then(|| RunRow { outcome: Outcome::of(&run.record.summary, job.times), job })
}

/// Mean over the replicas of a point.
pub(super) fn mean(point: &PointRow, column: &str) -> Option<f64> {
    point.value(column).map(|spread| spread.mean)
}

impl Runs {
    /// Whether all that are meant have been run.
    pub(super) fn has_all(&self, filter: &Filter) -> bool {
        let meant = self.whole.iter().filter(|labels| filter.has(labels));
        let runs = self.table.runs.iter();
        meant.count() == runs.filter(|run| filter.has(&run.job.labels)).count()
    }

    pub(super) fn points(&self, filter: &Filter) -> Vec<&PointRow> {
        let points = self.table.points.iter();
        points.filter(|p| filter.has(&p.labels)).collect()
    }

    pub(super) fn replicas(&self, point: &PointRow, column: &str) -> Vec<f64> {
        let runs = self.of(point);
        runs.filter_map(|run| Some(run.finished()?.value(column)?.value)).collect()
    }

    fn of<'a>(&'a self, point: &'a PointRow) -> impl Iterator<Item = &'a RunRow> {
        self.table.runs.iter().filter(|run| point.runs.contains(&run.job.index))
    }

    /// What is possible where a column gives what was achieved: the mean over the replicas.
    pub(super) fn ideal(&self, point: &PointRow, column: &str) -> Option<f64> {
        let window = match column {
            "delivered_bytes_per_ns" => MEASURED,
            "relative_throughput" => {
                let delivered = "delivered_bytes_per_ns";
                let part = mean(point, column)? / mean(point, delivered)?;
                return Some(part * self.ideal(point, delivered)?);
            }
            "before_bytes_per_ns" => "before",
            "during_bytes_per_ns" | "worst_dip_bytes_per_ns" => "during",
            "after_bytes_per_ns" => "after",
            _ => return None,
        };
        let ideal = self.of(point).filter_map(|run| {
            let mut rows = run.finished()?.windows.iter();
            let row = rows.find(|row| row.window == window && row.is_of_all())?;
            row.result.ideal_bytes_per_ns
        });
        Interval::of(&ideal.collect::<Vec<f64>>()).map(|i| i.mean)
    }

    /// The first replica of a point, with its series.
    pub(super) fn stored(&self, point: &PointRow) -> Option<StoredRun> {
        let run = self.of(point).next()?;
        read_run(&self.dir.join("runs").join(&run.job.directory)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A point that no study has would be "not run" for ever, and the least of none is whole.
    #[test]
    fn statements_name_points_of_their_studies() {
        for name in ["garcia-mesh-2005", "garcia-trees-2005"] {
            let path = root().join(format!("verbs/works/{name}.toml"));
            let text = std::fs::read_to_string(path).expect("shipped");
            let work = Work::parse(&text).expect("legal");
            let tables = all(name, &work, Extent::Stored).expect("its studies are read");
            for s in &work.statement {
                for (study, point) in s.points() {
                    let whole = &tables[study].whole;
                    let is_there = whole.iter().any(|labels| point.has(labels));
                    assert!(is_there, "{name}, {}: no point {point:?} in {study}", s.text);
                }
            }
        }
    }
}
