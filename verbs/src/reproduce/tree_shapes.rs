//! garcia-trees-2005: how congestion trees grow, move and merge (figures 1 to 3), and the tree of
//! eight sources (figure 6).

use super::STRICT;
use super::tree_picture::{Way, picture};
use crate::page::{self, root};
use fabric::Engine;
use inspect::Tree;
use observe::Side;
use scenario::{Scenario, Set};
use setaside::{Exit, Failure, Recorded, simulate_recorded};
use setaside_tests::evolution::{self, Holds, LATE_EGRESS, first_seen, out, us, whole};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use units::Unit;

fn short(unit: Unit) -> String {
    unit.to_string().replace("fabric.switch", "s").replace("fabric.node", "n")
}

fn load(name: &str, sets: &[(&str, &str)]) -> Result<Scenario, Failure> {
    let sets: Vec<Set> = sets.iter().map(|(k, v)| Set::new(k, v)).collect();
    let file = root().join(format!("scenarios/garcia-trees-2005/{name}.toml"));
    Ok(Scenario::load(&file, &sets)?)
}

/// The hash of the events too.
fn record(scenario: &Scenario) -> Result<(String, Recorded), Failure> {
    let (record, recorded) = simulate_recorded(scenario, Engine::Fast, None, &|| ())?;
    Ok((record.summary.events_hash, recorded))
}

struct Experiment {
    key: &'static str,
    published: &'static str,
    /// When sending ends, us.
    until_us: u64,
    holds: fn(&Recorded) -> Holds,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        key: "1a",
        published: "grows from the root to the leaves; at each switch egress before ingress",
        until_us: 60,
        holds: evolution::one_a,
    },
    Experiment {
        key: "1b",
        published: "first at ingress at sw1 (s1), sw2 (s2); at egress at the root (s0), sw3, sw4; local spots end up in one tree",
        until_us: 60,
        holds: |r| evolution::one_b_sides(r).and(evolution::one_b_spots(r)),
    },
    Experiment {
        key: "1c",
        published: "root moves downstream, first tree (root s1) becomes a subtree",
        until_us: 90,
        holds: evolution::one_c,
    },
    Experiment {
        key: "2a",
        published: "two flows, no speedup: ingress",
        until_us: 60,
        holds: |r| first_seen(r, 3, &[0], &[]),
    },
    Experiment {
        key: "2b",
        published: "two flows, speedup 2: egress",
        until_us: 60,
        holds: |r| first_seen(r, 3, &[], &[0]),
    },
    Experiment {
        key: "2c",
        published: "three flows, speedup 2: ingress",
        until_us: 60,
        holds: |r| first_seen(r, 3, &[0], &[]),
    },
    Experiment {
        key: "3a",
        published: "trees of sw1 (s1) and sw2 (s2) meet in a new root sw3 (s3) and merge",
        until_us: 90,
        holds: evolution::three_a,
    },
    Experiment {
        key: "3b",
        published: "the later tree shares X (s3.out0) with the first; they stay two",
        until_us: 90,
        holds: evolution::three_b,
    },
    Experiment {
        key: "3c",
        published: "root moves upstream from sw2 (s2) to sw1 (s1), sw2's queues stay full",
        until_us: 120,
        holds: evolution::three_c,
    },
];

/// What the trees of a run say, in one line.
fn measured(recorded: &Recorded, until_us: u64) -> String {
    let trees = &recorded.recording.trees;
    let mut parts = Vec::new();
    let mut seen = Vec::new();
    for tree in trees.trees() {
        if seen.contains(&tree.root) {
            continue;
        }
        seen.push(tree.root);
        let side = if tree.first_seen == Side::Egress { "egress" } else { "ingress" };
        let born = recorded.time_base.tick_to_ns(tree.born) / 1000.0;
        parts.push(format!("{} ({side}, {born:.2})", short(tree.root)));
    }
    let mut text = format!("roots: {}", parts.join(", "));
    let mut moves = Vec::new();
    for m in trees.moves() {
        let (from, to) = (short(m.from), short(m.to));
        let at = recorded.time_base.tick_to_ns(m.at) / 1000.0;
        moves.push(format!("{from} -> {to} ({at:.1})"));
    }
    if !moves.is_empty() {
        let _ = write!(text, "; moved: {}", moves.join(", "));
    }
    let end: Vec<String> =
        whole(trees, us(recorded, until_us - 1)).into_iter().map(short).collect();
    let _ = write!(text, "; whole trees at {} us: {}", until_us - 1, end.join(", "));
    for tree in trees.trees().iter().filter(|t| t.acting.len() > 1) {
        let acting = tree.acting.iter().map(|(from, ports)| {
            let names: Vec<String> = ports.iter().map(|&p| short(p)).collect();
            let from = recorded.time_base.tick_to_ns(*from) / 1000.0;
            let names = if names.is_empty() { "none".to_string() } else { names.join(" and ") };
            format!("{names} from {from:.0}")
        });
        let acting: Vec<String> = acting.collect();
        if seen.len() < 3 {
            let _ = write!(text, "; acts as root of {}: {}", short(tree.root), acting.join(", "));
        }
    }
    text
}

/// The section of the reproduction page; writes the pictures too.
pub(super) fn section() -> Result<String, Failure> {
    let mut text = String::new();
    eight_sources(&mut text)?;
    evolution(&mut text)?;
    Ok(text)
}

fn eight_sources(text: &mut String) -> Result<(), Failure> {
    text.push_str(
        "## Eight sources to one node, figure 6\n\n64 nodes, speedup 1.5, eight sources at full rate to node 32 from the start, 200 us \
         (`scenarios/garcia-trees-2005/eight-sources*.toml`). *Links that meet* comes from the routes alone: for each output port that two or \
         more input ports feed, how many; *the last* is the one that all flows pass. A tree is *a part* of another when its root port holds \
         SAQs for that other root; *others until* is when the last root that did not stay was gone. \
         *Strict*: `switch.saq_priority`; a row where its events are not the same.\n\n\
         | sources | scheme | published | links that meet | the last | roots ever | at the end | of these parts of another | others until, us | root of the whole | seen first |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut missed = String::new();
    let mut pictures = String::new();
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
                    let all: Vec<String> = outer.iter().map(|t| f(t)).collect();
                    all.join(", ")
                };
                let links: Vec<String> = meetings.iter().map(|m| m.1.to_string()).collect();
                let last = meetings.iter().find(|m| m.2 == ways.len()).map(|m| m.0);
                let ends = trees.trees().iter().filter_map(|t| t.end);
                let gone = ends.filter(|&at| at <= end).max();
                let _ = writeln!(
                    text,
                    "| {what} | {scheme}, {priority} | {published} | {} | {} | {} | {} | {} | {} | {} | {} |",
                    links.join(", "),
                    last.map_or("-".to_string(), short),
                    trees.trees().len(),
                    alive.len(),
                    alive.len() - outer.len(),
                    gone.map_or("-".to_string(), |at| {
                        format!("{:.1}", recorded.time_base.tick_to_ns(at) / 1000.0)
                    }),
                    list(&|t| short(t.root)),
                    list(&|t| if t.first_seen == Side::Egress {
                        "egress".to_string()
                    } else {
                        "ingress".to_string()
                    }),
                );
                let basic = scheme == "recn-basic";
                let expected = if basic { meetings.len() } else { 1 };
                if alive.len() != expected || !outer.iter().map(|t| t.root).eq(last) {
                    let _ = writeln!(
                        missed,
                        "{}eight sources {what}, {scheme}, {priority}: not {expected} trees at the end with the last port as the root of the whole.\n",
                        super::MISSED
                    );
                }
                if priority == "strict" {
                    continue;
                }
                bounded = hash;
                let title = format!("Eight sources {what}, {scheme}: who told whom");
                let svg = picture(&title, &ways, DESTINATION, &recorded);
                let path = format!("docs/img/{name}-{scheme}.svg");
                page::write(&path, &svg)?;
                let _ = writeln!(pictures, "![{title}]({})\n", path.trim_start_matches("docs/"));
            }
        }
    }
    text.push_str(
        "\n`recn-basic` sees each port where flows meet as a root of its own and keeps them all, since notifications of farther roots are more \
         specific and refused. Eight flows meet at seven ports where never more than two links do; in this network more do, at fewer ports. \
         `recn` ends with one tree, and what other roots it sees are gone soon. Its root is the last port where flows meet: behind it all flows share \
         the way, and none is added.\n\n",
    );
    text.push_str(&missed);
    text.push_str(&pictures);
    Ok(())
}

/// The node that all eight send to.
const DESTINATION: u32 = 32;

/// The hops of every source.
fn ways(scenario: &Scenario) -> Result<Vec<Way>, Failure> {
    let config = scenario.build()?;
    // The first group is the random sources: all other nodes, at load 0.
    let groups = &config.workload.summaries;
    let mut ways = Vec::new();
    for &source in groups.iter().skip(1).flat_map(|g| &g.sources) {
        let path = config.network.path(source, DESTINATION);
        let hops = path.map_err(|e| Failure::new(Exit::Failure, format!("error: {e}")))?.hops;
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

fn evolution(text: &mut String) -> Result<(), Failure> {
    text.push_str(
        "## Evolution of trees, figures 1 to 3\n\n`scenarios/garcia-trees-2005/evolution-*.toml`, scheme `recn`, default thresholds (ingress and \
         egress detection 10 packets). Times are in us. A root is named by its output port, with the side on which it was seen first and when. A \
         port *acts as root* while queues that feed it are at Xoff and the queue behind it is not, looked at in windows of 5 us. Behind a \
         *no* stands the part of the statement that does not hold; the tests ask for the same.\n\n",
    );
    let mut full = Vec::new();
    for experiment in EXPERIMENTS {
        let name = format!("evolution-{}", experiment.key);
        let (hash, recorded) = record(&load(&name, &[])?)?;
        let (_, late) = record(&load(&name, &[LATE_EGRESS])?)?;
        let (strict_hash, strict) = record(&load(&name, &[STRICT])?)?;
        let word = |holds: Holds| match holds {
            Ok(()) => "yes".to_string(),
            Err(part) => format!("**no**: {part}"),
        };
        if experiment.key == "3c" {
            full = evolution::three_c_cells(&recorded);
        }
        let _ = writeln!(
            text,
            "- **{}**\n  - published: {}\n  - measured: {}\n  - as published: {}\n  \
             - with egress detection at 31 packets: {}\n  - with strict priority of SAQs: {}",
            experiment.key,
            experiment.published,
            measured(&recorded, experiment.until_us),
            word((experiment.holds)(&recorded)),
            word((experiment.holds)(&late)),
            if strict_hash == hash {
                "the same events".to_string()
            } else {
                format!(
                    "{}; {}",
                    word((experiment.holds)(&strict)),
                    measured(&strict, experiment.until_us)
                )
            },
        );
    }
    text.push_str(
        "\nWhich side is first depends on the thresholds where more flows meet than the speedup carries. N flows at full rate and speedup 2 make \
         the egress queue gain one packet a packet time and each ingress queue 1 - 2/N of one. Three flows (1b at sw1 and sw2, 2c) meet the ingress \
         threshold first if it is less than a third of that at the egress; five flows (1a) meet the egress threshold first unless that is more than \
         5/3 of the ingress one. No pair of thresholds gives both as published; the defaults are left alone.\n\n",
    );
    let least = full.iter().min().copied().unwrap_or(0);
    let _ = writeln!(
        text,
        "In 3c `s2.out0` holds at least {least} of 512 cells at the fullest of each bin from 80 to 120 us. SAQs keep the name of the root that was there when \
         they were made: RECN does not rename a tree while its queues are full. That the flows are limited one switch before is seen from Xoff, \
         which `s2` stops sending.",
    );
    Ok(())
}
