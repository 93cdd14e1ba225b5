//! What is to be run: [`Job`].

use crate::{Kin, Times};
use serde::{Deserialize, Serialize};

/// One run of a sweep, resolved: nothing about it is decided later. Task files hold it as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Place in the study; results are listed in this order. Unique.
    pub index: usize,
    /// Name of the run directory below `runs/`: one path component, unique in the sweep.
    pub directory: String,
    /// `(key, value)` of each axis that applies, in their order; the same for all replicas.
    pub labels: Vec<(String, String)>,
    /// Replica of the point, from 0.
    pub replica: u32,
    /// Replicas that the study asks for at this point, whether they are jobs or not.
    pub replicas: u32,
    /// Seed of the run.
    pub seed: u64,
    /// The resolved scenario, TOML.
    pub scenario_text: String,
    /// Hash of the resolved scenario.
    pub hash: u64,
    /// Bins of the series and the measured time.
    pub times: Times,
    /// What it shares with runs that it may equal; `None` without SAQs.
    pub kin: Option<Kin>,
    /// What its run takes of memory, an estimate.
    pub memory_bytes: u64,
    /// What its run takes of time, in a unit that is the same for all jobs; 0 where unknown.
    pub cost: f64,
}

impl Job {
    /// With its directory named after index and labels, of `total` jobs.
    #[must_use]
    pub fn named(mut self, total: usize) -> Self {
        self.directory = directory_name(self.index, total, &self.labels, self.replica);
        self
    }

    /// The value of an axis, where it applies.
    pub fn label(&self, axis: &str) -> Option<&str> {
        label(&self.labels, axis)
    }

    /// What a person calls the point.
    pub fn name(&self) -> String {
        point_name(&self.labels)
    }
}

pub(crate) fn label<'a>(labels: &'a [(String, String)], axis: &str) -> Option<&'a str> {
    let found = labels.iter().find(|(key, _)| key == axis);
    found.map(|(_, value)| value.as_str())
}

/// Longest directory name, bytes; the index at its head keeps cut names unique.
const DIRECTORY_BYTES_MAX: usize = 96;

/// Part of a file name: only `a-z A-Z 0-9 . _ -`, each other character becomes a `-`.
fn file_part(text: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    text.chars().map(|c| if harmless(c) { c } else { '-' }).collect()
}

/// Default directory below `runs/`: the name as one path component, 8 digits of the hash.
pub fn default_directory(name: &str, hash: u64) -> String {
    let mut name = file_part(name.trim_start_matches('.'));
    name.truncate(DIRECTORY_BYTES_MAX);
    let dash = if name.is_empty() { "" } else { "-" };
    format!("{name}{dash}{:08x}", hash >> 32)
}

/// A hash as manifests have it.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// FNV-1a, a word at a time. The hash of a study is that of the hashes of its runs, in order.
pub fn fnv_1a(words: impl IntoIterator<Item = u64>) -> u64 {
    let step = |h: u64, word: u64| (h ^ word).wrapping_mul(0x0100_0000_01b3);
    words.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// One path component: index with leading zeros, values of labels, replica from 1 on.
fn directory_name(index: usize, total: usize, labels: &[(String, String)], replica: u32) -> String {
    let width = total.saturating_sub(1).to_string().len().max(2);
    let mut name = format!("{index:0width$}");
    for (_, value) in labels {
        name.push('-');
        name.push_str(&file_part(value));
    }
    name.truncate(DIRECTORY_BYTES_MAX);
    if replica > 0 {
        name.push_str(&format!("-r{replica}"));
    }
    name
}

/// Name of a point: `switch.scheme` by its value, others as `saqs 4`, in full where parts clash.
pub(crate) fn point_name(labels: &[(String, String)]) -> String {
    let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_string();
    let parts: Vec<String> = labels
        .iter()
        .map(|(key, value)| {
            if key == "switch.scheme" {
                return value.clone();
            }
            let short = last(key);
            let shared = labels.iter().filter(|(k, _)| last(k) == short).count() > 1;
            format!("{} {value}", if shared { key } else { &short })
        })
        .collect();
    if parts.is_empty() { "all".to_string() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
    }

    #[test]
    fn directory_is_one_harmless_path_component() {
        let hostile = [("file", "../../etc/passwd"), ("speedup", "3/2"), ("x", "a b\n\u{e9}\0")];
        let name = directory_name(7, 120, &labels(&hostile), 2);
        assert_eq!(name, "007-..-..-etc-passwd-3-2-a-b----r2");
        let long = labels(&[("x", &"y".repeat(500))]);
        assert!(directory_name(1, 2, &long, 0).len() <= DIRECTORY_BYTES_MAX);
    }

    // "`--out` defaults to `runs/NAME-HASH8`": a name is text, not a path
    #[test]
    fn default_directory_is_one_harmless_path_component() {
        let hash = 0x0123_4567_89ab_cdef;
        for (name, directory) in [
            ("saq_sizing", "saq_sizing-01234567"),
            ("x/../../y", "x-..-..-y-01234567"),
            ("..", "01234567"),
            ("/etc\\\u{e9}\0", "-etc----01234567"),
            ("", "01234567"),
        ] {
            assert_eq!(default_directory(name, hash), directory);
        }
    }

    #[test]
    fn point_name_is_short_but_never_ambiguous() {
        let of = |pairs: &[(&str, &str)]| point_name(&labels(pairs));
        assert_eq!(of(&[("switch.scheme", "recn"), ("recn.saqs", "4")]), "recn, saqs 4");
        let loads = [("workload.load", "0.5"), ("workload.hot.load", "1")];
        assert_eq!(of(&loads), "workload.load 0.5, workload.hot.load 1");
        assert_eq!(of(&[]), "all");
    }
}
