//! `[slurm]`: how a study is run on a cluster. Results do not depend on it.

use super::reader::Reader;
use crate::error::{Errors, Place, short};
use crate::keys::SLURM;
use crate::plain::Plain;
use crate::scenario::Set;
use crate::value::Table;

/// How tasks are handed to Slurm; `None`: the cluster or the executor has the default.
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
    /// `slurm.poll_seconds`: time between two polls.
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
        let mut reader = Reader { errors: Errors::of(Vec::new()) };
        let slurm = reader.slurm(&table);
        reader.errors.check()?;
        Ok(slurm)
    }
}

impl Reader {
    pub(super) fn slurm(&mut self, table: &Table) -> Slurm {
        let mut slurm = Slurm::default();
        for (name, plain, place) in self.keyed(table, "slurm", SLURM) {
            match (name, plain) {
                ("extra", Plain::Word(text)) => slurm.extra = self.options(&text, place),
                (name, Plain::Word(text)) => {
                    let is_name = |c: char| c.is_alphanumeric() || "._-,".contains(c);
                    if text.starts_with('-') || !text.chars().all(is_name) {
                        let what = format!("{} is no name", short(&text));
                        let help = "legal: letters, digits, . _ - and ,";
                        self.refuse(&format!("slurm.{name}"), what, help, place);
                    } else if name == "account" {
                        slurm.account = Some(text);
                    } else {
                        slurm.partition = Some(text);
                    }
                }
                (name, Plain::Integer(number)) => {
                    let of = match name {
                        "time_minutes" => &mut slurm.time_minutes,
                        "memory_mb" => &mut slurm.memory_mb,
                        "cpus" => &mut slurm.cpus,
                        "runs_per_task" => &mut slurm.runs_per_task,
                        "tries" => &mut slurm.tries,
                        _ => &mut slurm.poll_seconds,
                    };
                    *of = Some(number);
                }
                // The table has no other kinds.
                _ => {}
            }
        }
        slurm
    }

    fn options(&mut self, text: &str, place: &Place) -> Vec<String> {
        let options: Vec<String> = text.split_whitespace().map(String::from).collect();
        let is_own = |option: &&String| OWN.contains(&option.split('=').next().unwrap_or_default());
        let what = match options.iter().find(is_own) {
            Some(own) => format!("{} is set by setaside", short(own)),
            None if text.trim_start().starts_with('-') => return options,
            None => format!("{} is no option", short(text)),
        };
        let help = "legal: options of sbatch apart by blanks, such as \"--qos=long\"";
        self.refuse("slurm.extra", what, help, place);
        Vec::new()
    }
}
