//! `[target]`: what a study is judged by.

use super::reader::Reader;
use crate::error::{Place, short};
use crate::keys::TARGET;
use crate::plain::Plain;
use crate::value::{Kind as Toml, Table};
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
        let hundred = Ratio::new(100, 1).unwrap_or(Ratio::ONE);
        for (name, plain, place) in self.keyed(table, "target", TARGET) {
            match (name, plain) {
                ("metric", Plain::Word(word)) => target.metric = Some(word),
                ("window", Plain::Word(word)) => target.window = Some(word),
                ("reference", Plain::Word(word)) => {
                    target.reference = self.reference(word, place);
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
                    self.refuse(&format!("target.{name}"), plain.label(), legal, place);
                }
            }
        }
        let Some(Toml::Table(inner)) = table.get("target").map(|entry| &entry.value.kind) else {
            return target;
        };
        for [one, other] in [["at_least_percent", "within_percent"], ["p99_times", "p99_ns"]] {
            if let (Some(_), Some(entry)) = (inner.get(one), inner.get(other)) {
                let what = format!("target.{one} is given too");
                let key = format!("target.{other}");
                self.refuse(&key, what, "legal: one of them", &entry.key_origin);
            }
        }
        target
    }

    fn reference(&mut self, word: String, place: &Place) -> Option<String> {
        let schemes = ::plan::SchemeKind::NAMES;
        if REFERENCES.iter().chain(schemes).any(|legal| *legal == word) {
            return Some(word);
        }
        let (references, schemes) = (REFERENCES.join(", "), schemes.join(", "));
        let what = format!("no reference \"{}\"", short(&word));
        let help = format!("legal: {references}, or a scheme: {schemes}");
        self.refuse("target.reference", what, help, place);
        None
    }
}
