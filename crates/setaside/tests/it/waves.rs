//! `setaside run --waves`: what a reader of waveforms finds is what the events of the run were.

use crate::common::{Folder, TINY, folder};
use fabric::{Engine, Run};
use observe::{Event, Observer, PacketView, Place, Side, View};
use scenario::Scenario;
use std::collections::BTreeMap;
use std::path::Path;
use units::Tick;
use wellen::SignalValueRef;

/// A tick of the scenario, ps.
const TICK_PS: u64 = 2_000;

/// Changes of signals: full name, then tick and value.
type Waves = BTreeMap<String, Vec<(u64, String)>>;

fn read(path: &Path) -> Waves {
    let mut waves = wellen::simple::read(path).expect("it is read");
    let vars: Vec<_> = waves.hierarchy().all_vars().collect();
    let mut found = Waves::new();
    for var in vars {
        let var = &waves.hierarchy()[var];
        let (name, signal) = (var.full_name(waves.hierarchy()), var.signal_ref());
        waves.load_signals(&[signal]);
        let times = waves.time_table();
        let mut changes: Vec<(u64, String)> = Vec::new();
        for (at, value) in waves.get_signal(signal).expect("loaded").iter_changes() {
            let text = match value {
                SignalValueRef::BitVec(bits) => {
                    let bits = bits.bit_string();
                    u32::from_str_radix(&bits, 2).expect("0 and 1").to_string()
                }
                SignalValueRef::String(text) => text.to_string(),
                other => panic!("{name}: {other:?}"),
            };
            let ps = times[at as usize];
            assert_eq!(ps % TICK_PS, 0, "{name}");
            let tick = ps / TICK_PS;
            if changes.last().is_some_and(|(last, _)| *last == tick) {
                changes.pop(); // the first value, and then that of tick 0
            }
            changes.push((tick, text));
        }
        changes.dedup_by(|b, a| a.1 == b.1);
        found.insert(name, changes);
    }
    found
}

/// The value of a signal after a tick.
fn at<'a>(waves: &'a Waves, name: &str, tick: u64) -> &'a str {
    let changes = waves.get(name).unwrap_or_else(|| panic!("no signal {name}"));
    let after = changes.partition_point(|(from, _)| *from <= tick);
    &changes[after - 1].1
}

/// A text that holds for a tick, where it is set: `(tick, text)`.
fn pulses(waves: &Waves, name: &str) -> Vec<(u64, String)> {
    let changes = &waves[name];
    let set = changes.iter().filter(|(_, text)| !text.is_empty());
    set.cloned().collect()
}

/// All that happened: tick, name of the unit, packet, event.
#[derive(Default)]
struct Events(Vec<(u64, String, String, Event)>, Vec<(u64, u32, String)>);

impl Observer for Events {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let packet = match event {
            Event::Stored { packet, .. } | Event::Departed { packet, .. } => {
                packet.key().to_string()
            }
            _ => String::new(),
        };
        let owner = view.owners[place.port.index()];
        let (element, port) = (owner.element.0, owner.port.0);
        let side = if place.side == Side::Ingress { "in" } else { "out" };
        let unit = match element.checked_sub(SWITCHES) {
            None => format!("fabric.switch{element}.{side}{port}"),
            Some(node) => format!("fabric.node{node}.injection"),
        };
        self.0.push((view.now.0, unit, packet, event));
    }

    fn ejected(&mut self, view: View<'_>, _place: Place, packet: PacketView) {
        self.1.push((view.now.0, packet.destination, packet.key().to_string()));
    }
}

/// Of 16 nodes.
const SWITCHES: u32 = 8;

fn events(sets: &str) -> Events {
    let sets: Vec<_> = sets.split_whitespace().map(|set| set.parse().expect("a key")).collect();
    let scenario = Scenario::parse(TINY, "tiny.toml", None, &sets).expect("legal");
    let config = scenario.build().expect("legal");
    assert_eq!(config.network.switches(), SWITCHES as usize);
    assert_eq!(config.time_base.tick_to_ns(Tick(1)) * 1e3, TICK_PS as f64);
    let mut run = Run::with(&config, Engine::Reference, Events::default()).expect("legal");
    run.step(Tick::MAX).expect("no deadlock");
    run.finish(0.0).1
}

/// Runs with `--waves`, and reads the file.
fn waves(dir: &Folder, file: &str, more: &str) -> Waves {
    dir.works(&format!("run tiny.toml --out r --force --waves {file} {more}"));
    read(&dir.join(file))
}

/// Texts of each tick put together as a pulse has them.
fn joined(all: impl Iterator<Item = (u64, String)>) -> Vec<(u64, String)> {
    let mut joined: BTreeMap<u64, String> = BTreeMap::new();
    for (tick, text) in all {
        let of_tick = joined.entry(tick).or_default();
        if !of_tick.is_empty() {
            of_tick.push(',');
        }
        of_tick.push_str(&text);
    }
    joined.into_iter().collect()
}

fn compare_packets(waves: &Waves, events: &Events, has_output_memory: bool) {
    let mut counts = [0; 3];
    for (tick, unit, packet, event) in &events.0 {
        let signal = |name: &str| at(waves, &format!("{unit}.{name}"), *tick);
        match event {
            Event::Departed { output, .. } if unit.contains(".in") && !unit.contains("node") => {
                counts[0] += 1;
                assert_eq!(signal("grant"), format!("out{}", output.0), "{tick} {unit}");
                assert_eq!(signal("crossing"), packet, "{tick} {unit}");
                let (switch, input) = unit.rsplit_once('.').expect("a port");
                let out = format!("{switch}.out{}", output.0);
                assert_eq!(at(waves, &format!("{out}.grant"), *tick), input);
                if !has_output_memory {
                    assert_eq!(at(waves, &format!("{out}.link"), *tick), packet);
                }
            }
            Event::Departed { .. } => {
                counts[1] += usize::from(!unit.contains("node"));
                assert_eq!(signal("link"), packet, "{tick} {unit}");
                assert_eq!(signal("link_busy"), "1", "{tick} {unit}");
            }
            Event::Hop { at: last, .. } => {
                counts[2] += 1;
                let end = events.0.iter().map(|(tick, ..)| *tick).max().expect("some");
                if last.0 < end {
                    let link = format!("{unit}.link");
                    assert_eq!(at(waves, &link, last.0), at(waves, &link, *tick), "{unit}");
                    assert_eq!(at(waves, &format!("{unit}.link_busy"), last.0), "1");
                    let next = at(waves, &link, last.0 + 1);
                    assert_ne!(next, at(waves, &link, *tick), "{unit} {tick}");
                }
            }
            _ => {}
        }
    }
    assert!(counts[0] > 100 && counts[2] > 100, "{counts:?}");
    assert_eq!(counts[1] > 100, has_output_memory, "{counts:?}");
}

// "a test reads it back and compares it with the event trace"
#[test]
fn packets_are_where_the_events_say() {
    let dir = folder();
    let of_inputs = "switch.organisation=iq switch.scheme=voq-sw";
    compare_packets(&waves(&dir, "w.fst", of_inputs), &events(of_inputs), false);
    let waves = waves(&dir, "w.fst", "");
    let events = events("");
    compare_packets(&waves, &events, true);
    let places: Vec<&String> = waves.keys().filter(|name| name.ends_with(".stored")).collect();
    // 16 of the 64 ports of switches lead nowhere
    assert_eq!(places.len(), 48 * 2 + 16);
    for place in places {
        let stored = events.0.iter().filter(|(_, unit, _, event)| {
            matches!(event, Event::Stored { .. }) && format!("{unit}.stored") == *place
        });
        let expected: Vec<_> = stored.map(|(tick, _, p, _)| (*tick, p.clone())).collect();
        assert_eq!(pulses(&waves, place), expected, "{place}");
    }
    for node in 0..16 {
        let ejected = events.1.iter().filter(|(_, at, _)| *at == node);
        let expected: Vec<_> = ejected.map(|(tick, _, p)| (*tick, p.clone())).collect();
        assert_eq!(pulses(&waves, &format!("fabric.node{node}.ejected")), expected);
    }
}

// CAM bits, control packets, credit: as the events have it.
#[test]
fn lines_and_control_packets_are_what_the_events_say() {
    let dir = folder();
    let waves = waves(&dir, "w.fst", "");
    let events = events("");
    // after each tick with an event: whether the line is valid
    let mut valid: BTreeMap<(String, u64), &str> = BTreeMap::new();
    for (tick, unit, _, event) in &events.0 {
        let (line, is_valid) = match event {
            Event::SaqAllocated { line, .. } => (line, "1"),
            Event::SaqFreed { line, .. } => (line, "0"),
            _ => continue,
        };
        valid.insert((format!("{unit}.cam.line{}", line.0), *tick), is_valid);
    }
    assert!(valid.len() > 20);
    let mut changes: BTreeMap<&str, Vec<(u64, String)>> = BTreeMap::new();
    for ((line, tick), is_valid) in &valid {
        let of_line = changes.entry(line).or_insert_with(|| vec![(0, "0".to_string())]);
        if of_line.last().is_some_and(|(_, last)| last != is_valid) {
            of_line.push((*tick, is_valid.to_string()));
        }
    }
    for (line, expected) in &changes {
        assert_eq!(&waves[&format!("{line}.V")], expected, "{line}");
        for (tick, is_valid) in expected {
            let state = at(&waves, &format!("{line}.state"), *tick);
            assert_eq!(state == "idle", is_valid == "0", "{line} {tick}");
            let root = at(&waves, &format!("{line}.root"), *tick);
            assert_eq!(root.starts_with("switch"), is_valid == "1", "{line} {tick}");
        }
    }
    let bits = ["B", "R", "leaf"];
    for bit in bits {
        let set = |(name, all): (&String, &Vec<(u64, String)>)| {
            name.ends_with(&format!(".{bit}")) && all.iter().any(|(_, value)| value == "1")
        };
        assert!(waves.iter().any(set), "{bit} is never set");
    }
    let of = |unit: &str, what: fn(&Event) -> Option<String>| {
        let here = events.0.iter().filter(|(_, at, ..)| at == unit);
        joined(here.filter_map(|(tick, _, _, event)| Some((*tick, what(event)?))))
    };
    let control = |event: &Event| match event {
        Event::ControlSent(control) => Some(control.name().to_string()),
        _ => None,
    };
    let credit = |event: &Event| match event {
        Event::CreditSent { class, cells } => Some(format!("class{class}+{cells}")),
        _ => None,
    };
    let mut counts = [0; 2];
    for port in waves.keys().filter_map(|name| name.strip_suffix(".control")) {
        let named = pulses(&waves, &format!("{port}.control"));
        let without_root = |text: &str| {
            let each = text.split(',').map(|one| one.split(':').next().unwrap_or(one));
            each.collect::<Vec<_>>().join(",")
        };
        let names: Vec<_> = named.iter().map(|(t, text)| (*t, without_root(text))).collect();
        assert_eq!(names, of(port, control), "{port}");
        let credits = pulses(&waves, &format!("{port}.credit_sent"));
        assert_eq!(credits, of(port, credit), "{port}");
        counts = [counts[0] + names.len(), counts[1] + credits.len()];
    }
    assert!(counts[0] > 10 && counts[1] > 100, "{counts:?}");
}

/// Cells of a memory and credit for it add up: with nothing in flight the sender has all credits.
#[test]
fn memories_fill_and_credit_is_spent() {
    let dir = folder();
    let waves = waves(&dir, "w.fst", "");
    let full = at(&waves, "fabric.node0.injection.credits.class0", 0).to_string();
    let full: u32 = full.parse().expect("a number");
    let mut most = 0;
    for (tick, credit) in &waves["fabric.node0.injection.credits.class0"] {
        let cells = ["normal", "saq", "leaving"].map(|kind| {
            let cells = at(&waves, &format!("fabric.switch0.in0.cells_{kind}"), *tick);
            cells.parse::<u32>().expect("a number")
        });
        let (credit, cells): (u32, u32) = (credit.parse().expect("a number"), cells.iter().sum());
        assert!(credit + cells <= full, "tick {tick}");
        most = most.max(cells);
    }
    assert!(most > 0);
}

#[test]
fn formats_say_the_same_on_any_engine() {
    let dir = folder();
    let fst = waves(&dir, "w.fst", "");
    assert_eq!(fst, waves(&dir, "w.vcd", ""));
    for more in ["--engine reference", "--record --watch 'unit=node 0'", "--threads 2"] {
        waves(&dir, "v.fst", more);
        assert_eq!(dir.bytes("w.fst"), dir.bytes("v.fst"), "{more}");
    }
}

#[test]
fn trace_events_are_the_packets_of_links() {
    let dir = folder();
    dir.works("run tiny.toml --out r --waves w.json --waves-units 'switch 5 out 1'");
    let trace = dir.json("w.json");
    let all = trace["traceEvents"].as_array().expect("events");
    let thread = all
        .iter()
        .find(|event| event["ph"] == "M" && event["args"]["name"] == "out1.link")
        .expect("a thread");
    let slices = all.iter().filter(|e| e["ph"] == "X" && e["tid"] == thread["tid"]);
    let slices: Vec<_> = slices
        .map(|e| {
            let tick = e["ts"].as_f64().expect("us") * 1e6 / TICK_PS as f64;
            (tick.round() as u64, e["name"].as_str().expect("a name").to_string())
        })
        .collect();
    let events = events("");
    let departed = events.0.iter().filter(|(_, unit, _, event)| {
        unit == "fabric.switch5.out1" && matches!(event, Event::Departed { .. })
    });
    let expected: Vec<_> = departed.map(|(tick, _, p, _)| (*tick, p.clone())).collect();
    assert!(expected.len() > 20);
    assert_eq!(slices, expected);
}

// "a window in time and a filter on units"
#[test]
fn window_and_units_are_all_that_is_shown() {
    let dir = folder();
    let all = waves(&dir, "w.fst", "");
    let units = "--waves-units 'switch 5 out 1,node 5'";
    let some = waves(&dir, "u.fst", units);
    let scopes = ["fabric.switch5.out1.", "fabric.node5."];
    let kept = all.iter().filter(|(name, _)| scopes.iter().any(|s| name.starts_with(s)));
    assert_eq!(some, kept.map(|(n, c)| (n.clone(), c.clone())).collect::<Waves>());
    let part = waves(&dir, "p.fst", &format!("{units} --waves-window 2_000:3_000"));
    assert_eq!(part.keys().collect::<Vec<_>>(), some.keys().collect::<Vec<_>>());
    let mut changes = 0;
    for (name, seen) in &part {
        let is_inside = |(tick, _): &&(u64, String)| (1_000..1_500).contains(tick);
        assert!(seen.iter().all(|change| is_inside(&change)), "{name}");
        if name == "fabric.node5.injection.link" {
            continue; // known from the first start in the window on
        }
        for tick in [1_000, 1_234, 1_499] {
            assert_eq!(at(&part, name, tick), at(&some, name, tick), "{name} {tick}");
        }
        changes += seen.len();
    }
    assert!(changes > 200);
}

// "Nothing finished is lost": waveforms that do not fit on the disk cost no results.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_of_waveforms_costs_no_results() {
    let dir = folder();
    std::os::unix::fs::symlink("/dev/full", dir.join("w.fst")).expect("a link");
    let ran = dir.ends(1, "run tiny.toml --out r --waves w.fst", &["error: --waves w.fst: "]);
    assert!(!ran.stderr.contains("wrote w.fst"));
    let plain = dir.works("run tiny.toml --out plain");
    assert_eq!(dir.whole_run("r"), dir.whole_run("plain"));
    assert_eq!(ran.stdout, plain.stdout);
}
