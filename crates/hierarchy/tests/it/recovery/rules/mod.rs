//! The unit alone, a rule a test (spec: rsi.md, Fault discovery and recovery). The router is node 0
//! of a square 0-1-3-2, with two global links.

mod paper;
mod per_entry;

use hierarchy::TwoLevelTable;
use hierarchy::recovery::{
    Address, Configured, Effect, Message, Protocol, Recovery, Region, Stamp,
};
use units::PortId;

const ONE: PortId = PortId(0);
const TWO: PortId = PortId(1);
/// To super node 1, node 0.
const FAR: PortId = PortId(2);
/// To super node 2, node 0.
const FURTHER: PortId = PortId(3);

/// T1: 1 by port 0, 2 by port 1, 3 by both. T2: own, 1 by port 2, 2 by port 3, 3 by ports 0 and 1.
fn configured() -> Configured {
    let place = |super_node, node| Address { super_node, node };
    let peers = vec![place(0, 1), place(0, 2), place(1, 0), place(2, 0)];
    let table = TwoLevelTable::new([0, 1, 2, 3].into(), [0, 4, 8, 3].into());
    Configured::new(table, 0b0011, 0b1100).expect("legal tables").with_places(place(0, 0), peers)
}

struct Bench {
    unit: Recovery,
    effects: Vec<Effect>,
}

impl Bench {
    fn new(protocol: Protocol) -> Bench {
        Bench { unit: Recovery::new(protocol, configured()), effects: Vec::new() }
    }

    fn down(&mut self, port: PortId) -> &mut Bench {
        self.unit.port_down(port, &mut self.effects);
        self
    }

    fn up(&mut self, port: PortId) -> &mut Bench {
        self.unit.port_up(port, &mut self.effects);
        self
    }

    fn restart(&mut self) -> &mut Bench {
        self.unit.restart(&mut self.effects);
        self
    }

    fn get(&mut self, port: PortId, message: Message) -> &mut Bench {
        self.unit.receive(port, message, &mut self.effects).expect("a legal message");
        self
    }

    /// What was sent since the last time, and where.
    fn sent(&mut self) -> Vec<(PortId, Message)> {
        let effects = std::mem::take(&mut self.effects).into_iter();
        let sent = effects.filter_map(|effect| match effect {
            Effect::Send { port, message } => Some((port, message)),
            Effect::Entry { .. } => None,
        });
        sent.collect()
    }

    /// Entries shown since the last time.
    fn shown(&mut self) -> Vec<(Region, u64)> {
        let effects = std::mem::take(&mut self.effects).into_iter();
        let shown = effects.filter_map(|effect| match effect {
            Effect::Send { .. } => None,
            Effect::Entry { region, ports } => Some((region, ports)),
        });
        shown.collect()
    }

    fn tables(&self) -> Vec<u64> {
        let entries = self.unit.configured().table().iter();
        entries.map(|(region, _)| self.unit.entry(region)).collect()
    }
}

fn refused(t1: &[u64], t2: &[u64], local: u64, global: u64) -> String {
    let tables = Configured::new(TwoLevelTable::new(t1.into(), t2.into()), local, global);
    tables.expect_err("refused").to_string()
}

#[test]
fn wrong_tables_are_refused() {
    assert_eq!(refused(&[0], &[0], 3, 2), "ports 0x2 are local and global");
    assert_eq!(refused(&[0, 2], &[0], 1, 2), "entry Node(1) names ports 0x2; legal: 0x1");
    assert_eq!(refused(&[0], &[0, 4], 1, 2), "entry SuperNode(1) names ports 0x4; legal: 0x3");
    assert_eq!(refused(&[0; 1 << 16], &[], 0, 0), "65536 entries; at most 65535 are legal");
}

#[test]
fn messages_about_nobody_and_of_another_protocol_are_errors() {
    let refused = |protocol, message| {
        let result = Bench::new(protocol).unit.receive(ONE, message, &mut Vec::new());
        result.expect_err("refused").to_string()
    };
    for region in [Region::Node(4), Region::SuperNode(4)] {
        let text = format!(
            "a message from port {ONE} is about {region:?}; the tables have 4 nodes and 4 super \
             nodes"
        );
        assert_eq!(refused(Protocol::PerEntry, Message::Unreachable(region)), text);
    }
    let recovered = Message::Recovered(Stamp { origin: Address::default(), number: 0 });
    let text = format!("a message from port {ONE} is of another protocol than this router's");
    assert_eq!(refused(Protocol::Paper, Message::End), text);
    assert_eq!(refused(Protocol::PerEntry, recovered), text);
}

#[test]
#[should_panic(expected = "0 addresses behind ports, 1 are needed")]
fn the_paper_needs_addresses() {
    let tables = Configured::new(TwoLevelTable::new([0, 1].into(), [0].into()), 1, 0);
    let tables = tables.expect("legal tables");
    let _ = Recovery::new(Protocol::Paper, tables);
}
