//! What the search beside this asks not (spec: ecn.md, Marking): results, ends, blocked links.

use ecn::marking::{Held, Kind, Marker, MarkerError, Marking, WaitsUntil};
use units::{PortId, Span, Tick};

const A: PortId = PortId(0);
const B: PortId = PortId(1);

fn held(output: PortId, kind: Kind, sending: bool) -> Held {
    Held { output, kind, sending }
}

fn marker(marking: Marking) -> Marker {
    Marker::new(marking, 2, Span::ZERO)
}

fn arrive(marker: &mut Marker, output: PortId, times: usize) {
    for _ in 0..times {
        marker.arrived(output, Kind::Data, Tick(0));
    }
}

/// Which of the next data packets on an output are marked.
fn starts(marker: &mut Marker, output: PortId, times: usize) -> Vec<bool> {
    let mut next = || marker.started(output, Kind::Data).unwrap();
    (0..times).map(|_| next()).collect()
}

fn full(marker: &mut Marker, held: &[Held], now: Tick) -> Vec<usize> {
    let mut marked = Vec::new();
    marker.full(held.iter().copied(), now, |at| marked.push(at));
    marked
}

// "`events_at_rest`: Of these: those that found no pending marks for an output wanted there": what
// the event itself copies for an output is not found, however many packets the buffer holds for it;
// nor does it hide pending marks of another output.
#[test]
fn an_event_is_at_rest_where_no_earlier_one_is_pending() {
    for (pending_before, buffer, at_rest) in [
        ("", "A", true),
        ("", "AA", true),
        ("", "ABAB", true),
        ("A", "A", false),
        ("A", "AA", false),
        ("A", "AB", false),
        ("B", "AB", false),
        ("B", "AAB", false),
        ("B", "AA", true), // nothing here is for B
    ] {
        let mut marker = marker(Marking::InputTriggered);
        arrive(&mut marker, A, 3);
        arrive(&mut marker, B, 3);
        let mut event = |outputs: &str| {
            let output = |name| if name == 'A' { A } else { B };
            let buffer = outputs.chars().map(|c| held(output(c), Kind::Data, false));
            full(&mut marker, &buffer.collect::<Vec<_>>(), Tick(0));
            marker.events()
        };
        let [events, before] = event(pending_before);
        let found = [events + 1, before + u64::from(at_rest)];
        assert_eq!(event(buffer), found, "{pending_before:?} {buffer}");
    }
}

// When cnt1 falls: as a transmission starts, or as it ends. An event while a packet is being sent
// copies it too then, and the mark goes to a later one.
#[test]
fn a_packet_waits_until_it_starts_or_has_left() {
    for (until, waiting, pending) in [(WaitsUntil::Start, 1, 1), (WaitsUntil::End, 2, 2)] {
        let mut marker = marker(Marking::InputTriggered).with_waits_until(until);
        arrive(&mut marker, A, 2);
        assert_eq!(starts(&mut marker, A, 1), [false]);
        assert_eq!(marker.waiting(A), waiting);
        full(&mut marker, &[held(A, Kind::Data, true)], Tick(0));
        assert_eq!(marker.pending(A), pending);
        assert_eq!(marker.ended(A, Kind::Data), Ok(()));
        assert_eq!(marker.waiting(A), 1);
        assert_eq!(marker.ended(A, Kind::Ack), Ok(()));
        arrive(&mut marker, A, 1);
        let marks = starts(&mut marker, A, 2);
        assert_eq!(marks, [true, until == WaitsUntil::End]);
    }
}

// More ends than there were is a broken invariant.
#[test]
fn what_never_came_does_not_end() {
    let mut marker = marker(Marking::Naive).with_waits_until(WaitsUntil::End);
    assert_eq!(marker.ended(A, Kind::Data), Err(MarkerError::NoneWaits { output: A }));
}

// "do not mark packets for a link blocked within the last `t`"
#[test]
fn links_that_were_blocked_get_no_marks() {
    let calm = Span(10);
    let mut marker = Marker::new(Marking::InputTriggered, 2, calm);
    let pending = |marker: &Marker, now| {
        let mut marker = marker.clone();
        full(&mut marker, &[held(A, Kind::Data, false)], Tick(now));
        marker.pending(A)
    };
    arrive(&mut marker, A, 1);
    assert_eq!(pending(&marker, 0), 1);
    marker.unblocked(A, Tick(3));
    assert_eq!(pending(&marker, 4), 1, "it was not blocked");
    marker.blocked(A);
    assert_eq!(pending(&marker, 1000), 0);
    marker.unblocked(A, Tick(20));
    assert_eq!(pending(&marker, 20), 0);
    assert_eq!(pending(&marker, 30), 0);
    assert_eq!(pending(&marker, 31), 1);
}

#[test]
fn with_no_time_given_blocked_links_are_marked() {
    let mut marker = marker(Marking::Naive);
    marker.blocked(A);
    assert_eq!(full(&mut marker, &[held(A, Kind::Data, false)], Tick(0)), [0]);
}

#[test]
fn a_packet_that_never_came_is_an_error() {
    let mut marker = marker(Marking::None);
    let error = marker.started(B, Kind::Data).unwrap_err();
    assert_eq!(error, MarkerError::NoneWaits { output: B });
    let text = "a data packet starts on output 1 for which none waits";
    assert_eq!(error.to_string(), text);
}
