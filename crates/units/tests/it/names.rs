//! Names of units and identifiers as they appear in messages.

use units::{Broken, NodeId, PortId, QueueId, SwitchId, Tick, Unit, broken};

#[test]
fn ids_are_named_as_in_edge_lists() {
    assert_eq!((NodeId(12).to_string(), SwitchId(3).to_string()), ("n12".into(), "s3".into()));
    assert_eq!((NodeId(12).index(), SwitchId(3).index()), (12, 3));
}

// "index into a table with one entry for each"
#[test]
fn id_and_index_are_inverse() {
    for port in [PortId(0), PortId(7), PortId(u8::MAX)] {
        assert_eq!(PortId::at(port.index()), port);
    }
    assert_eq!(QueueId::at(65_535), QueueId(u16::MAX));
}

#[test]
#[should_panic(expected = "index <=")]
fn id_beyond_its_bits_is_refused() {
    let _ = PortId::at(256);
}

// Exit code 4 is distinguished from other failures by the type of the payload: "broken invariants
// of the model are panics naming unit and tick".
#[test]
fn broken_invariant_is_the_payload_of_its_panic() {
    let (unit, tick) = (Unit::Egress { switch: 0, port: 4 }, Tick(812));
    let panic = std::panic::catch_unwind(|| broken(unit, tick, &"credit lost"));
    let payload = panic.expect_err("it always panics").downcast::<Broken>();
    let payload = *payload.expect("the typed payload");
    let text = "broken invariant: credit lost at fabric.switch0.out4, tick 812";
    assert_eq!(payload.to_string(), text);
    assert_eq!(payload, Broken { unit, tick, what: "credit lost".into() });
}

#[test]
fn units_are_read_as_people_and_results_write_them() {
    for (unit, text, name) in [
        (Unit::Switch { switch: 3 }, "switch 3", "fabric.switch3"),
        (Unit::Ingress { switch: 3, port: 2 }, "switch 3 in 2", "fabric.switch3.in2"),
        (Unit::Egress { switch: 3, port: 1 }, "switch 3 out 1", "fabric.switch3.out1"),
        (Unit::Node { node: 7 }, "node 7", "fabric.node7"),
        (Unit::Injection { node: 7 }, "node 7 injection", "fabric.node7.injection"),
    ] {
        assert_eq!(unit.to_string(), name);
        assert_eq!((text.parse(), name.parse()), (Ok(unit), Ok(unit)));
    }
}

#[test]
fn what_names_no_unit_is_refused_with_what_is_legal() {
    for text in [
        "",
        "fabric",
        "switch",
        "switch x",
        "switch 3 in",
        "switch 3 in 2 out 1",
        "switch 3 in 256",
        "switch 4294967296",
        "switch -1",
        "node 7 in 0",
        "3",
        "Switch 3",
    ] {
        let error = text.parse::<Unit>().expect_err(text);
        assert_eq!(error.given, text);
        assert!(error.to_string().contains("switch 3 in 2"), "{error}");
    }
}
