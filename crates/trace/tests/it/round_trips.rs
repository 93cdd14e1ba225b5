//! What is written is read again, in every format and compression.

use crate::common::{file, open, plain, read, record, record_of};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::Cursor;
use trace::{Compression, Format, Operation, Options, Record, Trace};

const IO: [Format; 4] = [Format::Srt, Format::Msr, Format::Spc, Format::Blkparse];

prop_compose! {
    /// What all formats hold: times in us, sizes and offsets in sectors.
    fn any_record()(
        us in 0..5_000_000_u64,
        machine in 0..3_u32,
        process in 0..9_u32,
        device in 0..5_u32,
        is_read in any::<bool>(),
        sector in 0..1_u64 << 31,
        sectors in 0..9_u64,
        response in 0..9_999_u64,
    ) -> Record {
        Record {
            time_ns: 1_000 * us,
            machine: Some(machine),
            process: Some(process),
            device,
            operation: if is_read { Operation::Read } else { Operation::Write },
            offset_bytes: 512 * sector,
            bytes: 512 * sectors,
            response_ns: Some(1_000 * response),
        }
    }
}

/// Numbers in the order of first appearance.
fn number<K: Ord>(numbers: &mut BTreeMap<K, u32>, key: K) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(key).or_insert(next)
}

/// What a reader gives: sorted by time, from the first one on, without what the format has not.
fn expected(records: &[Record], format: Format, version: u32) -> Vec<Record> {
    let is_seven = format == Format::Srt && version == 7;
    let has_machine = is_seven || format == Format::Msr;
    let has_process = format == Format::Blkparse || format == Format::Srt && version >= 5;
    let has_response = matches!(format, Format::Srt | Format::Msr);
    let (mut machines, mut devices) = (BTreeMap::new(), BTreeMap::new());
    let mut all: Vec<Record> = records
        .iter()
        .map(|record| {
            let machine = record.machine.filter(|_| has_machine);
            Record {
                device: number(&mut devices, (machine, record.device)),
                machine: machine.map(|machine| number(&mut machines, machine)),
                process: record.process.filter(|_| has_process),
                response_ns: record.response_ns.filter(|_| has_response),
                ..*record
            }
        })
        .collect();
    all.sort_by_key(|record| record.time_ns);
    let first = all.first().map_or(0, |record| record.time_ns);
    all.iter_mut().for_each(|record| record.time_ns -= first);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_format_and_compression(records in prop::collection::vec(any_record(), 1..60)) {
        for format in IO {
            for compression in Compression::ALL {
                let file = file(&records, format, *compression);
                let found = Trace::new(Cursor::new(file.clone()), "t", &Options::default());
                let found = found.map(|trace| (trace.format(), trace.compression()));
                prop_assert_eq!(found, Ok((Some(format), *compression)));
                let mut reader = open(&file, &Options::default()).expect("opens");
                let read: Result<Vec<Record>, _> = (&mut reader).map(record_of).collect();
                prop_assert_eq!(read.expect("good"), expected(&records, format, 7));
                let late = records.windows(2).any(|w| w[1].time_ns < w[0].time_ns);
                prop_assert_eq!(reader.seen().out_of_order > 0, late);
            }
        }
    }

    #[test]
    fn every_version_of_srt(records in prop::collection::vec(any_record(), 1..20)) {
        for version in 1..=7 {
            let file = plain(&records, Format::Srt, version);
            let read = read(&file, &Options::default()).expect("good");
            prop_assert_eq!(read, expected(&records, Format::Srt, version));
        }
    }
}

/// More than a Zstandard frame, and more than a buffer.
#[test]
fn large_files_of_several_frames() {
    let records: Vec<Record> =
        (0..40_000).map(|n| record(1_000 * n, (n % 7) as u32, Operation::Read)).collect();
    for compression in Compression::ALL {
        let file = file(&records, Format::Msr, *compression);
        let read = read(&file, &Options::default()).expect("good");
        assert_eq!(read.len(), records.len(), "{compression}");
        assert_eq!(read.last().map(|r| r.time_ns), Some(39_999_000));
    }
}

/// Names of devices and machines, and what is skipped, as other programs write it.
#[test]
fn what_others_write() {
    let names = |text: &str| {
        let mut reader = open(text.as_bytes(), &Options::default()).expect("opens");
        let read: Vec<Record> = (&mut reader).map(|item| record_of(item).expect("good")).collect();
        (read, reader.devices().to_vec(), reader.seen().clone())
    };
    let (read, devices, _) = names(
        "0,20941264,8192,W,0.551706,x\r\n0,20939840,8192,w,0.554041\r\n\r\n12,7,512,R,1.5\r\n",
    );
    assert_eq!(devices, ["asu0", "asu12"]);
    assert_eq!((read[1].time_ns, read[2].time_ns), (2_335_000, 948_294_000));
    let (read, devices, _) = names("128166372003061629,usr,1,write,5,512,7\n");
    assert_eq!((devices, read[0].response_ns), (vec!["usr/1".to_string()], Some(700)));
    let blkparse = "  8,0    3        1     0.000000000   697  Q   W 223490 + 8 [kjournald]
  8,0    3        2     0.000001829   697  A   W 223490 + 8 <- (8,1) 223427
  8,0    3        3     0.000004000   697  D   W 223490 + 8 [kjournald]
  8,16   1        4     0.000004500     0  D   R 36 (12 00 00 00 24 00) [udev]
  8,16   1        5     0.000004600     9  D  FN [kworker/1:1H]
  8,16   1        6     0.000005000     9  D FWFS 8 + 16 [kworker/1:1H]
  8,16   1        7     0.000005000     9  D  DS 8 + 16 [fstrim]
  8,0    3        8     0.000006000     0  C   W 223490 + 8 [0]
  8,0    0        0     0.000009000     0  m   N cfq697 complete
CPU0 (8,0):
 Reads Queued:           0,        0KiB  Writes Queued:           1,        4KiB

Throughput (R/W): 0KiB/s / 0KiB/s
";
    let (read, devices, seen) = names(blkparse);
    assert_eq!(devices, ["8,0", "8,16"]);
    assert_eq!((read.len(), seen.skipped), (2, 7));
    assert_eq!((read[0].bytes, read[1].bytes, read[1].time_ns), (4096, 8192, 1_000));
    let queued = Options { action: "Q".parse().expect("a name"), ..Options::default() };
    let read = crate::common::read(blkparse.as_bytes(), &queued).expect("good");
    assert_eq!((read.len(), read[0].process), (1, Some(697)));
}
