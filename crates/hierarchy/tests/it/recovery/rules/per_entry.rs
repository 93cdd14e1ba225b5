use super::{Bench, FAR, FURTHER, ONE, TWO};
use hierarchy::recovery::Message::{End, Reachable, Unreachable};
use hierarchy::recovery::Region::{self, Node, SuperNode};
use hierarchy::recovery::{Effect, Protocol};
use units::PortId;

const CONFIGURED: [u64; 8] = [0, 1, 2, 3, 0, 4, 8, 3];

fn new() -> Bench {
    Bench::new(Protocol::PerEntry)
}

#[test]
fn without_faults_the_tables_are_as_configured() {
    let router = new();
    assert_eq!(router.tables(), CONFIGURED);
    assert_eq!((router.unit.up(), router.unit.live()), (15, 15));
}

// "FD(C) from port A: clear bit A of C. If the valid bits of C go from one or more to none: FD(C)
// on every live port", "for a node entry on live local ports only (beyond them that name means
// another node)." "FR(C) from A: set A in C if A is one of C's configured ports. If they go from
// none to some: FR(C) likewise."
#[test]
fn an_entry_is_announced_as_it_empties_and_as_it_fills() {
    for (region, ports) in [(Node(3), &[ONE, TWO][..]), (SuperNode(3), &[ONE, TWO, FAR, FURTHER])] {
        let (lost, found) = (Unreachable(region), Reachable(region));
        let everywhere = |message| ports.iter().map(|&port| (port, message)).collect::<Vec<_>>();
        let mut router = new();
        router.get(ONE, lost);
        assert_eq!(router.effects, [Effect::Entry { region, ports: 2 }]);
        assert_eq!(
            router.tables().iter().zip(CONFIGURED).filter(|(is, was)| *is != was).count(),
            1
        );
        router.effects.clear();
        assert_eq!(router.get(TWO, lost).sent(), everywhere(lost));
        assert_eq!(router.get(TWO, found).sent(), everywhere(found));
        assert_eq!(router.unit.entry(region), 2);
        assert_eq!(router.get(ONE, found).sent(), []);
        assert_eq!(router.tables(), CONFIGURED);
    }
}

// "Port A dead (then for all C)": and nothing is sent on it. Each port is its own, and comes back
// with the end mark.
#[test]
fn a_dead_port_leaves_all_entries() {
    for (port, bit) in [(ONE, 1), (TWO, 2), (FAR, 4), (FURTHER, 8)] {
        let mut router = new();
        router.down(port);
        assert_eq!(router.tables(), CONFIGURED.map(|ports| ports & !bit));
        assert_eq!((router.unit.up(), router.unit.live()), (15 & !bit, 15 & !bit));
        assert!(router.sent().iter().all(|&(on, _)| on != port));
        router.up(port);
        assert_eq!(router.tables(), CONFIGURED.map(|ports| ports & !bit));
        router.get(port, End);
        assert_eq!(router.tables(), CONFIGURED);
    }
    assert_eq!(new().down(ONE).sent(), [(TWO, Unreachable(Node(1)))]);
}

// "If A is one of C's configured ports": a message about an entry that the port does not belong to
// changes nothing, whatever came before. The exploration leaves such messages out.
#[test]
fn a_port_that_is_not_configured_in_an_entry_changes_nothing() {
    let mut router = new();
    for _ in 0..2 {
        for (region, configured) in router.unit.configured().table().clone().iter() {
            for port in (0..4).map(PortId).filter(|p| configured >> p.0 & 1 == 0) {
                let before = router.unit.clone();
                router.get(port, Unreachable(region));
                router.get(port, Reachable(region));
                assert_eq!((&router.unit, router.effects.len()), (&before, 0));
            }
        }
        router.down(ONE).up(ONE).effects.clear();
    }
}

// "When a link comes up each end sends FD for its empty entries, then an end mark": not of itself
// and its super node; "for a node entry on live local ports only", here too.
#[test]
fn empty_entries_are_sent_on_a_link_that_comes_up() {
    for (port, empty) in [(ONE, &[Node(1), SuperNode(1)][..]), (FAR, &[SuperNode(1)])] {
        let mut router = new();
        router.down(ONE).down(FAR).sent();
        let list = empty.iter().map(|&region| Unreachable(region)).chain([End]);
        let expected: Vec<_> = list.map(|message| (port, message)).collect();
        assert_eq!(router.up(port).sent(), expected);
    }
}

// "A counts as up at the other end when that mark arrives."
#[test]
fn a_port_is_live_when_the_end_mark_has_come() {
    let mut router = new();
    router.down(ONE).up(ONE).effects.clear();
    assert_eq!((router.unit.up(), router.unit.live()), (15, 14));
    assert_eq!(router.tables(), [0, 0, 2, 2, 0, 4, 8, 2]);
    let found = Reachable(Node(1));
    assert_eq!(router.get(ONE, End).sent(), [(ONE, found), (TWO, found)]);
    assert_eq!(router.tables(), CONFIGURED);
}

// As above: what came before the mark holds, and nothing of earlier does.
#[test]
fn the_list_of_the_other_end_is_what_counts() {
    let mut router = new();
    router.get(ONE, Unreachable(SuperNode(3)));
    router.down(ONE).up(ONE).effects.clear();
    router.get(ONE, Unreachable(Node(3)));
    assert_eq!(router.shown(), []);
    router.get(ONE, End);
    assert_eq!(router.tables(), [0, 1, 2, 2, 0, 4, 8, 3]);
}

// The other end has the list already: what changes after it must go there too.
#[test]
fn changes_are_sent_on_a_link_whose_mark_has_not_come() {
    let mut router = new();
    router.down(ONE).up(ONE).sent();
    let lost = Unreachable(Node(2));
    assert_eq!(router.down(TWO).sent()[0], (ONE, lost));
}

#[test]
fn what_changes_nothing_has_no_effect() {
    // A link that fails before its mark has come.
    let mut router = new();
    router.down(ONE).up(ONE).effects.clear();
    assert_eq!(router.down(ONE).effects, []);
    assert_eq!(router.tables(), [0, 0, 2, 2, 0, 4, 8, 2]);
    // What comes while a link is down; a port that is down already, or up, or without a link.
    let before = router.unit.clone();
    router.get(ONE, End).get(ONE, Reachable(Node(1)));
    router.down(ONE).up(TWO).down(PortId(9)).up(PortId(64));
    assert_eq!((router.unit, router.effects), (before, vec![]));
}

// "A node that comes back starts with its live ports": none until an end mark has come.
#[test]
fn a_restart_empties_all_and_sends_nothing() {
    let mut router = new();
    router.restart();
    let all: Vec<Region> =
        [1, 2, 3].map(Node).into_iter().chain([1, 2, 3].map(SuperNode)).collect();
    let empty: Vec<_> = all.iter().map(|&region| (region, 0)).collect();
    assert_eq!(router.effects.len(), empty.len());
    assert_eq!(router.shown(), empty);
    assert_eq!((router.unit.up(), router.unit.live()), (0, 0));
    // Everything is unreachable to the first that comes.
    let mut list: Vec<_> = all.iter().map(|&region| (ONE, Unreachable(region))).collect();
    list.push((ONE, End));
    assert_eq!(router.up(ONE).sent(), list);
    router.get(ONE, End);
    assert_eq!(router.tables(), [0, 1, 0, 1, 0, 0, 0, 1]);
}
