//! Signals that remember their value, and values as signals have them.

use crate::waveform::{Kind, SignalId, Signals, Sink, Value};
use std::fmt::{Display, Write as _};
use std::io;
use units::Unit;

pub(super) struct Out {
    pub(super) sink: Box<dyn Sink + Send>,
    /// Now, ps.
    pub(super) ps: u64,
    pub(super) error: Option<io::Error>,
    text: String,
}

impl Out {
    pub(super) fn new(sink: Box<dyn Sink + Send>) -> Out {
        Out { sink, ps: 0, error: None, text: String::new() }
    }

    /// A change; the first error is kept, and nothing is written behind it.
    fn put(&mut self, signal: SignalId, show: impl FnOnce(&mut String) -> Option<Value<'static>>) {
        if self.error.is_some() {
            return;
        }
        self.text.clear();
        let value = show(&mut self.text).unwrap_or(Value::Text(&self.text));
        if let Err(error) = self.sink.change(self.ps, signal, value) {
            self.error = Some(error);
        }
    }
}

/// What a signal can show.
pub(super) trait Show: PartialEq {
    const KIND: Kind;
    /// The value; a text is written.
    fn show(&self, text: &mut String) -> Option<Value<'static>>;
}

pub(super) struct Track<T> {
    id: SignalId,
    last: Option<T>,
}

impl<T: Show> Track<T> {
    pub(super) fn new(signals: &mut Signals, name: &str) -> Track<T> {
        Track { id: signals.add(name, T::KIND), last: None }
    }

    pub(super) fn set(&mut self, value: T, out: &mut Out) {
        if self.last.as_ref() != Some(&value) {
            out.put(self.id, |text| value.show(text));
            self.last = Some(value);
        }
    }
}

/// A text that holds for one tick: what happened in it, apart by commas.
pub(super) struct Pulse {
    id: SignalId,
    text: String,
    was_set: bool,
}

impl Pulse {
    pub(super) fn new(signals: &mut Signals, name: &str) -> Pulse {
        Pulse { id: signals.add(name, Kind::Text), text: String::new(), was_set: false }
    }

    /// In this tick.
    pub(super) fn add(&mut self, what: std::fmt::Arguments<'_>) {
        if !self.text.is_empty() {
            self.text.push(',');
        }
        let _ = self.text.write_fmt(what); // a String takes everything
    }

    pub(super) fn set(&mut self, out: &mut Out) {
        let is_set = !self.text.is_empty();
        if is_set || self.was_set {
            out.put(self.id, |text| {
                text.push_str(&self.text);
                None
            });
        }
        self.was_set = is_set;
        self.text.clear();
    }
}

impl Show for bool {
    const KIND: Kind = Kind::Bit;
    fn show(&self, _: &mut String) -> Option<Value<'static>> {
        Some(Value::Bit(*self))
    }
}

impl Show for u32 {
    const KIND: Kind = Kind::Integer;
    fn show(&self, _: &mut String) -> Option<Value<'static>> {
        Some(Value::Integer(*self))
    }
}

/// A text, empty where there is none: of units what is below the fabric, and without spaces.
impl<T: Display + PartialEq> Show for Option<T> {
    const KIND: Kind = Kind::Text;
    fn show(&self, text: &mut String) -> Option<Value<'static>> {
        if let Some(value) = self {
            let _ = write!(text, "{value}"); // a String takes everything
            if text.starts_with(FABRIC) {
                text.drain(..FABRIC.len());
            }
            text.retain(|c| c != ' ');
        }
        None
    }
}

/// What names of units begin with.
const FABRIC: &str = "fabric.";

/// The name of a unit below the fabric: `switch3.in2`.
pub(super) fn short(unit: Unit) -> String {
    let name = unit.to_string();
    name.strip_prefix(FABRIC).unwrap_or(&name).to_string()
}
