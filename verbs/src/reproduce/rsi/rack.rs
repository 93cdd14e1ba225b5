//! The four networks as racks of about equal node count, as a page of its own.

use super::networks::{analysis, share};
use crate::page::failed;
use crate::reproduce::runs::{Runner, Sets, Wanted, labels, scenario, with};
use crate::reproduce::template::{Page, filled};
use crate::reproduce::write_page;
use setaside::Failure;
use topology::HierarchyAnalysis;
use units::Ratio;

/// Its page.
pub(super) const NAME: &str = "rack-study";

/// Name, topology, super nodes, links a pair.
type Rack = (&'static str, &'static str, &'static str, &'static str);

/// About 105 nodes, the most of a dragonfly of 8 ports a node: with one link a pair, and with all.
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
const CELL: &str = "{delivered_bytes_per_ns/senders|0:3}, {>=latency_ns.p99:0}";
const LOADS: [&str; 8] = ["0.05", "0.1", "0.2", "0.3", "0.4", "0.6", "0.8", "1.0"];

const TIMES: Sets<'_> =
    &[("run.duration_ns", "60000"), ("run.warmup_ns", "20000"), ("run.drain_ns", "10000")];

const UNIFORM: &str = "lai-rsi/br-uniform.toml";

/// Title, file of the figure, scenario, key of the load.
const TRAFFIC: [[&str; 4]; 3] = [
    ["Uniform", "uniform", UNIFORM, "workload.load"],
    [
        "Adversarial: each super node to the next",
        "adversarial",
        "lai-rsi/br-local.toml",
        "workload.load",
    ],
    [
        "Hot spot: super node 0 to super node 1",
        "hot-spot",
        "lai-rsi/br-hot-spot.toml",
        "workload.hot.load",
    ],
];

fn on((_, topology, g, l): Rack) -> [(&'static str, &'static str); 3] {
    [("network.topology", topology), ("network.super_nodes", g), ("network.links_per_pair", l)]
}

/// `[from, ..., to - 1]`.
fn list(from: u32, to: u32) -> String {
    format!("{:?}", (from..to).collect::<Vec<u32>>())
}

/// Entries are sets of egress ports, a bit each: of T1 local ones, of T2 all.
fn table_bits(numbers: &HierarchyAnalysis) -> u32 {
    let (t1, t2) = numbers.table_entries;
    let (local, global) = (u32::from(numbers.ports.0), u32::from(numbers.ports.1));
    t1 * local + t2 * (local + global)
}

/// Tables of a node: network ports and that of the processor.
const COPIES: u32 = 9;

pub(super) fn write(runs: &Runner) -> Result<(), Failure> {
    let mut page = Page::read(NAME)?;
    let (mut text, mut numbers) = (String::new(), Vec::new());
    for rack in RACKS {
        numbers.push(cost(&mut text, rack)?);
    }
    page.put("cost", &text);
    for traffic in TRAFFIC {
        of_traffic(&mut page, traffic, &numbers, runs)?;
    }
    write_page(NAME, "Racks of about equal size", runs.work, &page.finish()?)
}

fn cost(text: &mut String, rack: Rack) -> Result<HierarchyAnalysis, Failure> {
    let numbers = analysis(UNIFORM, &on(rack))?;
    let nodes = numbers.super_nodes * numbers.nodes;
    let links = numbers.links.0 + numbers.links.1;
    let mut vcs = Vec::new();
    for algorithm in ALGORITHMS {
        let sets: Vec<_> = on(rack).into_iter().chain([("routing.algorithm", algorithm)]).collect();
        vcs.push(analysis(UNIFORM, &sets)?.vcs_needed.to_string());
    }
    let bits = table_bits(&numbers);
    *text += &format!(
        "| {} | {nodes} | {links} | {:.2} | {} | {} + {} | {bits} | {} | {} | {} | {:.3} | {} | {} |\n",
        rack.0,
        links as f64 / f64::from(nodes),
        numbers.links.1,
        numbers.table_entries.0,
        numbers.table_entries.1,
        bits * COPIES,
        (nodes - 1) * 8,
        vcs.join(" | "),
        numbers.hops_mean.map_or(0.0, Ratio::to_f64),
        share(numbers.uniform_bound),
        share(numbers.pair_bound),
    );
    Ok(numbers)
}

fn of_traffic(
    page: &mut Page,
    [title, short, file, load_key]: [&str; 4],
    numbers: &[HierarchyAnalysis],
    runs: &Runner,
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
                let scenario = scenario(file, &sets)?;
                wanted.push(Wanted {
                    labels: labels([("rack", rack.0), ("algorithm", algorithm), ("load", load)]),
                    senders: if short == "hot-spot" { n } else { scenario.nodes() },
                    scenario,
                    flows: false,
                });
            }
        }
    }
    let done = runs.all(&format!("rack-{short}"), &wanted)?;
    for (part, links) in [("one", "one link a pair"), ("all", "all global ports in use")] {
        let figure = runs.figure(&format!("rack-{part}"))?.titled(&format!("{title}; {links}"));
        figure.write(&format!("rack-{short}-{part}"), &with(&done, &[]))?;
    }
    let mut text = String::new();
    for rack in RACKS {
        for algorithm in ALGORITHMS {
            let cell = |row, load| {
                let labels = [("rack", rack.0), ("algorithm", algorithm), ("load", load)];
                let runs = with(&done, &labels);
                let some = || failed(format!("a cell of no runs: {labels:?}"));
                runs.first().map(|_| filled(row, &runs)).ok_or_else(some)
            };
            let full = cell("{delivered_bytes_per_ns/senders|0:3}", "1.0")?;
            let cells = [cell(CELL, "0.05")?, cell(CELL, "0.1")?, cell(CELL, "0.3")?].join(" | ");
            text += &format!("| {} | {algorithm} | {full} | {cells} |\n", rack.0);
        }
    }
    page.put(short, &text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::figure::Figure;

    // As of pictures of studies: each line of these has runs.
    #[test]
    fn every_line_of_a_picture_has_runs() {
        let mut all = Vec::new();
        for rack in RACKS {
            for algorithm in ALGORITHMS {
                all.extend(LOADS.map(|load| {
                    labels([("rack", rack.0), ("algorithm", algorithm), ("load", load)])
                }));
            }
        }
        for name in ["rack-one", "rack-all"] {
            Figure::each_line_has_some("lai-rsi", name, all.clone());
        }
    }
}
