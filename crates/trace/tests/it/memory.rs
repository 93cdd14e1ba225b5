//! Reading needs constant memory: it never runs far ahead of what it has given.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use trace::{Item, Options, Trace};

/// Lines without end, as long as they are numbered; counts the bytes that were taken.
struct Lines {
    line: Box<dyn Fn(u64) -> String + Send>,
    number: u64,
    rest: Vec<u8>,
    taken: Arc<AtomicU64>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = (self.line)(self.number).into_bytes();
            self.number += 1;
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        self.taken.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

fn lines(line: impl Fn(u64) -> String + Send + 'static) -> (Lines, Arc<AtomicU64>) {
    let taken = Arc::new(AtomicU64::new(0));
    let lines =
        Lines { line: Box::new(line), number: 0, rest: Vec::new(), taken: Arc::clone(&taken) };
    (lines, taken)
}

/// The buffer, and a line.
const AHEAD: u64 = (64 << 10) + 64;

#[test]
fn records_are_read_no_further_ahead_than_the_window() {
    let line = |n: u64| format!("{:06},{:06},004096,r,{:09}.5\n", n % 9, n, n);
    let length = line(0).len() as u64;
    let (source, taken) = lines(line);
    let options = Options { reorder_records: 100, ..Options::default() };
    let Ok(Trace::File(records)) = Trace::new(source, "t", &options) else { panic!("I/O") };
    for (number, record) in (1..=100_000_u64).zip(records) {
        record.expect("good");
        let ahead = taken.load(Ordering::Relaxed) - number * length;
        assert!(ahead <= AHEAD + 100 * length, "{ahead} bytes after {number} records");
    }
}

#[test]
fn messages_are_read_no_further_ahead_than_the_buffer() {
    let line = |n: u64| match n {
        0 => format!("{}\n", trace::HEADER),
        n => format!("{n},{n},0,1,64,\n"),
    };
    let (source, taken) = lines(line);
    let mut given = line(0).len() as u64;
    let trace = Trace::new(source, "t", &Options::default());
    let Ok(Trace::File(messages)) = trace else { panic!("messages") };
    for message in messages.take(100_000) {
        let Ok(Item::Message(message)) = message else { panic!("good") };
        given += line(message.id).len() as u64;
        assert!(taken.load(Ordering::Relaxed) - given <= AHEAD);
    }
}
