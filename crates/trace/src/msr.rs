//! The CSV of the MSR Cambridge traces: a line a request.
//!
//! `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`: time and response in 100 ns, type
//! `Read` or `Write`, offset and size in bytes. A first line with these names is skipped.

use crate::error::{Problem, TraceError};
use crate::input::Input;
use crate::line::Line;
use crate::names::{NAMES_MAX, Numbers};
use crate::record::{Operation, Raw, Record};

/// The line of names that some files have.
pub(crate) const HEADER: &str = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

/// The reader.
#[derive(Debug, Default)]
pub(crate) struct Msr {
    pub(crate) machines: Numbers<String>,
    pub(crate) devices: Numbers<String>,
    key: String,
}

/// Whether a file that begins with this line is one.
pub(crate) fn begins_with(line: &str) -> bool {
    let fields: Vec<&str> = line.split(',').collect();
    is_header(line) || fields.len() == 7 && operation(fields[3].trim()).is_some()
}

fn is_header(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case(HEADER)
}

fn operation(word: &str) -> Option<Operation> {
    if word.eq_ignore_ascii_case("read") {
        Some(Operation::Read)
    } else if word.eq_ignore_ascii_case("write") {
        Some(Operation::Write)
    } else {
        None
    }
}

impl Msr {
    /// The next record.
    pub(crate) fn next(&mut self, input: &mut Input) -> Result<Option<Raw>, TraceError> {
        while let Some(line) = input.line()? {
            let is_header = line.is_first() && is_header(line.text);
            if !is_header && !line.text.trim().is_empty() {
                return self.record(line).map(Some);
            }
        }
        Ok(None)
    }

    fn record(&mut self, line: Line<'_>) -> Result<Raw, TraceError> {
        let fields = line.fields::<7>().map_err(|found| {
            let expected = "7: Timestamp, Hostname, DiskNumber, Type, Offset, Size, ResponseTime";
            line.error(line.text, Problem::Fields { found, expected })
        })?;
        let [time, host, disk, kind, offset, size, response] = fields;
        let time: u64 = line.number("Timestamp", time, "a whole number of 100 ns")?;
        if host.is_empty() {
            return Err(line.field_error("Hostname", host, "the name of a machine"));
        }
        let _: u64 = line.number("DiskNumber", disk, "a whole number")?;
        let Some(operation) = operation(kind) else {
            return Err(line.field_error("Type", kind, "Read or Write"));
        };
        let offset_bytes = line.number("Offset", offset, "a whole number of bytes")?;
        let bytes = line.number("Size", size, "a whole number of bytes")?;
        let legal = "a whole number of 100 ns, at most 2^64 - 1 ns";
        let response_ns = line.number::<u64>("ResponseTime", response, legal)?;
        let response_ns = response_ns.checked_mul(100);
        let response_ns =
            response_ns.ok_or_else(|| line.field_error("ResponseTime", response, legal))?;
        self.key.clear();
        self.key.extend([host, "/", disk]);
        let device = self.devices.of(self.key.as_str(), || self.key.clone());
        let machine = self.machines.of(host, || host.to_string());
        let (Some(device), Some(machine)) = (device, machine) else {
            let (what, legal) = ("devices or machines", NAMES_MAX);
            return Err(line.error(host, Problem::TooMany { what, legal }));
        };
        Ok(Raw {
            time: u128::from(time) * 100,
            record: Record {
                time_ns: 0,
                machine: Some(machine),
                process: None,
                device,
                operation,
                offset_bytes,
                bytes,
                response_ns: Some(response_ns),
            },
        })
    }
}
