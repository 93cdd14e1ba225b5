//! The files that a run writes, for runs whose results must be the same bytes.

use crate::page::io;
use setaside::Failure;
use std::collections::BTreeMap;
use std::path::Path;

/// Holds times and how the run came about: never part of byte equality.
const MANIFEST: &str = "manifest.json";
/// Holds the results and, in lines of their own, these times.
const SUMMARY: &str = "summary.json";
const TIMES: [&str; 2] = ["\"cpu_seconds\":", "\"ns_per_packet_hop\":"];

/// Bytes by name of the file, without times.
pub(super) type Results = BTreeMap<String, Vec<u8>>;

/// The results in a run directory.
pub(super) fn read(directory: &Path) -> Result<Results, Failure> {
    let mut results = Results::new();
    for entry in std::fs::read_dir(directory).map_err(io(directory.display()))? {
        let path = entry.map_err(io(directory.display()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == MANIFEST {
            continue;
        }
        let mut bytes = std::fs::read(&path).map_err(io(path.display()))?;
        if name == SUMMARY {
            bytes = without_times(&bytes);
        }
        results.insert(name.into_owned(), bytes);
    }
    Ok(results)
}

fn without_times(summary: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(summary);
    let is_time = |line: &&str| TIMES.iter().any(|time| line.trim_start().starts_with(time));
    let lines: Vec<&str> = text.lines().filter(|line| !is_time(line)).collect();
    lines.join("\n").into_bytes()
}

/// A file that the two have not got, or not with the same bytes.
pub(super) fn differing<'a>(one: &'a Results, other: &'a Results) -> Option<&'a str> {
    let mut names = one.keys().chain(other.keys());
    names.find(|&name| one.get(name) != other.get(name)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::{Results, differing, without_times};

    #[test]
    fn times_are_no_results() {
        let summary = "{\n  \"packet_hops\": 7,\n  \"timing\": {\n    \"cpu_seconds\": 1.5,\n    \"ns_per_packet_hop\": 4\n  }\n}\n";
        let rest = "{\n  \"packet_hops\": 7,\n  \"timing\": {\n  }\n}";
        assert_eq!(without_times(summary.as_bytes()), rest.as_bytes());
    }

    #[test]
    fn a_file_that_differs_or_is_missing_is_told() {
        let results = |files: &[(&str, &str)]| -> Results {
            let owned = |&(name, text): &(&str, &str)| (name.to_string(), text.into());
            files.iter().map(owned).collect()
        };
        let one = results(&[("a", "1"), ("b", "2")]);
        assert_eq!(differing(&one, &one), None);
        assert_eq!(differing(&one, &results(&[("a", "1"), ("b", "3")])), Some("b"));
        assert_eq!(differing(&results(&[("b", "2")]), &one), Some("a"));
    }
}
