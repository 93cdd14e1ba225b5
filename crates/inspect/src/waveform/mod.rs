//! Waveforms: signals in a tree of scopes over time, written as FST, VCD, or as trace events for
//! Perfetto and Chrome.
//!
//! [`Signals`] declares them, a [`Sink`] takes the changes in the order of time and writes to what
//! it is handed. All signals have a value from the start on: bits are 0, integers 0, texts empty
//! until they change.
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
//! Main decision: FST is written here. The crates that write it know no signals of text, and states
//! and packets are texts; the format is in `fst.rs`, and a test reads it back with another's
//! reader.

mod fst;
mod section;
mod signals;
mod trace_events;
mod varint;
mod vcd;

pub use fst::Fst;
pub use signals::{Item, Kind, SignalId, Signals, Value};
pub use trace_events::TraceEvents;
pub use vcd::Vcd;

use std::io;

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

/// A value that is not of the kind of its signal.
#[cold]
fn wrong_kind(signal: SignalId, value: Value<'_>) -> ! {
    panic!("signal {}: {value:?} is not of its kind", signal.index())
}
