//! Traces of messages: what is written is read again.

use crate::common::csv;
use proptest::prelude::*;
use std::io::Cursor;
use trace::{Item, Message, Options, Trace, TraceError};

fn read(file: Vec<u8>, nodes: u32) -> Result<Vec<Message>, TraceError> {
    let mut trace = Trace::new(Cursor::new(file), "m.csv", &Options::default())?;
    trace.within(nodes);
    let Trace::File(messages) = trace else { panic!("a file") };
    let message = |item| match item {
        Item::Message(message) => message,
        Item::Record(_) => panic!("a trace of messages"),
    };
    messages.map(|item| item.map(message)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_is_read_again(
        drawn in prop::collection::vec((1..9_u64, 0..9_u64, 0..8_u32, 1..8_u32, 1..1_u64 << 40, any::<prop::sample::Index>(), any::<bool>()), 0..50)
    ) {
        let mut messages: Vec<Message> = Vec::new();
        for (step, wait, source, other, bytes, earlier, waits) in drawn {
            let last = messages.last().copied();
            // a message that waits is sent by who gets the earlier one
            let after = (waits && !messages.is_empty()).then(|| messages[earlier.index(messages.len())]);
            let source = after.map_or(source, |after| after.destination);
            messages.push(Message {
                id: last.map_or(step, |last| last.id + step),
                time_ns: last.map_or(wait, |last| last.time_ns + wait),
                source,
                destination: (source + other) % 8,
                bytes,
                after: after.map(|after| after.id),
            });
        }
        prop_assert_eq!(read(csv(&messages), 8).expect("good"), messages);
    }
}

#[test]
fn nodes_that_are_not_there_are_refused() {
    let read = |line: &str| read(format!("{}\n{line}\n", trace::HEADER).into_bytes(), 8);
    for (line, refused) in
        [("0,0,8,1,64,", "5: error: source `8`"), ("0,0,1,9,64,", "7: error: destination `9`")]
    {
        let error = read(line).expect_err("refused").to_string();
        assert_eq!(error, format!("m.csv:2:{refused}; expected: an end node, 0 to 7"));
    }
    assert_eq!(read("0,0,7,1,64,").expect("good").len(), 1);
}
