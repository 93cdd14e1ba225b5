//! Where each key comes from: the page of the specification, and whether a paper has it or it is a
//! choice where the papers are silent.

/// What a path begins with, and its source; the first that fits holds.
const SOURCES: [(&str, &str); 74] = [
    ("network.turnpool", "turnpool.md"),
    ("network.super_nodes", "rsi.md [paper lai-rsi]"),
    ("network.links_per_pair", "rsi.md [paper lai-rsi]"),
    ("network.wiring", "rsi.md [choice]"),
    ("network.global_links", "rsi.md [choice]"),
    ("network.", "topology.md"),
    ("switch.speedup", "clock.md [paper garcia-trees-2005: 1 and 1.5]"),
    ("switch.stages.", "clock.md [choice]"),
    ("switch.switching", "clock.md [choice]"),
    ("switch.crossbar_overhead_bytes", "clock.md [choice]"),
    ("switch.cell_bytes", "clock.md"),
    ("switch.wait_bound_packets", "switch.md [choice]"),
    ("switch.saq_priority", "switch.md [choice]"),
    ("switch.queues", "rsi.md [choice]"),
    ("switch.input_multicast_read", "ecn.md [choice]"),
    ("switch.max_bypass", "ecn.md [paper santos-ecn-2002]"),
    ("switch.forwarding_ns", "ecn.md [paper santos-ecn-2002]"),
    ("switch.", "switch.md"),
    ("dbbm.", "switch.md"),
    ("voq_sw.", "switch.md [ambiguous]"),
    ("voq_net.", "switch.md"),
    ("recn.detection", "recn.md [choice]"),
    ("recn.propagation", "recn.md [choice]"),
    ("recn.xoff_packets", "recn.md [choice]"),
    ("recn.xoff_repeat_ns", "recn.md [choice]"),
    ("recn.xon_packets", "recn.md [choice]"),
    ("recn.ppu_interval_ns", "recn.md [paper priya-recn-iq-2017]"),
    ("recn.iq_egress_lines", "recn.md [ambiguous]"),
    ("recn.", "recn.md"),
    ("pfc.pause_bytes", "pfc.md [ext IEEE 802.1Qbb]"),
    ("pfc.", "pfc.md"),
    ("link.rate_bytes_per_ns", "clock.md [paper]"),
    ("link.packet_bytes", "clock.md [paper]"),
    ("link.", "clock.md [choice]"),
    ("routing.algorithm", "switch.md, rsi.md"),
    ("routing.selection", "switch.md"),
    ("routing.threshold", "rsi.md [paper lai-rsi]"),
    ("routing.up_choice", "topology.md [choice]"),
    ("routing.", "rsi.md"),
    ("endnode.admittance_bytes", "switch.md [ambiguous]"),
    ("endnode.admittance_arbiter", "recn.md [paper]"),
    ("endnode.", "switch.md"),
    ("workload.group.N.placement", "scenarios.md [choice]"),
    ("workload.group.N.reply", "switch.md"),
    ("workload.group.N.window", "switch.md"),
    ("workload.group.N.think_ns", "switch.md"),
    ("workload.group.N.arrivals", "switch.md [choice]"),
    ("workload.group.N.message_bytes", "switch.md [choice]"),
    ("workload.group.", "scenarios.md"),
    ("workload.moving.", "scenarios.md [choice]"),
    ("workload.arrivals", "switch.md [choice]"),
    ("workload.message_bytes", "switch.md [choice]"),
    ("workload.generator", "switch.md [ambiguous]"),
    ("workload.self", "topology.md"),
    ("workload.", "scenarios.md"),
    ("run.watchdog_ns", "rsi.md"),
    ("run.seed", "clock.md"),
    ("run.", "scenarios.md"),
    ("windows.", "scenarios.md"),
    ("ecn.red_", "pfc.md [ext zhu-dcqcn-2015]"),
    ("ecn.marking", "ecn.md [paper santos-ecn-2002], pfc.md"),
    ("ecn.response", "ecn.md, pfc.md"),
    ("ecn.rate_ratio", "ecn.md [choice]"),
    ("ecn.initial_rate", "ecn.md [choice]"),
    ("ecn.calm_ns", "ecn.md [paper santos-ecn-2002]"),
    ("ecn.buffer_packets", "ecn.md [paper santos-ecn-2002]"),
    ("ecn.window", "ecn.md [paper santos-ecn-2002]"),
    ("ecn.", "ecn.md"),
    ("dcqcn.cnp_bytes", "pfc.md [choice]"),
    ("dcqcn.lowest_rate", "pfc.md [choice]"),
    ("dcqcn.", "pfc.md [ext zhu-dcqcn-2015]"),
    ("faults.protocol", "rsi.md [choice]"),
    ("faults.notice_ns", "rsi.md [choice]"),
    ("faults.", "rsi.md"),
];

/// The source of a key of a scenario.
pub(super) fn of(path: &str) -> Option<&'static str> {
    let found = SOURCES.iter().find(|(begin, _)| path.starts_with(begin));
    found.map(|(_, source)| *source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::key_listing;

    /// Pages of the specification that keys come from.
    const PAGES: [&str; 9] = [
        "clock.md",
        "turnpool.md",
        "switch.md",
        "recn.md",
        "ecn.md",
        "rsi.md",
        "pfc.md",
        "topology.md",
        "scenarios.md",
    ];

    /// No key is without a source, and each source is a page that there is.
    #[test]
    fn every_key_has_a_source() {
        for key in key_listing() {
            let source = of(&key.path).unwrap_or_else(|| panic!("{}: no source", key.path));
            let page = source.split([' ', ',']).next().unwrap_or_default();
            assert!(PAGES.contains(&page), "{}: {source}", key.path);
        }
        assert_eq!(of("bogus.key"), None);
    }

    /// An entry that no key meets first, or behind a shorter one, would say nothing.
    #[test]
    fn every_entry_is_used() {
        let used = |n: usize| {
            let first = |path: &str| SOURCES.iter().position(|(begin, _)| path.starts_with(begin));
            key_listing().iter().any(|key| first(&key.path) == Some(n))
        };
        for (n, (begin, _)) in SOURCES.iter().enumerate() {
            assert!(used(n), "{begin}");
        }
    }
}
