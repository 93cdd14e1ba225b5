//! The SPC trace file format: a line a request, `ASU,LBA,Size,Opcode,Timestamp`, further fields
//! are skipped. The address is in blocks of 512 bytes, the size in bytes, the operation `r`, `R`,
//! `w` or `W`, the time in seconds.

use crate::error::TraceError;
use crate::line::{Line, seconds};
use crate::record::{Operation, Raw, Record};
use crate::records::Reader;

const BLOCK_BYTES: u64 = 512;

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

impl Reader {
    /// The record of a line of an SPC trace, if it is one.
    pub(crate) fn spc(&mut self, line: Line<'_>) -> Result<Option<Raw>, TraceError> {
        if line.text.trim().is_empty() {
            return Ok(None);
        }
        let expected = "5 or more: ASU, LBA, Size, Opcode, Timestamp";
        let [unit, block, size, kind, time] = line.fields(true, expected)?;
        let unit: u64 = line.number("ASU", unit, "a whole number")?;
        let legal = "a whole number of blocks of 512 bytes, at most 2^55 - 1";
        let offset_bytes = line.times(BLOCK_BYTES, "LBA", block, legal)?;
        let bytes = line.number("Size", size, "a whole number of bytes")?;
        let operation = line.value("Opcode", kind, "r, R, w or W", operation(kind))?;
        let legal = "seconds as a decimal number, such as 0.026214";
        let time = line.value("Timestamp", time, legal, seconds(time))?;
        let device = self.devices.number("devices", format_args!("asu{unit}"));
        let device = device.map_err(|problem| line.error(line.text, problem))?;
        Ok(Some((time.into(), Record::new(device, operation, offset_bytes, bytes))))
    }
}
