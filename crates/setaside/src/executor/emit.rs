//! `--emit-tasks`: one command a line, for whatever starts them.

use super::runs::Sized;
use super::slurm::quoted;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use study::{Elsewhere, Job, Look, task_path};

/// Writes the commands; others start them.
pub(super) struct Emit<'a> {
    path: PathBuf,
    sized: Sized<'a>,
}

impl<'a> Emit<'a> {
    pub(super) fn new(path: &Path, sized: Sized<'a>) -> Self {
        let path = path.to_path_buf();
        Emit { path, sized }
    }
}

impl Elsewhere for Emit<'_> {
    fn runs_per_task(&mut self, open: &[&Job]) -> usize {
        self.sized.runs_per_task(open)
    }

    fn may_wait(&self) -> bool {
        false
    }

    fn submit(&mut self, dir: &Path, tasks: &[usize], _attempt: u32) -> Result<usize, String> {
        let program = std::env::current_exe().map_err(|e| format!("own path: {e}"))?;
        let mut lines = Vec::new();
        for &task in tasks {
            let task = task_path(dir, task);
            let words = [program.as_os_str(), OsStr::new("work"), task.as_os_str()];
            for word in words {
                lines.extend(quoted(word));
                lines.push(b' ');
            }
            lines.pop();
            lines.push(b'\n');
        }
        std::fs::write(&self.path, lines)
            .map_err(|e| crate::target::failure("--emit-tasks", &self.path, &e).message)?;
        Ok(tasks.len())
    }

    fn look(&mut self, _dir: &Path) -> Result<Look, String> {
        Ok(Look::Over)
    }

    fn traces(&self, _dir: &Path, _task: usize) -> String {
        String::new()
    }
}
