//! What is written is what a reader of others reads: the same changes in FST and VCD, and slices
//! and counters of trace events.

use inspect::waveform::{Fst, Kind, SignalId, Signals, Sink, TraceEvents, Value, Vcd};
use std::collections::BTreeMap;
use std::io::{self, Cursor};
use wellen::SignalValueRef;

type Change = (u64, SignalId, Value<'static>);

type Waves = BTreeMap<String, Vec<(u64, String)>>;

fn text(value: Value<'_>) -> String {
    match value {
        Value::Bit(bit) => u8::from(bit).to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text.to_string(),
    }
}

/// Two switches with ports, a signal of each kind at each, and one that never changes.
fn signals() -> (Signals, Vec<(SignalId, Kind, String)>) {
    let mut signals = Signals::default();
    let mut all = Vec::new();
    let kinds = [Kind::Bit, Kind::Integer, Kind::Text, Kind::Text];
    signals.open("fabric");
    for switch in ["switch0", "switch1"] {
        signals.open(switch);
        for port in ["in0", "out1"] {
            signals.open(port);
            for (name, kind) in ["busy", "cells", "head", "still"].into_iter().zip(kinds) {
                let path = format!("fabric.{switch}.{port}.{name}");
                all.push((signals.add(name, kind), kind, path));
            }
            signals.close();
        }
        signals.close();
    }
    signals.close();
    (signals, all)
}

/// So many changes in a fixed disorder; every change changes something.
fn changes(count: u64) -> (Signals, Vec<Change>, Waves, u64) {
    let (signals, all) = signals();
    let mut expected: Waves = BTreeMap::new();
    for (_, kind, name) in &all {
        let first = if *kind == Kind::Text { "" } else { "0" };
        expected.insert(name.clone(), vec![(0, first.to_string())]);
    }
    let (mut list, mut ps, mut state) = (Vec::new(), 0, 1u64);
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for at in 0..count {
        // some changes come at one moment, the first ones at 0
        ps += draw(4) * 667 * u64::from(at > 20);
        let (id, kind, name) = &all[draw(all.len() as u64) as usize];
        let is = match kind {
            Kind::Bit => Value::Bit(draw(2) == 1),
            Kind::Integer => Value::Integer(draw(1 << 31) as u32 >> draw(31)),
            Kind::Text if name.ends_with("still") => continue,
            Kind::Text => Value::Text(&"n12->n3#456,open"[..draw(17) as usize]),
        };
        let seen = expected.get_mut(name).expect("a signal");
        if seen.last().is_some_and(|(_, was)| *was == text(is)) {
            continue;
        }
        seen.push((ps, text(is)));
        list.push((ps, *id, is));
    }
    let expected = expected.into_iter().map(|(name, seen)| (name, settled(seen))).collect();
    (signals, list, expected, ps + 1_000)
}

/// What is seen of changes: of several at one moment the last counts, if it changes something.
fn settled(changes: impl IntoIterator<Item = (u64, String)>) -> Vec<(u64, String)> {
    let mut kept: Vec<(u64, String)> = Vec::new();
    for change in changes {
        kept.pop_if(|last| last.0 == change.0);
        if kept.last().is_none_or(|last| last.1 != change.1) {
            kept.push(change);
        }
    }
    kept
}

fn write(sink: &mut dyn Sink, list: &[Change], end: u64) -> io::Result<()> {
    for (ps, id, is) in list {
        sink.change(*ps, *id, *is)?;
    }
    sink.end(end)
}

/// Reads with `wellen`, which is what Surfer reads with.
fn read(file: Vec<u8>) -> (Waves, u64) {
    let mut waves = wellen::simple::read_from_reader(Cursor::new(file)).expect("it is read");
    let vars: Vec<_> = waves.hierarchy().all_vars().collect();
    let mut found = Waves::new();
    for var in vars {
        let var = &waves.hierarchy()[var];
        let (name, signal) = (var.full_name(waves.hierarchy()), var.signal_ref());
        waves.load_signals(&[signal]);
        let times = waves.time_table();
        let changes = waves.get_signal(signal).expect("it is loaded").iter_changes();
        let changes = changes.map(|(at, value)| {
            let text = match value {
                SignalValueRef::BitVec(bits) => {
                    let bits = bits.bit_string();
                    u32::from_str_radix(&bits, 2).expect("0 and 1").to_string()
                }
                SignalValueRef::String(text) => text.to_string(),
                other => panic!("{name}: {other:?}"),
            };
            (times[at as usize], text)
        });
        let changes = settled(changes);
        found.insert(name, changes);
    }
    let end = waves.time_table().last().copied().unwrap_or_default();
    (found, end)
}

/// As FST and as VCD, from a time on.
fn written(signals: &Signals, start: u64, list: &[Change], end: u64) -> [Vec<u8>; 2] {
    let (mut fst, mut vcd) = (Cursor::new(Vec::new()), Vec::new());
    let mut sink = Fst::new(&mut fst, signals, start).expect("written");
    write(&mut sink, list, end).expect("written");
    let mut sink = Vcd::new(&mut vcd, signals, start).expect("written");
    write(&mut sink, list, end).expect("written");
    [fst.into_inner(), vcd]
}

#[test]
fn fst_and_vcd_are_read_back() {
    for count in [0, 30, 3_000] {
        let (signals, list, expected, end) = changes(count);
        for file in written(&signals, 0, &list, end) {
            let (found, last) = read(file);
            assert_eq!(found, expected, "{count}");
            assert_eq!(last, end);
        }
    }
}

/// More than a section holds.
#[test]
fn fst_in_several_sections_is_read_back() {
    let mut signals = Signals::default();
    let text = signals.add("text", Kind::Text);
    let bit = signals.add("bit", Kind::Bit);
    let mut file = Cursor::new(Vec::new());
    let mut fst = Fst::new(&mut file, &signals, 0).expect("written");
    let long = |at: u64| format!("{at:060000}");
    for at in 1..=400 {
        fst.change(at, text, Value::Text(&long(at))).expect("written");
        if at % 100 == 0 {
            fst.change(at, bit, Value::Bit(at % 200 == 0)).expect("written");
        }
    }
    fst.end(500).expect("written");
    let file = file.into_inner();
    let (found, end) = read(file);
    assert_eq!(end, 500);
    let bits = [(0, "0"), (200, "1"), (300, "0"), (400, "1")];
    assert_eq!(found["bit"], bits.map(|(at, bit)| (at, bit.to_string())));
    let texts = &found["text"];
    assert_eq!(texts.len(), 401);
    assert!((1..=400).all(|at| texts[at as usize] == (at, long(at))));
}

#[test]
fn trace_events_are_slices_and_counters() {
    let (signals, list, expected, end) = changes(300);
    let mut file = Vec::new();
    let mut trace = TraceEvents::new(&mut file, &signals, 0).expect("written");
    write(&mut trace, &list, end).expect("written");
    let json: serde_json::Value = serde_json::from_slice(&file).expect("JSON");
    let events = json["traceEvents"].as_array().expect("events");
    let name = |event: &serde_json::Value| event["args"]["name"].as_str().map(str::to_string);
    let named = |what: &'static str| events.iter().filter(move |event| event["name"] == what);
    let processes: Vec<_> = named("process_name").filter_map(name).collect();
    assert_eq!(processes, ["switch0", "switch1"]);
    let head = named("thread_name").find(|event| name(event).as_deref() == Some("out1.head"));
    let head = head.expect("a thread");
    let slices: Vec<_> = events
        .iter()
        .filter(|e| e["ph"] == "X" && e["tid"] == head["tid"] && e["pid"] == head["pid"])
        .filter(|e| e["dur"] != 0.0)
        .map(|e| (e["ts"].as_f64(), e["name"].as_str()))
        .collect();
    let texts = &expected["fabric.switch0.out1.head"];
    let expected: Vec<_> = texts
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(ps, text)| (Some(*ps as f64 / 1e6), Some(text.as_str())))
        .collect();
    assert!(expected.len() > 5);
    assert_eq!(slices, expected);
    assert!(events.iter().any(|e| e["ph"] == "C" && e["name"] == "in0.cells"));
}

#[test]
#[should_panic(expected = "time goes back")]
fn time_does_not_go_back() {
    let mut signals = Signals::default();
    let bit = signals.add("bit", Kind::Bit);
    let mut fst = Fst::new(Cursor::new(Vec::new()), &signals, 0).expect("written");
    fst.change(2, bit, Value::Bit(true)).expect("written");
    let _ = fst.change(1, bit, Value::Bit(false));
}

#[test]
#[should_panic(expected = "is not of its kind")]
fn value_is_of_the_kind_of_its_signal() {
    let mut signals = Signals::default();
    signals.open("top");
    let bit = signals.add("bit", Kind::Bit);
    signals.close();
    let mut vcd = Vcd::new(Vec::new(), &signals, 0).expect("written");
    let _ = vcd.change(2, bit, Value::Text("on"));
}

/// A window that starts late: nothing is shown before.
#[test]
fn file_starts_at_the_given_time() {
    let mut signals = Signals::default();
    signals.open("top");
    let bit = signals.add("bit", Kind::Bit);
    let text = signals.add("text", Kind::Text);
    signals.close();
    let list = [(7_000, bit, Value::Bit(true)), (8_000, text, Value::Text("on"))];
    for file in written(&signals, 7_000, &list, 9_000) {
        let (found, end) = read(file);
        assert_eq!(end, 9_000);
        assert_eq!(found["top.bit"], [(7_000, "1".to_string())]);
        assert_eq!(found["top.text"], [(7_000, String::new()), (8_000, "on".to_string())]);
    }
}
