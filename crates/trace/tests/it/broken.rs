//! Broken files: errors and their places; nothing panics.

use crate::common::{file, open, pack, read, record, record_of};
use proptest::prelude::*;
use std::io::Cursor;
use std::path::Path;
use trace::{Compression, Format, Operation, Options, Problem, Record, Summary, Trace};

fn error(file: &[u8], options: &Options) -> String {
    let trace = Trace::new(Cursor::new(file.to_vec()), "t", options);
    trace.and_then(Summary::of).expect_err("broken").to_string()
}

fn records(count: u32) -> Vec<Record> {
    let one = |n| record(1_000 * u64::from(n), n % 3, Operation::Write);
    (0..count).map(one).collect()
}

fn srt(count: u32) -> Vec<u8> {
    file(&records(count), Format::Srt, Compression::Plain)
}

/// A file of SRT with other bytes at a place behind its header.
fn srt_with(at: usize, bytes: &[u8]) -> (Vec<u8>, usize) {
    let mut file = srt(2);
    let begin = file.iter().position(|b| *b == 0x0c).expect("a header") + 1;
    file[begin + at..begin + at + bytes.len()].copy_from_slice(bytes);
    (file, begin)
}

/// A first line of each text format.
const FIRST: [(&str, &str); 4] = [
    ("msr", "128166372003061629,hm,0,Read,0,512,1"),
    ("spc", "0,1,512,r,0.5"),
    ("blk", "8,0 0 1 0.5 7 D R 8 + 8 [p]"),
    ("csv", "id,time_ns,source,destination,bytes,after"),
];

/// A format, what follows its first line (`/` ends a line), and on the next line the error.
const BROKEN: &str = "\
msr x,hm,0,Read,0,512,1
2:1: error: Timestamp `x`; expected: a whole number of 100 ns
msr 1,,0,Read,0,512,1
2:3: error: Hostname ``; expected: the name of a machine
msr 1,hm,0,Raed,0,512,1
2:8: error: Type `Raed`; expected: Read or Write
msr 1,hm,0,Read,-5,512,1
2:13: error: Offset `-5`; expected: a whole number of bytes
msr 1,hm,0,Read
2:1: error: 4 fields; expected: 7: Timestamp, Hostname, DiskNumber, Type, Offset, Size, ResponseTime
msr 1,hm,0,Read,0,512,999999999999999999
2:19: error: ResponseTime `999999999999999999`; expected: a whole number of 100 ns, at most 2^64 - 1 ns
spc 0,1,512,x,0.6
2:9: error: Opcode `x`; expected: r, R, w or W
spc 0,1,512,r,1e3
2:11: error: Timestamp `1e3`; expected: seconds as a decimal number, such as 0.026214
spc 0,36028797018963968,512,r,0.6
2:3: error: LBA `36028797018963968`; expected: a whole number of blocks of 512 bytes, at most 2^55 - 1
blk 8,0 0 2 0.6 7 D R 8 - 8 [p]
2:21: error: sign `-`; expected: +
blk 8:0 0 2 0.6 7 D
2:1: error: device `8:0`; expected: a device as major,minor
blk 8,0 0 2 0.6 7 D R 8
2:20: error: sign ``; expected: +
csv 0,5,0,1,64,/0,5,0,1,64,
3:1: error: id `0`; expected: more than 0, the id before it
csv 0,5,0,1,64,/1,4,0,1,64,
3:3: error: time_ns `4`; expected: at least 5, the time before it
csv 0,5,1,1,64,
2:7: error: destination `1`; expected: another node than the source
csv 0,5,0,1,0,
2:9: error: bytes `0`; expected: a whole number, 1 or more
csv 0,5,0,1,64,/1,6,1,0,64,7
3:12: error: after `7`; expected: nothing, or the id of an earlier message to node 1, at most 1048576 messages back
csv 0,5,0,1,64,/1,6,0,1,64,0
3:12: error: after `0`; expected: nothing, or the id of an earlier message to node 0; this one is to node 1
";

#[test]
fn broken_text_is_reported_with_line_and_column() {
    let lines: Vec<&str> = BROKEN.lines().collect();
    for case in lines.chunks(2) {
        let (format, text) = case[0].split_once(' ').expect("a format");
        let first = FIRST.iter().find(|(name, _)| *name == format).expect("known").1;
        let text = format!("{first}\n{}\n", text.replace('/', "\n"));
        let reported = error(text.as_bytes(), &Options::default());
        assert_eq!(reported, format!("t:{}", case[1]), "{text}");
    }
    assert_eq!(lines.len(), 36);
    let reported = |text: &[u8]| error(text, &Options::default());
    assert_eq!(reported(b""), "t: error: the file is empty; expected: a trace");
    let legal =
        "legal, with --input-format where it is not found: srt, msr, spc, blkparse, messages";
    for (text, shown) in [("\u{1}\u{2}\n", "??"), ("no,time_ns\n", "no,time_ns")] {
        let expected = format!("t: error: the format is not known from `{shown}`; {legal}");
        assert_eq!(reported(text.as_bytes()), expected);
    }
    let long = format!("0,1,512,r,0.5\n{}", "x".repeat(70_000));
    let expected = "t:2:1: error: a line of more than 65536 bytes; expected: a line of text";
    assert_eq!(reported(long.as_bytes()), expected);
    let expected = "t:2:3: error: byte `0xff`; expected: text in UTF-8";
    assert_eq!(reported(b"0,1,512,r,0.5\n0,\xff\n"), expected);
}

#[test]
fn broken_records_are_reported_with_their_byte() {
    let length = |found: u32| {
        let expected = "a multiple of 4 from 88 to 4096 bytes, for version 7";
        format!("length of the record `{found}`; expected: {expected}")
    };
    let kind = "type of the record `2`; expected: 1 (short I/O) or 4 (suspect I/O)";
    let cases: [(usize, &[u8], usize, String); 6] = [
        (0, &[0, 0, 0, 84], 0, length(84)),
        (0, &[255, 0, 0, 88], 0, length(4_278_190_168)),
        (88, &[0, 0, 0, 0], 88, length(0)),
        (4, &[0, 9], 4, "version of the record `9`; expected: 1 to 7".into()),
        (6, &[0, 2], 4, kind.into()),
        (
            12,
            &[0, 0x0f, 0x42, 0x40],
            12,
            "us of the time `1000000`; expected: less than 1000000".into(),
        ),
    ];
    for (at, bytes, place, what) in cases {
        let (file, begin) = srt_with(at, bytes);
        let reported = error(&file, &Options::default());
        assert_eq!(reported, format!("t: byte {}: error: {what}", begin + place));
        let reported = error(&pack(&file, Compression::Gz), &Options::default());
        assert_eq!(reported, format!("t: byte {} (unpacked): error: {what}", begin + place));
    }
    let srt = Options { format: Some(Format::Srt), ..Options::default() };
    let reported = error(b"0,1,512,r,0.5\n", &srt);
    assert_eq!(
        reported,
        "t: byte 0: error: no header of SRT; expected: text that begins with `$$TR_` and ends with byte 0x0c within 64 KiB"
    );
    // a suspect record is left out, not an error
    let (file, _) = srt_with(6, &[0, 4]);
    assert_eq!(read(&file, &Options::default()).expect("good").len(), 1);
}

/// "an error that says so and how many records before it are good"
#[test]
fn a_file_that_is_cut_off_is_reported_and_can_be_used() {
    let whole = srt(3);
    let cut = &whole[..whole.len() - 40];
    let reported = error(cut, &Options::default());
    let byte = whole.len() - 88;
    assert_eq!(
        reported,
        format!(
            "t: byte {byte}: error: the file is cut off: 48 of the 88 bytes of a record; 2 good records before it can be used with --allow-truncated"
        )
    );
    let text = b"0,1,512,r,0.5\n0,2,512,w,0.75\n0,3,51";
    let reported = error(text, &Options::default());
    assert_eq!(
        reported,
        "t:3:1: error: the file is cut off: the last line has no end and cannot be read: 3 fields; expected: 5 or more: ASU, LBA, Size, Opcode, Timestamp; 2 good records before it can be used with --allow-truncated"
    );
    let allowed = Options { allow_truncated: true, ..Options::default() };
    for file in [cut, text] {
        let trace = Trace::new(Cursor::new(file.to_vec()), "t", &allowed);
        let summary = trace.and_then(Summary::of).expect("allowed");
        assert_eq!(summary.total.count, 2);
        let problem = summary.seen.truncated.as_ref().map(|error| &error.problem);
        assert!(matches!(problem, Some(Problem::Truncated { records: 2, .. })));
    }
    for compression in &Compression::ALL[1..] {
        let packed = file(&records(30_000), Format::Msr, *compression);
        let cut = &packed[..packed.len() - 12];
        let reported = error(cut, &Options::default());
        assert!(
            reported.contains(&format!("the {compression} stream ends too early; ")),
            "{reported}"
        );
        read(cut, &allowed).expect("allowed");
    }
}

/// Cut at every byte: what is read is the beginning of what was written, then an error or nothing.
#[test]
fn a_cut_at_every_byte_never_panics() {
    let all = records(4);
    for format in [Format::Srt, Format::Msr, Format::Spc, Format::Blkparse] {
        for compression in Compression::ALL {
            let whole = file(&all, format, *compression);
            let complete = read(&whole, &Options::default()).expect("good");
            for cut in 0..whole.len() {
                let name = format!("{format}, {compression}, {cut} bytes");
                for allow_truncated in [false, true] {
                    let options = Options {
                        allow_truncated,
                        reorder_records: 1, // a time may be cut short
                        ..Options::default()
                    };
                    let Ok(trace) = open(&whole[..cut], &options) else {
                        continue;
                    };
                    let good: Vec<Record> = trace.map(record_of).map_while(Result::ok).collect();
                    // the last line of a text may be cut where it can still be read
                    let sure = good.len().saturating_sub(1);
                    assert_eq!(good[..sure], complete[..sure], "{name}");
                }
            }
        }
    }
}

#[test]
fn broken_streams_are_reported() {
    for compression in &Compression::ALL[1..] {
        let mut packed = file(&records(500), Format::Spc, *compression);
        let middle = packed.len() / 2;
        packed[middle..middle + 8].fill(0x55);
        let reported = error(&packed, &Options::default());
        assert!(
            reported.contains("(unpacked): error: ") || reported.starts_with("t:"),
            "{reported}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        format in prop::sample::select(Format::ALL),
        compression in prop::sample::select(Compression::ALL),
        has_magic in any::<bool>(),
    ) {
        let head: &[u8] = if has_magic { b"$$TR_\x0c\0\0\0\x58\0\x07\0\x01" } else { b"" };
        let options = Options {
            format: Some(format),
            compression: Some(compression),
            ..Options::default()
        };
        let file = [head, &bytes].concat();
        if let Ok(trace) = Trace::new(Cursor::new(file), "t", &options) {
            let _ = Summary::of(trace);
        }
    }
}

#[test]
fn records_far_from_their_place_are_an_error() {
    let at = |ms: u64| record(1_000_000 * ms, 0, Operation::Read);
    let lines = file(&[at(1), at(3), at(2), at(5), at(4), at(0)], Format::Spc, Compression::Plain);
    let window = |reorder_records| Options { reorder_records, ..Options::default() };
    assert_eq!(read(&lines, &window(6)).expect("all fit").len(), 6);
    let reported = error(&lines, &window(2));
    assert_eq!(
        reported,
        "t:6:1: error: a record 4000000 ns before one that is 2 records or more ahead of it; expected: records in the order of time, but for 2; sort the file"
    );
}

#[test]
fn what_is_not_there_cannot_be_opened() {
    let error = |path: &Path| Trace::open(path, &Options::default()).err().expect("none there");
    let of_file = error(Path::new("/nowhere/t.srt"));
    assert!(matches!(of_file.problem, Problem::Open(_)), "{of_file}");
    let error = error(&std::env::temp_dir());
    assert!(error.to_string().ends_with(": error: cannot be opened: is a directory"), "{error}");
}
