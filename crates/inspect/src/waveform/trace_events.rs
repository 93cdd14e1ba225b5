//! Trace events, the JSON that Perfetto and Chrome open: a process for each scope of the second
//! level, a text that is not empty as a slice on a thread of its own, an integer as a counter. Bits
//! are left out: the texts hold the same.

use super::{Item, Kind, SignalId, Signals, Sink, Value, wrong_kind};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

struct Track {
    kind: Kind,
    process: usize,
    name: String,
    /// The text since when.
    text: String,
    since: u64,
}

/// Writes trace events.
pub struct TraceEvents<W: Write> {
    out: W,
    tracks: Vec<Track>,
    is_first: bool,
    now: u64,
}

impl<W: Write> TraceEvents<W> {
    /// Begins a file, at a time in ps.
    ///
    /// # Errors
    /// What is written to does not take it.
    ///
    /// # Panics
    /// If a scope is still open.
    pub fn new(mut out: W, signals: &Signals, start: u64) -> io::Result<TraceEvents<W>> {
        out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        let mut trace = TraceEvents { out, tracks: Vec::new(), is_first: true, now: start };
        let (mut path, mut process): (Vec<&str>, usize) = (Vec::new(), 0);
        for item in signals.items() {
            match item {
                Item::Open(name) => {
                    path.push(name);
                    if path.len() == 2 {
                        process += 1;
                        trace.metadata("process_name", process, 0, name)?;
                    }
                }
                Item::Close => {
                    path.pop();
                }
                Item::Signal(name, id, kind) => {
                    let inner = path.get(2..).unwrap_or_default().iter().copied();
                    let name = inner.chain([name.as_str()]).collect::<Vec<_>>().join(".");
                    if *kind == Kind::Text {
                        trace.metadata("thread_name", process, id.index() + 1, &name)?;
                    }
                    let (kind, text) = (*kind, String::new());
                    trace.tracks.push(Track { kind, process, name, text, since: 0 });
                }
            }
        }
        Ok(trace)
    }

    fn write(&mut self, event: &Json) -> io::Result<()> {
        let before: &[u8] = if self.is_first { b"\n" } else { b",\n" };
        self.is_first = false;
        self.out.write_all(before)?;
        serde_json::to_writer(&mut self.out, event).map_err(io::Error::from)
    }

    fn metadata(&mut self, what: &str, pid: usize, tid: usize, name: &str) -> io::Result<()> {
        let args = json!({ "name": name });
        self.write(&json!({ "ph": "M", "pid": pid, "tid": tid, "name": what, "args": args }))
    }

    fn end_slice(&mut self, ps: u64, signal: usize) -> io::Result<()> {
        let track = &mut self.tracks[signal];
        let text = std::mem::take(&mut track.text);
        if text.is_empty() {
            return Ok(());
        }
        let event = json!({
            "ph": "X", "pid": track.process, "tid": signal + 1, "ts": us(track.since),
            "dur": us(ps - track.since), "name": text,
        });
        self.write(&event)
    }
}

/// Times are in us.
fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

impl<W: Write> Sink for TraceEvents<W> {
    fn change(&mut self, ps: u64, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        assert!(ps >= self.now, "time goes back from {} to {ps} ps", self.now);
        self.now = ps;
        let at = signal.index();
        match (self.tracks[at].kind, value) {
            (Kind::Bit, Value::Bit(_)) => Ok(()),
            (Kind::Integer, Value::Integer(number)) => {
                let track = &self.tracks[at];
                let event = json!({
                    "ph": "C", "pid": track.process, "tid": 0, "ts": us(ps), "name": track.name,
                    "args": { "value": number },
                });
                self.write(&event)
            }
            (Kind::Text, Value::Text(text)) => {
                self.end_slice(ps, at)?;
                self.tracks[at].text.push_str(text);
                self.tracks[at].since = ps;
                Ok(())
            }
            _ => wrong_kind(signal, value),
        }
    }

    fn end(&mut self, ps: u64) -> io::Result<()> {
        for at in 0..self.tracks.len() {
            self.end_slice(ps, at)?;
        }
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()
    }
}
