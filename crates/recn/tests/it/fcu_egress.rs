//! FCU at egress: Xoff and Xon inside the switch. Thresholds here: Xoff at 5, Xon at 1 packet.

use crate::port::{A, IN_0, IN_2, NOW, Port, VERSIONS, config, point};
use recn::{Change, InternalKind, RecnConfig, Version};
use turnpool::Point;
use units::{QueueId, Tick};

const NORMAL: QueueId = QueueId(0);

fn changed<M>(says: Option<M>) -> Change<M> {
    Change { changed: true, says }
}

/// Xoff of an egress queue as a packet from `IN_2` comes, and Xon as one leaves.
fn egress_changes(
    port: &mut Port,
    queue: QueueId,
    config: &RecnConfig,
) -> [Change<recn::Message>; 2] {
    [
        port.recn.egress_rose(queue, 5, IN_2, NOW, config),
        port.recn.egress_fell(queue, 1, NOW, config),
    ]
}

fn both(point: Point) -> [Change<recn::Message>; 2] {
    let sender = Some(IN_2);
    [
        changed(Some((point, InternalKind::Xoff { sender }))),
        changed(Some((point, InternalKind::Xon))),
    ]
}

// DD: "Egress SAQ at `xoff`: internal Xoff broadcast to all ingress ports of the switch with the id
// of the input that sent the last packet. At `xon`: internal Xon broadcast."
#[test]
fn egress_saq_of_dd_tells_all_ports() {
    let mut port = Port::with_saq(Version::Dd, point(&[1]));
    let saq = port.queue(A);
    assert_eq!(egress_changes(&mut port, saq, &config()), both(point(&[1])));
    assert_eq!(port.recn.flow_goes_to(saq, 0b1111), 0b1111);
}

// "if a child exists": the children are told, and they alone.
#[test]
fn egress_saq_with_tokens_tells_its_children() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    let saq = port.queue(A);
    assert_eq!(egress_changes(&mut port, saq, &config()), [changed(None); 2]);
    port.recn.child_accepted(saq, IN_0).unwrap();
    assert_eq!(egress_changes(&mut port, saq, &config()), both(point(&[1])));
    assert_eq!(port.recn.flow_goes_to(saq, 0b1111), 0b0001);
    assert_eq!(port.recn.flow_goes_to(NORMAL, 0b1111), 0);
}

// "Xoff is repeated on arrivals": from an egress SAQ too, not on departures.
#[test]
fn egress_saq_of_dd_repeats_on_arrivals_alone() {
    let mut port = Port::with_saq(Version::Dd, point(&[1]));
    let saq = port.queue(A);
    port.recn.egress_rose(saq, 5, IN_2, NOW, &config());
    let later = Tick(130);
    assert_eq!(port.recn.egress_fell(saq, 5, later, &config()), Change::NONE);
    assert!(port.recn.egress_rose(saq, 6, IN_2, later, &config()).changed);
}

// "Normal queues use credits only, the congested egress queue of the root too: it has no Xoff
// (`root_xoff_packets`, default off, adds one, with Xon at half)."
#[test]
fn root_has_xoff_only_where_the_key_is_set() {
    let on = RecnConfig { root_xoff_packets: Some(4), ..config() };
    for version in VERSIONS {
        let mut port = Port::new(version, 1);
        port.recn.child_accepted(NORMAL, IN_2).unwrap();
        let tokens = port.recn.rules().tokens;
        assert!(!port.recn.has_xoff(NORMAL, &config()));
        assert_eq!(egress_changes(&mut port, NORMAL, &config()), [Change::NONE; 2]);
        assert_eq!(port.recn.has_xoff(NORMAL, &on), tokens);
        let expected = if tokens { both(Point::EMPTY) } else { [Change::NONE; 2] };
        assert_eq!(egress_changes(&mut port, NORMAL, &on), expected);
    }
}

// "adds one, with Xon at half": the thresholds themselves.
#[test]
fn root_is_at_xoff_from_its_key_to_half_of_it() {
    let on = RecnConfig { root_xoff_packets: Some(4), ..config() };
    let mut port = Port::new(Version::Basic, 1);
    let rises: Vec<bool> = (1..6)
        .map(|packets| port.recn.egress_rose(NORMAL, packets, IN_2, NOW, &on).changed)
        .collect();
    assert_eq!(rises, [false, false, false, true, false]);
    assert!(port.recn.root_xoff());
    let falls: Vec<bool> = (0..5)
        .rev()
        .map(|packets| port.recn.egress_fell(NORMAL, packets, NOW, &on).changed)
        .collect();
    assert_eq!(falls, [false, false, true, false, false]);
}

// A SAQ says Xoff in every version.
#[test]
fn every_saq_has_xoff() {
    for version in VERSIONS {
        let port = Port::new(version, 2);
        assert!(port.recn.has_xoff(QueueId(2), &config()));
        assert!(!port.recn.has_xoff(QueueId(1), &config()));
    }
}

// Nothing is said where nothing changed, children or not.
#[test]
fn root_says_each_change_once() {
    let on = RecnConfig { root_xoff_packets: Some(4), ..config() };
    let mut port = Port::new(Version::Basic, 1);
    port.recn.child_accepted(NORMAL, IN_2).unwrap();
    let mut rises = |packets| port.recn.egress_rose(NORMAL, packets, IN_2, NOW, &on);
    assert_eq!(rises(3), Change::NONE);
    assert!(rises(4).says.is_some());
    assert_eq!(rises(5), Change::NONE);
}
