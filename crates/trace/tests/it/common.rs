//! Small traces as files, and what is read from them.

use std::io::{Cursor, Write};
use trace::{
    Compression, Format, HEADER, Item, Message, Operation, Options, Packed, Record, Records, Trace,
    TraceError,
};

/// A record of 4 KiB.
pub(crate) fn record(time_ns: u64, device: u32, operation: Operation) -> Record {
    Record {
        time_ns,
        machine: Some(0),
        process: Some(0),
        device,
        operation,
        offset_bytes: 512 * u64::from(device),
        bytes: 4096,
        response_ns: Some(0),
    }
}

/// A record of SRT. Its words are in the page of its reader.
fn srt(r: &Record, version: u32) -> Vec<u8> {
    let us = r.time_ns / 1_000;
    let mut words = [0; 22];
    let count = [13, 13, 13, 14, 15, 16, 22][version as usize - 1];
    words[0] = 4 * count as u32;
    words[1] = version << 16 | 1;
    words[2] = (1_053_281_044 + us / 1_000_000) as u32; // in the year 2003
    words[3] = (us % 1_000_000) as u32;
    words[5] = (r.response_ns.unwrap_or(0) / 1_000) as u32;
    words[6] = r.bytes as u32;
    words[7] = (r.offset_bytes / 512) as u32;
    words[8] = 31 << 24 | r.device << 8;
    words[11] = u32::from(r.operation == Operation::Read);
    words[14] = r.process.unwrap_or(0);
    if version == 7 {
        words[7] = r.machine.unwrap_or(0);
        words[16] = (r.offset_bytes >> 32) as u32;
        words[17] = r.offset_bytes as u32;
    }
    words[..count].iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A line of a text format, the `number`th. Devices and machines are named by their numbers.
fn line(number: usize, r: &Record, format: Format) -> String {
    let Record { time_ns, device, bytes, offset_bytes, .. } = r;
    let (machine, process) = (r.machine.unwrap_or(0), r.process.unwrap_or(0));
    let is_read = r.operation == Operation::Read;
    let pick = |read: &'static str, write: &'static str| if is_read { read } else { write };
    let (s, ns, sector) = (time_ns / 1_000_000_000, time_ns % 1_000_000_000, offset_bytes / 512);
    match format {
        Format::Msr => {
            let time = 128_166_372_000_000_000 + time_ns / 100; // in the year 2007
            let (word, response) = (pick("Read", "Write"), r.response_ns.unwrap_or(0) / 100);
            format!("{time},host{machine},{device},{word},{offset_bytes},{bytes},{response}\n")
        }
        Format::Spc => format!("{device},{sector},{bytes},{},{s}.{ns:09}\n", pick("r", "w")),
        _ => {
            let (word, sectors) = (pick("R", "W"), bytes / 512);
            format!(
                "8,{device} 0 {number} {s}.{ns:09} {process} D {word} {sector} + {sectors} [p]\n"
            )
        }
    }
}

/// A file of records as other programs write it; of SRT in a version.
pub(crate) fn plain(records: &[Record], format: Format, version: u32) -> Vec<u8> {
    let head = match format {
        Format::Srt => format!("$$TR_IOREC-1.{version}\n\nversion = 1.{version};\n\u{c}"),
        Format::Msr => "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n".to_string(),
        _ => String::new(),
    };
    let rows = records.iter().enumerate().flat_map(|(n, record)| match format {
        Format::Srt => srt(record, version),
        format => line(n + 1, record, format).into_bytes(),
    });
    head.into_bytes().into_iter().chain(rows).collect()
}

pub(crate) fn file(records: &[Record], format: Format, compression: Compression) -> Vec<u8> {
    pack(&plain(records, format, 7), compression)
}

pub(crate) fn pack(plain: &[u8], compression: Compression) -> Vec<u8> {
    let mut packed = Packed::new(Vec::new(), compression);
    packed.write_all(plain).expect("written");
    packed.finish().expect("finished")
}

pub(crate) fn open(file: &[u8], options: &Options) -> Result<Box<Records>, TraceError> {
    match Trace::new(Cursor::new(file.to_vec()), "t", options)? {
        Trace::File(records) => Ok(records),
        Trace::Made(_) => panic!("a file"),
    }
}

/// What is read of a trace of I/O.
pub(crate) fn record_of(item: Result<Item, TraceError>) -> Result<Record, TraceError> {
    match item? {
        Item::Record(record) => Ok(record),
        Item::Message(_) => panic!("a trace of I/O"),
    }
}

pub(crate) fn read(file: &[u8], options: &Options) -> Result<Vec<Record>, TraceError> {
    open(file, options)?.map(record_of).collect()
}

pub(crate) fn csv(messages: &[Message]) -> Vec<u8> {
    let lines = messages.iter().map(|message| format!("{message}\n"));
    format!("{HEADER}\n{}", lines.collect::<String>()).into_bytes()
}
