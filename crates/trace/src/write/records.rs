//! Writes records in each format.

use crate::error::SettingError;
use crate::format::Format;
use crate::record::{Operation, Record};
use crate::{blkparse, msr, spc, srt};
use std::io::{self, Write};
use thiserror::Error;

/// Why a record cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// What is written to does not take it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format does not hold it.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Writes an I/O trace. Devices, and machines where the format has them, are named by their
/// numbers; times are those of the records, cut to what the format holds: us (SRT), 100 ns (MSR).
#[derive(Debug)]
pub struct RecordWriter<W: Write> {
    out: W,
    format: Format,
    /// Of SRT.
    version: u32,
    written: u64,
}

/// A time in the year 2007 as MSR has it, for time 0.
const FILETIME: u64 = 128_166_372_000_000_000;
/// A time in the year 2003 as SRT has it, s.
const SRT_SECONDS: u64 = 1_053_281_044;

impl<W: Write> RecordWriter<W> {
    /// Begins an I/O trace; SRT of version 7.
    ///
    /// # Errors
    /// [`Format::Messages`], and what is written to does not take it.
    pub fn new(out: W, format: Format) -> Result<RecordWriter<W>, WriteError> {
        RecordWriter::with_version(out, format, 7)
    }

    /// As [`RecordWriter::new`], with the version of SRT, 1 to 7.
    ///
    /// # Errors
    /// As [`RecordWriter::new`], and another version.
    pub fn with_version(
        mut out: W,
        format: Format,
        version: u32,
    ) -> Result<RecordWriter<W>, WriteError> {
        match format {
            Format::Srt => {
                if srt::words(version).is_none() {
                    return Err(SettingError::new("version", version, "1 to 7").into());
                }
                out.write_all(srt::MAGIC)?;
                write!(out, "IOREC-1.{version} : written by setaside\n\nversion = 1.{version};\n")?;
                out.write_all(&[srt::HEADER_END])?;
            }
            Format::Msr => writeln!(out, "{}", msr::HEADER)?,
            Format::Spc | Format::Blkparse => {}
            Format::Messages => {
                let legal = "srt, msr, spc, blkparse";
                return Err(SettingError::new("format", format, legal).into());
            }
        }
        Ok(RecordWriter { out, format, version, written: 0 })
    }

    /// Writes a record.
    ///
    /// # Errors
    /// What the format does not hold, and what is written to does not take it.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        match self.format {
            Format::Srt => self.srt(record)?,
            Format::Msr => self.msr(record)?,
            Format::Spc => self.spc(record)?,
            Format::Blkparse | Format::Messages => self.blkparse(record)?,
        }
        self.written += 1;
        Ok(())
    }

    /// What it was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn srt(&mut self, record: &Record) -> Result<(), WriteError> {
        let us = record.time_ns / 1_000;
        let mut words = [0; 22];
        let count = srt::words(self.version).unwrap_or(words.len());
        words[0] = 4 * count as u32;
        words[1] = self.version << 16 | srt::SHORT_IO;
        words[2] = fitting("time_ns", SRT_SECONDS + us / 1_000_000, "until 2106")?;
        words[3] = (us % 1_000_000) as u32;
        let response = record.response_ns.unwrap_or(0) / 1_000;
        words[5] = fitting("response_ns", response, "below 2^32 us")?;
        words[6] = fitting("bytes", record.bytes, "below 2^32")?;
        let operation = match record.operation {
            Operation::Read => srt::READ,
            Operation::Write => 0,
        };
        let device = record.device.wrapping_shl(8);
        if record.device >> 16 != 0 {
            return Err(SettingError::new("device", record.device, "below 65536").into());
        }
        let device = 31 << 24 | device;
        words[11] = operation;
        words[14] = record.process.unwrap_or(0);
        if self.version == 7 {
            words[7] = record.machine.unwrap_or(0);
            words[8] = device;
            words[16] = (record.offset_bytes >> 32) as u32;
            words[17] = record.offset_bytes as u32;
        } else {
            words[7] = sectors("offset_bytes", record.offset_bytes)?;
            words[8] = device;
        }
        for word in &words[..count] {
            self.out.write_all(&u32::to_be_bytes(*word))?;
        }
        Ok(())
    }

    fn msr(&mut self, record: &Record) -> io::Result<()> {
        let time = FILETIME + record.time_ns / 100;
        let (machine, device) = (record.machine.unwrap_or(0), record.device);
        let operation = match record.operation {
            Operation::Read => "Read",
            Operation::Write => "Write",
        };
        let response = record.response_ns.unwrap_or(0) / 100;
        let (offset, bytes) = (record.offset_bytes, record.bytes);
        writeln!(self.out, "{time},host{machine},{device},{operation},{offset},{bytes},{response}")
    }

    fn spc(&mut self, record: &Record) -> Result<(), WriteError> {
        let blocks: u64 = sectors("offset_bytes", record.offset_bytes)?;
        let operation = match record.operation {
            Operation::Read => 'r',
            Operation::Write => 'w',
        };
        let (device, bytes, time) = (record.device, record.bytes, record.time_ns);
        writeln!(self.out, "{device},{blocks},{bytes},{operation},{}", Seconds(time))?;
        Ok(())
    }

    fn blkparse(&mut self, record: &Record) -> Result<(), WriteError> {
        let sector: u64 = sectors("offset_bytes", record.offset_bytes)?;
        let count: u32 = sectors("bytes", record.bytes)?;
        let operation = match record.operation {
            Operation::Read => 'R',
            Operation::Write => 'W',
        };
        let process = record.process.unwrap_or(0);
        let (major, minor) = (8, record.device);
        let (sequence, time) = (self.written + 1, Seconds(record.time_ns));
        let action = blkparse::Action::D;
        writeln!(
            self.out,
            "{major},{minor} 0 {sequence} {time} {process} {action} {operation} {sector} + {count} [p]"
        )?;
        Ok(())
    }
}

/// A time in ns, as seconds.
struct Seconds(u64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, ns) = (self.0 / 1_000_000_000, self.0 % 1_000_000_000);
        write!(f, "{whole}.{ns:09}")
    }
}

fn fitting(key: &'static str, given: u64, legal: &str) -> Result<u32, SettingError> {
    u32::try_from(given).map_err(|_| SettingError::new(key, given, legal))
}

/// Bytes as whole sectors of 512 bytes.
fn sectors<T: TryFrom<u64>>(key: &'static str, bytes: u64) -> Result<T, SettingError> {
    const _: () = assert!(spc::BLOCK_BYTES == srt::SECTOR_BYTES);
    const _: () = assert!(blkparse::SECTOR_BYTES == srt::SECTOR_BYTES);
    let whole = bytes.is_multiple_of(srt::SECTOR_BYTES).then_some(bytes / srt::SECTOR_BYTES);
    let count = whole.and_then(|count| T::try_from(count).ok());
    count.ok_or_else(|| {
        SettingError::new(key, bytes, "whole sectors of 512 bytes that the format holds")
    })
}
