//! Ports over time.

use flow_control::Control;
use inspect::{Recorder, RecorderConfig};
use observe::{CellsInUse, Event, LinesInUse, Observer, Place, PortProbe, Side, View, Waits};
use turnpool::Point;
use units::{LineId, Ratio, Span, Tick, TimeBase, Unit, WireId};

/// One switch port and one end node; a tick is a ns.
fn recorder() -> Recorder {
    Recorder::new(RecorderConfig {
        ports: 2,
        first_node_port: WireId(1),
        bin: Span(100),
        interval: Span(30),
        duration: Tick(200),
        time_base: TimeBase::new(1, Ratio::ONE, Ratio::ONE).unwrap(),
    })
}

fn place() -> Place {
    Place { port: WireId(0), side: Side::Ingress }
}

fn notify(recorder: &mut Recorder, now: u64, event: Event) {
    let view = View { now: Tick(now), owners: &[] };
    recorder.event(view, place(), event);
}

/// The cells of a column of a CSV.
fn column<'a>(csv: &'a str, name: &str) -> Vec<&'a str> {
    let mut lines = csv.lines().map(|line| line.split(','));
    let at = lines.next().unwrap().position(|column| column == name);
    lines.map(|mut line| line.nth(at.unwrap()).unwrap()).collect()
}

// Counts are exact and by bin; what happens after the duration is in none.
#[test]
fn events_count_in_the_bin_of_their_tick() {
    let mut recorder = recorder();
    let (line, point) = (LineId(0), Point::from_turn(1, 3));
    sample(&mut recorder, false, Waits::Nothing);
    let (up, down) = (1, 0);
    notify(&mut recorder, 99, Event::SaqAllocated { line, point, in_use: up });
    notify(&mut recorder, 100, Event::ControlSent(Control::Xoff(point)));
    notify(&mut recorder, 150, Event::SaqFreed { line, point, in_use: down });
    notify(&mut recorder, 160, Event::SaqAllocated { line, point, in_use: up });
    notify(&mut recorder, 200, Event::ControlSent(Control::Xoff(point)));
    recorder.finish();
    let csv = recorder.ports_csv();
    assert_eq!(column(csv, "t_ns"), ["0", "100"]);
    assert_eq!(column(csv, "allocations"), ["1", "1"]);
    assert_eq!(column(csv, "early_frees"), ["0", "1"]);
    assert_eq!(column(csv, "xoffs"), ["0", "1"]);
    assert_eq!(column(csv, "saqs_max"), ["1", "1"]);
}

/// Takes the next sample of the switch port.
fn sample(recorder: &mut Recorder, is_busy: bool, waits: Waits) {
    let probe = PortProbe {
        place: place(),
        unit: Unit::Ingress { switch: 0, port: 0 },
        is_busy,
        waits,
        cells: CellsInUse { normal: 3, ..CellsInUse::default() },
        lines: Some(LinesInUse { lines: 2, leaf: 1, ..LinesInUse::default() }),
    };
    recorder.before(&[probe]);
    recorder.after(&[probe]);
}

// A port is used or waits: the shares of a bin sum to one.
#[test]
fn samples_say_what_a_port_does() {
    let mut recorder = recorder();
    sample(&mut recorder, true, Waits::Credit);
    sample(&mut recorder, false, Waits::Credit);
    sample(&mut recorder, false, Waits::Nothing);
    assert_eq!(recorder.next_sample(), Tick(120));
    recorder.finish();
    let csv = recorder.ports_csv();
    assert_eq!(column(csv, "samples"), ["3"]);
    assert_eq!(column(csv, "utilised"), ["0.3333"]);
    assert_eq!(column(csv, "stalled_credit"), ["0.3333"]);
    assert_eq!(column(csv, "idle"), ["0.3333"]);
    assert_eq!(column(csv, "cells_normal_max"), ["3"]);
    assert_eq!(column(csv, "lines_leaf_max"), ["1"]);
    let cam = recorder.cam_csv();
    assert_eq!(column(cam, "lines")[0], "2");
}
