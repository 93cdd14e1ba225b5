//! `setaside run --watch`: the story of a packet and of a port.

use crate::common::{Folder, TINY, folder};
use fabric::{Engine, Run};
use observe::Trace;
use scenario::{Scenario, Set};
use serde_json::Value;
use std::collections::BTreeMap;
use units::Tick;

/// Lines of a story: those that begin with a time.
fn story(text: &str) -> Vec<&str> {
    let is_event = |line: &&str| line.split_whitespace().nth(1) == Some("ns");
    text.lines().filter(is_event).collect()
}

/// The stderr of a run.
fn stderr_of(dir: &Folder, more: &str) -> String {
    dir.works(&format!("run tiny.toml --out r --force {more}")).stderr
}

/// Every line of stderr: with `--log-format json` there is nothing else.
fn json_lines(text: &str) -> Vec<Value> {
    let object = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(object).collect()
}

/// Events of a watch, from JSON.
fn events_of(dir: &Folder, more: &str) -> Vec<Value> {
    let lines = json_lines(&stderr_of(dir, &format!("{more} --log-format json"))).into_iter();
    lines.filter(|line| line["target"] == "setaside::watch").collect()
}

/// The whole event trace of the same run.
fn trace(sets: &[Set]) -> String {
    let scenario = Scenario::parse(TINY, "tiny.toml", None, sets).expect("legal");
    let config = scenario.build().expect("legal");
    let mut run = Run::with(&config, Engine::Fast, Trace::default()).expect("legal");
    run.step(Tick::MAX).expect("no deadlock");
    run.finish(0.0).1.text()
}

/// Switches of the network.
const SWITCHES: u32 = 8;

/// The place of a line as the trace has it: switches first, then nodes.
fn place(line: &Value) -> String {
    let unit = line["unit"].as_str().expect("a unit").parse();
    match unit.expect("a unit") {
        units::Unit::Ingress { switch, port } => format!("e{switch}.in{port}"),
        units::Unit::Egress { switch, port } => format!("e{switch}.out{port}"),
        units::Unit::Node { node } => format!("e{}.in0", SWITCHES + node),
        units::Unit::Injection { node } => format!("e{}.out0", SWITCHES + node),
        units::Unit::Switch { .. } => panic!("nothing happens at a whole switch"),
    }
}

/// `tick place` of lines of the trace.
fn of_trace(trace: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = trace.lines().filter(|line| wanted(line));
    let start = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    lines.map(start).collect()
}

fn of_json(lines: &[Value]) -> Vec<String> {
    let start = |line: &Value| format!("{} {}", line["tick"], place(line));
    lines.iter().map(start).collect()
}

// "events with tick, unit and packet": the story is what the event trace has of the packet.
#[test]
fn story_has_every_event_of_the_packet() {
    let dir = folder();
    let trace = trace(&[]);
    for packet in ["0:5:0", "3:5:1", "9:12:1"] {
        let mut lines = events_of(&dir, &format!("--watch packet={packet}"));
        let (flow, number) = packet.rsplit_once(':').expect("three numbers");
        let name = format!("n{}#{number}", flow.replace(':', "->n"));
        // It becomes a head by events of others.
        lines.retain(|line| line["event"] != "head");
        let of_packet = |line: &str| line.split(' ').any(|word| word == name);
        assert_eq!(of_json(&lines), of_trace(&trace, of_packet), "{packet}");
        assert!(lines.len() > 2, "{packet}");
        assert!(lines.iter().all(|line| line["packet"] == name));
    }
}

/// Who becomes head by what happens to others, of `names`: a replay of the trace with FIFOs.
fn heads_of(trace: &str, names: &[String]) -> Vec<String> {
    let mut queues: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    let mut heads = Vec::new();
    for line in trace.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (tick, at) = (words[0], words[1]);
        let digits = line.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<&str> = digits.filter(|digits| !digits.is_empty()).collect();
        let queue = |word: &str| (at, word.trim_start_matches('q').to_string());
        if words[2] == "Swapped" {
            let [.., a, b] = numbers[..] else {
                panic!("{line}");
            };
            let a_held = queues.remove(&queue(a)).unwrap_or_default();
            let b_held = queues.insert(queue(b), a_held).unwrap_or_default();
            queues.insert(queue(a), b_held);
            continue;
        }
        if matches!(words[2], "moved" | "departed") {
            let of_place = queues.iter_mut().filter(|(key, _)| key.0 == at);
            for held in of_place.map(|(_, held)| held) {
                if held.first() == Some(&words[3]) {
                    held.remove(0);
                    let next = held.first().filter(|next| names.iter().any(|n| n == *next));
                    heads.extend(next.map(|next| format!("{tick} {at} {next}")));
                }
            }
        }
        if matches!(words[2], "stored" | "moved") {
            queues.entry(queue(words[4])).or_default().push(words[3]);
        }
    }
    heads.sort();
    heads
}

// Heads are checked by a replay of the trace, with SAQs and swapped queues, on any engine.
#[test]
fn heads_are_those_of_a_replay() {
    let dir = folder();
    let sets = "run.duration_ns=12000 switch.speedup=1";
    let all: Vec<Set> = sets.split(' ').map(|set| set.parse().expect("a key")).collect();
    let trace = trace(&all);
    assert!(trace.contains(" Swapped "), "ingress detection is seen");
    let watched = |line: &&str| line.contains(" stored ") && line.contains("->n5#");
    let mut names: Vec<String> = trace
        .lines()
        .filter(watched)
        .map(|line| line.split(' ').nth(3).expect("a packet").to_string())
        .collect();
    names.sort();
    names.dedup();
    assert!(names.len() > 50);
    let expected = heads_of(&trace, &names);
    assert!(expected.len() > 100, "{}", expected.len());
    let watch = |name: &String| {
        let numbers = name.replace("->n", ":").replace('#', ":");
        format!(" --watch packet={}", &numbers[1..])
    };
    let line = names.iter().map(watch).fold(sets.to_string(), |line, watch| line + &watch);
    for more in ["", "--threads 3", "--engine reference"] {
        let lines = events_of(&dir, &format!("{line} {more}"));
        let heads = lines.iter().filter(|line| line["event"] == "head");
        let name = |line: &Value| line["packet"].as_str().expect("a packet").to_string();
        let found = heads.map(|line| format!("{} {} {}", line["tick"], place(line), name(line)));
        let mut found: Vec<String> = found.collect();
        found.sort();
        assert_eq!(found, expected, "{more}");
    }
}

#[test]
fn story_has_every_event_of_the_port() {
    let dir = folder();
    let trace = trace(&[]);
    let watch =
        |unit: &str| events_of(&dir, &format!("--watch 'unit={unit}' --log setaside::watch=debug"));
    let at = |line: &str, place: &str| line.split(' ').nth(1) == Some(place);
    let lines = watch("switch 2 in 1");
    assert_eq!(of_json(&lines), of_trace(&trace, |line| at(line, "e2.in1")));
    assert!(lines.len() > 100);
    // what crosses to an egress port belongs to its story
    let lines = watch("fabric.switch5.out1");
    let crosses = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        words[1].starts_with("e5.in") && words[2] == "departed" && words.ends_with(&["to", "1"])
    };
    let expected = of_trace(&trace, |line| at(line, "e5.out1") || crosses(line));
    assert_eq!(of_json(&lines), expected);
    let has = |kind: &str| lines.iter().any(|line| line["event"] == kind);
    assert!(has("departed") && has("credit") && has("internal"));
}

// "works together with --threads (deterministic order)"
#[test]
fn story_is_the_same_on_any_engine_and_threads() {
    let dir = folder();
    let watch = "--watch 'unit=switch 5' --watch packet=0:5:0";
    let one = stderr_of(&dir, watch);
    assert!(story(&one).len() > 100);
    for more in ["--threads 2", "--threads 3", "--engine reference", "--record"] {
        assert_eq!(story(&one), story(&stderr_of(&dir, &format!("{watch} {more}"))), "{more}");
    }
}

#[test]
fn filter_decides_what_is_printed() {
    let dir = folder();
    let of = |more: &str| {
        story(&stderr_of(&dir, &format!("--watch 'unit=switch 2 out 1' {more}"))).len()
    };
    let (all, usual, none) = (of("--log debug"), of("--log info"), of("--log warn"));
    assert!(all > usual && usual > 0 && none == 0, "{all} {usual} {none}");
    assert_eq!(usual, of(""));
}

// "spans for load, build, run, sweep point"
#[test]
fn spans_say_where_the_time_goes() {
    let dir = folder();
    dir.ends(0, "run tiny.toml --out r --log info", &[" load: ", " build: ", " run: "]);
    let log = "--log info --log-format json";
    let ran = dir.works(&format!("sweep study.toml --out s --no-derive {log}"));
    let mut closed = json_lines(&ran.stderr);
    closed.retain(|line| line["message"] == "close");
    for (span, count) in [("load", 1), ("point", 3), ("build", 3), ("run", 3)] {
        let found = closed.iter().filter(|line| line["span"]["name"] == span);
        assert_eq!(found.count(), count, "{span}");
    }
}

/// What a run prints beside its log is JSON too, at INFO, WARN or ERROR, whatever the filter.
#[test]
fn everything_on_stderr_is_json_with_log_format_json() {
    let dir = folder();
    let run = "run tiny.toml --out r --log off --log-format json";
    let watch = "--watch packet=0:5:4000000 --watch 'unit=node 5'";
    let ran = dir.ends(5, &format!("{run} {watch}"), &[]);
    assert!(dir.has("r/summary.json"), "that the packet never was is said last");
    let lines = json_lines(&ran.stderr);
    assert_eq!(lines.last().map(|line| &line["level"]), Some(&"ERROR".into()));
    for (level, message) in [
        ("INFO", "wrote r"),
        ("INFO", "as a page: setaside report r"),
        ("INFO", "CPU time "),
        ("ERROR", "--watch packet=0:5:4000000: no such packet in this run"),
    ] {
        let is_event = |line: &Value| {
            let text = line["message"].as_str().unwrap_or_default();
            line["level"] == level && text.starts_with(message)
        };
        assert!(lines.iter().any(is_event), "{message}: {lines:?}");
    }
    let lines = json_lines(&dir.ends(2, &format!("{run} --seed 99"), &[]).stderr);
    assert!(lines.len() == 1 && lines[0]["level"] == "ERROR", "{lines:?}");
    // Warnings are printed all the same.
    let lines = json_lines(&dir.works(&format!("{run} --force -q")).stderr);
    assert!(lines.iter().all(|line| line["level"] == "WARN"), "{lines:?}");
}
