//! FST, the format of GTKWave: a header, sections of changes, the kinds of all signals, the scopes.
//! Source: the appendix of GTKWave's manual, *Implementation of an Efficient Method for Digital
//! Waveform Compression*, and its `block_format.txt`.

use super::section::{Section, unsigned};
use super::{Item, Kind, SignalId, Signals, Sink, Value, wrong_kind};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Seek, SeekFrom, Write};

/// Bytes of a header, its length included.
const HEADER_BYTES: u64 = 329;
/// A section is written when it holds this many bytes of changes.
const SECTION_BYTES: usize = 16 << 20;

// Kinds of blocks.
const HEADER: u8 = 0;
const GEOMETRY: u8 = 3;
const HIERARCHY_GZIP: u8 = 4;
pub(crate) const CHANGES: u8 = 8;
// Tags of the hierarchy.
const OPEN: u8 = 254;
const CLOSE: u8 = 255;
const MODULE: u8 = 0;
const INTEGER: u8 = 1;
const WIRE: u8 = 16;
const TEXT: u8 = 21;

/// Writes FST.
pub struct Fst<W: Write + Seek> {
    out: W,
    signals: Signals,
    section: Section,
    sections: u64,
    start: u64,
}

impl<W: Write + Seek> Fst<W> {
    /// Begins a file, at a time in ps.
    ///
    /// # Errors
    /// What is written to does not take it.
    ///
    /// # Panics
    /// If a scope is still open.
    pub fn new(mut out: W, signals: &Signals, start: u64) -> io::Result<Fst<W>> {
        header(&mut out, signals, (start, start), 0)?;
        Ok(Fst {
            out,
            section: Section::new(&signals.kinds, start),
            signals: signals.clone(),
            start,
            sections: 0,
        })
    }
}

impl<W: Write + Seek> Sink for Fst<W> {
    fn change(&mut self, ps: u64, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        // Between two moments: what happens at one is in one section.
        if self.section.bytes > SECTION_BYTES && ps > self.section.now {
            self.section.write(&mut self.out)?;
            self.sections += 1;
        }
        let kind = self.signals.kinds[signal.index()];
        self.section.at(ps);
        match (kind, value) {
            (Kind::Bit, Value::Bit(bit)) => self.section.bit(signal, bit),
            (Kind::Integer, Value::Integer(number)) => self.section.integer(signal, number),
            (Kind::Text, Value::Text(text)) => self.section.text(signal, text),
            _ => wrong_kind(signal, value),
        }
        Ok(())
    }

    fn end(&mut self, ps: u64) -> io::Result<()> {
        self.section.at(ps);
        self.section.write(&mut self.out)?;
        self.sections += 1;
        geometry(&mut self.out, &self.signals.kinds)?;
        scopes(&mut self.out, self.signals.items())?;
        self.out.seek(SeekFrom::Start(0))?;
        header(&mut self.out, &self.signals, (self.start, ps), self.sections)?;
        self.out.flush()
    }
}

fn number(out: &mut impl Write, value: u64) -> io::Result<()> {
    out.write_all(&value.to_be_bytes())
}

/// The first block; times and counts are written again at the end.
fn header(
    out: &mut impl Write,
    signals: &Signals,
    (start, end): (u64, u64),
    sections: u64,
) -> io::Result<()> {
    let scopes = signals.items().iter();
    let scopes = scopes.filter(|item| matches!(item, Item::Open(_))).count();
    let count = signals.kinds.len() as u64;
    out.write_all(&[HEADER])?;
    number(out, HEADER_BYTES)?;
    number(out, start)?;
    number(out, end)?;
    // By it readers detect the order of bytes in real numbers.
    out.write_all(&std::f64::consts::E.to_le_bytes())?;
    number(out, 0)?; // memory that the writer took
    for value in [scopes as u64, count, count, sections] {
        number(out, value)?;
    }
    out.write_all(&(-12i8).to_be_bytes())?; // 10^-12 s
    let mut words = [0; 128 + 119];
    words[..8].copy_from_slice(b"setaside"); // the writer; no date: files are reproducible
    out.write_all(&words)?;
    out.write_all(&[0])?; // of the kind of Verilog
    number(out, 0) // no offset of times
}

fn geometry(out: &mut impl Write, kinds: &[Kind]) -> io::Result<()> {
    let mut lengths = Vec::new();
    for kind in kinds {
        let length = match kind {
            Kind::Bit => 1,
            Kind::Integer => 32,
            Kind::Text => u64::from(u32::MAX), // of any length
        };
        unsigned(&mut lengths, length);
    }
    out.write_all(&[GEOMETRY])?;
    number(out, 3 * 8 + lengths.len() as u64)?;
    number(out, lengths.len() as u64)?;
    number(out, kinds.len() as u64)?;
    out.write_all(&lengths)
}

fn scopes(out: &mut impl Write, items: &[Item]) -> io::Result<()> {
    let mut plain = Vec::new();
    for item in items {
        match item {
            Item::Open(name) => {
                plain.extend([OPEN, MODULE]);
                plain.extend(name.bytes());
                plain.extend([0, 0]); // ends of the name and of that of a component
            }
            Item::Close => plain.push(CLOSE),
            Item::Signal(name, _, kind) => {
                let (kind, bits) = match kind {
                    Kind::Bit => (WIRE, 1),
                    Kind::Integer => (INTEGER, 32),
                    Kind::Text => (TEXT, 0),
                };
                plain.extend([kind, 0]); // no direction
                plain.extend(name.bytes());
                plain.push(0);
                unsigned(&mut plain, bits);
                unsigned(&mut plain, 0); // a signal of its own
            }
        }
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&plain)?;
    let packed = packed.finish()?;
    out.write_all(&[HIERARCHY_GZIP])?;
    number(out, 2 * 8 + packed.len() as u64)?;
    number(out, plain.len() as u64)?;
    out.write_all(&packed)
}
