//! LAR: which port, and when a misroute.

use crate::common::{
    BUSY, Bench, FREE, NODE, PORTS, Queued, TH, busy_but, minimal, misroutes, node, stream,
};
use hierarchy::{Algorithm, Counters, PortKind, Region, Selection, Trip};
use units::PortId;

fn lar() -> Bench {
    Bench::new(Algorithm::Lar)
}

/// A packet of this node.
fn fresh() -> Trip {
    Trip::default()
}

// "P_a from T1 (same super node) or T2. If Q[P_a] < Th ...: take P_a."
#[test]
fn a_free_minimal_port_is_taken() {
    let mut queued = BUSY;
    for (destination, port) in [(node(0, 2), 1), (node(2, 3), 4), (node(3, 0), 6)] {
        queued[usize::from(port)] = TH - 1;
        assert_eq!(lar().ports(fresh(), destination, NODE, &queued), minimal(port));
    }
}

// "If Q[P_a] < Th": at Th it is busy.
#[test]
fn a_port_is_busy_from_the_threshold_on() {
    let mut queued = FREE;
    queued[1] = TH;
    let ports = lar().ports(fresh(), node(0, 2), NODE, &queued);
    assert_eq!(ports, misroutes(&[0, 2]));
}

// "or phase = 1: take P_a"
#[test]
fn a_packet_that_was_misrouted_takes_the_minimal_port() {
    let misrouted = Trip { misrouted: true, ..fresh() };
    let queued = busy_but(&[0, 2]);
    assert_eq!(lar().ports(misrouted, node(0, 2), NODE, &queued), minimal(1));
}

// "Pick one at random, phase := 1: one misroute a packet."
#[test]
fn a_packet_is_misrouted_once() {
    let lar = lar();
    let queued = busy_but(&[4]);
    let choice = lar.choose(fresh(), node(4, 0), NODE, &queued, 1);
    let choice = choice.expect("a candidate");
    assert_eq!((choice.port, choice.trip.misroutes_here), (PortId(4), true));
    let on_link = lar.router().leave(choice.trip, choice.port);
    assert!(on_link.misrouted && !on_link.misroutes_here);
    // Behind the link, at a node like this one: by the minimal port, however busy it is.
    let ports = lar.ports(on_link, node(4, 0), PortId(5), &queued);
    assert_eq!(ports, minimal(1));
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

// "same super node: local ports other than P_a with Q < Th"
#[test]
fn in_the_own_super_node_candidates_are_free_local_ports() {
    let to = |queued: &Queued| lar().ports(fresh(), node(0, 2), NODE, queued);
    assert_eq!(to(&busy_but(&[0, 2, 3, 4, 5, 6, 7])), misroutes(&[0, 2]));
    assert_eq!(to(&busy_but(&[2, 3, 4, 5, 6, 7])), misroutes(&[2]));
}

// "another super node: *global ports of this node* other than P_a with Q < Th", and not "ports that
// lead to the destination super node"
#[test]
fn to_another_super_node_candidates_are_free_global_ports() {
    let to = |super_node, free: &[usize]| {
        let queued = busy_but(free);
        lar().ports(fresh(), node(super_node, 1), NODE, &queued)
    };
    let all = [0, 3, 4, 5, 6, 7];
    assert_eq!(to(4, &all), misroutes(&[3, 4, 5, 6]));
    assert_eq!(to(4, &[0, 5, 7]), misroutes(&[5]));
    // P_a is global: port 4. Ports 3 and 5 lead elsewhere.
    assert_eq!(to(2, &[3, 5, 6]), misroutes(&[3, 5, 6]));
}

// "candidates also exclude ... ports that lead to the destination super node": port 5 leads where
// P_a does; by selection `first` it is not P_a.
#[test]
fn no_misroute_leads_to_the_destination_super_node() {
    let mut lar = lar();
    lar.selection = Selection::First;
    let ports = lar.ports(fresh(), node(1, 0), NODE, &busy_but(&[4, 5, 6]));
    assert_eq!(ports, misroutes(&[4, 6]));
}

// "candidates also exclude unconnected ... ports": port 7 alone is free.
#[test]
fn no_misroute_by_an_unconnected_port() {
    let ports = lar().ports(fresh(), node(2, 0), NODE, &busy_but(&[7]));
    assert_eq!(ports, minimal(4));
}

// "candidates also exclude ... dead ports"
#[test]
fn no_misroute_by_a_dead_port() {
    let mut lar = lar();
    lar.live = !(1 << 3);
    let ports = lar.ports(fresh(), node(4, 0), NODE, &busy_but(&[3, 4, 5, 6]));
    assert_eq!(ports, misroutes(&[4, 5, 6]));
}

// "candidates also exclude ... the arrival port"
#[test]
fn no_misroute_by_the_arrival_port() {
    let came = |destination, in_port, free: &[usize]| {
        lar().ports(fresh(), destination, PortId(in_port), &busy_but(free))
    };
    let far = came(node(4, 0), 4, &[3, 4, 5, 6]);
    assert_eq!(far, misroutes(&[3, 5, 6]));
    assert_eq!(came(node(0, 2), 2, &[0, 2]), misroutes(&[0]));
}

// The arrival port is excluded of the candidates, not of the tables.
#[test]
fn the_minimal_port_may_be_the_arrival_port() {
    let ports = lar().ports(fresh(), node(2, 0), PortId(4), &BUSY);
    assert_eq!(ports, minimal(4));
}

// "None: P_a, phase unchanged"
#[test]
fn without_a_candidate_it_is_the_minimal_port() {
    for destination in [node(0, 2), node(2, 0)] {
        let choice = lar().choose(fresh(), destination, NODE, &BUSY, 1);
        assert_eq!(choice.expect("a minimal port").trip, fresh());
    }
}

// "An empty P_a (withdrawn entry) counts as Q = infinite."
#[test]
fn an_empty_entry_is_busy() {
    let mut lar = lar();
    lar.table.set(Region::Node(2), 0);
    lar.table.set(Region::SuperNode(2), 0);
    let own = lar.ports(fresh(), node(0, 2), NODE, &FREE);
    assert_eq!(own, misroutes(&[0, 1, 2]));
    let other = lar.ports(fresh(), node(2, 0), NODE, &FREE);
    assert_eq!(other, misroutes(&[3, 5, 6]));
}

// "a head packet whose entry is empty and that has no LAR candidate is removed"
#[test]
fn an_empty_entry_without_a_candidate_leads_nowhere() {
    let mut lar = lar();
    lar.table.set(Region::SuperNode(2), 0);
    assert_eq!(lar.choose(fresh(), node(2, 0), NODE, &BUSY, 1), None);
    let misrouted = Trip { misrouted: true, ..fresh() };
    assert_eq!(lar.choose(misrouted, node(2, 0), NODE, &FREE, 1), None);
}

// "LAR's local misroute is allowed only on the first local hop in a super node."
#[test]
fn a_local_misroute_is_the_first_local_hop() {
    let after = |locals| {
        let trip = Trip { locals, ..fresh() };
        lar().ports(trip, node(0, 2), PortId(0), &busy_but(&[0, 2]))
    };
    assert_eq!(after(0), misroutes(&[2]));
    assert_eq!((after(1), after(2)), (minimal(1), minimal(1)));
}

// ... in a super node: one that has come over a global link is on its first again.
#[test]
fn a_global_hop_makes_the_next_local_hop_the_first() {
    let trip = Trip { locals: 2, ..fresh() };
    let entered = trip.leave(PortKind::Global(0));
    let ports = lar().ports(entered, node(0, 2), PortId(3), &busy_but(&[0, 2]));
    assert_eq!(ports, misroutes(&[0, 2]));
}

// The rule of the first hop is one of local misroutes: global ones are allowed at any node.
#[test]
fn a_global_misroute_may_come_after_local_hops() {
    let trip = Trip { locals: 1, ..fresh() };
    let ports = lar().ports(trip, node(4, 0), PortId(0), &busy_but(&[4]));
    assert_eq!(ports, misroutes(&[4]));
}

// A packet that is at its node is ejected, whatever waits there.
#[test]
fn a_packet_at_its_node_is_ejected() {
    let ports = lar().ports(fresh(), node(0, 0), PortId(3), &busy_but(&[0, 1, 2]));
    assert_eq!(ports, minimal(NODE.0));
}

// "Pick one at random": each with equal probability.
#[test]
fn candidates_are_equally_likely() {
    let (lar, queued, mut counts) = (lar(), busy_but(&[3, 4, 5, 6]), [0; PORTS]);
    let mut stream = stream(7);
    for _ in 0..4_000 {
        let mut counters = Counters {
            queued: |port: PortId| queued[port.index()],
            threshold_cells: TH,
            selection: lar.selection,
            stream: &mut stream,
        };
        let router = lar.router();
        let choice = router.choose(fresh(), node(4, 0), NODE, &mut counters);
        counts[choice.expect("a candidate").port.index()] += 1;
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
        let queued = busy_but(&[0, 2, 3, 4, 5, 6]);
        assert_eq!(bench.ports(fresh(), node(0, 2), NODE, &queued), minimal(1), "{algorithm}");
        bench.table.set(Region::Node(2), 0);
        assert_eq!(bench.choose(fresh(), node(0, 2), NODE, &FREE, 1), None, "{algorithm}");
    }
}

// "named random streams": equal streams give equal decisions, and where nothing is picked at random
// nothing is drawn.
#[test]
fn decisions_follow_from_the_stream() {
    let (lar, queued) = (lar(), busy_but(&[3, 4, 5, 6]));
    let decide = |stream: &mut units::draw::Stream, destination, queued: &Queued| {
        let mut counters = Counters {
            queued: |port: PortId| queued[port.index()],
            threshold_cells: TH,
            selection: lar.selection,
            stream,
        };
        lar.router().choose(fresh(), destination, NODE, &mut counters)
    };
    let (mut a, mut b) = (stream(3), stream(3));
    for _ in 0..100 {
        // Between its draws `b` also decides what takes none.
        assert!(decide(&mut b, node(4, 0), &FREE).is_some());
        assert!(decide(&mut b, node(0, 2), &BUSY).is_some());
        let (one, other) =
            (decide(&mut a, node(4, 0), &queued), decide(&mut b, node(4, 0), &queued));
        assert_eq!(one, other);
    }
}
