//! The text of `blkparse`: `MAJOR,MINOR CPU SEQUENCE SECONDS PROCESS ACTION RWBS SECTOR + COUNT
//! [NAME]`, sectors of 512 bytes.
//!
//! A record is an event of one [`Action`]. Other events are skipped, and so are those that carry no
//! data: discards, flushes, messages. What follows a line that begins with `CPU` or `Total` is the
//! summary and is not read.

use crate::error::{Problem, TraceError};
use crate::input::Input;
use crate::line::Line;
use crate::names::{NAMES_MAX, Numbers};
use crate::record::{Operation, Raw, Record};
use crate::text::seconds;
use units::named;

/// Which events of `blkparse` are taken as records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Issued to the driver.
    #[default]
    D,
    /// Queued.
    Q,
}

named!(Action, "event", D = "D", Q = "Q");

pub(crate) const SECTOR_BYTES: u64 = 512;

/// The reader.
#[derive(Debug, Default)]
pub(crate) struct Blkparse {
    action: Action,
    is_over: bool,
    pub(crate) skipped: u64,
    pub(crate) devices: Numbers<u64>,
}

/// Whether a file that begins with this line is one.
pub(crate) fn begins_with(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let is_device = words.next().and_then(device).is_some();
    is_device && words.nth(2).and_then(seconds).is_some()
}

fn device(word: &str) -> Option<u64> {
    let (major, minor) = word.split_once(',')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse::<u32>().ok()).flatten()
    };
    Some(u64::from(number(major)?) << 32 | u64::from(number(minor)?))
}

/// What the letters say: a flush may stand before, a discard moves no data.
fn operation(rwbs: &str) -> Option<Operation> {
    match rwbs.strip_prefix('F').unwrap_or(rwbs).chars().next()? {
        'R' => Some(Operation::Read),
        'W' => Some(Operation::Write),
        _ => None,
    }
}

impl Blkparse {
    pub(crate) fn new(action: Action) -> Blkparse {
        Blkparse { action, ..Blkparse::default() }
    }

    /// The next record.
    pub(crate) fn next(&mut self, input: &mut Input) -> Result<Option<Raw>, TraceError> {
        while let Some(line) = input.line()? {
            let text = line.text.trim_ascii_start();
            let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
            self.is_over |= begins(&["CPU", "Total"]);
            if self.is_over || text.is_empty() || begins(&["Input file"]) {
                continue;
            }
            if let Some(raw) = self.event(line)? {
                return Ok(Some(raw));
            }
            self.skipped += 1;
        }
        Ok(None)
    }

    fn event(&mut self, line: Line<'_>) -> Result<Option<Raw>, TraceError> {
        let mut words = line.text.split_ascii_whitespace();
        let mut next = |name, expected| {
            let end = &line.text[line.text.len()..];
            words.next().ok_or_else(|| line.field_error(name, end, expected))
        };
        let place = "a device as major,minor";
        let word = next("device", place)?;
        let number = device(word).ok_or_else(|| line.field_error("device", word, place))?;
        for name in ["CPU", "sequence"] {
            let legal = "a whole number";
            let _: u64 = line.number(name, next(name, legal)?, legal)?;
        }
        let legal = "seconds as a decimal number";
        let word = next("time", legal)?;
        let time = seconds(word).ok_or_else(|| line.field_error("time", word, legal))?;
        let legal = "the number of a process";
        let process: u32 = line.number("process", next("process", legal)?, legal)?;
        let action = next("action", "a letter such as D or Q")?;
        if action != self.action.name() {
            return Ok(None);
        }
        let Some(operation) = operation(next("RWBS", "letters such as R or WS")?) else {
            return Ok(None);
        };
        let legal = "a sector of 512 bytes, at most 2^55 - 1";
        let word = next("sector", legal)?;
        let sector: u64 = line.number("sector", word, legal)?;
        let offset = sector.checked_mul(SECTOR_BYTES);
        let offset_bytes = offset.ok_or_else(|| line.field_error("sector", word, legal))?;
        let word = next("sign", "+")?;
        if word.starts_with(['(', '[']) {
            return Ok(None); // a command to the device
        }
        if word != "+" {
            return Err(line.field_error("sign", word, "+"));
        }
        let legal = "a number of sectors, at most 2^32 - 1";
        let sectors: u32 = line.number("count", next("count", legal)?, legal)?;
        let (major, minor) = (number >> 32, number & u64::from(u32::MAX));
        let Some(device) = self.devices.of(&number, || format!("{major},{minor}")) else {
            let (what, legal) = ("devices", NAMES_MAX);
            return Err(line.error(line.text, Problem::TooMany { what, legal }));
        };
        Ok(Some(Raw {
            time: time.into(),
            record: Record {
                time_ns: 0,
                machine: None,
                process: Some(process),
                device,
                operation,
                offset_bytes,
                bytes: u64::from(sectors) * SECTOR_BYTES,
                response_ns: None,
            },
        }))
    }
}
