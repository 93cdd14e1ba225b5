//! Waveforms: signals in a tree of scopes over time, written as FST, VCD, or as trace events for
//! Perfetto and Chrome.
//!
//! [`Signals`] declares them, a [`Sink`] takes the changes in the order of time. Until they change
//! bits and integers are 0, texts empty.
//!
//! ```
//! use inspect::waveform::{Kind, Signals, Sink, Value, Vcd};
//!
//! let mut signals = Signals::default();
//! signals.open("switch0");
//! let busy = signals.add("busy", Kind::Bit);
//! signals.close();
//! let mut file = Vec::new();
//! let mut vcd = Vcd::new(&mut file, &signals, 0)?;
//! vcd.change(2_000, busy, Value::Bit(true))?;
//! vcd.end(5_000)?;
//! let text = String::from_utf8(file).expect("text");
//! assert!(text.contains("$scope module switch0 $end"));
//! assert!(text.ends_with("#2000\n1!\n#5000\n"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! FST is written here, since the crates that write it know no signals of text, as states and
//! packets are.

mod fst;
mod section;
mod trace_events;
mod vcd;

pub use fst::Fst;
pub use trace_events::TraceEvents;
pub use vcd::Vcd;

use std::io;

/// What a signal holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A bit.
    Bit,
    /// An integer of 32 bits.
    Integer,
    /// A text.
    Text,
}

/// A value of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of [`Kind::Bit`].
    Bit(bool),
    /// Of [`Kind::Integer`]; at most 31 bits, since viewers take it as signed.
    Integer(u32),
    /// Of [`Kind::Text`].
    Text(&'a str),
}

/// Number of a signal, in the order of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalId(u32);

impl SignalId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A line of the declaration.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    Open(String),
    /// The scope ends that began last.
    Close,
    Signal(String, SignalId, Kind),
}

/// The declaration of all signals.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    items: Vec<Item>,
    kinds: Vec<Kind>,
    depth: usize,
}

impl Signals {
    /// Begins a scope inside of the present one. Names are without spaces.
    pub fn open(&mut self, scope: impl Into<String>) {
        self.depth += 1;
        self.items.push(Item::Open(scope.into()));
    }

    /// Ends the present scope.
    ///
    /// # Panics
    /// If none is open.
    pub fn close(&mut self) {
        assert!(self.depth > 0, "no scope is open");
        self.depth -= 1;
        self.items.push(Item::Close);
    }

    /// A signal of the present scope.
    pub fn add(&mut self, name: impl Into<String>, kind: Kind) -> SignalId {
        let id = SignalId(self.kinds.len() as u32);
        self.kinds.push(kind);
        self.items.push(Item::Signal(name.into(), id, kind));
        id
    }

    /// All lines; panics if a scope is still open.
    pub(crate) fn items(&self) -> &[Item] {
        assert!(self.depth == 0, "{} scopes are open", self.depth);
        &self.items
    }
}

/// Takes changes of signals, times in ps, in the order of time.
pub trait Sink {
    /// A signal has another value from this time on.
    ///
    /// # Errors
    /// What is written to does not take it.
    ///
    /// # Panics
    /// If time goes back, and for a value of another kind than the signal's.
    fn change(&mut self, ps: u64, signal: SignalId, value: Value<'_>) -> io::Result<()>;

    /// All values hold until this time; nothing follows.
    ///
    /// # Errors
    /// What is written to does not take it.
    fn end(&mut self, ps: u64) -> io::Result<()>;
}

#[cold]
fn wrong_kind(signal: SignalId, value: Value<'_>) -> ! {
    panic!("signal {}: {value:?} is not of its kind", signal.index())
}
