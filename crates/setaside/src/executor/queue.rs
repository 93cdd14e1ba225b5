//! Slurm's own commands, `sbatch`, `squeue`, `scancel` and `scontrol`, and what they print.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum QueueError {
    /// It is not there or cannot be started.
    NotThere(String),
    /// It refuses; another time it may work.
    Refused(String),
}

impl QueueError {
    pub(crate) fn text(self) -> String {
        match self {
            QueueError::NotThere(text) | QueueError::Refused(text) => text,
        }
    }
}

/// An element of an array that is queued or running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) job_id: u64,
    pub(crate) element: usize,
    pub(crate) state: String,
    pub(crate) job_name: String,
    pub(crate) reason: String,
}

impl Row {
    /// Slurm gave it up and waits for a person: it will not start.
    pub(crate) fn is_stuck(&self) -> bool {
        self.state == "PENDING" && self.reason.contains("launch failed requeued held")
    }

    pub(crate) fn is_pending(&self) -> bool {
        self.state == "PENDING"
    }
}

/// Array, element, state, name, reason.
const FORMAT: &str = "%F|%K|%T|%j|%r";

fn output(program: &str, args: &[OsString]) -> Result<String, QueueError> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    // What a user set for himself would change what is listed.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SQUEUE_") {
            command.env_remove(name);
        }
    }
    let output = command.output().map_err(|e| {
        QueueError::NotThere(match e.kind() {
            io::ErrorKind::NotFound => format!(
                "{program}: no such program; --executor slurm is for machines that have Slurm's \
                 commands; --emit-tasks is for others"
            ),
            _ => format!("{program}: {e}"),
        })
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
    if !output.status.success() {
        let printed = text(&output.stderr);
        let printed = if printed.is_empty() { text(&output.stdout) } else { printed };
        return Err(QueueError::Refused(format!("{program}: {printed}")));
    }
    Ok(text(&output.stdout))
}

/// Gives Slurm a script; returns the number of the job.
pub(super) fn submit(args: &[OsString]) -> Result<u64, QueueError> {
    let printed = output("sbatch", args)?;
    let none = || QueueError::Refused(format!("sbatch: printed no number of a job: {printed}"));
    job_id(&printed).ok_or_else(none)
}

/// What is queued or running of the jobs with these names.
pub(crate) fn rows(names: &[String]) -> Result<Vec<Row>, QueueError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let name = format!("--name={}", names.join(","));
    let args = ["--noheader", "--array", &name, "--format", FORMAT].map(OsString::from);
    Ok(read(&output("squeue", &args)?))
}

/// Ends jobs, or elements of arrays such as `12_3`.
pub(super) fn cancel(ids: &[String]) -> Result<(), QueueError> {
    let ids: Vec<OsString> = ids.iter().map(OsString::from).collect();
    output("scancel", &ids).map(|_| ())
}

const ARRAY_MAX: usize = 1001;

/// How many elements an array may have here.
pub(super) fn array_max() -> usize {
    let args = ["show", "config"].map(OsString::from);
    let config = output("scontrol", &args).unwrap_or_default();
    array_max_in(&config).unwrap_or(ARRAY_MAX).max(1)
}

fn array_max_in(config: &str) -> Option<usize> {
    let value = |line: &str| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "MaxArraySize").then(|| value.trim().parse().ok())?
    };
    config.lines().find_map(value)
}

/// `123`, or `123;cluster`.
fn job_id(printed: &str) -> Option<u64> {
    let last = printed.lines().last()?; // a site's own lines may come first
    last.split(';').next()?.trim().parse().ok()
}

/// Lines that are none, such as of a job that is no array, are of others.
fn read(printed: &str) -> Vec<Row> {
    let row = |line: &str| {
        let mut parts = line.splitn(5, '|').map(str::trim);
        let mut part = || parts.next();
        Some(Row {
            job_id: part()?.parse().ok()?,
            element: part()?.parse().ok()?,
            state: part()?.to_string(),
            job_name: part()?.to_string(),
            reason: part()?.to_string(),
        })
    };
    printed.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_slurm_prints_is_read() {
        let printed = "17|0|RUNNING|setaside-ab-1|None\n\
                    17|12|PENDING|setaside-ab-1|launch failed requeued held\n\
                    18|3|COMPLETING|setaside-ab-2|(a|b)\n\
                    19|N/A|RUNNING|other|None\nslurm is slow today\n";
        let rows = read(printed);
        let short: Vec<_> = rows.iter().map(|r| (r.job_id, r.element, &*r.state)).collect();
        assert_eq!(short, [(17, 0, "RUNNING"), (17, 12, "PENDING"), (18, 3, "COMPLETING")]);
        assert_eq!((&*rows[2].job_name, &*rows[2].reason), ("setaside-ab-2", "(a|b)"));
        assert_eq!(rows.iter().map(Row::is_stuck).collect::<Vec<_>>(), [false, true, false]);
        assert!(read("").is_empty());
        for (printed, id) in [
            ("123", Some(123)),
            ("123;north", Some(123)),
            ("be kind\n9\n", Some(9)),
            ("Submitted batch job 7", None),
            ("", None),
        ] {
            assert_eq!(job_id(printed), id, "{printed}");
        }
        assert_eq!(array_max_in("MaxArraySize            = 10001\nx = 1"), Some(10_001));
        assert_eq!(array_max_in("Unable to contact"), None);
    }
}
