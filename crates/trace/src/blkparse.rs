//! The text of `blkparse`: `MAJOR,MINOR CPU SEQUENCE SECONDS PROCESS ACTION RWBS SECTOR + COUNT
//! [NAME]`, sectors of 512 bytes.
//!
//! A record is an event of one [`Action`]. Other events are skipped, and so are those that carry no
//! data: discards, flushes, messages. What follows a line that begins with `CPU` or `Total` is the
//! summary and is not read.

use crate::error::TraceError;
use crate::line::{Line, seconds, whole};
use crate::record::{Operation, Raw, Record};
use crate::records::Reader;
use crate::srt::SECTOR_BYTES;

/// Whether a file that begins with this line is one.
pub(crate) fn begins_with(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let is_device = words.next().and_then(device).is_some();
    is_device && words.nth(2).and_then(seconds).is_some()
}

fn device(word: &str) -> Option<(u32, u32)> {
    let (major, minor) = word.split_once(',')?;
    Some((whole(major)?, whole(minor)?))
}

/// The operation of the letters: a flush may precede it, a discard moves no data.
fn operation(rwbs: &str) -> Option<Operation> {
    match rwbs.strip_prefix('F').unwrap_or(rwbs).chars().next()? {
        'R' => Some(Operation::Read),
        'W' => Some(Operation::Write),
        _ => None,
    }
}

impl Reader {
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
        let Some(operation) = operation(next("RWBS", "letters such as R or WS")?) else {
            return Ok(None);
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
        let name = format_args!("{major},{minor}");
        let device = self.devices.number("devices", name);
        let device = device.map_err(|problem| line.error(line.text, problem))?;
        let bytes = u64::from(sectors) * SECTOR_BYTES;
        let record = Record::new(device, operation, offset_bytes, bytes);
        Ok(Some((time.into(), Record { process: Some(process), ..record })))
    }
}
