//! The mapping against a plain one over vectors.

use crate::common::{csv, file, record};
use proptest::prelude::*;
use std::collections::BTreeMap;
use trace::{
    Compression, Format, HostRule, Mapping, Message, Operation, Options, Record, Stream, Synthetic,
    Timing, Trace,
};
use units::Ratio;

/// All at once, as specified.
fn oracle(records: &[Record], mapping: &Mapping) -> Vec<Message> {
    let Timing { compression, start_ns, end_ns, repetitions } = mapping.timing;
    let last = records.last().map_or(0, |record| record.time_ns);
    let end = end_ns.unwrap_or(last + 1);
    let mut messages = Vec::new();
    for repetition in 0..repetitions {
        for (number, record) in records.iter().enumerate() {
            if !(start_ns..end).contains(&record.time_ns) {
                continue;
            }
            let whole = u128::from(repetition * (end - start_ns) + record.time_ns - start_ns);
            let time_ns =
                (whole * u128::from(compression.den()) / u128::from(compression.num())) as u64;
            let by = match mapping.host_rule {
                HostRule::Origin => record.machine.unwrap_or(0) + record.process.unwrap_or(0),
                HostRule::RoundRobin => record.device + number as u32,
            };
            let host = mapping.hosts[by as usize % mapping.hosts.len()];
            let device = mapping.devices[record.device as usize % mapping.devices.len()];
            let data = if record.bytes == 0 { mapping.request_bytes } else { record.bytes };
            let (there, back) = match record.operation {
                Operation::Read => (mapping.request_bytes, data),
                Operation::Write => (data, mapping.request_bytes),
            };
            let id = messages.len() as u64;
            messages.push(Message {
                id,
                time_ns,
                source: host,
                destination: device,
                bytes: there,
                after: None,
            });
            messages.push(Message {
                id: id + 1,
                time_ns,
                source: device,
                destination: host,
                bytes: back,
                after: Some(id),
            });
        }
    }
    messages
}

fn map(records: &[Record], mapping: &Mapping) -> Vec<Message> {
    let records = records.to_vec();
    let again = move || Ok(Trace::Made(Box::new(records.clone().into_iter())));
    let nodes = (mapping.hosts.len() + mapping.devices.len()) as u32;
    let mapped = Stream::new(again, mapping, nodes).expect("a legal mapping");
    mapped.map(|message| message.expect("good")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn messages_are_those_of_the_oracle(
        mut times in prop::collection::vec(0..1000_u64, 1..40),
        seed in any::<u32>(),
        (nodes, hosts) in (2..20_u32).prop_flat_map(|n| (Just(n), 1..n)),
        (num, den) in (1..50_u64, 1..50_u64),
        start_ns in 0..500_u64,
        length in prop::option::of(1..600_u64),
        repetitions in 1..4_u64,
        round_robin in any::<bool>(),
    ) {
        times.sort_unstable();
        let records: Vec<Record> = (1..).zip(&times).map(|(n, time)| {
            let drawn = seed.wrapping_mul(n).rotate_left(9);
            let operation = if drawn % 3 == 0 { Operation::Read } else { Operation::Write };
            Record {
                machine: Some(drawn % 5),
                process: Some(drawn / 7 % 1000),
                bytes: u64::from(drawn % 4) * 512,
                ..record(*time, drawn % 11, operation)
            }
        }).collect();
        // a part without a record has nothing to repeat, and no end of its own
        prop_assume!(times.iter().any(|t| *t >= start_ns));
        let mut mapping = Mapping::split(nodes, hosts).expect("legal");
        mapping.host_rule = if round_robin { HostRule::RoundRobin } else { HostRule::Origin };
        mapping.timing = Timing {
            compression: Ratio::new(num, den).expect("positive"),
            start_ns,
            end_ns: length.map(|length| start_ns + length),
            repetitions,
        };
        let messages = map(&records, &mapping);
        prop_assert!(messages.windows(2).all(|w| w[0].time_ns <= w[1].time_ns && w[0].id < w[1].id));
        prop_assert_eq!(messages, oracle(&records, &mapping));
    }
}

/// From a file, as its player opens it; a CSV of its messages gives the same ones.
#[test]
fn a_file_and_the_csv_of_its_messages_are_played_alike() {
    let dir = tempfile::tempdir().expect("a folder");
    let records = Synthetic::default().records().expect("legal").take(500);
    let records: Vec<Record> = records.collect();
    let (io, messages) = (dir.path().join("t.blkparse.bz2"), dir.path().join("m.csv"));
    std::fs::write(&io, file(&records, Format::Blkparse, Compression::Bz2)).expect("written");
    let mut mapping = Mapping::halves(16).expect("legal");
    let play = |path, mapping: &Mapping| -> Vec<Message> {
        let stream = trace::open(path, &Options::default(), mapping, 16).expect("opens");
        stream.map(|message| message.expect("good")).collect()
    };
    let once = play(&io, &mapping);
    assert_eq!(once.len(), 1000);
    std::fs::write(&messages, csv(&once)).expect("written");
    assert_eq!(play(&messages, &mapping), once);
    let middle = once[500].time_ns;
    mapping.timing = Timing {
        compression: "2.5".parse().expect("a ratio"),
        start_ns: middle / 2,
        end_ns: Some(middle + 1),
        repetitions: 3,
    };
    let thrice = play(&io, &mapping);
    assert!(thrice.len() > 300 && thrice.len() % 3 == 0, "{}", thrice.len());
    let renumbered = |messages: Vec<Message>| -> Vec<Message> {
        let first = messages[0].id;
        let back = |id: u64| id - first;
        let one = |m: &Message| Message { id: back(m.id), after: m.after.map(back), ..*m };
        messages.iter().map(one).collect()
    };
    assert_eq!(renumbered(play(&messages, &mapping)), renumbered(thrice));
}

/// Whoever plays a trace may do so on another thread.
#[test]
fn streams_can_be_sent() {
    fn can_be_sent<T: Send>() {}
    can_be_sent::<trace::Stream>();
    can_be_sent::<trace::Trace>();
}

#[test]
fn wrong_mappings_are_refused() {
    let legal = Mapping::split(8, 3).expect("legal");
    let refused = |change: &dyn Fn(&mut Mapping)| {
        let mut mapping = legal.clone();
        change(&mut mapping);
        mapping.check(8).expect_err("refused").to_string()
    };
    let cases = BTreeMap::from([
        (refused(&|m| m.hosts = vec![8]), "hosts: 8; legal: end nodes 0 to 7"),
        (refused(&|m| m.devices.clear()), "devices: none; legal: at least one end node"),
        (refused(&|m| m.devices = vec![4, 2]), "devices: 2; legal: end nodes that are no hosts"),
        (refused(&|m| m.request_bytes = 0), "request_bytes: 0; legal: 1 or more"),
        (refused(&|m| m.timing.repetitions = 0), "repetitions: 0; legal: 1 or more"),
        (refused(&|m| m.timing.end_ns = Some(0)), "end_ns: 0; legal: more than start_ns, 0"),
    ]);
    for (refused, expected) in cases {
        assert_eq!(refused, expected);
    }
    let split = |nodes, hosts| Mapping::split(nodes, hosts).expect_err("refused").to_string();
    assert_eq!(split(1, 1), "nodes: 1; legal: 2 or more");
    assert_eq!(split(4, 4), "hosts: 4; legal: 1 to 3, of 4 nodes");
}
