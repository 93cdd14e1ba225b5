use super::{Bench, FAR, ONE, TWO};
use hierarchy::TwoLevelTable;
use hierarchy::recovery::Message::{Failed, Recovered};
use hierarchy::recovery::Region::{Node, SuperNode};
use hierarchy::recovery::{Address, Configured, Effect, Message, Protocol, Recovery, Stamp};
use units::PortId;

fn new() -> Bench {
    Bench::new(Protocol::Paper)
}

fn place(super_node: u16, node: u16) -> Address {
    Address { super_node, node }
}

/// From another router.
fn stamp(number: u32) -> Stamp {
    Stamp { origin: place(1, 0), number }
}

fn own(number: u32) -> Stamp {
    Stamp { origin: place(0, 0), number }
}

const ALL: [PortId; 4] = [PortId(0), PortId(1), PortId(2), PortId(3)];

fn on(ports: &[PortId], message: Message) -> Vec<(PortId, Message)> {
    ports.iter().map(|&port| (port, message)).collect()
}

// "If A is in C, set A invalid in C; if C contains port A only, send FD(Region) out through B."
#[test]
fn fd_of_a_failed_port_is_sent_for_entries_that_contain_it_alone() {
    let mut router = new();
    router.down(ONE);
    let expected = on(&ALL[1..], Failed(place(0, 1), own(0)));
    assert_eq!(router.sent(), expected);
    assert_eq!(router.tables()[..4], [0, 0, 2, 2]);
}

// "A T2 entry becomes invalid only when all nodes of that super node have failed."
#[test]
fn a_super_node_is_left_when_all_its_nodes_have_failed() {
    let mut router = new();
    router.down(FAR);
    assert_eq!(router.unit.entry(SuperNode(1)), 4, "node 0 alone has failed");
    for node in 1..4 {
        assert_eq!(router.unit.entry(SuperNode(1)), 4);
        router.up(FAR).down(FAR);
        for other in 1..=node {
            let number = u32::from(10 * node + other);
            router.get(ONE, Failed(place(1, other), stamp(number)));
        }
    }
    // The last FD is not from the port itself.
    assert_eq!(router.unit.entry(SuperNode(1)), 4);
    let mut router = new();
    for node in 0..4 {
        assert_eq!(router.unit.entry(SuperNode(1)), 4);
        router.get(FAR, Failed(place(1, node), stamp(node.into())));
    }
    assert_eq!(router.unit.entry(SuperNode(1)), 0);
}

// FD(Region) is sent on, as it is, where the entry contains the port alone. A packet that was seen
// is dropped, from whatever port it comes.
#[test]
fn fd_is_sent_on_once() {
    let mut router = new();
    let failed = Failed(place(1, 2), stamp(0));
    assert_eq!(router.get(FAR, failed).sent(), on(&ALL, failed));
    let failed = Failed(place(0, 3), stamp(1));
    assert_eq!(router.get(ONE, failed).get(TWO, failed).sent(), []);
    assert_eq!(router.unit.entry(Node(3)), 2);
}

// "So FR goes on only where all entries are valid again."
#[test]
fn fr_goes_on_where_all_entries_are_valid() {
    let mut router = new();
    router.down(ONE).down(TWO).sent();
    assert_eq!(router.up(ONE).sent(), []);
    assert_eq!(router.tables()[..4], [0, 1, 0, 1]);
    assert_eq!(router.up(TWO).sent(), on(&ALL, Recovered(own(2))));
    assert_eq!(router.get(TWO, Recovered(stamp(0))).sent(), on(&ALL, Recovered(stamp(0))));
}

// "FR from A: ... for each entry C with A in it: set A valid": it does not name which.
#[test]
fn fr_makes_its_port_valid_everywhere() {
    let mut router = new();
    router.get(ONE, Failed(place(0, 3), stamp(0)));
    router.get(ONE, Recovered(stamp(1)));
    assert_eq!(router.unit.entry(Node(3)), 3);
}

// A port that is down does not fail again, and only entries that change are shown.
#[test]
fn only_changes_are_shown() {
    let mut router = new();
    router.down(ONE);
    assert_eq!(router.shown(), [(Node(1), 0), (Node(3), 2)]);
    assert_eq!(router.down(ONE).effects, []);
    router.get(TWO, Failed(place(0, 1), stamp(0)));
    assert_eq!(router.shown(), []);
    router.up(ONE);
    assert_eq!(router.shown(), [(Node(1), 1), (Node(3), 3)]);
    router.get(ONE, Recovered(stamp(1)));
    assert_eq!(router.shown(), []);
}

#[test]
fn packets_bear_the_address_of_their_maker() {
    let (here, there) = (place(3, 1), place(3, 0));
    let tables = Configured::new(TwoLevelTable::new([1, 0].into(), [0; 4].into()), 1, 0);
    let tables = tables.expect("legal tables");
    let tables = tables.with_places(here, vec![there]);
    let mut unit = Recovery::new(Protocol::Paper, tables);
    unit.port_down(ONE, &mut Vec::new());
    let (mut sent, origin, number) = (Vec::new(), here, 1);
    unit.port_up(ONE, &mut sent);
    let message = Recovered(Stamp { origin, number });
    assert_eq!(sent[1..], [Effect::Send { port: ONE, message }]);
}

#[test]
fn a_restart_forgets_all_but_the_number() {
    let mut router = new();
    let failed = Failed(place(0, 3), stamp(0));
    router.get(ONE, failed).restart().up(ONE).up(TWO).get(ONE, failed);
    assert_eq!(router.unit.entry(Node(3)), 2);
    let mut router = new();
    router.down(ONE);
    router.restart().sent();
    assert_eq!(router.tables(), [0; 8]);
    for port in [ONE, TWO, FAR] {
        assert_eq!(router.up(port).sent(), []);
    }
    assert_eq!(router.up(PortId(3)).sent(), on(&ALL, Recovered(own(1))));
}
