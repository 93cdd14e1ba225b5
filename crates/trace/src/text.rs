//! Text formats of I/O traces, a line a record.
//!
//! - The CSV of the MSR Cambridge traces: time and response in 100 ns, type `Read` or `Write`,
//!   offset and size in bytes. A first line of names is skipped.
//! - The SPC trace file format: `ASU,LBA,Size,Opcode,Timestamp`, the address in blocks of 512
//!   bytes, the size in bytes, the time in seconds; further fields are skipped.
//! - `blkparse`: `MAJOR,MINOR CPU SEQUENCE SECONDS PROCESS ACTION RWBS SECTOR + COUNT [NAME]`,
//!   sectors of 512 bytes. Events of another [`Action`](crate::Action) and those without data are
//!   skipped; what follows a line that begins with `CPU` or `Total` is the summary.

use crate::error::TraceError;
use crate::line::{Line, seconds, whole};
use crate::options::Format;
use crate::record::{Operation, Raw, Record};
use crate::records::Reader;
use crate::srt::SECTOR_BYTES;

const MSR_HEADER: &str = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

/// The format of a file of records that begins with this line.
pub(crate) fn format(line: &str) -> Option<Format> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    if is_msr_header(line) || fields.len() == 7 && msr_operation(fields[3]).is_some() {
        return Some(Format::Msr);
    }
    let has_operation = fields.get(3).copied().and_then(spc_operation).is_some();
    if has_operation && fields.get(4).copied().and_then(seconds).is_some() {
        return Some(Format::Spc);
    }
    let mut words = line.split_ascii_whitespace();
    let is_device = words.next().and_then(device).is_some();
    (is_device && words.nth(2).and_then(seconds).is_some()).then_some(Format::Blkparse)
}

fn is_msr_header(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case(MSR_HEADER)
}

fn msr_operation(word: &str) -> Option<Operation> {
    let of = [("read", Operation::Read), ("write", Operation::Write)];
    of.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, operation)| operation)
}

fn spc_operation(word: &str) -> Option<Operation> {
    match word {
        "r" | "R" => Some(Operation::Read),
        "w" | "W" => Some(Operation::Write),
        _ => None,
    }
}

fn device(word: &str) -> Option<(u32, u32)> {
    let (major, minor) = word.split_once(',')?;
    Some((whole(major)?, whole(minor)?))
}

impl Reader {
    /// The record of a line of an MSR trace, if it is one.
    pub(crate) fn msr(&mut self, line: Line<'_>) -> Result<Option<Raw>, TraceError> {
        if line.text.trim().is_empty() || line.number == 1 && is_msr_header(line.text) {
            return Ok(None);
        }
        let expected = "7: Timestamp, Hostname, DiskNumber, Type, Offset, Size, ResponseTime";
        let [time, host, disk, kind, offset, size, response] = line.fields(false, expected)?;
        let time: u64 = line.number("Timestamp", time, "a whole number of 100 ns")?;
        if host.is_empty() {
            return Err(line.field_error("Hostname", host, "the name of a machine"));
        }
        let _: u64 = line.number("DiskNumber", disk, "a whole number")?;
        let operation = line.value("Type", kind, "Read or Write", msr_operation(kind))?;
        let offset_bytes = line.number("Offset", offset, "a whole number of bytes")?;
        let bytes = line.number("Size", size, "a whole number of bytes")?;
        let legal = "a whole number of 100 ns, at most 2^64 - 1 ns";
        let response_ns = line.times(100, "ResponseTime", response, legal)?;
        let what = "devices or machines";
        let device = self.devices.number(what, format_args!("{host}/{disk}"));
        let machine = self.machines.number(what, format_args!("{host}"));
        let at = |problem| line.error(host, problem);
        let record = Record {
            machine: Some(machine.map_err(at)?),
            response_ns: Some(response_ns),
            ..Record::new(device.map_err(at)?, operation, offset_bytes, bytes)
        };
        Ok(Some((u128::from(time) * 100, record)))
    }

    /// The record of a line of an SPC trace, if it is one.
    pub(crate) fn spc(&mut self, line: Line<'_>) -> Result<Option<Raw>, TraceError> {
        if line.text.trim().is_empty() {
            return Ok(None);
        }
        let expected = "5 or more: ASU, LBA, Size, Opcode, Timestamp";
        let [unit, block, size, kind, time] = line.fields(true, expected)?;
        let unit: u64 = line.number("ASU", unit, "a whole number")?;
        let legal = "a whole number of blocks of 512 bytes, at most 2^55 - 1";
        let offset_bytes = line.times(SECTOR_BYTES, "LBA", block, legal)?;
        let bytes = line.number("Size", size, "a whole number of bytes")?;
        let operation = line.value("Opcode", kind, "r, R, w or W", spc_operation(kind))?;
        let legal = "seconds as a decimal number, such as 0.026214";
        let time = line.value("Timestamp", time, legal, seconds(time))?;
        let device = self.devices.number("devices", format_args!("asu{unit}"));
        let device = device.map_err(|problem| line.error(line.text, problem))?;
        Ok(Some((time.into(), Record::new(device, operation, offset_bytes, bytes))))
    }

    /// The record of a line of `blkparse`, if it is one.
    pub(crate) fn blkparse(&mut self, line: Line<'_>) -> Result<Option<Raw>, TraceError> {
        let text = line.text.trim_ascii_start();
        let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
        self.is_over |= begins(&["CPU", "Total"]);
        if self.is_over || text.is_empty() || begins(&["Input file"]) {
            return Ok(None);
        }
        let record = self.event(line)?;
        self.seen.skipped += u64::from(record.is_none());
        Ok(record)
    }

    fn event(&mut self, line: Line<'_>) -> Result<Option<Raw>, TraceError> {
        let mut words = line.text.split_ascii_whitespace();
        let mut next = |name, expected| {
            let end = &line.text[line.text.len()..];
            words.next().ok_or_else(|| line.field_error(name, end, expected))
        };
        let legal = "a device as major,minor";
        let word = next("device", legal)?;
        let (major, minor) = line.value("device", word, legal, device(word))?;
        for name in ["CPU", "sequence"] {
            let legal = "a whole number";
            let _: u64 = line.number(name, next(name, legal)?, legal)?;
        }
        let legal = "seconds as a decimal number";
        let word = next("time", legal)?;
        let time = line.value("time", word, legal, seconds(word))?;
        let legal = "the number of a process";
        let process = line.number("process", next("process", legal)?, legal)?;
        let action = next("action", "a letter such as D or Q")?;
        if action != self.action.name() {
            return Ok(None);
        }
        let rwbs = next("RWBS", "letters such as R or WS")?;
        // A flush may precede the operation; a discard moves no data.
        let operation = match rwbs.strip_prefix('F').unwrap_or(rwbs).as_bytes().first() {
            Some(b'R') => Operation::Read,
            Some(b'W') => Operation::Write,
            _ => return Ok(None),
        };
        let legal = "a sector of 512 bytes, at most 2^55 - 1";
        let offset_bytes = line.times(SECTOR_BYTES, "sector", next("sector", legal)?, legal)?;
        let sign = next("sign", "+")?;
        if sign.starts_with(['(', '[']) {
            return Ok(None); // a command to the device
        }
        if sign != "+" {
            return Err(line.field_error("sign", sign, "+"));
        }
        let legal = "a number of sectors, at most 2^32 - 1";
        let sectors: u32 = line.number("count", next("count", legal)?, legal)?;
        let device = self.devices.number("devices", format_args!("{major},{minor}"));
        let device = device.map_err(|problem| line.error(line.text, problem))?;
        let bytes = u64::from(sectors) * SECTOR_BYTES;
        let record = Record::new(device, operation, offset_bytes, bytes);
        Ok(Some((time.into(), Record { process: Some(process), ..record })))
    }
}
