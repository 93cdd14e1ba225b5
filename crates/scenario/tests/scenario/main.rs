//! What a scenario resolves to: defaults, `--set`, printing, building.

#![allow(missing_docs)]

use scenario::{Scenario, Set};
use switch::SchemeKind;
use topology::TopologyConfig;
use units::{Span, Tick};

const BASE: &str = "
network.topology = \"bmin\"
network.nodes = 64
switch.scheme = \"recn\"
workload.load = 0.5
run.duration_ns = 100_000
";

fn sets(texts: &[&str]) -> Vec<Set> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn with(texts: &[&str]) -> Scenario {
    Scenario::parse(BASE, "base.toml", None, &sets(texts))
        .unwrap_or_else(|errors| panic!("{errors}"))
}

fn refused(texts: &[&str]) -> String {
    match Scenario::parse(BASE, "base.toml", None, &sets(texts)) {
        Ok(scenario) => panic!("accepted:\n{}", scenario.resolved_toml()),
        Err(errors) => errors.to_string(),
    }
}

/// "`workload.hot.load=0` silently takes those nodes out of the random sources", "hot traffic that
/// starts after the end of the run passes silently": both are legal, points of a sweep and
/// shortened runs have them, and both are said.
#[test]
fn a_group_that_sends_nothing_is_warned_of() {
    let warnings = |texts: &[&str]| {
        let hot = ["workload.hot.sources=16", "workload.hot.destinations=32"];
        with(&[&hot, texts].concat()).warnings()
    };
    let [load] = &warnings(&["workload.hot.load=0"])[..] else {
        panic!("one warning")
    };
    assert!(load.starts_with("workload.hot.load = 0: "), "{load}");
    assert!(load.contains("kept out of the random sources"), "{load}");
    for (start, warned) in [(99_998, false), (100_000, true), (800_000, true)] {
        let found = warnings(&[&format!("workload.hot.start_ns={start}")]);
        assert_eq!(found.len(), usize::from(warned), "{found:?}");
        assert!(
            !warned || found[0].contains("the run ends at 100000 ns"),
            "{found:?}"
        );
    }
    // Source j starts at 20,000 + 10,000 j: 8 of 16 before the end.
    let stepped = warnings(&["workload.hot.start_ns=20000", "workload.hot.step_ns=10000"]);
    assert_eq!(stepped.len(), 1);
    assert!(
        stepped[0].contains("before 8 of the 16 sources"),
        "{stepped:?}"
    );
    assert_eq!(warnings(&["workload.hot.load=0.5"]), [""; 0]);
}

/// "A watchdog shorter than the pipeline reports a false deadlock (refuse, with the least value)":
/// what is said to be legal is, and a ns less is not.
#[test]
fn a_short_watchdog_is_refused_with_the_least_value() {
    for more in [
        &[][..],
        &["link.wire_ns=2000"],
        &["switch.speedup=1.5", "link.packet_bytes=512"],
    ] {
        let watchdog = |ns: u64| {
            [more, &[&format!("run.watchdog_ns={ns}")]]
                .concat()
                .join(" ")
        };
        let sets = |ns| {
            watchdog(ns)
                .split(' ')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let borrowed =
            |sets: &[String]| refused(&sets.iter().map(String::as_str).collect::<Vec<_>>());
        let text = borrowed(&sets(6));
        assert!(text.contains("run.watchdog_ns"), "{text}");
        let (_, legal) = text.split_once("legal: ").expect("what is legal");
        let least: u64 = legal
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .expect("a number of ns");
        assert!(least > 100, "{text}");
        let legal = sets(least);
        with(&legal.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(borrowed(&sets(least - 6)).contains(&format!("legal: {least} or more")));
    }
}

/// (detection egress, detection ingress, propagation, Xoff, Xon) as printed.
fn thresholds(texts: &[&str]) -> [u32; 5] {
    let scenario = with(texts);
    [
        "detection_egress",
        "detection_ingress",
        "propagation",
        "xoff",
        "xon",
    ]
    .map(|name| {
        scenario
            .get(&format!("recn.{name}_packets"))
            .unwrap()
            .parse()
            .unwrap()
    })
}

// recn.md, Default thresholds: the table, and "Where only `xoff_packets` is given: propagation =
// min(row, Xoff), Xon = min(row, Xoff / 2)."
#[test]
fn thresholds_follow_memory_and_xoff() {
    assert_eq!(thresholds(&[]), [10, 10, 10, 10, 5]);
    assert_eq!(
        thresholds(&["switch.port_memory_bytes=131072"]),
        [20, 20, 20, 20, 10]
    );
    assert_eq!(
        thresholds(&["switch.port_memory_bytes=4096"]),
        [5, 5, 5, 10, 5]
    );
    assert_eq!(thresholds(&["recn.xoff_packets=5"]), [10, 10, 5, 5, 2]);
    assert_eq!(thresholds(&["recn.xoff_packets=40"]), [10, 10, 10, 40, 5]);
    assert_eq!(thresholds(&["recn.xoff_packets=1"]), [10, 10, 1, 1, 0]);
    assert_eq!(
        thresholds(&["recn.xoff_packets=20", "recn.xon_packets=20"]),
        [10, 10, 10, 20, 20]
    );
}

// "`detection_packets` sets both"
#[test]
fn detection_packets_sets_both() {
    assert_eq!(thresholds(&["recn.detection_packets=3"])[..2], [3, 3]);
    assert_eq!(
        thresholds(&[
            "recn.detection_packets=3",
            "recn.detection_egress_packets=7"
        ])[..2],
        [7, 3]
    );
    // What comes later wins over a resolved file, which has the two and not the one.
    let resolved = with(&[]).resolved_toml();
    let again =
        Scenario::parse(&resolved, "r", None, &sets(&["recn.detection_packets=3"])).unwrap();
    assert_eq!(again.get("recn.detection_egress_packets").unwrap(), "3");
}

// "Propagation above Xoff refused, Xon above Xoff refused."
#[test]
fn thresholds_out_of_order_are_refused() {
    assert!(
        refused(&["recn.xoff_packets=5", "recn.xon_packets=6"])
            .contains("Xon 6 packets is above Xoff 5")
    );
    assert!(
        refused(&["recn.xoff_packets=5", "recn.propagation_packets=6"])
            .contains("propagation at 6 packets is above Xoff at 5")
    );
}

// "--set values are parsed as TOML, else taken as a string"
#[test]
fn set_values_are_toml_or_text() {
    for (speedup, printed) in [
        ("3/2", "1.5"),
        ("\"3/2\"", "1.5"),
        ("1.5", "1.5"),
        ("1.50", "1.5"),
        ("4/3", "\"4/3\""),
        ("2", "2"),
    ] {
        let scenario = with(&[&format!("switch.speedup={speedup}")]);
        assert_eq!(scenario.get("switch.speedup").unwrap(), printed);
    }
    assert_eq!(
        with(&["switch.scheme=1q"]).get("switch.scheme").unwrap(),
        "\"1q\""
    );
    assert_eq!(
        with(&["endnode.admittance_bytes=unbounded"])
            .get("endnode.admittance_bytes")
            .unwrap(),
        "\"unbounded\""
    );
    assert_eq!(with(&["run.seed=1_000"]).seed(), 1000);
    // The last one wins.
    assert_eq!(with(&["run.seed=1", "run.seed=2"]).seed(), 2);
}

// "the hot section of a file may come from --set alone"
#[test]
fn groups_by_set() {
    let hot = [
        "workload.hot.sources=4",
        "workload.hot.destinations=[32, 33]",
        "workload.hot.start_ns=1000",
        "workload.hot.end_ns=2000",
    ];
    let config = with(&hot).build().unwrap();
    assert_eq!(config.workload.groups, ["random", "hot"]);
    let names: Vec<&str> = config
        .named_links
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["root-32", "root-33"]);
    let one = with(&["workload.hot.sources=4", "workload.hot.destinations=32"])
        .build()
        .unwrap();
    assert_eq!(
        one.named_links,
        [("root".to_owned(), vec![one.network.graph().node_port(32)])]
    );
}

#[test]
fn further_groups() {
    let text = format!(
        "{BASE}\n[[workload.group]]\nname = \"victim\"\nsources = [1]\ndestinations = 2\n[[workload.group]]\nname = \"local\"\nsources = [3]\ndestinations = 2\nload = 0.25\n"
    );
    let set = sets(&["workload.group.1.load=0.5"]);
    let scenario = Scenario::parse(&text, "groups", None, &set).unwrap();
    assert_eq!(scenario.get("workload.group.0.load").unwrap(), "1");
    assert_eq!(scenario.get("workload.group.1.load").unwrap(), "0.5");
    assert_eq!(
        scenario.build().unwrap().workload.groups,
        ["random", "victim", "local"]
    );
    let again = Scenario::parse(&scenario.resolved_toml(), "groups", None, &[]).unwrap();
    assert_eq!(again.resolved_toml(), scenario.resolved_toml());
}

// The text of a default scenario, in full: a changed default shows here.
#[test]
fn resolved_text() {
    insta::assert_snapshot!(with(&[]).resolved_toml());
}

#[test]
fn resolved_text_of_awkward_values_reads_back() {
    for case in [
        &[
            "switch.speedup=7/3",
            "workload.load=1/3",
            "workload.message_bytes={ bytes = [64, 128], weights = [3, 1] }",
        ][..],
        &[
            "workload.message_bytes={ min = 1, max = 100 }",
            "link.wire_ns=0.0",
            "link.wire_ns=4",
        ],
        &[
            "recn.root_xoff_packets=4",
            "switch.arbiter=islip(4)",
            "workload.destinations=[1, 2]",
        ],
        &[
            "workload.load=0.1",
            "run.seed=9223372036854775807",
            "endnode.admittance_bytes=unbounded",
        ],
    ] {
        let scenario = with(case);
        let text = scenario.resolved_toml();
        let again = Scenario::parse(&text, "r", None, &[])
            .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        assert_eq!(again.resolved_toml(), text);
        assert_eq!(again.hash(), scenario.hash());
    }
}

// "`switch.wait_bound_packets` (default 8 x ports; \"none\" = without)"
#[test]
fn waiting_bound_follows_the_ports() {
    let bound = |sets: &[&str]| with(sets).build().unwrap().switch.wait_bound_packets;
    assert_eq!(bound(&[]), Some(64));
    let sixteen = [
        "network.topology=single-switch",
        "network.nodes=16",
        "switch.scheme=voq-sw",
    ];
    assert_eq!(bound(&sixteen), Some(128));
    assert_eq!(bound(&["switch.wait_bound_packets=5"]), Some(5));
    assert_eq!(bound(&["switch.wait_bound_packets=none"]), None);
    assert!(refused(&["switch.wait_bound_packets=0"]).contains("from 1 to 65534, or \"none\""));
}

// FNV-1a of the resolved text; the seed is part of it.
#[test]
fn hash_is_of_the_resolved_text() {
    let scenario = with(&[]);
    assert_eq!(with(&["link.phit_bytes=2"]).hash(), scenario.hash());
    assert_ne!(with(&["run.seed=2"]).hash(), scenario.hash());
    assert_eq!(
        scenario.clone().with_seed(2).hash(),
        with(&["run.seed=2"]).hash()
    );
    assert_eq!(scenario.clone().with_seed(2).build().unwrap().run.seed, 2);
    assert_eq!(scenario.hash8().len(), 8);
    assert!(format!("{:016x}", scenario.hash()).starts_with(&scenario.hash8()));
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
    let all = with(&[&sixteen[..], &["switch.speedup=16"]].concat())
        .build()
        .unwrap();
    assert_eq!(
        (
            one.time_base.link_phit_ticks(),
            all.time_base.link_phit_ticks()
        ),
        (Span(1), Span(1))
    );
}

#[test]
fn topologies() {
    let of = |texts: &[&str]| {
        let text = BASE.replace("network.nodes = 64\n", "");
        Scenario::parse(&text, "t", None, &sets(texts)).unwrap_or_else(|errors| panic!("{errors}"))
    };
    let mesh = of(&["network.topology=mesh", "network.width=4"]);
    assert_eq!(
        *mesh.topology(),
        TopologyConfig::Mesh {
            width: 4,
            height: 4,
            nodes_per_switch: 1
        }
    );
    assert_eq!(
        (mesh.nodes(), mesh.get("switch.ports").unwrap().as_str()),
        (16, "5")
    );
    let tree = of(&[
        "network.topology=k-ary-n-tree",
        "network.k=3",
        "network.n=2",
    ]);
    assert_eq!(
        (tree.nodes(), tree.get("switch.ports").unwrap().as_str()),
        (9, "6")
    );
    assert_eq!(of(&["network.topology=single-switch"]).nodes(), 16);
    assert_eq!(
        of(&["network.topology=single-switch", "switch.ports=5"]).nodes(),
        5
    );
    assert_eq!(
        of(&[
            "network.topology=single-switch",
            "switch.ports=5",
            "network.nodes=5"
        ])
        .nodes(),
        5
    );
}

// network.file is relative to the scenario; the resolved scenario stands alone, and its hash covers
// the list.
#[test]
fn edge_list_becomes_part_of_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let list = "a,a_port,b,b_port,latency_ns,rate_bytes_per_ns\ns0,0,n0,,,\ns0,1,n1,,,\ns0,2,s1,0,20,1\ns1,1,n2,0,,\n";
    std::fs::write(folder.path().join("edges.csv"), list).unwrap();
    let file = folder.path().join("scenario.toml");
    let text = BASE
        .replace("\"bmin\"", "\"file\"")
        .replace("nodes = 64", "file = \"edges.csv\"");
    std::fs::write(&file, &text).unwrap();
    let scenario = Scenario::load(&file, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((scenario.nodes(), scenario.name.as_str()), (3, "scenario"));
    let config = scenario.build().unwrap();
    assert_eq!(
        config.link.wire_overrides,
        [((0, 2), Span(10)), ((1, 0), Span(10))]
    );
    let again = Scenario::parse(&scenario.resolved_toml(), "r", None, &[])
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(again.hash(), scenario.hash());
    std::fs::write(folder.path().join("edges.csv"), list.replace("20", "40")).unwrap();
    assert_ne!(Scenario::load(&file, &[]).unwrap().hash(), scenario.hash());
    let embedded = Scenario::parse(&text, "embedded", None, &[])
        .unwrap_err()
        .to_string();
    assert!(
        embedded.contains("an embedded scenario reads no files"),
        "{embedded}"
    );
}

// The key is of the versions with tokens; where nothing reads it, that is said, not refused.
#[test]
fn root_xoff_is_warned_of_where_nothing_reads_it() {
    let warnings = |scheme: &str, organisation: &str, root_xoff: &str| {
        let keys = [
            format!("switch.scheme={scheme}"),
            format!("switch.organisation={organisation}"),
            format!("recn.root_xoff_packets={root_xoff}"),
            // Nothing else to warn of.
            "recn.saqs=1".to_string(),
        ];
        with(&keys.each_ref().map(String::as_str)).warnings()
    };
    for (scheme, organisation) in [("recn-dd", "cioq"), ("recn-dd-iq", "iq")] {
        let expected = format!(
            "recn.root_xoff_packets has no effect with `{scheme}`: only `recn-basic` and `recn` read it"
        );
        assert_eq!(warnings(scheme, organisation, "8"), [expected]);
        assert_eq!(warnings(scheme, organisation, "off"), [""; 0]);
    }
    for scheme in ["recn-basic", "recn"] {
        assert_eq!(warnings(scheme, "cioq", "8"), [""; 0]);
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
    assert_eq!(
        (config.switch.stages.route, config.switch.stages.lookup),
        (0, 1)
    );
    assert_eq!(config.switch.recn.root_xoff_packets, Some(8));
    assert_eq!(
        (
            config.link.control_packet_bytes,
            config.link.named_control_bytes
        ),
        (0, 0)
    );
    // 1000 ns at 1.5 ticks/ns; the wire 10 ns.
    assert_eq!(
        (config.switch.recn.saq_timer, config.link.wire),
        (Span(1500), Span(15))
    );
    assert_eq!(config.endnode.admittance_bytes, Some(4096));
}

/// Name, start and end in ns, note of each window.
fn windows(texts: &[&str]) -> Vec<(String, [f64; 2], String)> {
    let scenario = with(texts);
    let again = Scenario::parse(&scenario.resolved_toml(), "again.toml", None, &[])
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(again.hash(), scenario.hash());
    let config = scenario.build().unwrap();
    assert_eq!(again.build().unwrap().windows, config.windows);
    let mut at = Tick::ZERO;
    let shown = |window: &fabric::WindowConfig| {
        assert!(
            at <= window.start && window.start <= window.end,
            "apart and in order"
        );
        assert!(window.end <= config.run.duration, "in the run");
        at = window.end;
        let ns = [window.start, window.end].map(|tick| config.time_base.tick_to_ns(tick));
        (
            window.name.clone(),
            ns,
            window.note.clone().unwrap_or_default(),
        )
    };
    config.windows.iter().map(shown).collect()
}

fn window(name: &str, ns: [f64; 2], note: &str) -> (String, [f64; 2], String) {
    (name.to_owned(), ns, note.to_owned())
}

const HOT: [&str; 4] = [
    "workload.hot.destinations=32",
    "workload.hot.sources=4",
    "workload.hot.start_ns=800000",
    "run.duration_ns=1600000",
];

fn hot(texts: &[&str]) -> Vec<(String, [f64; 2], String)> {
    windows(&[&HOT, texts].concat())
}

// "before = [first start / 2, first start) but not before warm-up; during = [first start, last
// stop) cut at the end of the run; after = the last 200 us of the run but not before the last stop;
// each that is not there is empty with the reason."
#[test]
fn windows_follow_the_workload() {
    assert_eq!(windows(&[]), []);
    let before = || window("before", [400_000.0, 800_000.0], "");
    let stop = "workload.hot.end_ns=1100000";
    assert_eq!(
        hot(&[stop]),
        [
            before(),
            window("during", [800_000.0, 1_100_000.0], ""),
            window("after", [1_400_000.0, 1_600_000.0], ""),
        ]
    );
    // Four sources, 100 us apart: the last one stops at 1400 us; the run ends before.
    assert_eq!(
        hot(&[
            stop,
            "workload.hot.step_ns=100000",
            "run.duration_ns=1450000"
        ])[1..],
        [
            window("during", [800_000.0, 1_400_000.0], ""),
            window(
                "after",
                [1_400_000.0, 1_450_000.0],
                "the run ends at 1450000 ns, the last source of `hot` stops at 1400000 ns"
            ),
        ]
    );
    let late = "the run ends at 1000000 ns, the last source of `hot` stops at 1100000 ns";
    assert_eq!(
        hot(&[stop, "run.duration_ns=1000000"])[1..],
        [
            window("during", [800_000.0, 1_000_000.0], late),
            window("after", [1_000_000.0, 1_000_000.0], late),
        ]
    );
    let early = "the run ends at 400000 ns, the first source of `hot` starts at 800000 ns";
    let none = hot(&[stop, "run.duration_ns=400000"]);
    assert_eq!(none[0], window("before", [400_000.0, 400_000.0], early));
    assert_eq!(none[1], window("during", [400_000.0, 400_000.0], early));
    assert_eq!(none[2].1, [400_000.0, 400_000.0]);
    assert_eq!(
        hot(&[])[1..],
        [
            window("during", [800_000.0, 1_600_000.0], ""),
            window(
                "after",
                [1_600_000.0, 1_600_000.0],
                "the run ends at 1600000 ns, `hot` does not stop"
            ),
        ]
    );
    let warm = "the warm-up ends at 500000 ns, the first source of `hot` starts at 800000 ns";
    assert_eq!(
        hot(&["run.warmup_ns=500000"])[0],
        window("before", [500_000.0, 800_000.0], warm)
    );
    assert_eq!(hot(&["run.warmup_ns=900000"])[0].1, [800_000.0, 800_000.0]);
    // One that is there all the time changes nothing.
    assert_eq!(hot(&["workload.hot.start_ns=0"]), []);
    let first = hot(&["workload.hot.start_ns=0", stop]);
    let reason = "the first source of `hot` starts at 0 ns";
    assert_eq!(first[0], window("before", [0.0, 0.0], reason));
    assert_eq!(first[1], window("during", [0.0, 1_100_000.0], ""));
}

// "A window given that lies past the end of a shortened run is legal: cut or empty with a note in
// words."
#[test]
fn given_windows_are_in_order_and_cut_at_the_end_of_the_run() {
    let given = windows(&[
        "windows.z-1_ns=[0, 1000]",
        "windows.late_ns=[90_000, 200_000]",
        "windows.gone_ns=[200_000, 300_000]",
        "windows.a_ns=[1000, \"4000/2\"]",
        "workload.hot.sources=4",
        "workload.hot.destinations=32",
        "workload.hot.start_ns=50000",
    ]);
    let end = "the run ends at 100000 ns";
    assert_eq!(
        given,
        [
            window("z-1", [0.0, 1000.0], ""),
            window("a", [1000.0, 2000.0], ""),
            window("late", [90_000.0, 100_000.0], end),
            window("gone", [100_000.0, 100_000.0], end),
        ]
    );
}

// "Destinations of groups with pattern hot": what is no victim.
#[test]
fn hot_destinations_are_those_of_groups_whose_pattern_is_hot() {
    let none = with(&[]).build().unwrap().hot_destinations;
    assert!(none.is_empty());
    let given = with(&[
        "workload.hot.destinations=[32, 7]",
        "workload.hot.sources=4",
    ]);
    assert_eq!(given.build().unwrap().hot_destinations, [7, 32]);
}

// A run with what follows to drain is bounded like any other.
#[test]
fn the_time_to_drain_is_read_and_bounded() {
    let config = with(&["run.drain_ns=20000"]).build().unwrap();
    assert_eq!(config.run.drain, config.time_base.ns_to_ticks_ceil(20_000));
    assert_eq!(with(&[]).build().unwrap().run.drain, Span::ZERO);
    let text = refused(&["run.drain_ns=3600000000000"]);
    assert!(
        text.contains("run.drain_ns: 100000 + 3600000000000 ns are"),
        "{text}"
    );
}

/// A scenario of `BASE` without what only a bmin with `recn` has.
fn torus(texts: &[&str]) -> Scenario {
    let base = BASE
        .replace("bmin", "torus")
        .replace("network.nodes = 64\n", "")
        .replace("\"recn\"", "\"1q\"");
    Scenario::parse(&base, "torus.toml", None, &sets(texts))
        .unwrap_or_else(|errors| panic!("{errors}"))
}

// `network.dimensions`, `network.nodes_per_switch` and `switch.vcs` reach the network and the
// switches.
#[test]
fn a_torus_has_the_sizes_and_channels_of_its_keys() {
    let config = torus(&[
        "network.dimensions=[4, 3, 2]",
        "network.nodes_per_switch=2",
        "switch.vcs=3",
    ]);
    let config = config.build().unwrap();
    let network = &config.network;
    assert_eq!((network.switches(), network.nodes()), (24, 48));
    assert_eq!(network.graph().ports(0), 8);
    assert_eq!(
        (config.switch.vcs, network.vcs(), network.vcs_used()),
        (3, 3, 2)
    );
    assert_eq!(config.routing, fabric::RoutingKind::Turns);
    assert!(network.tables().is_none());
}

// "The check at build decides on the actual channel dependencies": what no cycle needs no second
// VC.
#[test]
fn rings_of_two_and_three_are_legal_on_one_channel() {
    for dimensions in ["[3]", "[2, 3]", "[2, 2, 2]", "[3, 3, 3]"] {
        let scenario = torus(&[&format!("network.dimensions={dimensions}")]);
        let config = scenario.build().unwrap();
        assert_eq!(config.network.vcs_used(), 1, "{dimensions}");
    }
}

// `routing.algorithm = "table"`: the network has tables, "network.turnpool is then not needed and
// not checked": 19 hops of 3 bits are more than 31.
#[test]
fn tables_are_built_where_routing_is_by_table() {
    let sizes = ["network.dimensions=[12, 12, 12]", "switch.vcs=2"];
    let turns = torus(&sizes).build().unwrap_err().to_string();
    assert!(turns.contains("network.turnpool"), "{turns}");
    let table = [&sizes[..], &["routing.algorithm=table"]].concat();
    let config = torus(&table).build().unwrap();
    assert_eq!(config.routing, fabric::RoutingKind::Table);
    // Six links to switches and one to a node, at each of 1728 switches.
    let entries = config.network.tables().unwrap().entries();
    assert_eq!(entries, 1728 * 7 * 1728);
}

// "Keys that do not go together" are refused at the one that came last, whichever that is.
#[test]
fn the_key_to_blame_for_channels_and_tables_is_the_last_one() {
    for (texts, key) in [
        (&["switch.vcs=2"][..], "--set switch.vcs"),
        (&["switch.scheme=damq", "switch.vcs=2"], "--set switch.vcs"),
        (&["routing.algorithm=table"], "--set routing.algorithm"),
        (
            &["switch.scheme=1q", "switch.organisation=oq", "switch.vcs=2"],
            "--set switch.vcs",
        ),
    ] {
        let text = refused(texts);
        assert!(text.starts_with(key), "{text}");
    }
}
