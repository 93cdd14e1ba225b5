//! Links and nodes of hierarchical fabrics that fail and are repaired under traffic: whenever the
//! routers are at rest, are the tables of every port those of what works; after all repairs, are
//! they as configured, bit for bit; what does a fabric in two pieces refuse, and does it lose
//! nothing else?

use hierarchy::recovery::Protocol;
use hierarchy::{LocalRoutes, Region, TwoLevelTable};
use scenario::Scenario;
use setaside_tests::invariants::{drain_audited, run_audited};
use setaside_tests::prelude::*;
use setaside_tests::rack::faulty_case;

/// The end of a link: switch, port.
type End = (u32, u8);

/// Links between switches, both ends of each.
fn links(network: &Network) -> Vec<(End, End)> {
    let ends = network.graph().links().filter_map(|(a, b, _)| match (a, b) {
        (Endpoint::Port { switch, port }, Endpoint::Port { switch: far, port: back }) => {
            Some(((switch, port), (far, back)))
        }
        _ => None,
    });
    ends.collect()
}

/// What does not work.
#[derive(Default)]
struct Down {
    links: BTreeSet<(End, End)>,
    nodes: BTreeSet<u32>,
}

/// Computed tables, a list of entries a switch.
type Tables = Vec<Vec<(Region, u64)>>;

/// The tables from scratch: of the configured ports those whose link and router work and that lead
/// on there, taken out until nothing changes.
fn from_scratch(network: &Network, down: &Down) -> Tables {
    let hierarchy = network.hierarchy().expect("super nodes");
    let plan = hierarchy.plan();
    let dead: BTreeSet<End> = down.links.iter().flat_map(|&(a, b)| [a, b]).collect();
    let works = |switch: u32| !down.nodes.contains(&switch);
    let behind = |switch: u32, port: u8| match network.graph().peer(switch, port) {
        Endpoint::Port { switch: far, .. } => far,
        other => panic!("s{switch}.{port}: {other:?}"),
    };
    let is_in = |switch: u32, region: Region| {
        let (super_node, node) = plan.place(switch);
        match region {
            Region::Node(wanted) => node == u32::from(wanted),
            Region::SuperNode(wanted) => super_node == u32::from(wanted),
        }
    };
    let mut tables: Tables =
        hierarchy.tables().iter().map(|table| table.iter().collect()).collect();
    loop {
        let before = tables.clone();
        for (switch, entries) in (0..).zip(&mut tables) {
            for (at, (region, ports)) in entries.iter_mut().enumerate() {
                for port in (0..64).filter(|port| *ports >> port & 1 == 1).collect::<Vec<u8>>() {
                    let far = behind(switch, port);
                    let leads = is_in(far, *region) || before[far as usize][at].1 != 0;
                    let is_up = works(switch) && works(far) && !dead.contains(&(switch, port));
                    if !is_up || !leads {
                        *ports &= !(1 << port);
                    }
                }
            }
        }
        if tables == before {
            return tables;
        }
    }
}

/// Every copy of the tables, those of the units too, is as it must be.
fn compare<O: Observer>(fabric: &Fabric<O>, must: &Tables, what: &str) {
    let mut copies = 0;
    fabric.two_level_tables(|switch, port, table: &TwoLevelTable| {
        copies += 1;
        let entries: Vec<(Region, u64)> = table.iter().collect();
        assert_eq!(entries, must[switch.index()], "{what}: {switch}.{port}");
    });
    assert!(copies > must.len(), "a copy a port");
}

/// Longer than any message is on its way.
const REST: u64 = 2_500;
const ROUNDS: u64 = 4;

/// Rounds of faults and repairs in random order, each with a rest at its end; then all that is down
/// is repaired. Faults, and by round the tick of the rest and the tables of it.
fn rounds(network: &Network, draw: &mut Draw) -> (Vec<FaultEvent>, Vec<(Tick, Tables)>) {
    let all = links(network);
    let (mut events, mut rests) = (Vec::new(), Vec::new());
    let mut down = Down::default();
    let mut at = Tick(300);
    let link_target = |link: &(End, End)| FaultTarget::Link { switch: link.0.0, port: link.0.1 };
    for _ in 0..ROUNDS {
        for _ in 0..draw.range(1, 8) {
            // One a tick at most, so that what is down is known.
            at += Span(draw.range(1, 120));
            let (target, recovers) = if draw.chance(70) {
                let link = draw.one(&all);
                let recovers = down.links.remove(&link);
                if !recovers {
                    down.links.insert(link);
                }
                (link_target(&link), recovers)
            } else {
                let switch = draw.range(0, network.switches() as u64 - 1) as u32;
                let recovers = down.nodes.remove(&switch);
                if !recovers {
                    down.nodes.insert(switch);
                }
                (FaultTarget::Node { switch }, recovers)
            };
            events.push(FaultEvent { at, target, recovers });
        }
        at += Span(REST);
        rests.push((at, from_scratch(network, &down)));
    }
    let nodes = down.nodes.iter().map(|&switch| FaultTarget::Node { switch });
    for target in down.links.iter().map(link_target).chain(nodes) {
        at += Span(draw.range(1, 120));
        events.push(FaultEvent { at, target, recovers: true });
    }
    rests.push((at + Span(REST), from_scratch(network, &Down::default())));
    (events, rests)
}

/// "recovery restores the tables bit for bit", and at every rest before they are those from
/// scratch.
#[test]
fn tables_at_rest_are_those_of_what_works() {
    let mut changed = 0;
    for seed in 0..60 {
        // Traffic all the time, and a good while to come to rest under it.
        let mut config = faulty_case(seed, 40_000);
        let (events, rests) = rounds(&config.network, &mut Draw::new(seed));
        config.faults.random = None;
        config.faults.protocol = Protocol::PerEntry;
        config.faults.events = events;
        // Recomputed tables may lead other ways while something is down; they are of all minimal
        // ports.
        let local_routes = config.network.options().hierarchy.local_routes;
        let recomputed = seed % 4 == 0 && local_routes == LocalRoutes::AllMinimal;
        config.faults.tables = match recomputed {
            true => FaultTables::Recomputed,
            false => FaultTables::Pruned,
        };
        let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
        let configured = from_scratch(&config.network, &Down::default());
        for (round, (at, must)) in rests.iter().enumerate() {
            run_audited(&mut fabric, *at).expect("no deadlock, all credits at home");
            if !recomputed || *must == configured {
                compare(&fabric, must, &format!("seed {seed}, round {round}"));
            }
            changed += usize::from(*must != configured);
        }
        drain_audited(&mut fabric, Tick(0), Tick(4_000_000)).expect("drained");
        compare(&fabric, &configured, &format!("seed {seed}, repaired"));
        let hierarchy = config.network.hierarchy().expect("super nodes");
        for (table, must) in hierarchy.tables().iter().zip(&configured) {
            assert_eq!(&table.iter().collect::<Vec<_>>(), must, "without faults");
        }
    }
    assert!(changed > 150, "tables hardly ever change: {changed}");
}

/// What keeps a link down are causes, and it works when the last of them ends: one at random may
/// overlap with one at a given time.
#[test]
fn a_link_works_when_nothing_keeps_it_down() {
    let mut config = faulty_case(1, 40_000);
    let link = links(&config.network)[0];
    let (switch, port) = link.0;
    let target = FaultTarget::Link { switch, port };
    let event = |at, recovers| FaultEvent { at: Tick(at), target, recovers };
    config.faults = FaultConfig {
        events: [(100, false), (200, false), (300, true), (400 + REST, true)]
            .map(|(at, recovers)| event(at, recovers))
            .to_vec(),
        ..FaultConfig::default()
    };
    let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
    let mut down = Down::default();
    down.links.insert(link);
    run_audited(&mut fabric, Tick(399 + REST)).expect("no deadlock");
    compare(&fabric, &from_scratch(&config.network, &down), "one is left");
    run_audited(&mut fabric, Tick(400 + 2 * REST)).expect("no deadlock");
    let all = from_scratch(&config.network, &Down::default());
    compare(&fabric, &all, "none is left");
}

/// A super node is cut off at 10 us, tick 5,000 of 2 ns; from here on everybody knows.
const KNOWN: Tick = Tick(6_000);

/// A network of a shipped scenario whose super node 0 loses all its global links.
fn cut_off(file: &str) -> (FabricConfig, u32) {
    let path = setaside_tests::shipped::scenarios().join("lai-rsi").join(file);
    let mut text = std::fs::read_to_string(path).expect("a shipped scenario");
    text = text.replace("super_nodes = 8 ", "super_nodes = 4 ");
    let network = Scenario::parse(&text, file, None, &[]).expect("legal");
    let network = network.build_network().expect("legal");
    let n = network.switches() as u32 / 4;
    let cut = links(&network).into_iter();
    let cut = cut.filter(|(a, b)| (a.0 < n) != (b.0 < n));
    for ((switch, port), _) in cut {
        text += &format!("[[faults.event]]\nat_ns = 10_000\nlink = [{switch}, {port}]\n");
    }
    // Traffic that ends, so that the fabric drains.
    let sources: Vec<String> = (0..4 * n).map(|node| node.to_string()).collect();
    let group = format!(
        "[[workload.group]]\nname = \"all\"\nend_ns = 30_000\nsources = [{}]\n",
        sources.join(", ")
    );
    let text = text.replace("[workload]\n", &group);
    let set = |key, value| scenario::Set::new(key, value);
    let sets = [set("run.duration_ns", "50000"), set("run.warmup_ns", "0")];
    let scenario = Scenario::parse(&text, file, None, &sets).expect("legal");
    (scenario.build().expect("legal"), n)
}

/// "a partitioned network refuses traffic to the unreachable region and loses nothing else"
#[test]
fn a_super_node_that_is_cut_off_costs_its_own_traffic_only() {
    for file in ["df", "hr", "sr", "br"] {
        let file = format!("{file}-uniform.toml");
        let (config, n) = cut_off(&file);
        let mut fabric = Fabric::new(&config, Engine::Fast, Watch::with_events()).expect("legal");
        run_audited(&mut fabric, Tick(20_000)).expect("no deadlock, all credits accounted for");
        // What is due over the dead links stays due, so that it does not count as drained.
        assert_eq!(fabric.packets_in_network(), 0, "{file}");
        let watch = &fabric.observer;
        let between = |source: u32, destination: u32| (source < n) != (destination < n);
        // Messages since all know: how many between the pieces, and within one.
        let late = |refused| {
            let late = watch.offered.iter().filter(|o| o.born > KNOWN && o.refused == refused);
            let apart = late.clone().filter(|o| between(o.source, o.destination)).count();
            [apart, late.count() - apart]
        };
        let [taken, refused] = [false, true].map(late);
        assert_eq!(taken[0], 0, "{file}: taken, with no way to go");
        assert!(refused[0] > 300, "{file}: {refused:?}");
        assert_eq!(refused[1], 0, "{file}: refused where there is a way");
        assert!(taken[1] > 300, "{file}: {taken:?}");
        let lost = watch.events.iter().filter_map(|seen| match seen.event {
            Event::Lost { packet } | Event::Stranded { packet, .. } => Some((seen.at, packet)),
            _ => None,
        });
        let lost: Vec<_> = lost.collect();
        assert!(!lost.is_empty(), "{file}: what was on its way");
        for &(at, packet) in &lost {
            let (source, destination) = (packet.source, packet.destination);
            assert!(between(source, destination), "{file}: lost where there is a way");
            assert!(at <= KNOWN, "{file}: lost when all knew");
        }
        let taken = watch.offered.iter().filter(|offered| !offered.refused);
        let generated: u32 = taken.map(|offered| offered.packets).sum();
        assert_eq!(generated as usize, watch.ejected.len() + lost.len(), "{file}");
    }
}
