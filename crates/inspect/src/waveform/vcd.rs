//! VCD, the format that every viewer reads (IEEE 1364), with the texts of GTKWave.

use super::{Item, Kind, SignalId, Signals, Sink, Value, wrong_kind};
use std::io::{self, Write};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, VarType, Writer};

/// Writes VCD.
pub struct Vcd<W: Write> {
    out: Writer<W>,
    codes: Vec<(IdCode, Kind)>,
    now: Option<u64>,
}

impl<W: Write> Vcd<W> {
    /// Begins a file, at a time in ps.
    ///
    /// # Errors
    /// What is written to does not take it.
    ///
    /// # Panics
    /// If a scope is still open.
    pub fn new(out: W, signals: &Signals, start: u64) -> io::Result<Vcd<W>> {
        let mut out = Writer::new(out);
        out.version("setaside")?;
        out.timescale(1, TimescaleUnit::PS)?;
        let mut codes = Vec::new();
        for item in signals.items() {
            match item {
                Item::Open(name) => out.add_module(name)?,
                Item::Close => out.upscope()?,
                Item::Signal(name, _, kind) => {
                    let (var, bits) = match kind {
                        Kind::Bit => (VarType::Wire, 1),
                        Kind::Integer => (VarType::Integer, 32),
                        Kind::Text => (VarType::String, 1),
                    };
                    codes.push((out.add_var(var, bits, name, None)?, *kind));
                }
            }
        }
        out.enddefinitions()?;
        let mut vcd = Vcd { out, codes, now: None };
        vcd.at(start)?;
        vcd.out.begin(SimulationCommand::Dumpvars)?;
        for at in 0..vcd.codes.len() {
            let (code, kind) = vcd.codes[at];
            match kind {
                Kind::Bit => vcd.out.change_scalar(code, false)?,
                Kind::Integer => vcd.integer(code, 0)?,
                Kind::Text => vcd.out.change_string(code, "")?,
            }
        }
        vcd.out.end()?;
        Ok(vcd)
    }

    fn at(&mut self, ps: u64) -> io::Result<()> {
        assert!(Some(ps) >= self.now, "time goes back to {ps} ps");
        if self.now == Some(ps) {
            return Ok(());
        }
        self.now = Some(ps);
        self.out.timestamp(ps)
    }

    /// Leading zeros are left out.
    fn integer(&mut self, code: IdCode, number: u32) -> io::Result<()> {
        let bits = (32 - number.leading_zeros()).max(1);
        let bits = (0..bits).rev().map(|bit| vcd::Value::from(number >> bit & 1 == 1));
        self.out.change_vector(code, bits)
    }
}

impl<W: Write> Sink for Vcd<W> {
    fn change(&mut self, ps: u64, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        self.at(ps)?;
        let (code, kind) = self.codes[signal.index()];
        match (kind, value) {
            (Kind::Bit, Value::Bit(bit)) => self.out.change_scalar(code, bit),
            (Kind::Integer, Value::Integer(number)) => self.integer(code, number),
            (Kind::Text, Value::Text(text)) => self.out.change_string(code, text),
            _ => wrong_kind(signal, value),
        }
    }

    fn end(&mut self, ps: u64) -> io::Result<()> {
        self.at(ps)?;
        self.out.flush()
    }
}
