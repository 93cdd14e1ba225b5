//! What an architect of a rack would ask next: the four networks at about equal node count, as a
//! page of its own.

use super::chart::Style;
use super::networks::{analysis, share};
use super::runs::{Done, Wanted, latency, run_all, scenario};
use super::{injection_axis, latency_axis, lines, pair, throughput_axis};
use crate::page;
use crate::reproduce::write_page;
use observe::LatencyFigure;
use setaside::Failure;
use std::fmt::Write as _;
use topology::HierarchyAnalysis;

/// Its page.
pub(super) const NAME: &str = "rack-study";

/// Name, topology, super nodes, links a pair.
type Rack = (&'static str, &'static str, &'static str, &'static str);

/// About 105 nodes, the most that a dragonfly of 8 ports a node can have: with one link a pair, and
/// with as many as the global ports allow.
const RACKS: [Rack; 7] = [
    ("DF, L = 1", "dragonfly", "21", "1"),
    ("HR, L = 1", "rsi-hypercube", "7", "1"),
    ("SR, L = 1", "rsi-slimfly", "6", "1"),
    ("BR, L = 1", "rsi-butterfly", "7", "1"),
    ("HR, L = 10", "rsi-hypercube", "7", "10"),
    ("SR, L = 10", "rsi-slimfly", "6", "10"),
    ("BR, L = 5", "rsi-butterfly", "7", "5"),
];

const ALGORITHMS: [&str; 3] = ["minimal", "lar", "ugal-l"];
const LOADS: [&str; 8] = ["0.05", "0.1", "0.2", "0.3", "0.4", "0.6", "0.8", "1.0"];

const TIMES: [(&str, &str); 3] =
    [("run.duration_ns", "60000"), ("run.warmup_ns", "20000"), ("run.drain_ns", "10000")];

/// Title, file of the figure, scenario, key of the load.
const TRAFFIC: [[&str; 4]; 3] = [
    ["Uniform", "uniform", "br-uniform.toml", "workload.load"],
    ["Adversarial: each super node to the next", "adversarial", "br-local.toml", "workload.load"],
    ["Hot spot: super node 0 to super node 1", "hot-spot", "br-hot-spot.toml", "workload.hot.load"],
];

fn on((_, topology, g, l): Rack) -> [(&'static str, &'static str); 3] {
    [("network.topology", topology), ("network.super_nodes", g), ("network.links_per_pair", l)]
}

/// `[from, ..., to - 1]`.
fn list(from: u32, to: u32) -> String {
    let numbers: Vec<String> = (from..to).map(|n| n.to_string()).collect();
    format!("[{}]", numbers.join(", "))
}

/// Entries are sets of egress ports, a bit each: of T1 local ones, of T2 all.
fn table_bits(numbers: &HierarchyAnalysis) -> u32 {
    let (t1, t2) = numbers.table_entries;
    let (local, global) = (u32::from(numbers.ports.0), u32::from(numbers.ports.1));
    t1 * local + t2 * (local + global)
}

/// Tables of a node: network ports and that of the processor.
const COPIES: u32 = 9;

pub(super) fn write(resume: bool) -> Result<(), Failure> {
    let mut text = String::from(
        "What would a rack of about a hundred nodes get for its links and tables? The four super nodes of lai-rsi, 8 network ports a node. A dragonfly of such nodes ends at 105, so all \
         are near that: G = 21, 7, 6 and 7, 105, 112, 108 and 112 nodes; with one link between two super nodes as in the paper, and with as many as the global ports allow (L = 10, 10, 5). Spread \
         wiring, 64 packets a VC, VCs by `hop-count`, 8 Gbit/s links, packets of 64 bytes. Runs of 60 us, 20 us of them warm-up, one seed.\n\n\
         ## Cost\n\nLinks between switches, full duplex. An entry is a set of egress ports, a bit each: T1 of the local ones, T2 of all 8. A node has 9 copies (8 network ports and \
         the processor's). *One table*: an entry of 8 bits for each other node. VCs set the memory: 64 packets each.\n\n\
         | network | nodes | links | links a node | global | T1 + T2 entries | table bits a copy | a node | one table, bits a copy | VCs minimal | lar | ugal-l | mean hops | bound uniform | bound pair |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut numbers = Vec::new();
    for rack in RACKS {
        numbers.push(cost(&mut text, rack)?);
    }
    text.push('\n');
    for traffic in TRAFFIC {
        of_traffic(&mut text, traffic, &numbers, resume)?;
    }
    write_page(NAME, "Racks of about equal size", super::WORK, &text)
}

fn cost(text: &mut String, rack: Rack) -> Result<HierarchyAnalysis, Failure> {
    let numbers = analysis("br-uniform.toml", &on(rack))?;
    let nodes = numbers.super_nodes * numbers.nodes;
    let links = numbers.links.0 + numbers.links.1;
    let mut vcs = Vec::new();
    for algorithm in ALGORITHMS {
        let sets: Vec<_> = on(rack).into_iter().chain([("routing.algorithm", algorithm)]).collect();
        vcs.push(analysis("br-uniform.toml", &sets)?.vcs_needed.to_string());
    }
    let bits = table_bits(&numbers);
    let _ = writeln!(
        text,
        "| {} | {nodes} | {links} | {:.2} | {} | {} + {} | {bits} | {} | {} | {} | {:.3} | {} | {} |",
        rack.0,
        links as f64 / f64::from(nodes),
        numbers.links.1,
        numbers.table_entries.0,
        numbers.table_entries.1,
        bits * COPIES,
        (nodes - 1) * 8,
        vcs.join(" | "),
        numbers.hops_mean.map_or(0.0, units::Ratio::to_f64),
        share(numbers.uniform_bound),
        share(numbers.pair_bound),
    );
    Ok(numbers)
}

fn of_traffic(
    text: &mut String,
    [title, short, file, load_key]: [&str; 4],
    numbers: &[HierarchyAnalysis],
    resume: bool,
) -> Result<(), Failure> {
    let mut wanted = Vec::new();
    for (rack, numbers) in RACKS.into_iter().zip(numbers) {
        let n = numbers.nodes;
        let (from, to) = (list(0, n), list(n, 2 * n));
        for algorithm in ALGORITHMS {
            for load in LOADS {
                let mut sets: Vec<(&str, &str)> = on(rack).to_vec();
                sets.extend([("routing.algorithm", algorithm), (load_key, load)]);
                sets.extend(TIMES);
                match short {
                    "adversarial" => sets.push(("workload.pattern", "next-super-node")),
                    "hot-spot" => sets.extend([
                        ("workload.hot.sources", from.as_str()),
                        ("workload.hot.destinations", to.as_str()),
                    ]),
                    _ => {}
                }
                let labels = [("rack", rack.0), ("algorithm", algorithm), ("load", load)];
                wanted.push(Wanted {
                    labels: labels.map(|(k, v)| (k.to_string(), v.to_string())).to_vec(),
                    scenario: scenario(super::WORK, file, &sets)?,
                    sources: 0,
                });
            }
        }
    }
    let done = run_all((super::WORK, &format!("rack-{short}")), &wanted, resume)?;
    let of = |rack: &str, algorithm: &str| -> Vec<&Done> {
        let labels = [("rack", rack), ("algorithm", algorithm)];
        done.iter().filter(|run| run.is(&labels)).collect()
    };
    let senders = |numbers: &HierarchyAnalysis| match short {
        "hot-spot" => numbers.nodes,
        _ => numbers.super_nodes * numbers.nodes,
    };
    for (part, racks) in [("one", &[0, 1, 2, 3]), ("all", &[0, 4, 5, 6])] {
        let (mut curves, mut key) = (Vec::new(), Vec::new());
        for (colour, &at) in racks.iter().enumerate() {
            for (dash, algorithm) in ALGORITHMS.into_iter().enumerate() {
                let style = Style(colour, dash);
                let name = RACKS[at].0;
                curves.push(lines(&of(name, algorithm), senders(&numbers[at]), style));
                key.push((format!("{name}, {algorithm}"), style));
            }
        }
        let axes =
            [injection_axis(1.0, 0.2), latency_axis(2000.0, 500.0), throughput_axis(1.0, 0.2)];
        let links = if part == "one" { "one link a pair" } else { "all global ports in use" };
        let picture = pair(&format!("{title}; {links}"), curves, Vec::new(), axes, &key);
        page::write(&format!("docs/img/rack-{short}-{part}.svg"), &picture)?;
    }
    let _ = writeln!(
        text,
        "## {title}\n\n![{title}, one link a pair](../img/rack-{short}-one.svg)\n\n![{title}, all global ports in use](../img/rack-{short}-all.svg)\n\n\
         Throughput at full load, share of the link rate a sender{}; at three lower loads throughput and 99th percentile of message latency, ns.\n\n\
         | network | routing | full load | load 0.05 | load 0.1 | load 0.3 |\n|---|---|---|---|---|---|",
        if short == "hot-spot" { " (the nodes of super node 0)" } else { "" }
    );
    for (rack, numbers) in RACKS.iter().zip(numbers) {
        for algorithm in ALGORITHMS {
            let runs = of(rack.0, algorithm);
            let at = |load: f64| {
                let run = runs.iter().find(|run| (run.load() - load).abs() < 1e-9);
                run.map_or("-".to_string(), |run| {
                    let p99 = latency(&run.summary.latency_ns, LatencyFigure::P99);
                    format!("{:.3}, {p99}", run.delivered(senders(numbers)))
                })
            };
            let full = runs.last().map_or(0.0, |run| run.delivered(senders(numbers)));
            let _ = writeln!(
                text,
                "| {} | {algorithm} | {full:.3} | {} | {} | {} |",
                rack.0,
                at(0.05),
                at(0.1),
                at(0.3)
            );
        }
    }
    text.push('\n');
    Ok(())
}
