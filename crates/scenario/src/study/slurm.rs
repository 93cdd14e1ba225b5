//! `[slurm]`: how a study is run on a cluster. Results do not depend on it.

use super::reader::Reader;
use crate::error::{Errors, Found};
use crate::keys::SLURM;
use crate::plain::Plain;
use crate::scenario::Set;
use crate::source::Origin;
use crate::value::Table;

/// How tasks are handed to Slurm. What is not given is `None`: the cluster or the executor has the
/// default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slurm {
    /// `slurm.partition`.
    pub partition: Option<String>,
    /// `slurm.account`.
    pub account: Option<String>,
    /// `slurm.time_minutes`: limit of a task.
    pub time_minutes: Option<u64>,
    /// `slurm.memory_mb`: of a task.
    pub memory_mb: Option<u64>,
    /// `slurm.cpus`: of a task, and its runs side by side.
    pub cpus: Option<u64>,
    /// `slurm.extra`: further options of `sbatch`.
    pub extra: Vec<String>,
    /// `slurm.runs_per_task`.
    pub runs_per_task: Option<u64>,
    /// `slurm.tries`: how often a task is handed out before its runs count as failed.
    pub tries: Option<u64>,
    /// `slurm.poll_seconds`: time between two looks.
    pub poll_seconds: Option<u64>,
}

/// Options of `sbatch` that the executor gives itself.
const OWN: [&str; 8] =
    ["-a", "--array", "-J", "--job-name", "-o", "--output", "--parsable", "--wrap"];

impl Slurm {
    /// Where there is no study file.
    pub(super) fn of_sets(sets: &[Set]) -> Result<Slurm, Errors> {
        let mut table = Table::default();
        crate::scenario::overlay_sets(&mut table, sets)?;
        let mut reader = Reader { found: Found::default() };
        let slurm = reader.slurm(&table);
        reader.found.check()?;
        Ok(slurm)
    }
}

impl Reader {
    pub(super) fn slurm(&mut self, table: &Table) -> Slurm {
        let mut slurm = Slurm::default();
        self.keyed(table, "slurm", SLURM, |reader, key, plain, origin| {
            reader.put_slurm(&mut slurm, key, plain, origin);
        });
        slurm
    }

    fn put_slurm(&mut self, slurm: &mut Slurm, name: &str, plain: Plain, origin: &Origin) {
        let path = format!("slurm.{name}");
        match (name, plain) {
            ("extra", Plain::Word(text)) => {
                let options: Vec<String> = text.split_whitespace().map(String::from).collect();
                let own = |option: &&String| {
                    let name = option.split('=').next().unwrap_or_default();
                    OWN.contains(&name)
                };
                let legal = "legal: options of sbatch apart by blanks, such as \"--qos=long\"";
                match options.iter().find(own) {
                    Some(own) => {
                        let what = format!("{} is set by setaside", crate::error::short(own));
                        self.refuse(&path, what, legal, origin);
                    }
                    None if !text.trim_start().starts_with('-') => {
                        let what = format!("{} is no option", crate::error::short(&text));
                        self.refuse(&path, what, legal, origin);
                    }
                    None => slurm.extra = options,
                }
            }
            ("partition" | "account", Plain::Word(text)) => {
                let is_name = |c: char| c.is_alphanumeric() || "._-,".contains(c);
                if text.starts_with('-') || !text.chars().all(is_name) {
                    let what = format!("{} is no name", crate::error::short(&text));
                    self.refuse(&path, what, "legal: letters, digits, . _ - and ,", origin);
                } else if name == "account" {
                    slurm.account = Some(text);
                } else {
                    slurm.partition = Some(text);
                }
            }
            ("time_minutes", Plain::Integer(n)) => slurm.time_minutes = Some(n),
            ("memory_mb", Plain::Integer(n)) => slurm.memory_mb = Some(n),
            ("cpus", Plain::Integer(n)) => slurm.cpus = Some(n),
            ("runs_per_task", Plain::Integer(n)) => slurm.runs_per_task = Some(n),
            ("tries", Plain::Integer(n)) => slurm.tries = Some(n),
            ("poll_seconds", Plain::Integer(n)) => slurm.poll_seconds = Some(n),
            // A key of the table whose kind is another there.
            (_, plain) => self.refuse(&path, plain.label(), "legal: a number", origin),
        }
    }
}
