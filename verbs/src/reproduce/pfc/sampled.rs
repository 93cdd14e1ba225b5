//! Runs of case 4, and how long each link was held back while the tree existed.

use super::heat::COLUMNS;
use crate::page::failed;
use crate::reproduce::runs::{Done, Wanted};
use fabric::{Engine, Fabric};
use observe::{PauseRow, Waits};
use plan::FabricConfig;
use scenario::{Scenario, Set};
use setaside::{Exit, Failure, simulate};
use std::collections::BTreeMap;
use topology::{Endpoint, Graph};
use units::{Tick, Unit};

/// Between two samples of what links wait for; it is on the page.
const EVERY_NS: u64 = 200;

const STAGE: u32 = 16;

pub(super) struct Sampled {
    /// With mean shares of the time of the tree: of each column of the picture (`held0` to
    /// `held4`), of injection links of nodes that are no hot sources (`random_nodes`), and for
    /// which these were paused (`random_paused`); and the links that were held back for more than
    /// 1 % (`above`).
    pub(super) run: Done,
    /// By column of the picture, link by link: share of the time of the tree.
    pub(super) held_back: Vec<Vec<f64>>,
    /// With pause: the pauses of each link while the tree existed.
    pub(super) pauses: Vec<PauseRow>,
}

fn mean(shares: &[f64]) -> f64 {
    shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

/// Runs it whole, then to the end of the tree for waits, and with pause for what links did.
pub(super) fn of(wanted: &Wanted) -> Result<Sampled, Failure> {
    let scenario = &wanted.scenario;
    let record = simulate(scenario, Engine::Fast, &|| ())?;
    let tree = scenario.hot_window_ns().ok_or_else(|| failed("no hot sources"))?;
    let config = scenario.build()?;
    let shares = waiting(&config, tree)?;
    let pauses = match record.summary.pause {
        Some(_) => paused(scenario, tree)?,
        None => Vec::new(),
    };
    let graph = config.network.graph();
    let columns = (0..COLUMNS.len()).map(|column| {
        let links = links(graph).filter(|(_, of)| *of == column);
        links.map(|(from, _)| shares.get(&from).copied().unwrap_or(0.0)).collect()
    });
    let held_back: Vec<Vec<f64>> = columns.collect();
    let random = config.workload.summaries.first();
    let random = random.map_or(&[][..], |group| &group.sources);
    let of_node = |node: &u32| shares.get(&format!("n{node}")).copied().unwrap_or(0.0);
    let random_nodes: Vec<f64> = random.iter().map(of_node).collect();
    let of_random = |row: &&PauseRow| {
        let node = row.from.strip_prefix('n').and_then(|n| n.parse().ok());
        node.is_some_and(|node: u32| random.contains(&node))
    };
    let paused = pauses.iter().filter(of_random).filter_map(|row| row.paused_share);
    let random_paused = paused.sum::<f64>() / random.len().max(1) as f64;
    let mut run = Done::new(wanted.labels.clone(), 0, 0.0, record);
    for (column, shares) in held_back.iter().enumerate() {
        run.set(&format!("held{column}"), mean(shares));
    }
    run.set("above", held_back.iter().flatten().filter(|share| **share > 0.01).count());
    run.set("random_nodes", mean(&random_nodes));
    run.set("random_paused", random_paused);
    Ok(Sampled { run, held_back, pauses })
}

/// By sender, as `pauses.csv` names it.
type Shares = BTreeMap<String, f64>;

/// Links that end at a switch: name of the sender, column of the picture; by switch and port.
fn links(graph: &Graph) -> impl Iterator<Item = (String, usize)> + '_ {
    let nodes = (0..graph.nodes()).map(|node| (format!("n{node}"), 0));
    let ports = (0..graph.switches() as u32)
        .flat_map(|switch| (0..graph.ports(switch) as u8).map(move |port| (switch, port)));
    let switches = ports.filter_map(|(from, port)| match graph.peer(from, port) {
        Endpoint::Port { switch: to, .. } => {
            let column = match (from / STAGE, to / STAGE) {
                (0, 1) => 1,
                (1, 2) => 2,
                (2, 1) => 3,
                _ => 4,
            };
            Some((format!("s{from}.p{port}"), column))
        }
        Endpoint::Node(_) | Endpoint::None => None,
    });
    nodes.chain(switches)
}

/// With pause: `pauses.csv`, measured while the tree exists.
fn paused(scenario: &Scenario, (start, end): (u64, u64)) -> Result<Vec<PauseRow>, Failure> {
    let text = scenario.resolved_toml();
    let sets = [
        Set::new("run.warmup_ns", &start.to_string()),
        Set::new("run.duration_ns", &end.to_string()),
    ];
    let scenario = Scenario::parse(&text, "resolved.toml", None, &sets)?;
    Ok(simulate(&scenario, Engine::Fast, &|| ())?.pauses)
}

/// Shares of samples in which no head may go: no credit, a pause, or all in SAQs at Xoff.
fn waiting(config: &FabricConfig, (start, end): (u64, u64)) -> Result<Shares, Failure> {
    let at = |ns: u64| Tick::ZERO + config.time_base.ns_to_ticks_ceil(ns);
    let mut fabric = Fabric::new(config, Engine::Fast, ())
        .map_err(|error| Failure::new(Exit::Usage, format!("error: {error}")))?;
    let (mut samples, mut waits) = (0u64, BTreeMap::<String, u64>::new());
    let mut ns = start;
    while ns < end {
        fabric.run_until(at(ns)).map_err(failed)?;
        samples += 1;
        fabric.probe(|port| {
            let name = match port.unit {
                Unit::Egress { switch, port } => format!("s{switch}.p{port}"),
                Unit::Injection { node } => format!("n{node}"),
                _ => return,
            };
            let held = matches!(port.waits, Waits::Credit | Waits::Xon);
            *waits.entry(name).or_default() += u64::from(held);
        });
        ns += EVERY_NS;
    }
    let share = |waits: u64| waits as f64 / samples as f64;
    Ok(waits.into_iter().map(|(name, n)| (name, share(n))).collect())
}
