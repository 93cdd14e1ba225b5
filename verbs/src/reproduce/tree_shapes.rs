//! garcia-trees-2005: how trees grow, move and merge (figures 1 to 3), and of eight sources (6).

use super::STRICT;
use super::runs::{Runner, Sets};
use super::template::Page;
use super::tree_picture::{Way, picture, side};
use crate::page::{self, failed, root};
use fabric::Engine;
use inspect::Tree;
use scenario::{Scenario, Set};
use setaside::{Failure, Recorded, simulate_recorded};
use setaside_tests::evolution::{self, Holds, LATE_EGRESS, first_seen, out, us, whole};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use units::Unit;

fn short(unit: Unit) -> String {
    unit.to_string().replace("fabric.switch", "s").replace("fabric.node", "n")
}

fn load(name: &str, sets: Sets<'_>) -> Result<Scenario, Failure> {
    let sets: Vec<Set> = sets.iter().map(|(k, v)| Set::new(k, v)).collect();
    let file = root().join(format!("scenarios/garcia-trees-2005/{name}.toml"));
    Ok(Scenario::load(&file, &sets)?)
}

/// The hash of the events too.
fn record(scenario: &Scenario) -> Result<(String, Recorded), Failure> {
    let (record, recorded) = simulate_recorded(scenario, Engine::Fast, None, &|| ())?;
    Ok((record.summary.events_hash, recorded))
}

/// What the page calls an experiment, when sending ends, us, and the statement on it.
type Experiment = (&'static str, u64, fn(&Recorded) -> Holds);

const EXPERIMENTS: [Experiment; 9] = [
    ("1a", 60, evolution::one_a),
    ("1b", 60, |r| evolution::one_b_sides(r).and(evolution::one_b_spots(r))),
    ("1c", 90, evolution::one_c),
    ("2a", 60, |r| first_seen(r, 3, &[0], &[])),
    ("2b", 60, |r| first_seen(r, 3, &[], &[0])),
    ("2c", 60, |r| first_seen(r, 3, &[0], &[])),
    ("3a", 90, evolution::three_a),
    ("3b", 90, evolution::three_b),
    ("3c", 120, evolution::three_c),
];

/// The figures of the trees of a run, in one line.
fn measured(recorded: &Recorded, until_us: u64) -> String {
    let trees = &recorded.recording.trees;
    let in_us = |tick| recorded.time_base.tick_to_ns(tick) / 1000.0;
    let mut seen = BTreeSet::new();
    let roots = trees.trees().iter().filter(|tree| seen.insert(tree.root)).map(|tree| {
        let (side, born) = (side(tree.first_seen), in_us(tree.born));
        format!("{} ({side}, {born:.2})", short(tree.root))
    });
    let mut text = format!("roots: {}", roots.collect::<Vec<_>>().join(", "));
    let moves = trees.moves().into_iter();
    let moves = moves.map(|m| format!("{} -> {} ({:.1})", short(m.from), short(m.to), in_us(m.at)));
    let moves: Vec<String> = moves.collect();
    if !moves.is_empty() {
        let _ = write!(text, "; moved: {}", moves.join(", "));
    }
    let end: Vec<String> =
        whole(trees, us(recorded, until_us - 1)).into_iter().map(short).collect();
    let _ = write!(text, "; whole trees at {} us: {}", until_us - 1, end.join(", "));
    for tree in trees.trees().iter().filter(|t| t.acting.len() > 1) {
        let acting = tree.acting.iter().map(|(from, ports)| {
            let names: Vec<String> = ports.iter().map(|&p| short(p)).collect();
            let names = if names.is_empty() { "none".to_string() } else { names.join(" and ") };
            format!("{names} from {:.0}", in_us(*from))
        });
        let acting: Vec<String> = acting.collect();
        if seen.len() < 3 {
            let _ = write!(text, "; acts as root of {}: {}", short(tree.root), acting.join(", "));
        }
    }
    text
}

/// What is on its page; writes the pictures too.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    let mut page = Page::read(runs.work)?;
    eight_sources(&mut page)?;
    evolution(&mut page)?;
    page.finish()
}

fn eight_sources(page: &mut Page) -> Result<(), Failure> {
    let mut text = String::new();
    let mut missed = String::new();
    for (name, what) in [("eight-sources", "in pairs"), ("eight-sources-spread", "spread")] {
        for (scheme, published) in [
            ("recn-basic", "7 subtrees"),
            ("recn", "1 tree, root at the egress of the last switch"),
        ] {
            let ways = ways(&load(name, &[])?)?;
            let meetings = meetings(&ways);
            let mut bounded = String::new();
            for priority in ["bounded", "strict"] {
                let sets = [("switch.scheme", scheme), (STRICT.0, priority)];
                let (hash, recorded) = record(&load(name, &sets)?)?;
                if bounded == hash {
                    continue; // strict, and the same events
                }
                let end = us(&recorded, 199);
                let trees = &recorded.recording.trees;
                let alive: Vec<&Tree> = trees.trees().iter().filter(|t| t.is_alive(end)).collect();
                let outer: Vec<&&Tree> = alive.iter().filter(|t| !t.is_inside(end)).collect();
                let list = |f: &dyn Fn(&Tree) -> String| {
                    outer.iter().map(|t| f(t)).collect::<Vec<_>>().join(", ")
                };
                let links: Vec<String> = meetings.iter().map(|m| m.1.to_string()).collect();
                let last = meetings.iter().find(|m| m.2 == ways.len()).map(|m| m.0);
                let ends = trees.trees().iter().filter_map(|t| t.end);
                let last_end = ends.filter(|&at| at <= end).max();
                let last_end = last_end.map(|at| recorded.time_base.tick_to_ns(at) / 1000.0);
                let cells = [
                    links.join(", "),
                    last.map_or("-".to_string(), short),
                    trees.trees().len().to_string(),
                    alive.len().to_string(),
                    (alive.len() - outer.len()).to_string(),
                    super::runs::cell(last_end, 1),
                    list(&|t| short(t.root)),
                    list(&|t| side(t.first_seen).to_string()),
                ];
                let head = format!("| {what} | {scheme}, {priority} | {published} |");
                text += &format!("{head} {} |\n", cells.join(" | "));
                let basic = scheme == "recn-basic";
                let expected = if basic { meetings.len() } else { 1 };
                if alive.len() != expected || !outer.iter().map(|t| t.root).eq(last) {
                    let _ = write!(
                        missed,
                        "\n\n{}eight sources {what}, {scheme}, {priority}: not {expected} trees at \
                         the end with the last port as the root of the whole.",
                        super::MISSED
                    );
                }
                if priority == "strict" {
                    continue;
                }
                bounded = hash;
                let title = format!("Eight sources {what}, {scheme}: who told whom");
                let svg = picture(&title, &ways, DESTINATION, &recorded);
                page::write(&format!("docs/img/{name}-{scheme}.svg"), &svg)?;
            }
        }
    }
    page.put("eight-sources", &text);
    page.put("missed", &missed);
    Ok(())
}

const DESTINATION: u32 = 32;

fn ways(scenario: &Scenario) -> Result<Vec<Way>, Failure> {
    let config = scenario.build()?;
    // The first group is the random sources: all other nodes, at load 0.
    let groups = &config.workload.summaries;
    let mut ways = Vec::new();
    for &source in groups.iter().skip(1).flat_map(|g| &g.sources) {
        let path = config.network.path(source, DESTINATION);
        let hops = path.map_err(failed)?.hops;
        let hops = hops.iter().map(|h| (h.switch, h.in_port, h.out_port));
        ways.push((source, hops.collect()));
    }
    Ok(ways)
}

/// Output ports at which flows meet: how many links feed each, and how many flows pass it.
fn meetings(ways: &[Way]) -> Vec<(Unit, usize, usize)> {
    let mut inputs: BTreeMap<Unit, Vec<u8>> = BTreeMap::new();
    for &(switch, input, port) in ways.iter().flat_map(|w| &w.1) {
        inputs.entry(out(switch, port)).or_default().push(input);
    }
    let links = |flows: &[u8]| flows.iter().collect::<BTreeSet<_>>().len();
    let all = inputs.iter().map(|(&at, flows)| (at, links(flows), flows.len()));
    all.filter(|m| m.1 > 1).collect()
}

fn evolution(page: &mut Page) -> Result<(), Failure> {
    let word = |holds: Holds| match holds {
        Ok(()) => "yes".to_string(),
        Err(part) => format!("**no**: {part}"),
    };
    for (key, until_us, holds) in EXPERIMENTS {
        let name = format!("evolution-{key}");
        let (hash, recorded) = record(&load(&name, &[])?)?;
        let (_, late) = record(&load(&name, &[LATE_EGRESS])?)?;
        let (strict_hash, strict) = record(&load(&name, &[STRICT])?)?;
        page.put(&format!("{key}-measured"), &measured(&recorded, until_us));
        page.put(key, &word(holds(&recorded)));
        page.put(&format!("{key}-late"), &word(holds(&late)));
        let strict = match strict_hash == hash {
            true => "the same events".to_string(),
            false => format!("{}; {}", word(holds(&strict)), measured(&strict, until_us)),
        };
        page.put(&format!("{key}-strict"), &strict);
        if key == "3c" {
            let least = evolution::three_c_cells(&recorded).into_iter().min();
            page.put("least", &least.unwrap_or(0).to_string());
        }
    }
    Ok(())
}
