//! LAR: which port, and when a misroute.

use crate::common::{BUSY, Bench, FREE, NODE, PORTS, busy_but, minimal, misroutes, node, stream};
use hierarchy::{Address, Algorithm, PortKind, Region, Selection, Trip};
use units::PortId;

fn lar() -> Bench {
    Bench::new(Algorithm::Lar)
}

/// A packet of this node.
fn fresh() -> Trip {
    Trip::default()
}

/// By which ports packets with this state, that came by a port, leave where these are free.
fn check(
    bench: &Bench,
    trip: Trip,
    (destination, in_port): (Address, u8),
    free: &[usize],
    expected: &[(u8, bool)],
) {
    let ports = bench.ports(trip, destination, PortId(in_port), &busy_but(free));
    assert_eq!(ports, expected, "{trip:?} {destination:?} {in_port} {free:?}");
}

#[test]
fn ports_of_a_packet_of_this_node() {
    let own = |node_number, free: &[usize], expected: &[(u8, bool)]| {
        check(&lar(), fresh(), (node(0, node_number), NODE.0), free, expected);
    };
    let far = |super_node, free: &[usize], expected: &[(u8, bool)]| {
        check(&lar(), fresh(), (node(super_node, 1), NODE.0), free, expected);
    };
    // "P_a from T1 (same super node) or T2. If Q[P_a] < Th ...: take P_a."
    own(2, &[1], &minimal(1));
    far(2, &[1, 4], &minimal(4));
    far(3, &[1, 4, 6], &minimal(6));
    // "same super node: local ports other than P_a with Q < Th"
    own(2, &[0, 2, 3, 4, 5, 6, 7], &misroutes(&[0, 2]));
    own(2, &[2, 3, 4, 5, 6, 7], &misroutes(&[2]));
    // "another super node: *global ports of this node* other than P_a with Q < Th", and not "ports
    // that lead to the destination super node"
    far(4, &[0, 3, 4, 5, 6, 7], &misroutes(&[3, 4, 5, 6]));
    far(4, &[0, 5, 7], &misroutes(&[5]));
    far(2, &[3, 5, 6], &misroutes(&[3, 5, 6]));
    // "candidates also exclude unconnected ... ports": port 7 alone is free.
    far(2, &[7], &minimal(4));
    // "None: P_a, phase unchanged"
    own(2, &[], &minimal(1));
    far(2, &[], &minimal(4));
    // A packet that is at its node is ejected, whatever waits there.
    own(0, &[0, 1, 2], &minimal(NODE.0));
}

#[test]
fn ports_of_a_packet_on_its_way() {
    let on_way = |trip, to, free: &[usize], expected: &[(u8, bool)]| {
        check(&lar(), trip, to, free, expected);
    };
    // "candidates also exclude ... the arrival port": not the tables.
    on_way(fresh(), (node(4, 0), 4), &[3, 4, 5, 6], &misroutes(&[3, 5, 6]));
    on_way(fresh(), (node(0, 2), 2), &[0, 2], &misroutes(&[0]));
    on_way(fresh(), (node(2, 0), 4), &[], &minimal(4));
    // "or phase = 1: take P_a"
    let misrouted = Trip { misrouted: true, ..fresh() };
    on_way(misrouted, (node(0, 2), NODE.0), &[0, 2], &minimal(1));
    // "LAR's local misroute is allowed only on the first local hop in a super node."
    let after = |locals| Trip { locals, ..fresh() };
    on_way(after(0), (node(0, 2), 0), &[0, 2], &misroutes(&[2]));
    on_way(after(1), (node(0, 2), 0), &[0, 2], &minimal(1));
    on_way(after(2), (node(0, 2), 0), &[0, 2], &minimal(1));
    // ... in a super node: one that has come over a global link is on its first again.
    let entered = after(2).leave(PortKind::Global(0));
    on_way(entered, (node(0, 2), 3), &[0, 2], &misroutes(&[0, 2]));
    // The rule of the first hop is one of local misroutes: global ones are allowed at any node.
    on_way(after(1), (node(4, 0), 0), &[4], &misroutes(&[4]));
}

#[test]
fn ports_of_other_routers() {
    // "candidates also exclude ... ports that lead to the destination super node": port 5 leads
    // where P_a does; by selection `first` it is not P_a.
    let first = Bench { selection: Selection::First, ..lar() };
    check(&first, fresh(), (node(1, 0), NODE.0), &[4, 5, 6], &misroutes(&[4, 6]));
    // "local ports other than P_a": by `first` another minimal port is a candidate, and taking it
    // is a misroute all the same.
    check(&first, fresh(), (node(0, 3), NODE.0), &[2], &misroutes(&[2]));
    // "candidates also exclude ... dead ports"
    let dead = Bench { live: !(1 << 3), ..lar() };
    check(&dead, fresh(), (node(4, 0), NODE.0), &[3, 4, 5, 6], &misroutes(&[4, 5, 6]));
    // "An empty P_a (withdrawn entry) counts as Q = infinite."
    let mut empty = lar();
    empty.table.set(Region::Node(2), 0);
    empty.table.set(Region::SuperNode(2), 0);
    let all: Vec<usize> = (0..PORTS).collect();
    check(&empty, fresh(), (node(0, 2), NODE.0), &all, &misroutes(&[0, 1, 2]));
    check(&empty, fresh(), (node(2, 0), NODE.0), &all, &misroutes(&[3, 5, 6]));
    // "a head packet whose entry is empty and that has no LAR candidate is removed"
    let misrouted = Trip { misrouted: true, ..fresh() };
    assert_eq!(empty.choose(fresh(), node(2, 0), NODE, &BUSY, 1), None);
    assert_eq!(empty.choose(misrouted, node(2, 0), NODE, &FREE, 1), None);
    // Th is compared for the port that was selected: by `least-queued` all minimal ports are busy
    // where that one is.
    check(&lar(), fresh(), (node(0, 3), NODE.0), &[2], &minimal(2));
    check(&lar(), fresh(), (node(0, 3), NODE.0), &[1], &misroutes(&[1]));
}

// "Pick one at random, phase := 1: one misroute a packet."
#[test]
fn a_packet_is_misrouted_once() {
    let lar = lar();
    let choice = lar.choose(fresh(), node(4, 0), NODE, &busy_but(&[4]), 1);
    let choice = choice.expect("a candidate");
    assert_eq!((choice.port, choice.trip.misroutes_here), (PortId(4), true));
    let on_link = lar.router().leave(choice.trip, choice.port);
    assert!(on_link.misrouted && !on_link.misroutes_here);
    // Behind the link, at a node like this one: by the minimal port, however busy it is.
    check(&lar, on_link, (node(4, 0), 5), &[4], &minimal(1));
}

// The phase is that of the packets that leave by a misroute: one that is decided again, and then
// goes by its minimal port, has not been misrouted.
#[test]
fn a_decision_that_is_taken_back_is_no_misroute() {
    let lar = lar();
    let choice = lar.choose(fresh(), node(4, 0), NODE, &busy_but(&[4]), 1);
    let again = lar.choose(choice.expect("any").trip, node(4, 0), NODE, &FREE, 1);
    let again = again.expect("a minimal port");
    assert_eq!(again.trip, fresh());
    assert!(!lar.router().leave(again.trip, again.port).misrouted);
}

// "Pick one at random": each with equal probability. "Named random streams": equal streams give
// equal decisions, and where nothing is picked at random nothing is drawn.
#[test]
fn candidates_are_equally_likely_and_follow_from_the_stream() {
    let (lar, queued, mut counts) = (lar(), busy_but(&[3, 4, 5, 6]), [0; PORTS]);
    let (mut a, mut b) = (stream(7), stream(7));
    for _ in 0..4_000 {
        let decide = |stream: &mut _, to, queued| {
            let choice = lar.with(queued, stream, |router, counters| {
                router.choose(fresh(), to, NODE, counters)
            });
            choice.expect("a port").port
        };
        // Between its draws `b` also decides what takes none.
        decide(&mut b, node(4, 0), &FREE);
        decide(&mut b, node(0, 2), &BUSY);
        let port = decide(&mut a, node(4, 0), &queued);
        assert_eq!(port, decide(&mut b, node(4, 0), &queued));
        counts[port.index()] += 1;
    }
    // 1,000 each, the deviation 27.
    let likely = counts[3..7].iter().all(|count| (880..1_120).contains(count));
    assert!(likely, "{counts:?}");
}

// "Routings: `minimal`, `lar`, and as baselines `valiant` ..., `valiant-node` ..., `ugal-l`": only
// LAR misroutes at a node; where an entry is empty the others have no port.
#[test]
fn the_other_routings_never_misroute() {
    for &algorithm in Algorithm::ALL.iter().filter(|a| **a != Algorithm::Lar) {
        let mut bench = Bench::new(algorithm);
        check(&bench, fresh(), (node(0, 2), NODE.0), &[0, 2, 3, 4, 5, 6], &minimal(1));
        bench.table.set(Region::Node(2), 0);
        assert_eq!(bench.choose(fresh(), node(0, 2), NODE, &FREE, 1), None, "{algorithm}");
    }
}

// "Several minimal ports: lowest Q, then lowest id"; `first`: the lowest port, whatever waits
// there; `random`: any of them.
#[test]
fn one_of_several_minimal_ports_is_selected() {
    let both = [minimal(0), minimal(2)].concat();
    for (selection, queued_at_0, expected) in [
        (Selection::LeastQueued, 1, minimal(2)),
        (Selection::LeastQueued, 0, minimal(0)),
        (Selection::First, 100, minimal(0)),
        (Selection::Random, 100, both),
    ] {
        let bench = Bench { selection, ..Bench::new(Algorithm::Minimal) };
        let mut queued = FREE;
        queued[0] = queued_at_0;
        // By ports 0 and 2.
        let ports = bench.ports(fresh(), node(0, 3), NODE, &queued);
        assert_eq!(ports, expected, "{selection}");
    }
}
