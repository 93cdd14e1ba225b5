use super::table::{FAR, FURTHER, ONE, TWO, Told};
use hierarchy::recovery::Message::{End, Reachable, Unreachable};
use hierarchy::recovery::Protocol;
use hierarchy::recovery::Region::{self, Node, SuperNode};
use units::PortId;

const CONFIGURED: [u64; 8] = [0, 1, 2, 3, 0, 4, 8, 3];

fn new() -> Told {
    Told::new(Protocol::PerEntry)
}

#[test]
fn without_faults_the_tables_are_as_configured() {
    let router = new();
    assert_eq!(router.tables(), CONFIGURED);
    assert_eq!((router.unit.up(), router.unit.live()), (15, 15));
}

// "FD(C) from port A: clear bit A of C."
#[test]
fn fd_clears_one_bit_of_one_entry() {
    let mut router = new();
    router.get(ONE, Unreachable(Node(3)));
    assert_eq!(router.shown(), [(Node(3), 2)]);
    assert_eq!(router.tables(), [0, 1, 2, 2, 0, 4, 8, 3]);
}

// "If the valid bits of C go from one or more to none: FD(C) ...": not before.
#[test]
fn an_entry_with_a_port_left_is_not_told_of() {
    let mut router = new();
    assert_eq!(router.get(ONE, Unreachable(SuperNode(3))).sent(), []);
}

// "... FD(C) on every live port."
#[test]
fn an_empty_super_node_entry_is_told_on_every_live_port() {
    let mut router = new();
    router.get(ONE, Unreachable(SuperNode(3))).sent();
    let told = Unreachable(SuperNode(3));
    let everywhere = [ONE, TWO, FAR, FURTHER].map(|port| (port, told));
    assert_eq!(router.get(TWO, told).sent(), everywhere);
}

// "For a node entry on live local ports only (beyond them that name means another node)."
#[test]
fn an_empty_node_entry_is_told_on_local_ports_only() {
    let mut router = new();
    router.get(ONE, Unreachable(Node(3))).sent();
    let told = Unreachable(Node(3));
    assert_eq!(router.get(TWO, told).sent(), [(ONE, told), (TWO, told)]);
}

// "Port A dead (then for all C)": and nothing is told on it.
#[test]
fn a_dead_port_leaves_all_entries() {
    let mut router = new();
    router.down(ONE);
    assert_eq!(router.tables(), [0, 0, 2, 2, 0, 4, 8, 2]);
    assert_eq!(router.sent(), [(TWO, Unreachable(Node(1)))]);
    assert_eq!((router.unit.up(), router.unit.live()), (14, 14));
}

// As above, and each port is its own.
#[test]
fn each_port_leaves_and_comes_back_alone() {
    let mut router = new();
    for (port, bit) in [(ONE, 1), (TWO, 2), (FAR, 4), (FURTHER, 8)] {
        router.down(port);
        assert_eq!(router.tables(), CONFIGURED.map(|ports| ports & !bit));
        router.up(port);
        assert_eq!(router.tables(), CONFIGURED.map(|ports| ports & !bit));
        router.get(port, End);
        assert_eq!(router.tables(), CONFIGURED);
    }
}

// "FR(C) from A: set A in C if A is one of C's configured ports. If they go from none to some:
// FR(C) likewise."
#[test]
fn fr_gives_a_port_back_and_is_told_if_it_is_the_first() {
    let mut router = new();
    router.get(ONE, Unreachable(Node(3)));
    router.get(TWO, Unreachable(Node(3))).sent();
    let told = Reachable(Node(3));
    assert_eq!(router.get(TWO, told).sent(), [(ONE, told), (TWO, told)]);
    assert_eq!(router.unit.entry(Node(3)), 2);
    assert_eq!(router.get(ONE, told).sent(), []);
    assert_eq!(router.unit.entry(Node(3)), 3);
}

// "If A is one of C's configured ports": what is said of an entry that the port does not belong to
// changes nothing, whatever was said before. The exploration leaves such messages out.
#[test]
fn a_port_that_is_not_configured_in_an_entry_has_no_say() {
    let mut router = new();
    for _ in 0..2 {
        for region in router.unit.configured().clone().regions() {
            let configured = router.unit.configured().ports(region);
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
// and its super node.
#[test]
fn a_link_that_comes_up_is_told_of_empty_entries() {
    let mut router = new();
    router.down(ONE).down(FAR).sent();
    let list = [Node(1), SuperNode(1)].map(|region| (ONE, Unreachable(region)));
    let expected = [&list[..], &[(ONE, End)]].concat();
    assert_eq!(router.up(ONE).sent(), expected);
}

// "For a node entry on live local ports only", here too.
#[test]
fn a_global_link_that_comes_up_is_not_told_of_nodes() {
    let mut router = new();
    router.down(ONE).down(FAR).sent();
    let expected = [(FAR, Unreachable(SuperNode(1))), (FAR, End)];
    assert_eq!(router.up(FAR).sent(), expected);
}

// "A counts as up at the other end when that mark arrives."
#[test]
fn a_port_is_live_when_the_end_mark_has_come() {
    let mut router = new();
    router.down(ONE).up(ONE).effects.clear();
    assert_eq!((router.unit.up(), router.unit.live()), (15, 14));
    assert_eq!(router.tables(), [0, 0, 2, 2, 0, 4, 8, 2]);
    let told = Reachable(Node(1));
    assert_eq!(router.get(ONE, End).sent(), [(ONE, told), (TWO, told)]);
    assert_eq!(router.tables(), CONFIGURED);
}

// As above: what was told before the mark holds, and nothing of earlier does.
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
fn changes_are_told_on_a_link_whose_mark_has_not_come() {
    let mut router = new();
    router.down(ONE).up(ONE).sent();
    let told = Unreachable(Node(2));
    assert_eq!(router.down(TWO).sent()[0], (ONE, told));
}

#[test]
fn a_link_that_fails_before_its_mark_has_come_changes_nothing() {
    let mut router = new();
    router.down(ONE).up(ONE).effects.clear();
    assert_eq!(router.down(ONE).effects, []);
    assert_eq!(router.tables(), [0, 0, 2, 2, 0, 4, 8, 2]);
}

#[test]
fn what_comes_while_a_link_is_down_is_lost() {
    let mut router = new();
    router.down(ONE).effects.clear();
    let before = router.unit.clone();
    router.get(ONE, End).get(ONE, Reachable(Node(1)));
    assert_eq!((router.unit, router.effects), (before, vec![]));
}

#[test]
fn a_port_that_is_up_and_one_that_is_down_stay_so() {
    let mut router = new();
    assert_eq!(router.up(ONE).effects, []);
    router.down(ONE).effects.clear();
    assert_eq!(router.down(ONE).effects, []);
    // Nor does a port without a link do anything.
    assert_eq!(router.down(PortId(9)).up(PortId(64)).effects, []);
}

// "A node that comes back starts with its live ports": none until an end mark has come.
#[test]
fn a_restart_empties_all_and_tells_nobody() {
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
