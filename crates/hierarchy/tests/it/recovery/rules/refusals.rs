use super::table::{ONE, Told};
use hierarchy::TwoLevelTable;
use hierarchy::recovery::{Address, Configured, Message, Protocol, Recovery, Region, Stamp};

fn refused(t1: &[u64], t2: &[u64], local: u64, global: u64) -> String {
    let tables = Configured::new(TwoLevelTable::new(t1.into(), t2.into()), local, global);
    tables.expect_err("refused").to_string()
}

#[test]
fn wrong_tables_are_refused() {
    assert_eq!(refused(&[0], &[0], 3, 2), "ports 0x2 are local and global");
    assert_eq!(refused(&[0, 2], &[0], 1, 2), "entry Node(1) names ports 0x2; legal: 0x1");
    assert_eq!(refused(&[0], &[0, 4], 1, 2), "entry SuperNode(1) names ports 0x4; legal: 0x3");
    assert_eq!(refused(&[0; (1 << 16) + 1], &[], 0, 0), "65537 entries; at most 65536 are legal");
}

#[test]
fn messages_about_nobody_and_of_another_protocol_are_errors() {
    let refused = |protocol, message| {
        let result = Told::new(protocol).unit.receive(ONE, message, &mut |_| {});
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

#[test]
fn names_are_those_of_the_key() {
    assert_eq!(Protocol::NAMES, ["per-entry", "paper"]);
    for &name in Protocol::NAMES {
        let protocol: Protocol = name.parse().expect("a legal name");
        assert_eq!(protocol.to_string(), name);
    }
    assert_eq!(Protocol::default().name(), "per-entry");
    let error = "none".parse::<Protocol>().expect_err("no name");
    assert_eq!(error.to_string(), "unknown protocol `none`; legal: per-entry, paper");
}
