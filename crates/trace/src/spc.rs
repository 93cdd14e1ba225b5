//! The SPC trace file format: a line a request, `ASU,LBA,Size,Opcode,Timestamp`, further fields
//! are skipped. The address is in blocks of 512 bytes, the size in bytes, the operation `r`, `R`,
//! `w` or `W`, the time in seconds.

use crate::error::{Problem, TraceError};
use crate::input::Input;
use crate::line::Line;
use crate::names::{NAMES_MAX, Numbers};
use crate::record::{Operation, Raw, Record};
use crate::text::seconds;

pub(crate) const BLOCK_BYTES: u64 = 512;

/// The reader.
#[derive(Debug, Default)]
pub(crate) struct Spc {
    pub(crate) devices: Numbers<u64>,
}

/// Whether a file that begins with this line is one.
pub(crate) fn begins_with(line: &str) -> bool {
    let mut fields = line.split(',').map(str::trim);
    let operation = fields.nth(3).and_then(operation);
    operation.is_some() && fields.next().and_then(seconds).is_some()
}

fn operation(word: &str) -> Option<Operation> {
    match word {
        "r" | "R" => Some(Operation::Read),
        "w" | "W" => Some(Operation::Write),
        _ => None,
    }
}

impl Spc {
    /// The next record.
    pub(crate) fn next(&mut self, input: &mut Input) -> Result<Option<Raw>, TraceError> {
        while let Some(line) = input.line()? {
            if !line.text.trim().is_empty() {
                return self.record(line).map(Some);
            }
        }
        Ok(None)
    }

    fn record(&mut self, line: Line<'_>) -> Result<Raw, TraceError> {
        let fields = line.first_fields::<5>().map_err(|found| {
            let expected = "5 or more: ASU, LBA, Size, Opcode, Timestamp";
            line.error(line.text, Problem::Fields { found, expected })
        })?;
        let [unit, block, size, kind, time] = fields;
        let unit: u64 = line.number("ASU", unit, "a whole number")?;
        let legal = "a whole number of blocks of 512 bytes, at most 2^55 - 1";
        let offset = line.number::<u64>("LBA", block, legal)?;
        let offset = offset.checked_mul(BLOCK_BYTES);
        let offset_bytes = offset.ok_or_else(|| line.field_error("LBA", block, legal))?;
        let bytes = line.number("Size", size, "a whole number of bytes")?;
        let Some(operation) = operation(kind) else {
            return Err(line.field_error("Opcode", kind, "r, R, w or W"));
        };
        let Some(time) = seconds(time) else {
            let legal = "seconds as a decimal number, such as 0.026214";
            return Err(line.field_error("Timestamp", time, legal));
        };
        let Some(device) = self.devices.of(&unit, || format!("asu{unit}")) else {
            let (what, legal) = ("devices", NAMES_MAX);
            return Err(line.error(line.text, Problem::TooMany { what, legal }));
        };
        Ok(Raw {
            time: time.into(),
            record: Record {
                time_ns: 0,
                machine: None,
                process: None,
                device,
                operation,
                offset_bytes,
                bytes,
                response_ns: None,
            },
        })
    }
}
