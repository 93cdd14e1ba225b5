//! The files of `scenarios/`: each is read, built, printed and read again.

use crate::{files, root, sets};
use scenario::{Input, Scenario, Study};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use units::Tick;

fn shipped(path: &str) -> PathBuf {
    root("../../scenarios").join(path)
}

fn load(path: &str, texts: &str) -> Scenario {
    Scenario::load(&shipped(path), &sets(texts)).unwrap_or_else(|errors| panic!("{errors}"))
}

fn study(path: &str) -> Study {
    Study::load(&shipped(path), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

// "A test loads and builds every shipped scenario"; "resolved_toml: every key with its value after
// defaults, deterministic, parses back to the same scenario"; studies expand; "the shipped racks
// deliver in order by default, or say in a line why not": those that may not, by `check`, have that
// line, and no others.
#[test]
fn every_file_is_legal_and_states_whether_it_reorders() {
    let (mut scenarios, mut counts) = (0, [0; 2]);
    for path in files(&shipped("")) {
        let input = Input::read(&path).unwrap();
        let may = if input.is_study() {
            let study = Study::from_input(&input, &[]).unwrap_or_else(|errors| panic!("{errors}"));
            assert!(!study.points().is_empty());
            study.points().iter().any(|point| point.overtaking.is_some())
        } else {
            scenarios += 1;
            let scenario = Scenario::from_input(&input, &[]);
            let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
            let config = scenario.build().unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(config.network.nodes(), scenario.nodes() as usize, "{}", path.display());
            let text = scenario.resolved_toml();
            let again = Scenario::parse(&text, "resolved", None, &[]);
            let again = again.unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(again.resolved_toml(), text);
            assert_eq!(again.hash(), scenario.hash());
            config.overtaking().is_some()
        };
        let text = fs::read_to_string(&path).unwrap();
        let mut comments = text.lines().take_while(|line| line.starts_with('#'));
        let states = comments.any(|line| line.starts_with("# Out of order: "));
        assert_eq!(states, may, "{}", path.display());
        counts[usize::from(may)] += 1;
    }
    assert!(scenarios >= 26 && counts[0] > 50 && counts[1] > 10, "{scenarios} {counts:?}");
}

// "trees case 2; 1q, voq-sw with its three voq_sw.output values, voq-net, recn with 1, 2, 4, 8, 16
// SAQs."
#[test]
fn saq_sizing_has_ten_points() {
    let study = study("studies/saq-sizing.toml");
    let values = |settings: &[(String, String)]| {
        settings.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" ")
    };
    let points: Vec<String> = study.points().iter().map(|point| values(&point.settings)).collect();
    let expected = "1q, voq-sw look-ahead, voq-sw single-fifo, voq-sw split-fifo, voq-net, \
                    recn 1, recn 2, recn 4, recn 8, recn 16";
    assert_eq!(points.join(", "), expected);
    assert_eq!(study.axes(), ["switch.scheme", "voq_sw.output", "recn.saqs"]);
}

// Three schemes, RECN with eight numbers of SAQs and four settings of thresholds, three replicas;
// late detection is legal with the default Xoff alone, and 5 and 10 packets are the defaults.
#[test]
fn overlapping_trees_have_thirty_five_points() {
    let study = study("studies/overlapping-trees.toml");
    assert_eq!(study.points().len(), 3 * (3 + 8 * 4));
    let mut settings: Vec<Vec<&str>> = Vec::new();
    for point in study.points() {
        let thresholds = point.settings.iter().filter(|s| s.0.ends_with("_packets"));
        let values: Vec<&str> = thresholds.map(|(_, value)| value.as_str()).collect();
        if !values.is_empty() && !settings.contains(&values) {
            settings.push(values);
        }
    }
    assert_eq!(settings, [["5", "10"], ["5", "20"], ["5", "40"], ["40", "10"]]);
    let defaults = load("overlapping-trees/moving.toml", "").resolved_toml();
    let defaults_are =
        ["detection_egress_packets = 5", "detection_ingress_packets = 5", "xoff_packets = 10"];
    for default in defaults_are {
        assert!(defaults.contains(default), "{default}\n{defaults}");
    }
}

// Where trees overlap four nodes are hot at any time, one a quarter, each of them from 16 nodes,
// and no node has two hot destinations at a time; those that stay are the first that move.
#[test]
fn four_trees_overlap() {
    // (start and end in ns, destination) and its sources, in the order of time
    let spots = |of: &str| {
        let config = load(of, "").build().unwrap();
        assert_eq!(config.workload.groups, ["random", "uniform", "moving"]);
        let mut spots: BTreeMap<(u64, u64, u32), BTreeSet<u32>> = BTreeMap::new();
        let moving = config.workload.generators.iter();
        for (source, generator) in moving.filter(|(_, generator)| generator.group() == 2) {
            let [start, end] = [generator.start_tick(), generator.end_tick()]
                .map(|tick| config.time_base.tick_to_ns(tick) as u64);
            generator.each_destination(|to, _| {
                let sources = spots.entry((start, end, to)).or_default();
                assert!(sources.insert(*source));
            });
        }
        Vec::from_iter(spots)
    };
    let hot = spots("overlapping-trees/moving.toml");
    assert_eq!(hot.len(), 16);
    assert!(hot.is_sorted_by(|a, b| a.0.0 + 12_500 == b.0.0));
    for at in (67_500..230_000).step_by(2_500) {
        let on: Vec<_> = hot.iter().filter(|(g, _)| g.0 <= at && at < g.1).collect();
        let quarters = on.iter().map(|(g, _)| g.2 / 16);
        assert_eq!(quarters.collect::<BTreeSet<_>>(), (0..4).collect(), "{at}");
        assert!(on.iter().all(|(_, sources)| sources.len() == 16), "{at}");
        let sources: BTreeSet<_> = on.iter().flat_map(|(_, sources)| sources).collect();
        assert_eq!((on.len(), sources.len()), (4, 64), "{at}");
    }
    let staying = spots("overlapping-trees/standing.toml");
    let first = hot[..4].iter();
    let first = first.map(|(g, sources)| ((30_000, 230_000, g.2), sources.clone()));
    assert_eq!(staying, Vec::from_iter(first));
}

// scenarios.md: cases 1 to 6; 48, 640 and 3072 switches; 16 hot sources of 64, 128 of 512, 512
// of 2048.
#[test]
fn trees_have_the_sizes_of_the_paper() {
    for (case, switches, hot) in
        [(1, 48, 16), (2, 48, 16), (3, 48, 16), (4, 48, 16), (5, 640, 128), (6, 3072, 512)]
    {
        let scenario = load(&format!("garcia-trees-2005/case-{case}.toml"), "");
        let config = scenario.build().unwrap();
        assert_eq!(config.network.switches(), switches);
        assert_eq!(config.workload.summaries[1].sources.len(), hot);
        assert_eq!(
            config.time_base.ns_to_ticks_exact(1_600_000u64).unwrap(),
            config.run.duration - Tick::ZERO
        );
        assert_eq!(config.named_links.len(), if case < 5 { 1 } else { 4 });
    }
    // Incremental: 16 sources, 20 us apart, 300 us each: the last stops at 800 + 15 x 20 + 300 us.
    for (case, stop_ns) in [(2, 1_400_000.0), (4, 1_100_000.0)] {
        let config = load(&format!("garcia-trees-2005/case-{case}.toml"), "").build().unwrap();
        let during = &config.windows[1];
        let ns = [during.start, during.end].map(|tick| config.time_base.tick_to_ns(tick));
        assert_eq!((&*during.name, ns), ("during", [800_000.0, stop_ns]));
    }
}

// scenarios.md: the table of configurations: ports, 4N bytes/ns.
#[test]
fn meshes_have_the_sizes_of_the_paper() {
    for (config, nodes, ports, maximum) in
        [(1, 256, 5, 64), (2, 256, 8, 32), (3, 256, 20, 16), (4, 64, 5, 32), (5, 16, 5, 16)]
    {
        for (case, hot_share) in [(1, 0), (2, 8), (3, 4)] {
            let built = load(&format!("garcia-mesh-2005/config-{config}-case-{case}.toml"), "")
                .build()
                .unwrap();
            assert_eq!(built.network.nodes(), nodes);
            assert_eq!(built.network.graph().ports(0), ports);
            assert_eq!(built.maximum_bytes_per_ns.unwrap().to_string(), maximum.to_string());
            let hot = built.workload.summaries.get(1).map_or(0, |summary| summary.sources.len());
            assert_eq!(hot, nodes.checked_div(hot_share).unwrap_or(0));
        }
    }
}

// scenarios.md, priya-recn-iq-2017: "BMIN 64 (48 switches) and 256 (256 switches) [...] 4 KB = 64
// packets an input port, Xon 5, Xoff 10".
#[test]
fn priya_has_the_sizes_of_the_paper() {
    for (nodes, switches) in [(64, 48), (256, 256)] {
        let scenario = load(&format!("priya-recn-iq-2017/bmin-{nodes}.toml"), "");
        let config = scenario.build().unwrap();
        assert_eq!(config.network.nodes(), nodes);
        assert_eq!(config.network.switches(), switches);
        let switch = &config.switch;
        assert_eq!(switch.port_memory_bytes / switch.cell_bytes, 64);
        let recn = &switch.recn;
        assert_eq!((recn.thresholds.xoff, recn.thresholds.xon), (10, 5));
        assert_eq!((recn.detection_ingress_packets, recn.saqs), (5, 8));
        // 8 SAQs x 10 > 64 slots: a warning, not an error.
        assert_eq!(scenario.warnings().len(), 1);
    }
    // sizes: 3 networks x 2 admittance arbiters x (1q, voq-sw three times, voq-net, both RECNs with
    // both priorities of SAQs); hot spot: 3 loads x (1q, voq-sw, both RECNs with both).
    for (file, points) in [("load", 80), ("over-time", 16), ("sizes", 54), ("hot-spot", 18)] {
        assert_eq!(study(&format!("studies/recn-dd-iq-{file}.toml")).points().len(), points);
    }
}

// scenarios.md, lai-rsi: "G = 8, one link per pair: DF, HR, SR, BR"; rsi.md: 40, 128, 144, 128
// nodes.
#[test]
fn rsi_has_the_sizes_of_the_paper() {
    for (short, nodes, global_links) in
        [("df", 40, 28), ("hr", 128, 28), ("sr", 144, 28), ("br", 128, 28)]
    {
        for traffic in ["uniform", "local"] {
            let scenario = load(&format!("lai-rsi/{short}-{traffic}.toml"), "");
            assert_eq!(scenario.nodes(), nodes);
            let network = scenario.build_network().unwrap();
            let plan = network.hierarchy().unwrap().plan();
            assert_eq!((plan.super_nodes, plan.global_links), (8, global_links));
            for algorithm in ["minimal", "lar", "valiant", "valiant-node", "ugal-l"] {
                for wiring in ["palm-tree-spread", "palm-tree-packed"] {
                    let set = format!("routing.algorithm={algorithm} network.wiring={wiring}");
                    load(&format!("lai-rsi/{short}-{traffic}.toml"), &set);
                }
            }
        }
    }
    for (links, global_links) in [(1, 3), (16, 48)] {
        let network = load(&format!("lai-rsi/br-3x{links}.toml"), "").build_network();
        let network = network.unwrap();
        let plan = network.hierarchy().unwrap().plan();
        assert_eq!((plan.switches(), plan.global_links), (48, global_links));
    }
    let hot = load("lai-rsi/br-hot-spot.toml", "").build().unwrap();
    let sources = &hot.workload.summaries[1].sources;
    assert_eq!(*sources, (0..16).collect::<Vec<u32>>());
    assert_eq!(hot.workload.generators.len(), 16);
    for set in [
        "routing.algorithm=minimal",
        "routing.threshold=0.3",
        "switch.queues=fifo-per-vc",
        "routing.lar_decision=head",
        "routing.lar_counter=credits",
    ] {
        load("lai-rsi/br-hot-spot.toml", set);
    }
    assert_eq!(load("lai-rsi/br-faults.toml", "").build().unwrap().faults.events.len(), 4);
}

// The names that others rely on work over every shipped file that they make sense for.
#[test]
fn sets_of_the_comments_work() {
    for case in 1..=6 {
        let file = format!("garcia-trees-2005/case-{case}.toml");
        for scheme in ["1q", "voq-sw", "voq-net", "dbbm", "damq", "recn-basic", "recn", "recn-dd"] {
            load(&file, &format!("switch.scheme={scheme}"));
        }
        load(&file, "switch.speedup=1 switch.crossbar_overhead_bytes=6");
        load(&file, "switch.speedup=3/2 recn.xoff_packets=5 link.control_packet_bytes=0");
    }
    for nodes in [64, 256] {
        let file = format!("priya-recn-iq-2017/bmin-{nodes}.toml");
        for saqs in [0, 2, 4, 8] {
            load(&file, &format!("recn.saqs={saqs}"));
        }
        load(&file, "recn.iq_egress_lines=true endnode.admittance_arbiter=random");
        load(&file, "switch.scheme=recn switch.organisation=cioq");
    }
    let theory = "theory/single-switch.toml";
    assert_eq!(load(theory, "").nodes(), 16);
    for ports in ["switch.ports=8", "network.nodes=8"] {
        assert_eq!(load(theory, ports).nodes(), 8);
    }
    load(theory, "switch.organisation=oq").build().unwrap();
    load(theory, "switch.organisation=oq switch.speedup=16");
    load(theory, "switch.scheme=voq-sw switch.arbiter=islip");
    for arbiter in ["round-robin", "islip(4)", "oldest-first", "random", "maximum-matching"] {
        load(theory, &format!("switch.arbiter={arbiter}"));
    }
    for (config, scheme) in (1..=5)
        .flat_map(|config| ["voq-net", "voq-sw", "dbbm", "1q"].map(|scheme| (config, scheme)))
    {
        load(
            &format!("garcia-mesh-2005/config-{config}-case-3.toml"),
            &format!("switch.scheme={scheme}"),
        );
    }
}
