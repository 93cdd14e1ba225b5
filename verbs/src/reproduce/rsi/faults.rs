//! Faults, which the paper leaves open: what failed links and nodes do to throughput and packets.

use super::{NETS, Net};
use crate::reproduce::runs::{Done, Labels, Runner, Wanted, labels, scenario, with};
use crate::reproduce::template::{Page, filled};
use setaside::Failure;
use setaside_tests::random::Draw;
use std::collections::BTreeSet;
use topology::{Endpoint, Graph};

const LINKS: [u64; 5] = [1, 2, 4, 8, 16];
const NODES: [u64; 4] = [1, 2, 4, 8];
/// Random sets of each size.
const SETS: u64 = 10;
const LOADS: [&str; 2] = ["0.2", "0.8"];
/// VCs for recomputed tables, by network: those of LAR, and twice those or what a link can have.
const VCS: [[u32; 2]; 4] = [[3, 6], [12, 16], [6, 12], [6, 12]];
/// Pruned tables with VCs of minimal routing; recomputed ones with the first, the second number.
const TABLES: [&str; 3] = ["pruned", "recomputed-few", "recomputed-many"];

/// All fail at 30 us and are repaired at 60 us.
const TIMES: [(&str, bool); 2] = [("30000", false), ("60000", true)];
const RUN: [(&str, &str); 5] = [
    ("run.duration_ns", "90000"),
    ("run.warmup_ns", "10000"),
    ("windows.before_ns", "[10_000, 30_000]"),
    ("windows.during_ns", "[30_000, 60_000]"),
    ("windows.after_ns", "[60_000, 90_000]"),
];

/// What fails, in the table of an event.
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
    (load, seed): (&str, u64),
    vcs: Option<u32>,
    labels: Labels,
) -> Result<Wanted, Failure> {
    let events = TIMES.iter().flat_map(|(at, recovers)| {
        let event =
            move |target: &Target| format!("{{ at_ns = {at}, {target}, recovers = {recovers} }}");
        targets.iter().map(event)
    });
    let events = format!("[{}]", events.collect::<Vec<_>>().join(", "));
    let (seed, vcs) = (seed.to_string(), vcs.map(|vcs| vcs.to_string()));
    let mut sets = RUN.to_vec();
    sets.extend([("workload.load", load), ("run.seed", &seed), ("faults.event", &events)]);
    if let Some(vcs) = &vcs {
        sets.extend([("faults.tables", "recomputed"), ("switch.vcs", vcs)]);
    }
    let scenario = scenario(net.2, &sets)?;
    Ok(Wanted { labels, senders: scenario.nodes(), scenario, flows: false })
}

/// Names times to reconverge after faults and repair, and whether recomputed tables were used.
fn seen(mut run: Done) -> Done {
    let rows = run.summary.faults.as_ref().map_or(&[][..], |faults| &faults.rows);
    // Of those at one time the last one has all that follows.
    let longest = |recovers| {
        let rows = rows.iter().filter(|row| row.recovers == recovers);
        rows.fold(0.0, |most: f64, row| most.max(row.reconverge_ns))
    };
    let (down, repaired) = (longest(false), longest(true));
    let last = rows.iter().rfind(|row| !row.recovers);
    let recomputed = last.and_then(|row| row.recomputed) == Some(true);
    run.set("reconverge", down);
    run.set("reconverge_repaired", repaired);
    run.set("recomputed", recomputed);
    run
}

pub(super) fn write(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let mut all = Vec::new();
    for (net, [few, many]) in NETS.iter().zip(VCS) {
        let network = scenario(net.2, &[])?.build_network()?;
        let links: Vec<Target> = links(network.graph()).iter().map(link).collect();
        let nodes: Vec<Target> =
            (0..network.switches()).map(|node| format!("node = {node}")).collect();
        for (kind, count) in kinds() {
            let from = if kind == "links" { &links } else { &nodes };
            for set in 1..=SETS {
                // Both loads have the same sets.
                let mut draw = Draw::new(set * 1_000 + count);
                let targets = some(from, count, &mut draw);
                for load in LOADS {
                    // VCs as routing has them, then those of recomputed tables.
                    let vcs = [None, Some(few), Some(many)];
                    let tried = if load == LOADS[0] { TABLES.len() } else { 1 };
                    for (tables, vcs) in TABLES.into_iter().zip(vcs).take(tried) {
                        let labels = labels([
                            ("network", net.1),
                            ("kind", kind),
                            ("count", &count.to_string()),
                            ("load", load),
                            ("tables", tables),
                            ("vcs", &vcs.map_or(String::new(), |vcs| vcs.to_string())),
                        ]);
                        all.push(wanted(net, &targets, (load, set), vcs, labels)?);
                    }
                }
            }
        }
    }
    let done: Vec<Done> = runs.all("faults", &all)?.into_iter().map(seen).collect();
    for (load, name) in LOADS.into_iter().zip(["low-load", "high-load"]) {
        page.groups(name, &groups(&done, load, TABLES[0]));
    }
    page.put("recomputed", &recomputed(&done));
    runs.figure("faults")?.write("lai-rsi-faults", &with(&done, &[]))?;
    partition(page, runs)
}

/// The runs with these tables at a load, by network, kind and number of faults.
fn groups<'a>(done: &'a [Done], load: &str, tables: &str) -> Vec<Vec<&'a Done>> {
    let runs = with(done, &[("load", load), ("tables", tables)]);
    runs.chunk_by(|a, b| a.labels == b.labels).map(<[&Done]>::to_vec).collect()
}

fn kinds() -> impl Iterator<Item = (&'static str, u64)> {
    let links = LINKS.into_iter().map(|count| ("links", count));
    links.chain(NODES.into_iter().map(|count| ("nodes", count)))
}

fn recomputed(done: &[Done]) -> String {
    const PRUNED: &str = "| {network} | {count} {kind} \
         | {windows.during.delivered_bytes_per_ns/senders|0:4} |";
    const TRIED: &str = "{windows.during.delivered_bytes_per_ns/senders|0:4} \
         | {windows.during.latency_ns.mean|0:0} | {packets_lost_to_faults:1} \
         | {packets_stranded:1} | {packets_refused:0} |";
    let [pruned, few, many] = TABLES.map(|tables| groups(done, LOADS[0], tables));
    let lines = pruned.iter().zip(few.iter().zip(&many)).map(|(pruned, (few, many))| {
        let tried = [few, many].map(|runs| {
            let used = runs.iter().filter(|run| run.text("recomputed") == "true").count();
            filled(&format!(" {{vcs}} | {used} | {TRIED}"), runs)
        });
        format!("{}{}\n", filled(PRUNED, pruned), tried.concat())
    });
    lines.collect()
}

fn partition(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let mut all = Vec::new();
    let mut expected = Vec::new();
    for net in &NETS {
        let network = scenario(net.2, &[])?.build_network()?;
        let n = super::networks::analysis(net.2, &[])?.nodes;
        let ends = links(network.graph());
        let out = ends.iter().filter(|(a, _, b)| (*a < n) != (*b < n));
        let targets: Vec<Target> = out.map(link).collect();
        let labels = labels([("network", net.1)]);
        all.push(wanted(net, &targets, (LOADS[0], 1), None, labels)?);
        // Of all pairs those between the super node and the rest, both ways.
        let (nodes, n) = (network.nodes() as f64, f64::from(n));
        let apart = 2.0 * n * (nodes - n) / (nodes * (nodes - 1.0));
        expected.push((targets.len(), apart));
    }
    let mut done: Vec<Done> = runs.all("partition", &all)?.into_iter().map(seen).collect();
    for (run, (links, apart)) in done.iter_mut().zip(expected) {
        let offered = run.number("windows.during.offered_bytes_per_ns/senders|0");
        run.set("links_down", links);
        run.set("apart", apart);
        run.set("left", offered.map(|offered| offered * (1.0 - apart)));
    }
    page.rows("partition", &done);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::figure::Figure;

    // As of pictures of studies: each line of this one has runs.
    #[test]
    fn every_line_of_the_picture_has_runs() {
        let mut all = Vec::new();
        for (_, network, _) in NETS {
            for (kind, count) in kinds() {
                let count = count.to_string();
                all.extend(LOADS.map(|load| {
                    let of = [("network", network), ("kind", kind), ("count", &*count)];
                    [labels(of), labels([("load", load), ("tables", TABLES[0])])].concat()
                }));
            }
        }
        Figure::each_line_has_some("lai-rsi", "faults", all);
    }
}
