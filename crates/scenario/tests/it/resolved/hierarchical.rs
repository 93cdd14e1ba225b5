//! Hierarchical topologies: what they resolve to, their routing, and faults.

use super::{of, read_back, sets};
use hierarchy::{Algorithm, LarCounter, LarDecision, Selection};
use plan::{
    FaultEvent, FaultTables, FaultTarget, Organisation, Overtaking, RandomFaults, RoutingKind,
    SchemeKind,
};
use scenario::{Scenario, Study};
use units::{Ratio, Span, Tick};

pub(super) const BASE: &str = "
network.topology = \"rsi-butterfly\"
network.super_nodes = 8
workload.load = 0.5
run.duration_ns = 100_000
";

fn with(texts: &str) -> Scenario {
    of(BASE, texts).unwrap_or_else(|errors| panic!("{errors}"))
}

// The text of a scenario with the least that it needs, in full: a changed default shows here.
#[test]
fn resolved_text() {
    insta::assert_snapshot!(with("").resolved_toml());
}

// "hop-count: DF 2 minimal / 3 LAR; SR, BR 4 / 6; HR 8 / 12"; global-count "2 local VCs minimal, 3
// LAR"; "Valiant over a random super node 3 local groups, over a random node 4".
#[test]
fn virtual_channels_are_those_that_the_routing_needs() {
    for (topology, minimal, lar, by_node) in [
        ("dragonfly", "2", "3", "4"),
        ("rsi-slimfly", "4", "6", "8"),
        ("rsi-butterfly", "4", "6", "8"),
        ("rsi-hypercube", "8", "12", "16"),
    ] {
        for (algorithm, vcs) in [
            ("minimal", minimal),
            ("lar", lar),
            ("valiant", lar),
            ("ugal-l", lar),
            ("valiant-node", by_node),
        ] {
            let algorithm = format!("network.topology={topology} routing.algorithm={algorithm}");
            let scenario = with(&algorithm);
            assert_eq!(scenario.get("switch.vcs").unwrap(), vcs, "{algorithm}");
            // "64 packets a VC".
            let memory = 64 * 64 * vcs.parse::<u32>().unwrap();
            assert_eq!(scenario.get("switch.port_memory_bytes"), Some(memory.to_string()));
            scenario.build().unwrap_or_else(|errors| panic!("{algorithm}: {errors}"));
        }
    }
    let global_count = "routing.vc_scheme=global-count routing.local_routes=dimension-order";
    with(global_count).build().unwrap();
}

#[test]
fn what_the_model_is_given() {
    let config = with("").build().unwrap();
    assert_eq!(config.routing, RoutingKind::TwoLevel);
    assert_eq!(config.switch.organisation, Organisation::Iq);
    assert_eq!(config.switch.scheme, SchemeKind::VoqPerVc);
    assert_eq!(config.switch.arbiter.to_string(), "maximum-matching");
    assert!(!config.endnode.reorder_buffer && !config.switch.faults && config.faults.is_none());
    assert_eq!(config.packet_bytes, 64);
    let config = with(
        "network.topology=rsi-slimfly routing.algorithm=lar routing.lar_decision=head routing.lar_counter=requests+credits routing.selection=random routing.threshold=1/3 endnode.reorder_buffer=true",
    );
    let config = config.build().unwrap();
    let adaptive = config.switch.adaptive.unwrap();
    assert_eq!(adaptive.routing.algorithm, Algorithm::Lar);
    assert_eq!(adaptive.routing.diameter, 2);
    assert_eq!(adaptive.decision, LarDecision::Head);
    assert_eq!(adaptive.counter, LarCounter::RequestsAndCredits);
    assert_eq!(adaptive.selection, Selection::Random);
    assert_eq!(adaptive.threshold, Ratio::new(1, 3).unwrap());
    assert!(config.endnode.reorder_buffer);
}

#[test]
fn global_links_become_part_of_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let links = "a_super_node,a_node,a_port,b_super_node,b_node,b_port\r\n0,0,0,1,4,3\r\n";
    std::fs::write(folder.path().join("links.csv"), links).unwrap();
    let text = BASE.replace("rsi-butterfly", "dragonfly").replace('8', "2")
        + "network.wiring = \"from-file\"\nnetwork.global_links_file = \"links.csv\"\n";
    let file = folder.path().join("two.toml");
    std::fs::write(&file, &text).unwrap();
    let scenario = Scenario::load(&file, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let network = read_back(&scenario).build_network().unwrap();
    // Node 4 of super node 1 is switch 9; global ports follow the four local ones.
    let end = network.graph().peer(0, 4);
    assert_eq!(end, topology::Endpoint::Port { switch: 9, port: 7 });
    let error = of(&text, "").unwrap_err();
    assert!(error.contains("an embedded scenario reads no files"), "{error}");
    std::fs::remove_file(folder.path().join("links.csv")).unwrap();
    let error = Scenario::load(&file, &[]).unwrap_err().to_string();
    assert!(error.contains("legal: the path of a list of global links"), "{error}");
}

// hierarchical.md, Order: what may put packets of a flow out of order, and why. "Messages longer
// than a packet with a routing that may misorder" are refused, and where anything fails: the last
// packet may come alone. A study reports the same of its points.
#[test]
fn order_of_packets() {
    const STUDY: &str =
        "[study]\nname = \"s\"\nscenario = \"base.toml\"\n[axes]\n\"run.seed\" = [1, 2]\n";
    const DRAGONFLY: &str = "network.topology=dragonfly";
    const DIMENSION_ORDER: &str = "routing.local_routes=dimension-order";
    const FIRST: &str = "routing.selection=first";
    const FAILS: &str = "faults.link_mtbf_ns=50_000 faults.link_mttr_ns=10_000";
    const BUFFER: &str = "endnode.reorder_buffer=true";
    let selection = |selection| Some(Overtaking::Selection(selection));
    let algorithm = |algorithm| Some(Overtaking::Algorithm(algorithm));
    let faults = Some(Overtaking::Faults);
    for (texts, expected) in [
        (&[][..], selection(Selection::LeastQueued)),
        (&["routing.selection=random"], selection(Selection::Random)),
        (&[DIMENSION_ORDER], None),
        (&[DIMENSION_ORDER, "network.links_per_pair=2"], selection(Selection::LeastQueued)),
        (&[FIRST], None),
        (&[BUFFER], None),
        (&[DRAGONFLY], None),
        (&[DRAGONFLY, "network.links_per_pair=2"], selection(Selection::LeastQueued)),
        (&[DRAGONFLY, "routing.algorithm=lar"], algorithm(Algorithm::Lar)),
        (&[FIRST, "routing.algorithm=valiant"], algorithm(Algorithm::Valiant)),
        (&[FIRST, "routing.algorithm=valiant-node"], algorithm(Algorithm::ValiantNode)),
        (&[FIRST, "routing.algorithm=ugal-l"], algorithm(Algorithm::UgalL)),
        (&[FAILS], selection(Selection::LeastQueued)),
        (&[FIRST, FAILS], faults),
        (&[FIRST, FAILS, BUFFER], None),
        (&[DRAGONFLY, FAILS], None),
        (&[DRAGONFLY, FAILS, "faults.tables=recomputed"], faults),
    ] {
        let set = texts.join(" ");
        let config = with(&set).build().unwrap_or_else(|errors| panic!("{set}: {errors}"));
        assert_eq!(config.overtaking(), expected, "{set}");
        let long = with(&format!("{set} workload.message_bytes=256")).build();
        let in_order = expected.is_none();
        let whole = in_order && (!texts.contains(&FAILS) || texts.contains(&BUFFER));
        assert_eq!(long.is_ok(), whole, "{set}");
        let study = Study::parse(STUDY, "s.toml", &|_| Some(BASE.to_owned()), &sets(&set));
        let study = study.unwrap_or_else(|errors| panic!("{set}: {errors}"));
        assert_eq!(study.points()[0].overtaking, expected, "{set}");
    }
    let long = sets("workload.message_bytes=256");
    let long = Study::parse(STUDY, "s.toml", &|_| Some(BASE.to_owned()), &long);
    let error = long.unwrap_err().to_string();
    assert!(error.contains("its last packet may come first"), "{error}");
}

#[test]
fn faults_at_given_times() {
    let text = format!(
        "{BASE}\n[[faults.event]]\nat_ns = 20_000\nnode = 5\n\
         [[faults.event]]\nat_ns = 0\nlink = [17, 6]\n\
         [[faults.event]]\nat_ns = 30_000.0\nnode = 5\nrecovers = true\n"
    );
    let scenario = of(&text, "faults.event.1.at_ns=10_000").unwrap();
    assert_eq!(scenario.get("faults.protocol").unwrap(), "\"per-entry\"");
    let config = read_back(&scenario).build().unwrap();
    assert!(config.switch.faults);
    assert_eq!(config.faults.tables, FaultTables::Pruned);
    assert_eq!(config.faults.random, None);
    let event = |ns: u64, target, recovers| FaultEvent {
        at: Tick::ZERO + config.time_base.ns_to_ticks_exact(ns).unwrap(),
        target,
        recovers,
    };
    let node = FaultTarget::Node { switch: 5 };
    assert_eq!(
        config.faults.events,
        [
            event(10_000, FaultTarget::Link { switch: 17, port: 6 }, false),
            event(20_000, node, false),
            event(30_000, node, true),
        ]
    );
    // A link has two ends; what has recovered may fail again.
    let again = "[[faults.event]]\nat_ns = 40_000\nnode = 5\n";
    of(&(text + again), "").unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn faults_at_random() {
    let random = with("faults.link_mtbf_ns=1000 faults.link_mttr_ns=100");
    let config = read_back(&random).build().unwrap();
    let ticks = |ns: u64| config.time_base.ns_to_ticks_exact(ns).unwrap();
    assert_eq!(
        config.faults.random,
        Some(RandomFaults {
            link_mtbf: Some(ticks(1000)),
            link_mttr: ticks(100),
            node_mtbf: None,
            node_mttr: Span::ZERO,
            start: Tick::ZERO,
            end: config.run.duration,
        })
    );
    assert!(!with("").resolved_toml().contains("faults"));
}

// In a complete graph dimension order loses nothing to a dead link; elsewhere it does.
#[test]
fn faults_and_dimension_order() {
    let is_legal = |topology| {
        let order = format!("network.topology={topology} routing.local_routes=dimension-order");
        of(BASE, &format!("{order} faults.node_mtbf_ns=1000 faults.node_mttr_ns=100")).is_ok()
    };
    assert!(is_legal("dragonfly"));
    assert!(!is_legal("rsi-butterfly") && !is_legal("rsi-hypercube"));
}

// What can deadlock runs where that is allowed, in other topologies too; the default is false.
#[test]
fn allowed_deadlocks() {
    assert!(with("routing.vc_scheme=paper-literal").build().is_err());
    let allowed = with("routing.vc_scheme=paper-literal routing.allow_deadlock=true");
    let allowed = allowed.build().unwrap();
    assert!(allowed.network.options().allow_deadlock);
    let torus = "
network.topology = \"torus\"
network.dimensions = [4, 4]
workload.load = 0.5
run.duration_ns = 100_000
";
    assert!(of(torus, "").unwrap().build().is_err());
    let allow = of(torus, "routing.allow_deadlock=true").unwrap();
    assert!(allow.build().is_ok());
    let not = of(torus, "routing.allow_deadlock=false").unwrap();
    assert_eq!(not.hash(), of(torus, "").unwrap().hash());
}
