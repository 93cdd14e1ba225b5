//! A section of an FST file: values at its start, then the changes of each signal by themselves.

use super::fst::CHANGES;
use super::{Kind, SignalId};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{self, Write};

#[derive(Default)]
struct Changes {
    packed: Vec<u8>,
    /// Number of the moment of the last one.
    last: u64,
}

pub(crate) struct Section {
    /// Values of bits and integers now, a character a bit, one signal after the other.
    values: Vec<u8>,
    /// The same at the start of the section.
    frame: Vec<u8>,
    /// Where each signal is in them.
    places: Vec<usize>,
    changes: Vec<Changes>,
    start: u64,
    pub(crate) now: u64,
    /// Moments so far, as differences.
    times: Vec<u8>,
    moments: u64,
    pub(crate) bytes: usize,
}

impl Section {
    /// At its start all values are 0 or empty.
    pub(crate) fn new(kinds: &[Kind], start: u64) -> Section {
        let mut places = Vec::new();
        let mut at = 0;
        for kind in kinds {
            places.push(at);
            at += match kind {
                Kind::Bit => 1,
                Kind::Integer => 32,
                Kind::Text => 0,
            };
        }
        let mut section = Section {
            values: vec![b'0'; at],
            frame: vec![b'0'; at],
            places,
            changes: kinds.iter().map(|_| Changes::default()).collect(),
            start,
            now: start,
            times: Vec::new(),
            moments: 0,
            bytes: 0,
        };
        section.begin();
        // Readers take the frame of the first section only where its first moment is later.
        for (signal, kind) in kinds.iter().enumerate() {
            match kind {
                Kind::Bit => section.add(signal, 2, 0, &[]),
                Kind::Integer => section.add(signal, 1, 0, &[0; 4]),
                Kind::Text => section.add(signal, 1, 0, &[0]),
            }
        }
        section
    }

    fn begin(&mut self) {
        self.start = self.now;
        unsigned(&mut self.times, self.now);
        self.moments = 1;
    }

    /// What follows happens at this time.
    ///
    /// # Panics
    /// If time goes back.
    pub(crate) fn at(&mut self, ps: u64) {
        assert!(ps >= self.now, "time goes back from {} to {ps} ps", self.now);
        if ps > self.now {
            unsigned(&mut self.times, ps - self.now);
            self.moments += 1;
            self.now = ps;
        }
    }

    /// A change: the distance to the last one in moments, times 2^`shift`, with `low` in the
    /// bits below, then the value.
    fn add(&mut self, signal: usize, shift: u32, low: u64, value: &[u8]) {
        let changes = &mut self.changes[signal];
        let before = changes.packed.len();
        let moment = self.moments - 1;
        unsigned(&mut changes.packed, (moment - changes.last) << shift | low);
        changes.packed.extend(value);
        changes.last = moment;
        self.bytes += changes.packed.len() - before;
    }

    pub(crate) fn bit(&mut self, signal: SignalId, bit: bool) {
        self.values[self.places[signal.index()]] = b'0' + u8::from(bit);
        self.add(signal.index(), 2, u64::from(bit) << 1, &[]);
    }

    pub(crate) fn integer(&mut self, signal: SignalId, number: u32) {
        let at = self.places[signal.index()];
        for (bit, character) in self.values[at..at + 32].iter_mut().enumerate() {
            *character = b'0' + (number >> (31 - bit) & 1) as u8;
        }
        self.add(signal.index(), 1, 0, &number.to_be_bytes());
    }

    pub(crate) fn text(&mut self, signal: SignalId, text: &str) {
        let mut value = Vec::new();
        unsigned(&mut value, text.len() as u64);
        value.extend(text.bytes());
        self.add(signal.index(), 1, 0, &value);
    }

    /// Writes it, and starts the next one at the present moment.
    pub(crate) fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut body = Vec::new();
        let count = self.changes.len() as u64;
        let frame = zlib(&self.frame)?;
        unsigned(&mut body, self.frame.len() as u64);
        unsigned(&mut body, frame.len() as u64);
        unsigned(&mut body, count);
        body.extend(&frame);
        unsigned(&mut body, count);
        let origin = body.len() as u64; // places are counted from the next byte
        body.push(b'Z');
        let mut places = Vec::new();
        let (mut last, mut without) = (origin, 0);
        let mut memory = 0;
        for changes in &mut self.changes {
            if changes.packed.is_empty() {
                without += 1;
                continue;
            }
            if without > 0 {
                unsigned(&mut places, without << 1);
                without = 0;
            }
            let at = body.len() as u64;
            signed(&mut places, ((at - last) as i64) << 1 | 1);
            last = at;
            memory += changes.packed.len() as u64;
            let packed = zlib(&changes.packed)?;
            if packed.len() < changes.packed.len() {
                unsigned(&mut body, changes.packed.len() as u64);
                body.extend(&packed);
            } else {
                unsigned(&mut body, 0); // as it is
                body.extend(&changes.packed);
            }
            changes.packed.clear();
            changes.last = 0;
        }
        if without > 0 {
            unsigned(&mut places, without << 1);
        }
        body.extend(&places);
        body.extend((places.len() as u64).to_be_bytes());
        let times = zlib(&self.times)?;
        // Equal lengths would mean that it is not compressed.
        let times = if times.len() < self.times.len() { times } else { self.times.clone() };
        body.extend(&times);
        for value in [self.times.len() as u64, times.len() as u64, self.moments] {
            body.extend(value.to_be_bytes());
        }
        out.write_all(&[CHANGES])?;
        for value in [4 * 8 + body.len() as u64, self.start, self.now, memory] {
            out.write_all(&value.to_be_bytes())?;
        }
        out.write_all(&body)?;
        self.frame.copy_from_slice(&self.values);
        self.times.clear();
        self.bytes = 0;
        self.begin();
        Ok(())
    }
}

fn zlib(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(plain)?;
    packed.finish()
}

/// An integer of as many bytes as it needs (LEB128): seven bits a byte, the lowest first, the top
/// bit set where more follow.
pub(crate) fn unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The same of a signed one (SLEB128).
fn signed(out: &mut Vec<u8>, mut value: i64) {
    while !(-64..64).contains(&value) {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}
