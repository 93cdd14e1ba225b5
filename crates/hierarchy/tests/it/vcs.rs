//! The VC of each hop.

use crate::common::node;
use hierarchy::{Algorithm, PortKind, Trip, VcScheme, Via};
use units::VcId;

const LOCAL: PortKind = PortKind::Local;
const GLOBAL: PortKind = PortKind::Global(1);

/// VCs of the hops of a packet in a network of local diameter 2; `true`: a misroute.
fn vcs(scheme: VcScheme, hops: &[(PortKind, bool)]) -> Vec<u8> {
    let mut trip = Trip::default();
    let hop = |&(by, misroute): &(PortKind, bool)| {
        trip.misroutes_here = misroute;
        let vc = scheme.vc(&trip, by, 2);
        trip = trip.leave(by);
        vc.0
    };
    hops.iter().map(hop).collect()
}

fn minimal(scheme: VcScheme, hops: &[PortKind]) -> Vec<u8> {
    let hops: Vec<_> = hops.iter().map(|&by| (by, false)).collect();
    vcs(scheme, &hops)
}

/// The longest minimal way, and on by a second global link, as after a misroute.
const WAY: [PortKind; 8] = [LOCAL, LOCAL, GLOBAL, LOCAL, LOCAL, GLOBAL, LOCAL, LOCAL];

// "`hop-count` (local VC = D x globals + local hops since)"; "global VC = global hops taken"
#[test]
fn hop_count() {
    let vcs = minimal(VcScheme::HopCount, &WAY);
    assert_eq!(vcs, [0, 1, 0, 2, 3, 1, 4, 5]);
}

// "`global-count` (local VC = global hops plus local misroutes taken; global VC = global hops
// taken)"
#[test]
fn global_count() {
    let vcs = minimal(VcScheme::GlobalCount, &WAY);
    assert_eq!(vcs, [0, 0, 0, 1, 1, 1, 2, 2]);
}

// "plus local misroutes *taken*": the misroute itself is on the VC of before.
#[test]
fn global_count_of_a_local_misroute() {
    let hops = [(GLOBAL, false), (LOCAL, true), (LOCAL, false), (LOCAL, false)];
    assert_eq!(vcs(VcScheme::GlobalCount, &hops), [0, 1, 2, 2]);
}

// A global misroute is a global hop, and counts as no local one.
#[test]
fn global_count_of_a_global_misroute() {
    let hops = [(LOCAL, false), (GLOBAL, true), (LOCAL, false)];
    assert_eq!(vcs(VcScheme::GlobalCount, &hops), [0, 0, 1]);
}

// "`paper-literal`: local VC = min(local hops in this super node, 1), global VC = global hops
// taken"
#[test]
fn paper_literal() {
    let vcs = minimal(VcScheme::PaperLiteral, &WAY);
    assert_eq!(vcs, [0, 1, 0, 0, 1, 1, 0, 1]);
    let longer = minimal(VcScheme::PaperLiteral, &[LOCAL; 4]);
    assert_eq!(longer, [0, 1, 1, 1]);
}

// "End nodes: one injection FIFO, no VCs."
#[test]
fn the_link_to_the_end_node_has_vc_0() {
    let trip = Trip { globals: 2, groups: 2, locals: 1, ..Trip::default() };
    for &scheme in VcScheme::ALL {
        assert_eq!(scheme.vc(&trip, PortKind::Node, 2), VcId(0), "{scheme}");
    }
}

// "Valiant ... over a random node 4": the second leg has the groups above those of the first.
#[test]
fn hop_count_by_a_node() {
    let via = node(1, 0);
    let mut trip = Trip { via: Via::Node(via), ..Trip::default() };
    let mut vcs = Vec::new();
    for (by, at_the_node) in [
        (LOCAL, false),
        (GLOBAL, false),
        (LOCAL, false),
        (LOCAL, true),
        (LOCAL, false),
        (GLOBAL, false),
        (LOCAL, false),
        (LOCAL, false),
    ] {
        if at_the_node {
            trip = trip.arrive(via);
        }
        vcs.push(VcScheme::HopCount.vc(&trip, by, 2).0);
        trip = trip.leave(by);
    }
    assert_eq!(vcs, [0, 0, 2, 4, 5, 1, 6, 7]);
}

// "`hop-count` ... DF 2 minimal / 3 LAR; SR, BR 4 / 6; HR 8 / 12. ... Valiant over a random super
// node 3 local groups, over a random node 4."
#[test]
fn hop_count_needs() {
    for (diameter, minimal, lar) in [(1, 2, 3), (2, 4, 6), (4, 8, 12)] {
        let needed = |algorithm| VcScheme::HopCount.needed(algorithm, diameter);
        assert_eq!(needed(Algorithm::Minimal), minimal);
        assert_eq!(needed(Algorithm::Lar), lar);
        assert_eq!(needed(Algorithm::Valiant), 3 * diameter);
        assert_eq!(needed(Algorithm::UgalL), 3 * diameter);
        assert_eq!(needed(Algorithm::ValiantNode), 4 * diameter);
    }
}

// "`global-count` ...: 2 local VCs minimal, 3 LAR, 2 global"
#[test]
fn global_count_needs() {
    let needed = |algorithm| VcScheme::GlobalCount.needed(algorithm, 4);
    assert_eq!(needed(Algorithm::Minimal), 2);
    assert_eq!(needed(Algorithm::Lar), 3);
    assert_eq!(needed(Algorithm::Valiant), 3);
    assert_eq!(needed(Algorithm::ValiantNode), 4);
}

// "The paper gives 2 VCs on global and 2 on local links"
#[test]
fn paper_literal_needs() {
    for &algorithm in Algorithm::ALL {
        assert_eq!(VcScheme::PaperLiteral.needed(algorithm, 4), 2, "{algorithm}");
    }
}
