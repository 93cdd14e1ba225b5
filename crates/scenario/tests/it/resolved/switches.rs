//! Switches, their clock, the watchdog and the thresholds of SAQs.

use super::{refused, with};
use ecn::marking::Marking;
use ecn::response::Algorithm;
use plan::SchemeKind;
use units::Span;

/// "A watchdog shorter than the pipeline reports a false deadlock (refuse, with the least value)":
/// the value given as legal is, and a ns less is not.
#[test]
fn a_short_watchdog_is_refused_with_the_least_value() {
    for more in ["", "link.wire_ns=2000", "switch.speedup=1.5 link.packet_bytes=512"] {
        let watchdog = |ns: u64| format!("{more} run.watchdog_ns={ns}");
        let text = refused(&watchdog(6));
        assert!(text.contains("run.watchdog_ns"), "{text}");
        let (_, legal) = text.split_once("legal: ").expect("what is legal");
        let least: u64 = legal.split(' ').next().unwrap().parse().expect("a number of ns");
        assert!(least > 100, "{text}");
        with(&watchdog(least));
        assert!(refused(&watchdog(least - 6)).contains(&format!("legal: {least} or more")));
    }
}

// "speedup = number of ports" is what oq is: the key may repeat it, and the clock does not run
// faster for it.
#[test]
fn oq_keeps_the_clock_of_the_link() {
    const OQ: &str = "network.topology=single-switch network.nodes=16 switch.organisation=oq";
    for more in ["", "switch.speedup=16"] {
        let config = with(&format!("{OQ} switch.scheme=1q {more}")).build().unwrap();
        assert_eq!(config.time_base.link_phit_ticks(), Span(1));
    }
}

#[test]
fn switch_of_the_fabric() {
    let config = with("switch.stages.route=0 recn.root_xoff_packets=8 switch.speedup=1.5 link.control_packet_bytes=0")
    .build()
    .unwrap();
    assert_eq!(config.switch.scheme, SchemeKind::Recn);
    assert_eq!((config.switch.stages.route, config.switch.stages.lookup), (0, 1));
    assert_eq!(config.switch.recn.root_xoff_packets, Some(8));
    assert_eq!((config.link.control_packet_bytes, config.link.named_control_bytes), (0, 0));
    // 1000 ns at 1.5 ticks/ns; the wire 10 ns.
    assert_eq!((config.switch.recn.saq_timer, config.link.wire), (Span(1500), Span(15)));
    assert_eq!(config.endnode.admittance_bytes, Some(4096));
    // "`switch.wait_bound_packets` (default 8 x ports; \"none\" = without)"
    assert_eq!(config.switch.wait_bound_packets, Some(64));
    let unbound = with("switch.wait_bound_packets=none").build().unwrap();
    assert_eq!(unbound.switch.wait_bound_packets, None);
    assert!(refused("switch.wait_bound_packets=0").contains("from 1 to 65534, or \"none\""));
}

// Each name of a marking rule, and of a response, builds what has this name.
#[test]
fn names_of_ecn_build_what_has_them() {
    for name in Marking::NAMES {
        let organisation = if *name == "red" { "cioq" } else { "iq" };
        let threshold = match *name {
            "input-output-triggered" => "ecn.output_threshold_packets=8",
            _ => "",
        };
        let organisation = format!("switch.organisation={organisation} switch.scheme=voq-sw");
        let config = with(&format!("{organisation} ecn.marking={name} {threshold}")).build();
        let config = config.unwrap();
        assert_eq!(config.switch.ecn.map(|ecn| ecn.marking.name()), Some(*name));
    }
    for name in Algorithm::NAMES {
        let config = with(&format!("ecn.marking=red ecn.response={name}")).build().unwrap();
        let algorithm = config.endnode.ecn.map(|ecn| ecn.response.algorithm().name());
        assert_eq!(algorithm, Some(*name));
    }
}
