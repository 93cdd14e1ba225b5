//! The VC of each hop.

use crate::common::node;
use hierarchy::{Algorithm, PortKind, Trip, VcScheme, Via};
use units::VcId;

const LOCAL: PortKind = PortKind::Local;
const GLOBAL: PortKind = PortKind::Global(1);

/// Hops of a packet; `true`: a misroute.
type Hops<'a> = &'a [(PortKind, bool)];

/// VCs of the hops of a packet in a network of local diameter 2.
fn vcs(scheme: VcScheme, hops: Hops<'_>) -> Vec<u8> {
    let mut trip = Trip::default();
    let hop = |&(by, misroute): &(PortKind, bool)| {
        trip.misroutes_here = misroute;
        let vc = scheme.vc(&trip, by, 2);
        trip = trip.leave(by);
        vc.0
    };
    hops.iter().map(hop).collect()
}

#[test]
fn vcs_of_hops() {
    // The longest minimal way, and on by a second global link, as after a misroute.
    let way = [LOCAL, LOCAL, GLOBAL, LOCAL, LOCAL, GLOBAL, LOCAL, LOCAL].map(|by| (by, false));
    let (local_misroute, global_misroute) = (
        [(GLOBAL, false), (LOCAL, true), (LOCAL, false), (LOCAL, false)],
        [(LOCAL, false), (GLOBAL, true), (LOCAL, false)],
    );
    let rows: [(VcScheme, Hops<'_>, &[u8]); 6] = [
        // "`hop-count` (local VC = D x globals + local hops since)"; "global VC = global hops
        // taken"
        (VcScheme::HopCount, &way, &[0, 1, 0, 2, 3, 1, 4, 5]),
        // "`global-count` (local VC = global hops plus local misroutes taken; global VC = global
        // hops taken)"
        (VcScheme::GlobalCount, &way, &[0, 0, 0, 1, 1, 1, 2, 2]),
        // "plus local misroutes *taken*": the misroute itself is on the VC of before.
        (VcScheme::GlobalCount, &local_misroute, &[0, 1, 2, 2]),
        // A global misroute is a global hop, and counts as no local one.
        (VcScheme::GlobalCount, &global_misroute, &[0, 0, 1]),
        // "`paper-literal`: local VC = min(local hops in this super node, 1), global VC = global
        // hops taken"
        (VcScheme::PaperLiteral, &way, &[0, 1, 0, 0, 1, 1, 0, 1]),
        (VcScheme::PaperLiteral, &[(LOCAL, false); 4], &[0, 1, 1, 1]),
    ];
    for (scheme, hops, expected) in rows {
        assert_eq!(vcs(scheme, hops), expected, "{scheme} {hops:?}");
    }
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
    let hops = [LOCAL, GLOBAL, LOCAL, LOCAL, LOCAL, GLOBAL, LOCAL, LOCAL];
    let vcs = hops.iter().enumerate().map(|(at, &by)| {
        if at == 3 {
            trip = trip.arrive(via);
        }
        let vc = VcScheme::HopCount.vc(&trip, by, 2).0;
        trip = trip.leave(by);
        vc
    });
    assert_eq!(vcs.collect::<Vec<_>>(), [0, 0, 2, 4, 5, 1, 6, 7]);
}

// "`hop-count` ... DF 2 minimal / 3 LAR; SR, BR 4 / 6; HR 8 / 12. ... Valiant over a random super
// node 3 local groups, over a random node 4." "`global-count` ...: 2 local VCs minimal, 3 LAR, 2
// global" "The paper gives 2 VCs on global and 2 on local links"
#[test]
fn vcs_that_a_link_needs() {
    let groups = [2, 3, 3, 4, 3];
    for (&algorithm, groups) in Algorithm::ALL.iter().zip(groups) {
        for diameter in [1, 2, 4] {
            let needed = |scheme: VcScheme| scheme.needed(algorithm, diameter);
            assert_eq!(needed(VcScheme::HopCount), groups * diameter, "{algorithm}");
            assert_eq!(needed(VcScheme::GlobalCount), groups, "{algorithm}");
            assert_eq!(needed(VcScheme::PaperLiteral), 2, "{algorithm}");
        }
    }
}
