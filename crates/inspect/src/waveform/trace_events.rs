//! Trace events, the JSON that Perfetto and Chrome open: a process for each scope of the second
//! level, a text that is not empty as a slice on a thread of its own, an integer as a counter. Bits
//! are left out: the texts say the same.

use super::{Item, Kind, SignalId, Signals, Sink, Value, wrong_kind};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// Where a signal is shown.
#[derive(Debug)]
struct Track {
    kind: Kind,
    process: usize,
    name: String,
    /// The text since when.
    text: String,
    since: u64,
}

/// An event, in the order of its fields.
#[derive(Serialize)]
struct Event<'a> {
    ph: &'a str,
    pid: usize,
    tid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    name: &'a str,
    #[serde(skip_serializing_if = "Json::is_null")]
    args: Json,
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
                        trace.say("process_name", process, 0, name)?;
                    }
                }
                Item::Close => {
                    path.pop();
                }
                Item::Signal(name, id, kind) => {
                    let inner = path.get(2..).unwrap_or_default().iter().copied();
                    let name = inner.chain([name.as_str()]).collect::<Vec<_>>().join(".");
                    if *kind == Kind::Text {
                        trace.say("thread_name", process, id.index() + 1, &name)?;
                    }
                    trace.tracks.push(Track {
                        kind: *kind,
                        process,
                        name,
                        text: String::new(),
                        since: 0,
                    });
                }
            }
        }
        Ok(trace)
    }

    fn write(&mut self, event: &Event<'_>) -> io::Result<()> {
        let before: &[u8] = if self.is_first { b"\n" } else { b",\n" };
        self.is_first = false;
        self.out.write_all(before)?;
        serde_json::to_writer(&mut self.out, event).map_err(io::Error::from)
    }

    fn say(&mut self, what: &str, pid: usize, tid: usize, name: &str) -> io::Result<()> {
        self.write(&Event {
            ph: "M",
            pid,
            tid,
            ts: None,
            dur: None,
            name: what,
            args: json!({ "name": name }),
        })
    }

    /// The text of a signal ends.
    fn end_slice(&mut self, ps: u64, signal: usize) -> io::Result<()> {
        let track = &mut self.tracks[signal];
        let text = std::mem::take(&mut track.text);
        if text.is_empty() {
            return Ok(());
        }
        let event = Event {
            ph: "X",
            pid: track.process,
            tid: signal + 1,
            ts: Some(us(track.since)),
            dur: Some(us(ps - track.since)),
            name: &text,
            args: Json::Null,
        };
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
                let name = std::mem::take(&mut self.tracks[at].name);
                let event = Event {
                    ph: "C",
                    pid: self.tracks[at].process,
                    tid: 0,
                    ts: Some(us(ps)),
                    dur: None,
                    name: &name,
                    args: json!({ "value": number }),
                };
                let written = self.write(&event);
                self.tracks[at].name = name;
                written
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
