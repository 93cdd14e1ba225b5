//! Which of several minimal ports.

use crate::common::{BUSY, Bench, FREE, NODE, PORTS, Queued, minimal, misroutes, node};
use hierarchy::{Algorithm, Selection, Trip};

fn ports(selection: Selection, queued: &Queued) -> Vec<(u8, bool)> {
    let mut bench = Bench::new(Algorithm::Minimal);
    bench.selection = selection;
    // By ports 0 and 2.
    bench.ports(Trip::default(), node(0, 3), NODE, queued)
}

// "Several minimal ports: lowest Q"
#[test]
fn the_least_queued_is_taken() {
    let mut queued = FREE;
    queued[0] = 1;
    assert_eq!(ports(Selection::LeastQueued, &queued), minimal(2));
}

// "then lowest id"
#[test]
fn of_equally_queued_ports_the_lowest_is_taken() {
    assert_eq!(ports(Selection::LeastQueued, &FREE), minimal(0));
}

// `first`: the lowest port, whatever waits there. What keeps packets of a flow in order.
#[test]
fn first_looks_at_no_counter() {
    let mut queued = FREE;
    queued[0] = 100;
    assert_eq!(ports(Selection::First, &queued), minimal(0));
}

// `random`: any of them.
#[test]
fn random_takes_any() {
    let mut queued = FREE;
    queued[0] = 100;
    assert_eq!(ports(Selection::Random, &queued), [minimal(0), minimal(2)].concat());
}

// Th is looked at for the port that was selected: by `least-queued` all minimal ports are busy
// where that one is.
#[test]
fn lar_misroutes_where_the_least_queued_minimal_port_is_busy() {
    let bench = Bench::new(Algorithm::Lar);
    let ports = |free: &[usize]| {
        let mut queued = BUSY;
        free.iter().for_each(|&port| queued[port] = 0);
        bench.ports(Trip::default(), node(0, 3), NODE, &queued)
    };
    assert_eq!(ports(&[2]), minimal(2));
    assert_eq!(ports(&[1]), misroutes(&[1]));
}

// "local ports other than P_a": by `first` another minimal port is a candidate, and taking it is a
// misroute all the same.
#[test]
fn another_minimal_port_is_a_candidate() {
    let mut bench = Bench::new(Algorithm::Lar);
    bench.selection = Selection::First;
    let mut queued = [100; PORTS];
    queued[2] = 0;
    let ports = bench.ports(Trip::default(), node(0, 3), NODE, &queued);
    assert_eq!(ports, misroutes(&[2]));
}
