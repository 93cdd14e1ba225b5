//! `[target]`: what a study is judged by.

use super::reader::Reader;
use crate::keys::{self, Kind, TARGET};
use crate::plain::Plain;
use crate::source::Origin;
use crate::value::Table;
use units::Ratio;

/// What a point must reach to be enough. What is not given is `None`: the judge has the defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// `target.metric`: `victims` or `all`, whose throughput is judged.
    pub metric: Option<String>,
    /// `target.window`: one of the scenario, or `measured`.
    pub window: Option<String>,
    /// `target.at_least_percent`, or 100 less `target.within_percent`: of the reference.
    pub at_least_percent: Option<Ratio>,
    /// `target.reference`: `best`, `offered`, `possible`, or a queue scheme.
    pub reference: Option<String>,
    /// `target.p99_times`: a p99 of up to so many times that of the reference.
    pub p99_times: Option<Ratio>,
    /// `target.p99_ns`: a p99 of up to so much.
    pub p99_ns: Option<Ratio>,
}

/// References that are no scheme.
pub(super) const REFERENCES: [&str; 3] = ["best", "offered", "possible"];

impl Reader {
    pub(super) fn target(&mut self, table: &Table) -> Target {
        let mut target = Target::default();
        let inner = self.keyed(table, "target", TARGET, |reader, key, plain, origin| {
            reader.put(&mut target, key, plain, origin);
        });
        let Some(inner) = inner else {
            return target;
        };
        for [one, other] in [["at_least_percent", "within_percent"], ["p99_times", "p99_ns"]] {
            if let (Some(_), Some(entry)) = (inner.get(one), inner.get(other)) {
                self.refuse(
                    &format!("target.{other}"),
                    format!("target.{one} is given too"),
                    "legal: one of them",
                    &entry.key_origin,
                );
            }
        }
        target
    }

    /// Puts a value of the right type in its place, if it is in its range.
    fn put(&mut self, target: &mut Target, name: &str, plain: Plain, origin: &Origin) {
        let path = format!("target.{name}");
        let hundred = Ratio::new(100, 1).unwrap_or(Ratio::ONE);
        match (name, plain) {
            ("metric", Plain::Word(word)) => target.metric = Some(word),
            ("window", Plain::Word(word)) => target.window = Some(word),
            ("reference", Plain::Word(word)) => {
                let schemes = match keys::find("switch.scheme").map(|key| key.kind) {
                    Some(Kind::Word { legal, .. }) => legal,
                    _ => &[],
                };
                if REFERENCES.iter().chain(schemes).any(|legal| *legal == word) {
                    target.reference = Some(word);
                    return;
                }
                let (what, legal) = (REFERENCES.join(", "), schemes.join(", "));
                self.refuse(
                    &path,
                    format!("no reference \"{}\"", crate::error::short(&word)),
                    format!("legal: {what}, or a scheme: {legal}"),
                    origin,
                );
            }
            ("at_least_percent", Plain::Ratio(Some(percent))) if percent <= hundred => {
                target.at_least_percent = Some(percent);
            }
            ("within_percent", Plain::Ratio(Some(percent))) if percent < hundred => {
                let all = percent.den().checked_mul(100);
                let rest = all.and_then(|all| all.checked_sub(percent.num()));
                let rest = rest.and_then(|rest| Ratio::new(rest, percent.den()).ok());
                target.at_least_percent = rest;
            }
            ("p99_times", Plain::Ratio(Some(times))) if times >= Ratio::ONE => {
                target.p99_times = Some(times);
            }
            ("p99_ns", Plain::Ratio(Some(ns))) => target.p99_ns = Some(ns),
            (name, plain) => {
                let legal = match name {
                    "p99_times" => "legal: a number from 1 on",
                    "within_percent" => "legal: a number above 0 and below 100",
                    _ => "legal: a number above 0 and up to 100",
                };
                self.refuse(&path, plain.label(), legal, origin);
            }
        }
    }
}
