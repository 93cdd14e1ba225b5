//! An hour of a real disk trace, where `SETASIDE_TRACES` names its folder.

use std::path::PathBuf;
use trace::{Compression, Format, Kind, Mapping, Options, Summary, Trace};

fn hour() -> Option<PathBuf> {
    let folder = std::env::var_os("SETASIDE_TRACES")?;
    Some(PathBuf::from(folder).join("hourly.03126.srt.bz2"))
}

#[test]
fn an_hour_has_its_counts() {
    let Some(path) = hour() else { return };
    let trace = Trace::open(&path, &Options::default()).expect("opens");
    let summary = Summary::of(trace).expect("good");
    let Kind::Io { reads, writes, devices, machines, version } = &summary.kind else {
        panic!("a trace of I/O");
    };
    assert_eq!((summary.format, summary.compression), (Some(Format::Srt), Compression::Bz2));
    assert_eq!((summary.total.count, devices.len(), *version), (43_000, 77, Some(7)));
    assert_eq!((reads.count, writes.count), (10_568, 32_432));
    assert_eq!(summary.span_ns, 3_699_144_533_000);
    assert_eq!((summary.seen.out_of_order, summary.seen.suspect, machines.len()), (0, 0, 1));
    assert_eq!((summary.sizes.min, summary.sizes.max), (1024, 65_536));
    assert_eq!(summary.rate.bytes.iter().sum::<u64>(), reads.bytes + writes.bytes);
}

#[test]
fn an_hour_can_be_played() {
    let Some(path) = hour() else { return };
    let mut mapping = Mapping::split(64, 32).expect("legal");
    mapping.timing.compression = "1000".parse().expect("a ratio");
    let stream = trace::open(&path, &Options::default(), &mapping, 64).expect("opens");
    let messages: Vec<_> = stream.map(|message| message.expect("good")).collect();
    assert_eq!(messages.len(), 86_000);
    assert_eq!(messages.last().map(|m| m.time_ns), Some(3_699_144_533));
}
