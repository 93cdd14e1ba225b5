//! Names of units and identifiers as they stand in messages.

use units::{BROKEN_PREFIX, NodeId, SwitchId, Unit, broken};

#[test]
fn ids_are_named_as_in_edge_lists() {
    assert_eq!(
        (NodeId(12).to_string(), SwitchId(3).to_string()),
        ("n12".into(), "s3".into())
    );
    assert_eq!((NodeId(12).index(), SwitchId(3).index()), (12, 3));
}

#[test]
fn units_have_hierarchical_names() {
    for (unit, name) in [
        (Unit::Switch { switch: 3 }, "fabric.switch3"),
        (Unit::Ingress { switch: 3, port: 2 }, "fabric.switch3.in2"),
        (Unit::Egress { switch: 3, port: 1 }, "fabric.switch3.out1"),
        (Unit::Node { node: 7 }, "fabric.node7"),
        (Unit::Injection { node: 7 }, "fabric.node7.injection"),
    ] {
        assert_eq!(unit.to_string(), name);
    }
}

// Exit code 4 is told from other failures by the beginning of the text.
#[test]
fn broken_invariant_names_unit_and_tick() {
    let text = std::panic::catch_unwind(|| {
        broken(Unit::Egress { switch: 0, port: 4 }, 812, &"credit lost")
    });
    let text = text.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        *text,
        "broken invariant: credit lost at fabric.switch0.out4, tick 812"
    );
    assert!(text.starts_with(BROKEN_PREFIX));
}
