//! Faults, which the paper leaves open: throughput, latency, time to reconverge, packets lost,
//! stranded and refused, against the number of failed links and nodes.

use super::chart::{self, Axis, Line, Panel, Style};
use super::runs::{Done, Labels, Wanted, interval, run_all};
use super::{NETS, Net, WORK};
use crate::page;
use observe::{FaultRow, LatencySummary};
use scenario::{Scenario, Set};
use setaside::Failure;
use setaside_tests::random::Draw;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use study::Interval;
use topology::{Endpoint, Graph};

const LINKS: [u64; 5] = [1, 2, 4, 8, 16];
const NODES: [u64; 4] = [1, 2, 4, 8];
/// Random sets of each size.
const SETS: u64 = 10;
const LOADS: [&str; 2] = ["0.2", "0.8"];
/// VCs for recomputed tables, by network: those of LAR, and twice those or what a link can have.
const VCS: [[u32; 2]; 4] = [[3, 6], [12, 16], [6, 12], [6, 12]];
/// Pruned tables, with the VCs of minimal routing; recomputed ones with the first and the second
/// number of VCs.
const TABLES: [&str; 3] = ["pruned", "recomputed-few", "recomputed-many"];
const FIGURE: &str = "docs/img/lai-rsi-faults.svg";

/// All fail at 30 us and are repaired at 60 us.
const TIMES: &str = "\n[windows]\nbefore_ns = [10_000, 30_000]\nduring_ns = [30_000, 60_000]\nafter_ns = [60_000, 90_000]\n";
const FAIL_NS: u64 = 30_000;
const REPAIR_NS: u64 = 60_000;
const RUN: [(&str, &str); 3] =
    [("run.duration_ns", "90000"), ("run.warmup_ns", "10000"), super::super::runs::NO_DRAIN];

/// What fails, as a line of a scenario.
type Target = String;

/// Links between switches, by one of their ends.
fn links(graph: &Graph) -> Vec<(u32, u8, u32)> {
    let ends = graph.links().filter_map(|(a, b, _)| match (a, b) {
        (Endpoint::Port { switch, port }, Endpoint::Port { switch: far, .. }) => {
            Some((switch, port, far))
        }
        _ => None,
    });
    ends.collect()
}

fn link(&(switch, port, _): &(u32, u8, u32)) -> Target {
    format!("link = [{switch}, {port}]")
}

/// So many different ones of a list, drawn.
fn some(from: &[Target], count: u64, draw: &mut Draw) -> Vec<Target> {
    let mut chosen = BTreeSet::new();
    while (chosen.len() as u64) < count {
        chosen.insert(draw.one(from));
    }
    chosen.into_iter().collect()
}

/// A network whose targets fail and are repaired; with a number of VCs tables are recomputed.
fn wanted(
    net: &Net,
    targets: &[Target],
    load: &str,
    seed: u64,
    vcs: Option<u32>,
    labels: Labels,
) -> Result<Wanted, Failure> {
    let name = format!("scenarios/{WORK}/{}", net.2);
    let mut text = page::read(&name)?;
    text.push_str(TIMES);
    if vcs.is_some() {
        text.push_str("\n[faults]\ntables = \"recomputed\"\n");
    }
    for (at, recovers) in [(FAIL_NS, false), (REPAIR_NS, true)] {
        for target in targets {
            let _ =
                write!(text, "\n[[faults.event]]\nat_ns = {at}\n{target}\nrecovers = {recovers}\n");
        }
    }
    let mut sets: Vec<Set> = RUN.iter().map(|(k, v)| Set::new(k, v)).collect();
    sets.push(Set::new("workload.load", load));
    sets.push(Set::new("run.seed", &seed.to_string()));
    sets.extend(vcs.map(|vcs| Set::new("switch.vcs", &vcs.to_string())));
    Ok(Wanted { labels, scenario: Scenario::parse(&text, &name, None, &sets)?, sources: 0 })
}

/// The tables that are tried at a load, and their VCs if not as routing has them.
fn tables_of(load: &str, vcs: [u32; 2]) -> Vec<(&'static str, Option<u32>)> {
    let mut all = vec![(TABLES[0], None)];
    if load == LOADS[0] {
        all.extend(TABLES[1..].iter().copied().zip(vcs.map(Some)));
    }
    all
}

/// What a run says of a fault.
struct Seen {
    delivered: [f64; 3],
    mean: [f64; 2],
    p99: [f64; 2],
    reconverge: [f64; 2],
    messages: f64,
    lost: f64,
    stranded: f64,
    refused: f64,
    /// 1: recomputed tables were in use while all of it was down.
    recomputed: f64,
}

impl Seen {
    fn of(run: &Done, senders: u32) -> Seen {
        let s = &run.summary;
        let window = |name: &str| s.windows.get(name).map(|window| &window.all);
        let rate = |name| {
            let rate = window(name).and_then(|all| all.delivered_bytes_per_ns);
            rate.unwrap_or(0.0) / f64::from(senders)
        };
        let latency = |name, of: fn(&LatencySummary) -> Option<f64>| {
            window(name).and_then(|all| of(&all.latency_ns)).unwrap_or(0.0)
        };
        let rows: &[FaultRow] = s.faults.as_ref().map_or(&[], |faults| &faults.rows);
        // Of those at one time the last one has all that follows.
        let longest = |recovers| {
            let rows = rows.iter().filter(|row| row.recovers == recovers);
            rows.fold(0.0, |most: f64, row| most.max(row.reconverge_ns))
        };
        Seen {
            delivered: ["before", "during", "after"].map(rate),
            mean: ["before", "during"].map(|name| latency(name, |l| l.mean)),
            p99: ["before", "during"].map(|name| latency(name, |l| l.p99)),
            reconverge: [false, true].map(longest),
            messages: s.faults.as_ref().map_or(0.0, |f| f.messages as f64),
            lost: s.packets_lost_to_faults as f64,
            stranded: s.packets_stranded as f64,
            refused: s.packets_refused as f64,
            recomputed: {
                let last = rows.iter().rfind(|row| !row.recovers);
                f64::from(last.and_then(|row| row.recomputed) == Some(true))
            },
        }
    }
}

fn column(seen: &[Seen], value: impl Fn(&Seen) -> f64, digits: usize) -> String {
    let values: Vec<f64> = seen.iter().map(value).collect();
    interval(&values, digits)
}

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    let mut runs = Vec::new();
    let mut sizes = Vec::new();
    for (net, many) in NETS.iter().zip(VCS) {
        let network = super::runs::scenario(super::WORK, net.2, &[])?.build_network()?;
        let all_links: Vec<Target> = links(network.graph()).iter().map(link).collect();
        let all_nodes: Vec<Target> =
            (0..network.switches()).map(|node| format!("node = {node}")).collect();
        sizes.push((network.nodes() as u32, all_links.len()));
        for (kind, counts, from) in
            [("links", &LINKS[..], &all_links), ("nodes", &NODES[..], &all_nodes)]
        {
            for &count in counts {
                for set in 1..=SETS {
                    // Both loads have the same sets.
                    let mut draw = Draw::new(set * 1_000 + count);
                    let targets = some(from, count, &mut draw);
                    for load in LOADS {
                        for (tables, vcs) in tables_of(load, many) {
                            let labels = [
                                ("network", net.1),
                                ("kind", kind),
                                ("count", &count.to_string()),
                                ("load", load),
                                ("tables", tables),
                            ];
                            let labels = labels.map(|(k, v)| (k.to_string(), v.to_string()));
                            runs.push(wanted(net, &targets, load, set, vcs, labels.to_vec())?);
                        }
                    }
                }
            }
        }
    }
    let done = run_all((super::WORK, "faults"), &runs, resume)?;
    let _ = writeln!(
        text,
        "## Faults\n\nThe paper leaves this open. G = 8, one link a pair, spread, minimal routing, `hop-count`, uniform traffic, protocol `per-entry`, pruned tables. A random set of \
         links (of all between switches) or of nodes fails at 30 us and is repaired at 60 us; *before* 10 to 30 us, *during* 30 to 60 us, *after* 60 to 90 us. {SETS} sets each, each with a seed \
         of its own; mean and 95 % interval by Student's t. A failed node sends nothing: what its sources offer is refused, as is what is for an entry that is empty at the source.\n\n\
         ![Throughput while links and nodes are down](../img/lai-rsi-faults.svg)\n"
    );
    low_load(text, &done, &sizes);
    high_load(text, &done, &sizes);
    recomputed(text, &done, &sizes);
    figure(&done, &sizes)?;
    partition(text, resume)
}

/// The runs of a network, of a kind of fault and of a number of them.
fn seen(done: &[Done], senders: u32, labels: [&str; 5]) -> Vec<Seen> {
    let keys = ["network", "kind", "count", "load", "tables"];
    let labels: Vec<(&str, &str)> = keys.into_iter().zip(labels).collect();
    let runs = done.iter().filter(|run| run.is(&labels));
    runs.map(|run| Seen::of(run, senders)).collect()
}

fn kinds() -> impl Iterator<Item = (&'static str, u64)> {
    let links = LINKS.into_iter().map(|count| ("links", count));
    links.chain(NODES.into_iter().map(|count| ("nodes", count)))
}

fn low_load(text: &mut String, done: &[Done], sizes: &[(u32, usize)]) {
    let _ = writeln!(
        text,
        "Load {}, below saturation. Mean and 99th percentile of message latency, ns; time from the fault, and from the repair, to the last change of any entry, ns; control messages of the whole run; \
         packets lost on dead links or in dead nodes, stranded at an empty entry, refused at sources.\n\n\
         | network | failed | throughput before | during | after | latency before | during | p99 before | during | to reconverge | after repair | messages | lost | stranded | refused |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        LOADS[0]
    );
    for ((_, name, _), (senders, _)) in NETS.iter().zip(sizes) {
        for (kind, count) in kinds() {
            let seen = seen(done, *senders, [name, kind, &count.to_string(), LOADS[0], TABLES[0]]);
            let cells = [
                column(&seen, |s| s.delivered[0], 4),
                column(&seen, |s| s.delivered[1], 4),
                column(&seen, |s| s.delivered[2], 4),
                column(&seen, |s| s.mean[0], 0),
                column(&seen, |s| s.mean[1], 0),
                column(&seen, |s| s.p99[0], 0),
                column(&seen, |s| s.p99[1], 0),
                column(&seen, |s| s.reconverge[0], 0),
                column(&seen, |s| s.reconverge[1], 0),
                column(&seen, |s| s.messages, 0),
                column(&seen, |s| s.lost, 1),
                column(&seen, |s| s.stranded, 1),
                column(&seen, |s| s.refused, 0),
            ];
            let _ = writeln!(text, "| {name} | {count} {kind} | {} |", cells.join(" | "));
        }
    }
    text.push('\n');
}

fn high_load(text: &mut String, done: &[Done], sizes: &[(u32, usize)]) {
    let _ = writeln!(
        text,
        "Load {}, beyond saturation but for DF: throughput, time to reconverge, packets lost and stranded. (Refused is left out: full admittance queues refuse too.)\n\n\
         | network | failed | throughput before | during | after | to reconverge | after repair | lost | stranded |\n|---|---|---|---|---|---|---|---|---|",
        LOADS[1]
    );
    for ((_, name, _), (senders, _)) in NETS.iter().zip(sizes) {
        for (kind, count) in kinds() {
            let seen = seen(done, *senders, [name, kind, &count.to_string(), LOADS[1], TABLES[0]]);
            let cells = [
                column(&seen, |s| s.delivered[0], 3),
                column(&seen, |s| s.delivered[1], 3),
                column(&seen, |s| s.delivered[2], 3),
                column(&seen, |s| s.reconverge[0], 0),
                column(&seen, |s| s.reconverge[1], 0),
                column(&seen, |s| s.lost, 1),
                column(&seen, |s| s.stranded, 1),
            ];
            let _ = writeln!(text, "| {name} | {count} {kind} | {} |", cells.join(" | "));
        }
    }
    text.push('\n');
}

fn recomputed(text: &mut String, done: &[Done], sizes: &[(u32, usize)]) {
    let _ = writeln!(
        text,
        "Load {}, the same sets, `faults.tables = \"recomputed\"`: shortest ways on what is left, known everywhere in the tick of the fault, used where they fit the VCs and have no cycle; \
         with as many VCs as LAR has, and with more. *Used*: in how many of {SETS} sets they were in use while all of it was down; else the pruned ones are.\n\n\
         | network | failed | throughput during, pruned | VCs | used | during | latency during | lost | stranded | refused | VCs | used | during | latency during | lost | stranded | refused |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        LOADS[0]
    );
    for (((_, name, _), (senders, _)), vcs) in NETS.iter().zip(sizes).zip(VCS) {
        for (kind, count) in kinds() {
            let of = |tables| {
                let count = count.to_string();
                seen(done, *senders, [name, kind, &count, LOADS[0], tables])
            };
            let _ = write!(
                text,
                "| {name} | {count} {kind} | {} |",
                column(&of(TABLES[0]), |s| s.delivered[1], 4)
            );
            for (tables, vcs) in TABLES[1..].iter().zip(vcs) {
                let seen = of(tables);
                let cells = [
                    vcs.to_string(),
                    format!("{:.0}", seen.iter().map(|s| s.recomputed).sum::<f64>()),
                    column(&seen, |s| s.delivered[1], 4),
                    column(&seen, |s| s.mean[1], 0),
                    column(&seen, |s| s.lost, 1),
                    column(&seen, |s| s.stranded, 1),
                    column(&seen, |s| s.refused, 0),
                ];
                let _ = write!(text, " {} |", cells.join(" | "));
            }
            text.push('\n');
        }
    }
    text.push('\n');
}

fn figure(done: &[Done], sizes: &[(u32, usize)]) -> Result<(), Failure> {
    let mut key = Vec::new();
    let mut panels = Vec::new();
    for (kind, counts) in [("links", &LINKS[..]), ("nodes", &NODES[..])] {
        let mut lines = Vec::new();
        for (at, ((_, name, _), (senders, _))) in NETS.iter().zip(sizes).enumerate() {
            for (dash, load) in LOADS.into_iter().enumerate() {
                let style = Style(at, dash);
                let mut line = Line::new(style, Vec::new());
                for count in counts {
                    let seen =
                        seen(done, *senders, [name, kind, &count.to_string(), load, TABLES[0]]);
                    let values: Vec<f64> =
                        seen.iter().map(|s| s.delivered[1] / s.delivered[0]).collect();
                    if let Some(share) = Interval::of(&values) {
                        line.points.push((*count as f64, share.mean));
                        line.halves.push(share.half.unwrap_or(0.0));
                    }
                }
                lines.push(line);
                if kind == "links" {
                    key.push((format!("{name}, load {load}"), style));
                }
            }
        }
        let (max, step) = if kind == "links" { (16.0, 4.0) } else { (8.0, 2.0) };
        panels.push(Panel {
            x: Axis::new(&format!("failed {kind}"), max, step),
            y: Axis::new("throughput during / before", 1.2, 0.2),
            lines,
            levels: Vec::new(),
        });
    }
    let title = "Throughput while links (left) and nodes (right) are down, 95 % intervals";
    page::write(FIGURE, &chart::svg(title, &panels, &key))
}

/// A super node that is cut off.
fn partition(text: &mut String, resume: bool) -> Result<(), Failure> {
    let mut runs = Vec::new();
    let mut expected = Vec::new();
    for net in &NETS {
        let network = super::runs::scenario(super::WORK, net.2, &[])?.build_network()?;
        let n = super::networks::analysis(net.2, &[])?.nodes;
        let all = links(network.graph());
        let out = all.iter().filter(|(a, _, b)| (*a < n) != (*b < n));
        let targets: Vec<Target> = out.map(link).collect();
        let labels = vec![("network".to_string(), net.1.to_string())];
        runs.push(wanted(net, &targets, LOADS[0], 1, None, labels)?);
        // Of all pairs those between the super node and the rest, both ways.
        let (nodes, n) = (network.nodes() as f64, f64::from(n));
        let apart = 2.0 * n * (nodes - n) / (nodes * (nodes - 1.0));
        expected.push((network.nodes() as u32, targets.len(), apart));
    }
    let done = run_all((super::WORK, "partition"), &runs, resume)?;
    text.push_str(
        "A super node cut off, all its global links down from 30 to 60 us, load 0.2. *Pairs apart*: the share of traffic that has no way; *expected*: what is left of the offered load without it.\n\n\
         | network | links down | pairs apart | throughput before | during | expected | after | to reconverge | after repair | lost | stranded | refused |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (run, (senders, links, apart)) in done.iter().zip(expected) {
        let s = Seen::of(run, senders);
        let offered = run.summary.windows.get("during");
        let offered = offered.and_then(|window| window.all.offered_bytes_per_ns);
        let left = offered.unwrap_or(0.0) / f64::from(senders) * (1.0 - apart);
        let _ = writeln!(
            text,
            "| {} | {links} | {:.1} % | {:.4} | {:.4} | {left:.4} | {:.4} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} |",
            run.label("network"),
            apart * 100.0,
            s.delivered[0],
            s.delivered[1],
            s.delivered[2],
            s.reconverge[0],
            s.reconverge[1],
            s.lost,
            s.stranded,
            s.refused
        );
    }
    text.push('\n');
    Ok(())
}
