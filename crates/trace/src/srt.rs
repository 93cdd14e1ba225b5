//! HP's SRT: a header of text, then records of big-endian words.
//!
//! | word | is |
//! |---|---|
//! | 0 | length of the record in bytes |
//! | 1 | version in the upper half, type in the lower one: 1 short I/O, 4 suspect I/O |
//! | 2, 3 | seconds, us |
//! | 4, 5 | start and end of the service, us after the time |
//! | 6 | size in bytes |
//! | 7 to 12 | to version 6: sector, device, driver type, cylinder, flags, info |
//! | 13, 14, 15 | from version 4: queue length; 5: process; 6: logical volume |
//! | 7, 8, 11 | version 7: machine, device, flags |
//! | 13, 14, 16 and 17 | version 7: queue length, process, offset in bytes |
//!
//! Sectors have 512 bytes. Suspect records, whose times are wrong, are left out and counted.

use crate::error::{Problem, TraceError};
use crate::input::{Input, LINE_MAX};
use crate::record::{Operation, Raw, Record};
use crate::records::Reader;

pub(crate) const MAGIC: &[u8] = b"$$TR_";
const HEADER_END: u8 = 0x0c;
const SHORT_IO: u32 = 1;
const SUSPECT_IO: u32 = 4;
const READ: u32 = 1;
pub(crate) const SECTOR_BYTES: u64 = 512;
/// Bytes of the longest record that is taken for one.
const RECORD_MAX: usize = 4096;
/// Bytes of the longest record whose words are known.
const KNOWN_BYTES: usize = 88;

/// Fewest words of a record of a version.
fn words(version: u32) -> Option<usize> {
    match version {
        1..=3 => Some(13),
        4..=6 => Some(version as usize + 10),
        7 => Some(22),
        _ => None,
    }
}

fn word(record: &[u8], at: usize) -> u32 {
    let bytes = record.get(4 * at..4 * at + 4);
    bytes.map_or(0, |b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

fn header(input: &mut Input) -> Result<(), TraceError> {
    let head = input.ahead(LINE_MAX)?;
    let (is_srt, length) = (head.starts_with(MAGIC), head.len());
    match head.iter().position(|&b| b == HEADER_END) {
        Some(end) if is_srt => input.skip(end + 1),
        None if is_srt && length < LINE_MAX => {
            let at = input.byte + length as u64;
            return Err(input.cut_at(at, "it ends inside of the header".to_string()));
        }
        _ => {
            let problem = "no header of SRT; expected: text that begins with `$$TR_` and ends with \
                           byte 0x0c within 64 KiB";
            return Err(input.error_at(input.byte, Problem::Other(problem.to_string())));
        }
    }
    Ok(())
}

/// Length, version and type are legal: the version, and whether the record is suspect.
fn check(input: &Input, [length, kind]: [u32; 2]) -> Result<(u32, bool), TraceError> {
    let wrong = |word: u64, name, found: u32, expected: String| {
        Err(input.error_at(input.byte + 4 * word, Problem::field(name, found, expected)))
    };
    let (version, kind) = (kind >> 16, kind & 0xffff);
    let Some(words) = words(version) else {
        return wrong(1, "version of the record", version, "1 to 7".to_string());
    };
    if kind != SHORT_IO && kind != SUSPECT_IO {
        let expected = format!("{SHORT_IO} (short I/O) or {SUSPECT_IO} (suspect I/O)");
        return wrong(1, "type of the record", kind, expected);
    }
    let least = 4 * words;
    if !(least..=RECORD_MAX).contains(&(length as usize)) || length % 4 != 0 {
        let expected =
            format!("a multiple of 4 from {least} to {RECORD_MAX} bytes, for version {version}");
        return wrong(0, "length of the record", length, expected);
    }
    Ok((version, kind == SUSPECT_IO))
}

impl Reader {
    /// The next record of SRT that is not suspect.
    pub(crate) fn srt(&mut self, input: &mut Input) -> Result<Option<Raw>, TraceError> {
        if !self.is_begun {
            header(input)?;
            self.is_begun = true;
        }
        loop {
            let at = input.byte;
            let head = input.ahead(8)?;
            let have = head.len();
            let head = [word(head, 0), word(head, 1)];
            if have < 8 {
                // also detects a stream that is cut off between two records
                input.take(8)?;
                let what = format!("{have} of the 8 bytes that begin a record");
                return if have == 0 { Ok(None) } else { Err(input.cut_at(at, what)) };
            }
            let (version, is_suspect) = check(input, head)?;
            self.version = version;
            let length = head[0] as usize;
            let have = input.ahead(length)?.len();
            if have < length {
                let what = format!("{have} of the {length} bytes of a record");
                input.skip(have);
                return Err(input.cut_at(at, what));
            }
            let bytes = input.take(length)?;
            if is_suspect {
                self.seen.suspect += 1;
                continue;
            }
            let mut known = [0; KNOWN_BYTES];
            let length = length.min(KNOWN_BYTES);
            known[..length].copy_from_slice(&bytes[..length]);
            let wrong = |(byte, problem)| input.error_at(at + byte, problem);
            return self.srt_record(&known).map(Some).map_err(wrong);
        }
    }

    /// The record of the words, or the byte of the record that is wrong.
    fn srt_record(&mut self, bytes: &[u8]) -> Result<Raw, (u64, Problem)> {
        let w = |at| word(bytes, at);
        let us = w(3);
        if us >= 1_000_000 {
            return Err((12, Problem::field("us of the time", us, "less than 1000000")));
        }
        let is_seven = self.version == 7;
        let offset_bytes = match is_seven {
            true => u64::from(w(16)) << 32 | u64::from(w(17)),
            false => u64::from(w(7)) * SECTOR_BYTES,
        };
        let what = "devices or machines";
        let (name, machine) = (device_name(w(8)), w(7));
        let (device, machine) = match is_seven {
            true => (
                self.devices.number(what, format_args!("{machine:08x}/{name}")),
                self.machines.number(what, format_args!("{machine:08x}")).map(Some),
            ),
            false => (self.devices.number(what, format_args!("{name}")), Ok(None)),
        };
        let operation = match w(11) & READ {
            0 => Operation::Write,
            _ => Operation::Read,
        };
        let too_many = |problem| (28, problem);
        let device = device.map_err(too_many)?;
        let record = Record {
            machine: machine.map_err(too_many)?,
            process: (self.version >= 5).then(|| w(14)),
            response_ns: Some(u64::from(w(5)) * 1_000),
            ..Record::new(device, operation, offset_bytes, w(6).into())
        };
        Ok((u128::from(w(2)) * 1_000_000_000 + u128::from(us) * 1_000, record))
    }
}

/// Major, minor, controller and disk of a device, and its partition if it has one.
fn device_name(device: u32) -> String {
    let parts = [device >> 24, device >> 16 & 0xff, device >> 12 & 0xf, device >> 8 & 0xf];
    let [major, minor, controller, disk] = parts;
    match device & 0xff {
        0 => format!("{major}.{minor}.{controller}.{disk}"),
        partition => format!("{major}.{minor}.{controller}.{disk}.{partition}"),
    }
}
