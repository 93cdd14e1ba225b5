//! Switches, their clock, the watchdog and the thresholds of SAQs.

use super::{refused, sets, with};
use ecn::marking::Marking;
use ecn::response::Algorithm;
use plan::SchemeKind;
use scenario::Scenario;
use units::Span;

/// "A watchdog shorter than the pipeline reports a false deadlock (refuse, with the least value)":
/// the value given as legal is, and a ns less is not.
#[test]
fn a_short_watchdog_is_refused_with_the_least_value() {
    for more in [&[][..], &["link.wire_ns=2000"], &["switch.speedup=1.5", "link.packet_bytes=512"]]
    {
        let watchdog = |ns: u64| format!("run.watchdog_ns={ns}");
        let text = refused(&[more, &[&watchdog(6)]].concat());
        assert!(text.contains("run.watchdog_ns"), "{text}");
        let (_, legal) = text.split_once("legal: ").expect("what is legal");
        let least: u64 = legal.split(' ').next().unwrap().parse().expect("a number of ns");
        assert!(least > 100, "{text}");
        with(&[more, &[&watchdog(least)]].concat());
        let text = refused(&[more, &[&watchdog(least - 6)]].concat());
        assert!(text.contains(&format!("legal: {least} or more")));
    }
}

// "`switch.wait_bound_packets` (default 8 x ports; \"none\" = without)"
#[test]
fn waiting_bound_follows_the_ports() {
    let bound = |sets: &[&str]| with(sets).build().unwrap().switch.wait_bound_packets;
    assert_eq!(bound(&[]), Some(64));
    let sixteen = ["network.topology=single-switch", "network.nodes=16", "switch.scheme=voq-sw"];
    assert_eq!(bound(&sixteen), Some(128));
    assert_eq!(bound(&["switch.wait_bound_packets=5"]), Some(5));
    assert_eq!(bound(&["switch.wait_bound_packets=none"]), None);
    assert!(refused(&["switch.wait_bound_packets=0"]).contains("from 1 to 65534, or \"none\""));
}

// "speedup = number of ports" is what oq is: the key may repeat it, and the clock does not run
// faster for it.
#[test]
fn oq_keeps_the_clock_of_the_link() {
    let sixteen = [
        "network.topology=single-switch",
        "network.nodes=16",
        "switch.organisation=oq",
        "switch.scheme=1q",
    ];
    for more in [&[][..], &["switch.speedup=16"]] {
        let config = with(&[&sixteen[..], more].concat()).build().unwrap();
        assert_eq!(config.time_base.link_phit_ticks(), Span(1));
    }
}

#[test]
fn switch_of_the_fabric() {
    let config = with(&[
        "switch.stages.route=0",
        "recn.root_xoff_packets=8",
        "switch.speedup=1.5",
        "link.control_packet_bytes=0",
    ])
    .build()
    .unwrap();
    assert_eq!(config.switch.scheme, SchemeKind::Recn);
    assert_eq!((config.switch.stages.route, config.switch.stages.lookup), (0, 1));
    assert_eq!(config.switch.recn.root_xoff_packets, Some(8));
    assert_eq!((config.link.control_packet_bytes, config.link.named_control_bytes), (0, 0));
    // 1000 ns at 1.5 ticks/ns; the wire 10 ns.
    assert_eq!((config.switch.recn.saq_timer, config.link.wire), (Span(1500), Span(15)));
    assert_eq!(config.endnode.admittance_bytes, Some(4096));
}

// Each name of a marking rule, and of a response, builds what has this name.
#[test]
fn names_of_ecn_build_what_has_them() {
    for name in Marking::NAMES {
        let organisation = if *name == "red" { "cioq" } else { "iq" };
        let organisation = format!("switch.organisation={organisation}");
        let marking = format!("ecn.marking={name}");
        let mut sets = vec!["switch.scheme=voq-sw", &organisation, &marking];
        if *name == "input-output-triggered" {
            sets.push("ecn.output_threshold_packets=8");
        }
        let config = with(&sets).build().unwrap();
        assert_eq!(config.switch.ecn.map(|ecn| ecn.marking.name()), Some(*name));
    }
    for name in Algorithm::NAMES {
        let response = format!("ecn.response={name}");
        let config = with(&["ecn.marking=red", &response]).build().unwrap();
        let algorithm = config.endnode.ecn.map(|ecn| ecn.response.algorithm().name());
        assert_eq!(algorithm, Some(*name));
    }
}

/// (detection egress, detection ingress, propagation, Xoff, Xon) as printed.
fn thresholds(texts: &[&str]) -> [u32; 5] {
    let scenario = with(texts);
    ["detection_egress", "detection_ingress", "propagation", "xoff", "xon"]
        .map(|name| scenario.get(&format!("recn.{name}_packets")).unwrap().parse().unwrap())
}

// recn.md, Default thresholds: the table, and "Where only `xoff_packets` is given: propagation =
// min(row, Xoff), Xon = min(row, Xoff / 2)."
#[test]
fn thresholds_follow_memory_and_xoff() {
    assert_eq!(thresholds(&[]), [10, 10, 10, 10, 5]);
    assert_eq!(thresholds(&["switch.port_memory_bytes=131072"]), [20, 20, 20, 20, 10]);
    assert_eq!(thresholds(&["switch.port_memory_bytes=4096"]), [5, 5, 5, 10, 5]);
    assert_eq!(thresholds(&["recn.xoff_packets=5"]), [10, 10, 5, 5, 2]);
    assert_eq!(thresholds(&["recn.xoff_packets=40"]), [10, 10, 10, 40, 5]);
    assert_eq!(thresholds(&["recn.xoff_packets=1"]), [10, 10, 1, 1, 0]);
    assert_eq!(thresholds(&["recn.xoff_packets=20", "recn.xon_packets=20"]), [10, 10, 10, 20, 20]);
}

// "`detection_packets` sets both"
#[test]
fn detection_packets_sets_both() {
    assert_eq!(thresholds(&["recn.detection_packets=3"])[..2], [3, 3]);
    assert_eq!(
        thresholds(&["recn.detection_packets=3", "recn.detection_egress_packets=7"])[..2],
        [7, 3]
    );
    // A later setting overrides a resolved file, which has the two and not the one.
    let resolved = with(&[]).resolved_toml();
    let again =
        Scenario::parse(&resolved, "r", None, &sets(&["recn.detection_packets=3"])).unwrap();
    assert_eq!(again.get("recn.detection_egress_packets").unwrap(), "3");
}
