use super::table::{ONE, Told};
use hierarchy::recovery::{
    Address, Configured, Message, Protocol, Recovery, RecoveryError, Region, Stamp,
};

fn refused(t1: &[u64], t2: &[u64], local: u64, global: u64) -> String {
    let tables = Configured::new(t1.to_vec(), t2.to_vec(), local, global);
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
fn messages_about_nobody_are_errors() {
    let mut router = Told::new(Protocol::PerEntry);
    for region in [Region::Node(4), Region::SuperNode(4)] {
        let result = router.unit.receive(ONE, Message::Unreachable(region), &mut |_| {});
        let error = RecoveryError::NoEntry { port: ONE, region, nodes: 4, super_nodes: 4 };
        assert_eq!(result, Err(error));
    }
}

#[test]
fn messages_of_another_protocol_are_errors() {
    let mut router = Told::new(Protocol::Paper);
    let result = router.unit.receive(ONE, Message::End, &mut |_| {});
    assert_eq!(result, Err(RecoveryError::OtherProtocol(ONE)));
    let mut router = Told::new(Protocol::PerEntry);
    let (origin, number) = (Address::default(), 0);
    let message = Message::Recovered(Stamp { origin, number });
    let result = router.unit.receive(ONE, message, &mut |_| {});
    assert_eq!(result, Err(RecoveryError::OtherProtocol(ONE)));
}

#[test]
#[should_panic(expected = "0 addresses behind ports, 1 are needed")]
fn the_paper_needs_addresses() {
    let tables = Configured::new(vec![0, 1], vec![0], 1, 0).expect("legal tables");
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
