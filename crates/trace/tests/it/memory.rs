//! Reading needs constant memory: it never runs far ahead of what it has given.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use trace::{Options, Trace};

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

/// The buffer, and a line.
const AHEAD: u64 = (64 << 10) + 64;

/// Reads 100,000 items, each a line behind a head, of which `window` may be held.
fn assert_not_far_ahead(
    head: u64,
    window: usize,
    line: impl Fn(u64) -> String + Clone + Send + 'static,
) {
    let taken = Arc::new(AtomicU64::new(0));
    let source = Lines {
        line: Box::new(line.clone()),
        number: 0,
        rest: Vec::new(),
        taken: Arc::clone(&taken),
    };
    let options = Options { reorder_records: window, ..Options::default() };
    let Ok(Trace::File(items)) = Trace::new(source, "t", &options) else { panic!("a file") };
    let mut given: u64 = (0..head).map(|number| line(number).len() as u64).sum();
    for (number, item) in (head..head + 100_000).zip(items) {
        item.expect("good");
        let length = line(number).len() as u64;
        given += length;
        let ahead = taken.load(Ordering::Relaxed) - given;
        assert!(ahead <= AHEAD + window as u64 * length, "{ahead} bytes after {number} lines");
    }
}

#[test]
fn nothing_is_read_far_ahead() {
    assert_not_far_ahead(0, 100, |n| format!("{:06},{n:06},004096,r,{n:09}.5\n", n % 9));
    assert_not_far_ahead(1, 0, |n| match n {
        0 => format!("{}\n", trace::HEADER),
        n => format!("{n},{n},0,1,64,\n"),
    });
}
