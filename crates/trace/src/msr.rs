//! The CSV of the MSR Cambridge traces: a line a request.
//!
//! `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`: time and response in 100 ns, type
//! `Read` or `Write`, offset and size in bytes. A first line with these names is skipped.

use crate::error::TraceError;
use crate::line::Line;
use crate::record::{Operation, Raw, Record};
use crate::records::Reader;

const HEADER: &str = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

/// Whether a file that begins with this line is one.
pub(crate) fn begins_with(line: &str) -> bool {
    let fields: Vec<&str> = line.split(',').collect();
    is_header(line) || fields.len() == 7 && operation(fields[3].trim()).is_some()
}

fn is_header(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case(HEADER)
}

fn operation(word: &str) -> Option<Operation> {
    let of = [("read", Operation::Read), ("write", Operation::Write)];
    of.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, operation)| operation)
}

impl Reader {
    /// The record of a line of an MSR trace, if it is one.
    pub(crate) fn msr(&mut self, line: Line<'_>) -> Result<Option<Raw>, TraceError> {
        if line.text.trim().is_empty() || line.number == 1 && is_header(line.text) {
            return Ok(None);
        }
        let expected = "7: Timestamp, Hostname, DiskNumber, Type, Offset, Size, ResponseTime";
        let [time, host, disk, kind, offset, size, response] = line.fields(false, expected)?;
        let time: u64 = line.number("Timestamp", time, "a whole number of 100 ns")?;
        if host.is_empty() {
            return Err(line.field_error("Hostname", host, "the name of a machine"));
        }
        let _: u64 = line.number("DiskNumber", disk, "a whole number")?;
        let operation = line.value("Type", kind, "Read or Write", operation(kind))?;
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
}
