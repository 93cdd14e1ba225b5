//! `DIR/slurm/jobs.json`: the job arrays that a sweep gave to Slurm.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

/// Directory in a sweep directory with what Slurm got and printed.
pub(crate) fn slurm_dir(dir: &Path) -> PathBuf {
    dir.join("slurm")
}

/// One array; element `i` is task `tasks[i]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Array {
    pub(crate) number: usize,
    /// For the how manieth time its tasks were handed out.
    pub(crate) attempt: u32,
    /// Of Slurm; `None` where the process ended before it was known.
    pub(crate) job_id: Option<u64>,
    pub(crate) tasks: Vec<usize>,
    /// None of its tasks is queued or running any more.
    pub(crate) is_over: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arrays {
    /// Distinguishes the jobs of this directory from those of others.
    pub(crate) id: String,
    pub(crate) arrays: Vec<Array>,
}

impl Arrays {
    /// Those of a sweep directory; none where it gave Slurm nothing.
    pub(crate) fn read(dir: &Path) -> Result<Arrays, String> {
        let path = slurm_dir(dir).join("jobs.json");
        match fs::read(&path) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map_err(|e| format!("{}: {e}", path.display()))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                Ok(Arrays { id: new_id(), arrays: Vec::new() })
            }
            Err(e) => Err(format!("{}: {e}", path.display())),
        }
    }

    /// Writes them, at once or not at all.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), String> {
        let dir = slurm_dir(dir);
        let (path, partial) = (dir.join("jobs.json"), dir.join(".jobs.json.partial"));
        let write = || {
            fs::create_dir_all(&dir)?;
            let mut bytes = serde_json::to_vec_pretty(self)?;
            bytes.push(b'\n');
            fs::write(&partial, bytes)?;
            fs::rename(&partial, &path)
        };
        write().map_err(|e: io::Error| format!("{}: {e}", path.display()))
    }

    /// Name of an array's job: fixed before Slurm gives it a number.
    pub(crate) fn job_name(&self, number: usize) -> String {
        format!("setaside-{}-{number}", self.id)
    }

    pub(crate) fn open_names(&self) -> Vec<String> {
        let open = self.arrays.iter().filter(|array| !array.is_over);
        open.map(|array| self.job_name(array.number)).collect()
    }

    pub(crate) fn task(&self, job_name: &str, element: usize) -> Option<usize> {
        let is_it = |array: &&Array| self.job_name(array.number) == job_name;
        let array = self.arrays.iter().find(is_it)?;
        array.tasks.get(element).copied()
    }

    /// The last file with the output of a task, in [`slurm_dir`].
    pub(crate) fn output(&self, task: usize) -> Option<String> {
        self.arrays.iter().rev().find_map(|array| {
            let element = array.tasks.iter().position(|&at| at == task)?;
            Some(format!("{}_{element}.out", array.job_id?))
        })
    }
}

/// Nobody else's: from the clock and the process.
fn new_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = now.map_or(0, |now| now.as_nanos() as u64); // the low bits are what differs
    let mixed = (nanos ^ u64::from(std::process::id()) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{:08x}", mixed >> 32)
}
