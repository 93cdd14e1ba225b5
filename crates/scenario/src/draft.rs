//! A scenario while it is resolved: its settings, what is wrong with them, and the clock.

use crate::error::ScenarioError;
use crate::keys::Fallback;
use crate::plain::Plain;
use crate::settings::Settings;
use std::cell::RefCell;
use std::fmt::Display;
use std::ops::{Deref, DerefMut};
use units::{Ratio, Span, TimeBase};

/// Settings, and errors that all readers of sections add to.
pub(crate) struct Draft {
    pub(crate) settings: Settings,
    /// In a cell: a reader holds words of the settings while it refuses them.
    errors: RefCell<Vec<ScenarioError>>,
    /// Once it is known.
    pub(crate) time_base: Option<TimeBase>,
}

/// Keys that have a meaning only with certain others, with their defaults there.
pub(crate) struct Gate {
    pub(crate) is_open: fn(&Settings) -> bool,
    pub(crate) keys: &'static [(&'static str, Fallback)],
    /// Another key that may be to blame where one of these has no meaning.
    pub(crate) or: Option<&'static str>,
    /// The error of one that has no meaning; `{key}` is replaced by the value of a key.
    pub(crate) what: &'static str,
    pub(crate) help: &'static str,
}

impl Deref for Draft {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}

impl DerefMut for Draft {
    fn deref_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }
}

impl Draft {
    pub(crate) fn new(settings: Settings) -> Draft {
        Draft { settings, errors: RefCell::default(), time_base: None }
    }

    pub(crate) fn push(&self, error: ScenarioError) {
        self.errors.borrow_mut().push(error);
    }

    /// Adds an error at that of these keys that is to blame.
    pub(crate) fn refuse(&self, keys: &[&str], what: impl Into<String>, help: impl Into<String>) {
        self.push(self.error(keys, what, help));
    }

    /// Refuses what a model refuses, in its words: what is wrong; and what is legal, if stated.
    pub(crate) fn refuse_as(&self, keys: &[&str], error: &impl Display, legal: &str) {
        let text = error.to_string();
        let (what, legal) = text.split_once("; legal: ").unwrap_or((&text, legal));
        self.refuse(keys, what, format!("legal: {legal}"));
    }

    pub(crate) fn found(&self) -> usize {
        self.errors.borrow().len()
    }

    pub(crate) fn forget_from(&self, first: usize) {
        self.errors.borrow_mut().truncate(first);
    }

    pub(crate) fn is_wrong(&self, path: &str) -> bool {
        self.errors.borrow().iter().any(|error| error.key == path)
    }

    pub(crate) fn take_errors(&self) -> Vec<ScenarioError> {
        self.errors.take()
    }

    /// Fills in what keys of a gate have for defaults where it is open, and refuses them elsewhere.
    pub(crate) fn gate(&mut self, gate: &Gate) {
        if (gate.is_open)(self) {
            self.fill_all(gate.keys);
        } else {
            self.refuse_shut(gate);
        }
    }

    pub(crate) fn refuse_shut(&self, gate: &Gate) {
        if (gate.is_open)(self) {
            return;
        }
        for (path, _) in gate.keys.iter().filter(|(path, _)| self.given(path)) {
            let of = gate.what.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
            let what = match of {
                Some((of, _)) => gate.what.replace(&format!("{{{of}}}"), &self.show(of)),
                None => gate.what.to_owned(),
            };
            let blamed: Vec<&str> = std::iter::once(*path).chain(gate.or).collect();
            self.push(self.error_of(path, &blamed, what, gate.help));
        }
    }

    /// The time of a key in ticks, 0 without a clock; what is no whole number of them is refused
    /// with the nearest whole ns that are.
    pub(crate) fn ticks(&self, path: &str) -> Span {
        self.ticks_of(path, self.ratio(path))
    }

    /// The same of a time that must not be 0.
    pub(crate) fn some_ticks(&self, path: &str) -> Span {
        if self.ratio(path).is_none() {
            self.refuse(&[path], "0 ns", "legal: more than 0");
        }
        self.ticks(path)
    }

    pub(crate) fn ticks_of(&self, path: &str, ns: Option<Ratio>) -> Span {
        let (Some(ns), Some(time_base)) = (ns, &self.time_base) else {
            return Span::ZERO;
        };
        time_base.ns_to_ticks_exact(ns).unwrap_or_else(|error| {
            let default = if self.given(path) { "" } else { "the default of " };
            let shown = Plain::Ratio(Some(ns)).toml();
            let tick = error.tick_ns;
            let what = format!("{default}{shown} ns is not a whole number of ticks of {tick} ns");
            self.refuse(&[path], what, nearest_ns(ns, time_base));
            Span::ZERO
        })
    }
}

/// Whole ns around `ns` that are whole ticks: the multiples of the denominator of ticks per ns.
pub(crate) fn nearest_ns(ns: Ratio, time_base: &TimeBase) -> String {
    let unit = u128::from(time_base.ticks_per_ns().den());
    let below = u128::from(ns.num()) / u128::from(ns.den()) / unit * unit;
    let above = below + unit;
    let ticks = above * u128::from(time_base.ticks_per_ns().num()) / unit;
    if u64::try_from(ticks).is_err() {
        return "legal: what 64 bits of ticks hold".to_owned();
    }
    let near = if below == 0 { above.to_string() } else { format!("{below} and {above}") };
    format!(
        "next to it: {near}; a tick follows from link.phit_bytes, link.rate_bytes_per_ns and switch.speedup"
    )
}
