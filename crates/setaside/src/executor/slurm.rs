//! `--executor slurm`: tasks in job arrays, one element a task.

use super::Runs;
use super::arrays::{Array, Arrays, slurm_dir};
use super::queue::{self, QueueError, Row};
use crate::log;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};
use study::{Elsewhere, Job, Polled, Progress as _, task_path};

/// File that marks the sweep as cancelled: a command that follows it ends.
fn mark(dir: &Path) -> PathBuf {
    slurm_dir(dir).join("cancelled")
}

pub(crate) fn is_cancelled(dir: &Path) -> bool {
    mark(dir).exists()
}

pub(super) struct Slurm<'a> {
    runs: &'a Runs<'a>,
    arrays: Arrays,
    /// At the first poll, when the directory is taken.
    is_read: bool,
    /// Elements that an array may have; asked once.
    array_max: Option<usize>,
    /// An array was taken: what is refused later may be taken another time.
    has_submitted: bool,
    warning: String,
}

impl<'a> Slurm<'a> {
    pub(super) fn new(runs: &'a Runs<'a>) -> Self {
        let (arrays, warning) = (Arrays::default(), String::new());
        Slurm { runs, arrays, is_read: false, array_max: None, has_submitted: false, warning }
    }

    fn warn(&mut self, text: String) {
        if self.warning != text {
            log::warn(&text);
            self.warning = text;
        }
    }

    /// Gives Slurm one array, recorded in `jobs.json` before it is given.
    fn submit_array(
        &mut self,
        dir: &Path,
        tasks: &[usize],
        attempt: u32,
    ) -> Result<Result<u64, QueueError>, String> {
        let number = self.arrays.arrays.last().map_or(1, |last| last.number + 1);
        let array = Array { number, attempt, tasks: tasks.to_vec(), ..Array::default() };
        self.arrays.arrays.push(array);
        self.arrays.write(dir)?;
        let script = slurm_dir(dir).join(format!("array-{number}.sh"));
        let program = std::env::current_exe().map_err(|e| format!("own path: {e}"))?;
        let cpus = self.runs.study.slurm.cpus.unwrap_or(1);
        let text = script_text(&program, dir, tasks, cpus);
        fs::write(&script, text).map_err(|e| format!("{}: {e}", script.display()))?;
        let mut args = self.options(dir, &self.arrays.job_name(number), tasks.len());
        args.push(script.into_os_string());
        let submitted = queue::submit(&args);
        // Where it fails, Slurm may have taken the job all the same: the array stays, and its name
        // is given to no other. A poll finds that none of it is queued or running, or that it is.
        if let (Ok(id), Some(array)) = (&submitted, self.arrays.arrays.last_mut()) {
            array.job_id = Some(*id);
        }
        self.arrays.write(dir)?;
        Ok(submitted)
    }

    fn options(&self, dir: &Path, name: &str, elements: usize) -> Vec<OsString> {
        let slurm = &self.runs.study.slurm;
        let mut words = vec![
            "--parsable".to_string(),
            format!("--job-name={name}"),
            format!("--array=0-{}", elements.saturating_sub(1)),
        ];
        let mut put = |option: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{option}={value}")));
        };
        put("partition", slurm.partition.clone());
        put("account", slurm.account.clone());
        put("time", slurm.time_minutes.map(|n| n.to_string()));
        put("mem", slurm.memory_mb.map(|n| format!("{n}M")));
        put("cpus-per-task", slurm.cpus.map(|n| n.to_string()));
        words.extend(slurm.extra.iter().cloned());
        let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        let mut chdir = OsString::from("--chdir=");
        chdir.push(dir);
        words.push(chdir);
        words.push(path_option("--output=", slurm_dir(dir).as_os_str(), "/%A_%a.out"));
        words
    }
}

impl Elsewhere for Slurm<'_> {
    fn runs_per_task(&mut self, open: &[&Job]) -> usize {
        self.runs.per_task(open)
    }

    fn submit(&mut self, dir: &Path, tasks: &[usize], attempt: u32) -> Result<usize, String> {
        let array_max = *self.array_max.get_or_insert_with(queue::array_max);
        let mut done = 0;
        for tasks in tasks.chunks(array_max) {
            match self.submit_array(dir, tasks, attempt)? {
                Ok(id) => {
                    self.has_submitted = true;
                    done += tasks.len();
                    let what = match tasks.len() {
                        1 => "1 task".to_string(),
                        n => format!("{n} tasks"),
                    };
                    let again = match attempt {
                        1 => String::new(),
                        n => format!(", try {n}"),
                    };
                    self.runs.meter.note(&format!("slurm job {id}: {what}{again}"));
                }
                Err(QueueError::Refused(text)) if self.has_submitted => {
                    self.warn(format!("{text}; tried again"));
                    break;
                }
                Err(error) => return Err(error.text()),
            }
        }
        Ok(done)
    }

    fn poll(&mut self, dir: &Path) -> Result<Polled, String> {
        if !self.is_read {
            let _ = fs::remove_file(mark(dir)); // of an earlier one
            self.arrays = Arrays::read(dir)?;
            self.is_read = true;
        }
        if is_cancelled(dir) {
            return Ok(Polled::Over);
        }
        match queue::rows(&self.arrays.open_names()) {
            Ok(rows) => {
                self.has_submitted |= !rows.is_empty();
                Ok(Polled::Alive(alive(&rows, &mut self.arrays)))
            }
            Err(QueueError::NotThere(text)) => Err(text),
            Err(QueueError::Refused(text)) => {
                self.warn(format!("{text}; results are taken in all the same"));
                Ok(Polled::Unknown)
            }
        }
    }

    fn traces(&self, task: usize) -> String {
        match self.arrays.output(task) {
            Some(name) => format!("slurm/{name}"),
            None => "what Slurm says".to_string(),
        }
    }
}

/// Tasks of these rows, and notes which arrays are over.
fn alive(rows: &[Row], arrays: &mut Arrays) -> BTreeSet<usize> {
    let (stuck, rows): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.is_stuck());
    let stuck: Vec<String> =
        stuck.iter().map(|row| format!("{}_{}", row.job_id, row.element)).collect();
    if !stuck.is_empty() {
        let _ = queue::cancel(&stuck); // they do not start, whether or not this works
    }
    for at in 0..arrays.arrays.len() {
        let name = arrays.job_name(arrays.arrays[at].number);
        arrays.arrays[at].is_over |= !rows.iter().any(|row| row.job_name == name);
    }
    let task = |row: &&Row| arrays.task(&row.job_name, row.element);
    rows.iter().filter_map(task).collect()
}

pub(super) fn quoted(word: &OsStr) -> Vec<u8> {
    let bytes = word.as_encoded_bytes();
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(b);
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return bytes.to_vec();
    }
    let mut quoted = vec![b'\''];
    for &byte in bytes {
        match byte {
            b'\'' => quoted.extend(b"'\\''"),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

/// A word of `sbatch` with a path in it, in which `%` has a meaning.
fn path_option(option: &str, path: &OsStr, end: &str) -> OsString {
    let mut word = OsString::from(option);
    let escaped = path.to_string_lossy().replace('%', "%%");
    match path.to_str() {
        Some(_) => word.push(escaped),
        None => word.push(path), // no text, so no pattern that could be detected
    }
    word.push(end);
    word
}

fn script_text(program: &Path, dir: &Path, tasks: &[usize], cpus: u64) -> Vec<u8> {
    let mut text = b"#!/bin/sh\n# Each element makes the runs of one task.\nset --".to_vec();
    for &task in tasks {
        text.extend(b" \\\n  ");
        text.extend(quoted(task_path(dir, task).as_os_str()));
    }
    text.extend(b"\nshift \"$SLURM_ARRAY_TASK_ID\"\nexec ");
    text.extend(quoted(program.as_os_str()));
    text.extend(format!(" work \"$1\" --jobs {cpus}\n").into_bytes());
    text
}

/// Until then Slurm should have ended what it was asked to end.
const CANCEL_MAX: Duration = Duration::from_secs(60);
const CANCEL_STEP: Duration = Duration::from_millis(500);

/// Ends all tasks of the sweep in `dir` in Slurm, and the command that follows it; how many.
pub(crate) fn cancel(dir: &Path) -> Result<usize, String> {
    let dir = &fs::canonicalize(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    if !slurm_dir(dir).is_dir() {
        return Ok(0);
    }
    // First, so that what ends is not handed out again.
    fs::write(mark(dir), "").map_err(|e| format!("{}: {e}", mark(dir).display()))?;
    let start = Instant::now();
    let mut ended = BTreeSet::new();
    loop {
        let rows = queue::rows(&Arrays::read(dir)?.open_names());
        let rows = rows.map_err(QueueError::text)?;
        ended.extend(rows.iter().map(|row| (row.job_id, row.element)));
        let ids: BTreeSet<u64> = rows.iter().map(|row| row.job_id).collect();
        let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
        if ids.is_empty() {
            return Ok(ended.len());
        }
        if start.elapsed() > CANCEL_MAX {
            return Err(format!("still queued or running: jobs {}", ids.join(", ")));
        }
        queue::cancel(&ids).map_err(QueueError::text)?;
        thread::sleep(CANCEL_STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    // Paths with blanks, quotes and patterns reach the worker as they are.
    #[test]
    fn an_element_of_an_array_starts_its_own_task() {
        let tmp = tempfile::tempdir().expect("a folder");
        let dir = tmp.path().join("a 'b' $(c) %d");
        let program = tmp.path().join("say it.sh");
        fs::write(&program, "#!/bin/sh\nprintf '%s|' \"$@\"\n").expect("written");
        let script = tmp.path().join("array.sh");
        let text = script_text(Path::new("/bin/sh"), &dir, &[4, 17], 2);
        let text = String::from_utf8(text).expect("text");
        // the shell in the place of the program reads the stand-in as its script
        let text = text.replace("/bin/sh work", &format!("/bin/sh '{}' work", program.display()));
        fs::write(&script, text).expect("written");
        for (element, task) in [("0", 4), ("1", 17)] {
            let mut command = Command::new("/bin/sh");
            command.arg(&script).env("SLURM_ARRAY_TASK_ID", element);
            let printed = command.output().expect("it starts").stdout;
            let expected = format!("work|{}|--jobs|2|", task_path(&dir, task).display());
            assert_eq!(String::from_utf8_lossy(&printed), expected);
        }
    }
}
