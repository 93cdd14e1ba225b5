//! Small traces, and what is read from them.

use std::io::{Cursor, Write};
use trace::write::{Packed, RecordWriter};
use trace::{Compression, Format, Operation, Options, Record, Records, TraceError};

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

/// The file of records.
pub(crate) fn file(records: &[Record], format: Format, compression: Compression) -> Vec<u8> {
    let packed = Packed::new(Vec::new(), compression);
    let mut writer = RecordWriter::new(packed, format).expect("begun");
    for record in records {
        writer.write(record).expect("a record that the format holds");
    }
    writer.into_inner().finish().expect("finished")
}

pub(crate) fn pack(plain: &[u8], compression: Compression) -> Vec<u8> {
    let mut packed = Packed::new(Vec::new(), compression);
    packed.write_all(plain).expect("written");
    packed.finish().expect("finished")
}

pub(crate) fn read(file: &[u8], options: &Options) -> Result<Vec<Record>, TraceError> {
    Records::new(Cursor::new(file.to_vec()), "t", options)?.collect()
}
