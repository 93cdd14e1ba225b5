//! Values with a unit (`20us`, `32KB`, `8Gbps`, `90%`): refused, with what is legal instead.

use crate::keys::{self, Kind};
use crate::source::Source;
use std::ops::Range;
use units::Ratio;

/// Unit of a key, units as written, times so much over so much.
const UNITS: [(&str, &[&str], u64, u64); 12] = [
    ("ns", &["ns"], 1, 1),
    ("ns", &["us"], 1_000, 1),
    ("ns", &["ms"], 1_000_000, 1),
    ("ns", &["s"], 1_000_000_000, 1),
    ("ns", &["ps"], 1, 1_000),
    ("bytes", &["B", "bytes"], 1, 1),
    ("bytes", &["k", "kB", "KB", "KiB"], 1 << 10, 1),
    ("bytes", &["M", "MB", "MiB"], 1 << 20, 1),
    ("bytes/ns", &["GB/s", "GBps"], 1, 1),
    ("bytes/ns", &["Gbps", "Gb/s", "Gbit/s", "G"], 1, 8),
    ("bytes/ns", &["Mbps", "Mbit/s"], 1, 8_000),
    ("bytes/ns", &["Tbps", "Tbit/s"], 1_000, 8),
];

/// How the value of a key is to be written that was given with a unit; `None` where it was not.
pub(crate) fn spelling(path: &str, given: &str) -> Option<String> {
    let key = keys::find(path)?;
    let (unit, given) = (key.unit, given.trim());
    let at = given.find(|c: char| c.is_ascii_alphabetic() || c == '%')?;
    let (number, written) = given.split_at(at);
    if written == "%" && matches!(key.kind, Kind::Share) {
        let percent: Ratio = number.trim().parse().ok()?;
        let share = percent.mul(Ratio::new(1, 100).ok()?).ok()?;
        return Some(format!("{}", share.num() as f64 / share.den() as f64));
    }
    let is_written = |row: &&(&str, &[&str], _, _)| row.0 == unit && row.1.contains(&written);
    let &(_, _, num, den) = UNITS.iter().find(is_written)?;
    let number: Ratio = number.trim().replace('_', "").parse().ok()?;
    let value = number.mul(Ratio::new(num, den).ok()?).ok()?;
    Some(match value.den() {
        1 => format!("{} {unit}", value.num()),
        den => format!("\"{}/{den}\" {unit}", value.num()),
    })
}

/// As [`spelling`], of a value without quotes: text that is not TOML, at `span`.
pub(crate) fn bare(source: &Source, span: Range<usize>) -> Option<String> {
    let (before, given) = (source.text.get(..span.start)?, source.text.get(span)?);
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    let key = line.split_once('=')?.0.trim();
    let header = above.lines().rev().find_map(|l| l.trim().strip_prefix('['));
    let path = match header.unwrap_or_default().split(']').next()? {
        "" => key.to_owned(),
        section => match section.strip_prefix('[') {
            Some(list) => format!("{list}.0.{key}"),
            None => format!("{section}.{key}"),
        },
    };
    let spelling = spelling(&path, given)?;
    Some(format!("{given} is {spelling}, and a number has no unit behind it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_units_are_given_their_spelling() {
        for (path, given, spelled) in [
            ("run.duration_ns", "20us", Some("20000 ns")),
            ("run.duration_ns", "1.5 ms", Some("1500000 ns")),
            ("switch.port_memory_bytes", "32KB", Some("32768 bytes")),
            ("link.rate_bytes_per_ns", "8Gbps", Some("1 bytes/ns")),
            ("link.rate_bytes_per_ns", "10Gbps", Some("\"5/4\" bytes/ns")),
            ("workload.group.0.start_ns", "3us", Some("3000 ns")),
            ("run.duration_ns", "32KB", None),
            ("run.duration_ns", "soon", None),
            ("run.duration_ns", "20", None),
            ("workload.load", "90%", Some("0.9")),
            ("workload.hot.load", "12.5 %", Some("0.125")),
            ("workload.load", "33.3%", Some("0.333")),
            ("run.duration_ns", "90%", None),
            ("switch.scheme", "1q", None),
        ] {
            assert_eq!(spelling(path, given).as_deref(), spelled, "{path} {given}");
        }
    }
}
