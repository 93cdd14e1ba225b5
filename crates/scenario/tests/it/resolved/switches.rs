//! Switches, their clock and the watchdog.

use super::{refused, with};
use plan::SchemeKind;
use units::Span;

/// "A watchdog shorter than the pipeline reports a false deadlock (refuse, with the least value)":
/// what is said to be legal is, and a ns less is not.
#[test]
fn a_short_watchdog_is_refused_with_the_least_value() {
    for more in [&[][..], &["link.wire_ns=2000"], &["switch.speedup=1.5", "link.packet_bytes=512"]]
    {
        let watchdog = |ns: u64| [more, &[&format!("run.watchdog_ns={ns}")]].concat().join(" ");
        let sets = |ns| watchdog(ns).split(' ').map(str::to_owned).collect::<Vec<_>>();
        let borrowed =
            |sets: &[String]| refused(&sets.iter().map(String::as_str).collect::<Vec<_>>());
        let text = borrowed(&sets(6));
        assert!(text.contains("run.watchdog_ns"), "{text}");
        let (_, legal) = text.split_once("legal: ").expect("what is legal");
        let least: u64 = legal.split(' ').next().unwrap().parse().expect("a number of ns");
        assert!(least > 100, "{text}");
        let legal = sets(least);
        with(&legal.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(borrowed(&sets(least - 6)).contains(&format!("legal: {least} or more")));
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

// "speedup = number of ports" is what oq is: the key may say so, and the clock does not run faster
// for it.
#[test]
fn oq_keeps_the_clock_of_the_link() {
    let sixteen = [
        "network.topology=single-switch",
        "network.nodes=16",
        "switch.organisation=oq",
        "switch.scheme=1q",
    ];
    let one = with(&sixteen).build().unwrap();
    let all = with(&[&sixteen[..], &["switch.speedup=16"]].concat()).build().unwrap();
    assert_eq!(
        (one.time_base.link_phit_ticks(), all.time_base.link_phit_ticks()),
        (Span(1), Span(1))
    );
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
