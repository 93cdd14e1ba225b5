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
//! Sectors are taken as 512 bytes. Suspect records, whose times are wrong, are left out and
//! counted.

use crate::error::{Problem, TraceError};
use crate::input::{Input, LINE_MAX};
use crate::names::{NAMES_MAX, Numbers};
use crate::record::{Operation, Raw, Record};

/// How a file begins.
pub(crate) const MAGIC: &[u8] = b"$$TR_";
/// The last byte of the header.
pub(crate) const HEADER_END: u8 = 0x0c;
pub(crate) const SHORT_IO: u32 = 1;
const SUSPECT_IO: u32 = 4;
/// The flag of reads.
pub(crate) const READ: u32 = 1;
pub(crate) const SECTOR_BYTES: u64 = 512;
/// Bytes of the longest record that is taken for one.
const RECORD_MAX: usize = 4096;
/// Bytes of the longest record whose words are known.
const KNOWN_BYTES: usize = 88;

/// The reader.
#[derive(Debug, Default)]
pub(crate) struct Srt {
    is_begun: bool,
    version: u32,
    pub(crate) suspect: u64,
    pub(crate) machines: Numbers<u64>,
    pub(crate) devices: Numbers<u64>,
}

/// Fewest words of a record of a version.
pub(crate) fn words(version: u32) -> Option<usize> {
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

impl Srt {
    /// The version of the last record, for those who ask.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    fn header(&mut self, input: &mut Input) -> Result<(), TraceError> {
        let head = input.ahead(LINE_MAX)?;
        let (is_srt, length) = (head.starts_with(MAGIC), head.len());
        let end = head.iter().position(|&b| b == HEADER_END);
        match end {
            Some(end) if is_srt => input.skip(end + 1),
            None if is_srt && length < LINE_MAX => {
                let at = input.byte() + length as u64;
                return Err(input.cut_at(at, "it ends inside of the header".to_string()));
            }
            _ => {
                let problem = Problem::Kind {
                    found: "no header of SRT",
                    expected: "text that begins with `$$TR_` and ends with byte 0x0c within 64 KiB",
                };
                return Err(input.error_at(input.byte(), problem));
            }
        }
        self.is_begun = true;
        Ok(())
    }

    /// The next record that is not suspect.
    pub(crate) fn next(&mut self, input: &mut Input) -> Result<Option<Raw>, TraceError> {
        if !self.is_begun {
            self.header(input)?;
        }
        loop {
            let at = input.byte();
            let head: [u32; 2] = {
                let head = input.ahead(8)?;
                match head.len() {
                    8.. => [word(head, 0), word(head, 1)],
                    have => {
                        // also tells of a stream that is cut off between two records
                        input.take(8)?;
                        let what = || format!("{have} of the 8 bytes that begin a record");
                        let cut = input.cut_at(at, what());
                        return if have == 0 { Ok(None) } else { Err(cut) };
                    }
                }
            };
            let is_suspect = self.check(input, head)?;
            let length = head[0] as usize;
            let have = input.ahead(length)?.len();
            if have < length {
                let what = format!("{have} of the {length} bytes of a record");
                input.skip(have);
                return Err(input.cut_at(at, what));
            }
            if is_suspect {
                self.suspect += 1;
                input.skip(length);
                continue;
            }
            let mut known = [0; KNOWN_BYTES];
            let length_known = length.min(KNOWN_BYTES);
            known[..length_known].copy_from_slice(&input.take(length)?[..length_known]);
            return self.record(input, at, &known).map(Some);
        }
    }

    /// Length, version and type are legal. Whether the record is suspect.
    fn check(&mut self, input: &Input, [length, kind]: [u32; 2]) -> Result<bool, TraceError> {
        let wrong = |word: u64, name, found: u32, expected: String| {
            let found = found.to_string();
            let problem = Problem::Field { name, found, expected };
            Err(input.error_at(input.byte() + 4 * word, problem))
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
            let expected = format!(
                "a multiple of 4 from {least} to {RECORD_MAX} bytes, for version {version}"
            );
            return wrong(0, "length of the record", length, expected);
        }
        self.version = version;
        Ok(kind == SUSPECT_IO)
    }

    fn record(&mut self, input: &Input, at: u64, bytes: &[u8]) -> Result<Raw, TraceError> {
        let w = |at| word(bytes, at);
        let us = w(3);
        if us >= 1_000_000 {
            let problem = Problem::Field {
                name: "us of the time",
                found: us.to_string(),
                expected: "less than 1000000".to_string(),
            };
            return Err(input.error_at(at + 12, problem));
        }
        let version = self.version;
        let is_seven = version == 7;
        let offset_bytes = if is_seven {
            u64::from(w(16)) << 32 | u64::from(w(17))
        } else {
            u64::from(w(7)) * SECTOR_BYTES
        };
        let process = (version >= 5).then(|| w(14));
        let machine = if is_seven { w(7) } else { 0 };
        let key = u64::from(machine) << 32 | u64::from(w(8));
        let device = self.devices.of(&key, || name(machine, w(8), is_seven));
        let machine = self.machines.of(&u64::from(machine), || format!("{machine:08x}"));
        let (Some(device), Some(machine)) = (device, machine) else {
            let (what, legal) = ("devices or machines", NAMES_MAX);
            return Err(input.error_at(at + 28, Problem::TooMany { what, legal }));
        };
        let operation = match w(11) & READ {
            0 => Operation::Write,
            _ => Operation::Read,
        };
        let time = u128::from(w(2)) * 1_000_000_000 + u128::from(us) * 1_000;
        Ok(Raw {
            time,
            record: Record {
                time_ns: 0,
                machine: is_seven.then_some(machine),
                process,
                device,
                operation,
                offset_bytes,
                bytes: w(6).into(),
                response_ns: Some(u64::from(w(5)) * 1_000),
            },
        })
    }
}

/// Major, minor, controller and disk of a device, and its partition if it has one; the machine
/// where there may be several.
fn name(machine: u32, device: u32, has_machine: bool) -> String {
    let parts = [device >> 24, device >> 16 & 0xff, device >> 12 & 0xf, device >> 8 & 0xf];
    let [major, minor, controller, disk] = parts;
    let mut name = format!("{major}.{minor}.{controller}.{disk}");
    if device & 0xff != 0 {
        name += &format!(".{}", device & 0xff);
    }
    if has_machine {
        name = format!("{machine:08x}/{name}");
    }
    name
}
