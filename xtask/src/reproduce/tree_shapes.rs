//! garcia-trees-2005: how congestion trees grow, move and merge (figures 1 to 3), and the tree of eight sources (figure 6).

use super::tree_picture::{Way, picture};
use crate::page::{self, root};
use fabric::{Engine, Tree, Trees};
use scenario::{Scenario, Set};
use setaside::{Exit, Failure, Recorded, simulate_recorded};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use switch::Side;
use units::{Tick, Unit};

fn out(switch: u32, port: u8) -> Unit {
    Unit::Egress { switch, port }
}

fn short(unit: Unit) -> String {
    unit.to_string()
        .replace("fabric.switch", "s")
        .replace("fabric.node", "n")
}

fn load(name: &str, sets: &[(&str, &str)]) -> Result<Scenario, Failure> {
    let sets: Vec<Set> = sets.iter().map(|(k, v)| Set::new(k, v)).collect();
    let file = root().join(format!("scenarios/garcia-trees-2005/{name}.toml"));
    Ok(Scenario::load(&file, &sets)?)
}

fn record(scenario: &Scenario) -> Result<Recorded, Failure> {
    Ok(simulate_recorded(scenario, Engine::Fast, None, &|| ())?.1)
}

/// Whether the published statement holds of the recorded trees.
type Check = fn(&Recorded) -> bool;

struct Experiment {
    key: &'static str,
    published: &'static str,
    /// When sending ends, us.
    until_us: u64,
    holds: Check,
}

fn us(recorded: &Recorded, us: u64) -> Tick {
    recorded.time_base.ns_to_ticks_ceil(us * 1000)
}

/// The side on which each root was seen first.
fn sides(trees: &Trees) -> BTreeMap<Unit, Side> {
    let mut sides = BTreeMap::new();
    for tree in trees.trees() {
        sides.entry(tree.root).or_insert(tree.first_seen);
    }
    sides
}

fn whole(trees: &Trees, at: Tick) -> Vec<Unit> {
    let there = trees.trees().iter();
    there
        .filter(|t| t.is_alive(at) && !t.is_inside(at))
        .map(|t| t.root)
        .collect()
}

fn first(trees: &Trees, root: Unit) -> Option<&Tree> {
    trees.trees().iter().find(|t| t.root == root)
}

fn merges(trees: &Trees, from: Unit, to: Unit) -> bool {
    let moves = trees.moves();
    moves
        .iter()
        .any(|m| m.downstream && m.from == from && m.to == to)
}

/// The root is seen first at its egress, and at each other switch the egress port joins before the ingress ports.
fn egress_first(recorded: &Recorded) -> bool {
    let trees = &recorded.recording.trees;
    let Some(tree) = first(trees, out(0, 5)) else {
        return false;
    };
    tree.first_seen == Side::Egress
        && (1..=10).all(|switch| {
            let [egress, ingress] =
                [Side::Egress, Side::Ingress].map(|side| tree.joined_switch(switch, side));
            egress.is_some() && egress < ingress
        })
}

fn first_sides(recorded: &Recorded, ingress: &[u32], egress: &[u32], port: u8) -> bool {
    let sides = sides(&recorded.recording.trees);
    let all = |switches: &[u32], side| {
        switches
            .iter()
            .all(|&s| sides.get(&out(s, port)) == Some(&side))
    };
    all(ingress, Side::Ingress) && all(egress, Side::Egress)
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        key: "1a",
        published: "grows from the root to the leaves; at each switch egress before ingress",
        until_us: 60,
        holds: egress_first,
    },
    Experiment {
        key: "1b",
        published: "first at ingress at sw1 (s1), sw2 (s2); at egress at the root (s0), sw3, sw4; local spots end up in one tree",
        until_us: 60,
        holds: |r| {
            first_sides(r, &[1, 2], &[0, 3, 4], 0)
                && whole(&r.recording.trees, us(r, 59)) == [out(0, 0)]
        },
    },
    Experiment {
        key: "1c",
        published: "root moves downstream, first tree (root s1) becomes a subtree",
        until_us: 90,
        holds: |r| {
            merges(&r.recording.trees, out(1, 0), out(2, 0))
                && whole(&r.recording.trees, us(r, 89)) == [out(2, 0)]
        },
    },
    Experiment {
        key: "2a",
        published: "two flows, no speedup: ingress",
        until_us: 60,
        holds: |r| first_sides(r, &[0], &[], 3),
    },
    Experiment {
        key: "2b",
        published: "two flows, speedup 2: egress",
        until_us: 60,
        holds: |r| first_sides(r, &[], &[0], 3),
    },
    Experiment {
        key: "2c",
        published: "three flows, speedup 2: ingress",
        until_us: 60,
        holds: |r| first_sides(r, &[0], &[], 3),
    },
    Experiment {
        key: "3a",
        published: "trees of sw1 (s1) and sw2 (s2) meet in a new root sw3 (s3) and merge",
        until_us: 90,
        holds: |r| {
            let trees = &r.recording.trees;
            merges(trees, out(1, 0), out(3, 0))
                && merges(trees, out(2, 0), out(3, 0))
                && whole(trees, us(r, 89)) == [out(3, 0)]
        },
    },
    Experiment {
        key: "3b",
        published: "the later tree shares X (s3.out0) with the first; they stay two",
        until_us: 90,
        holds: |r| {
            let (trees, at) = (&r.recording.trees, us(r, 85));
            let both = [out(1, 3), out(2, 3)].map(|root| first(trees, root));
            both.iter().all(|tree| {
                tree.is_some_and(|t| {
                    t.inside.is_empty()
                        && t.branches
                            .iter()
                            .any(|b| b.unit == out(3, 0) && b.is_there(at))
                })
            })
        },
    },
    Experiment {
        key: "3c",
        published: "root moves upstream from sw2 (s2) to sw1 (s1), sw2's queues stay full",
        until_us: 120,
        holds: |r| {
            first(&r.recording.trees, out(2, 0)).is_some_and(|t| {
                t.acting(us(r, 39)) == [out(2, 0)] && t.acting(us(r, 100)) == [out(1, 0)]
            })
        },
    },
];

/// The sensitivity that moves 1b and 2c.
const LATE_EGRESS: (&str, &str) = ("recn.detection_egress_packets", "31");

/// What the trees of a run say, in one cell of a table.
fn measured(recorded: &Recorded, until_us: u64) -> String {
    let trees = &recorded.recording.trees;
    let mut parts = Vec::new();
    let mut seen = Vec::new();
    for tree in trees.trees() {
        if seen.contains(&tree.root) {
            continue;
        }
        seen.push(tree.root);
        let side = if tree.first_seen == Side::Egress {
            "egress"
        } else {
            "ingress"
        };
        let born = recorded.time_base.ticks_to_ns(tree.born) / 1000.0;
        parts.push(format!("{} ({side}, {born:.2})", short(tree.root)));
    }
    let mut text = format!("roots: {}", parts.join(", "));
    let mut moves = Vec::new();
    for m in trees.moves() {
        let (from, to) = (short(m.from), short(m.to));
        let at = recorded.time_base.ticks_to_ns(m.at) / 1000.0;
        moves.push(format!("{from} -> {to} ({at:.1})"));
    }
    if !moves.is_empty() {
        let _ = write!(text, "; moved: {}", moves.join(", "));
    }
    let end: Vec<String> = whole(trees, us(recorded, until_us - 1))
        .into_iter()
        .map(short)
        .collect();
    let _ = write!(
        text,
        "; whole trees at {} us: {}",
        until_us - 1,
        end.join(", ")
    );
    for tree in trees.trees().iter().filter(|t| t.acting.len() > 1) {
        let acting = tree.acting.iter().map(|(from, ports)| {
            let names: Vec<String> = ports.iter().map(|&p| short(p)).collect();
            let from = recorded.time_base.ticks_to_ns(*from) / 1000.0;
            let names = if names.is_empty() {
                "none".to_string()
            } else {
                names.join(" and ")
            };
            format!("{names} from {from:.0}")
        });
        let acting: Vec<String> = acting.collect();
        if seen.len() < 3 {
            let _ = write!(
                text,
                "; acts as root of {}: {}",
                short(tree.root),
                acting.join(", ")
            );
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
        "### Eight sources to one node, figure 6\n\n64 nodes, speedup 1.5, eight sources at full rate to node 32 from the start, 200 us \
         (`scenarios/garcia-trees-2005/eight-sources*.toml`). *Ports where flows meet* comes from the routes alone: output ports that two or \
         more input ports feed. A tree is *a part* of another when its root port holds SAQs for that other root.\n\n\
         | sources | scheme | published | ports where flows meet | roots ever | at the end | of these parts of another | root of the whole | seen first |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    let mut pictures = String::new();
    for (name, what) in [
        ("eight-sources", "in pairs"),
        ("eight-sources-spread", "spread"),
    ] {
        for (scheme, published) in [
            ("recn-basic", "7 subtrees"),
            ("recn", "1 tree, root at the egress of the last switch"),
        ] {
            let scenario = load(name, &[("switch.scheme", scheme)])?;
            let ways = ways(&scenario)?;
            let recorded = record(&scenario)?;
            let end = us(&recorded, 199);
            let trees = &recorded.recording.trees;
            let alive: Vec<&Tree> = trees.trees().iter().filter(|t| t.is_alive(end)).collect();
            let outer: Vec<&&Tree> = alive.iter().filter(|t| !t.is_inside(end)).collect();
            let list = |f: &dyn Fn(&Tree) -> String| {
                let all: Vec<String> = outer.iter().map(|t| f(t)).collect();
                all.join(", ")
            };
            let _ = writeln!(
                text,
                "| {what} | {scheme} | {published} | {} | {} | {} | {} | {} | {} |",
                merge_points(&ways),
                trees.trees().len(),
                alive.len(),
                alive.len() - outer.len(),
                list(&|t| short(t.root)),
                list(&|t| if t.first_seen == Side::Egress {
                    "egress".to_string()
                } else {
                    "ingress".to_string()
                }),
            );
            let title = format!("Eight sources {what}, {scheme}: who told whom");
            let svg = picture(&title, &ways, DESTINATION, &recorded);
            let path = format!("docs/img/{name}-{scheme}.svg");
            page::write(&path, &svg)?;
            let _ = writeln!(
                pictures,
                "![{title}]({})\n",
                path.trim_start_matches("docs/")
            );
        }
    }
    text.push_str(
        "\n`recn-basic` sees each port where flows meet as a root of its own and keeps them all, since notifications of farther roots are more \
         specific and refused; six here and not seven, because in this network three links meet at one port (with the sources spread, four and \
         four). `recn` sees some of them for a few microseconds and ends with one tree. Its root is the last port where flows meet: behind it \
         the way to the node is not shared any more, and where the third link comes in that port is one switch before the last.\n\n",
    );
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
        let hops = path
            .map_err(|e| Failure::new(Exit::Failure, format!("error: {e}")))?
            .hops;
        let hops = hops.iter().map(|h| (h.switch, h.in_port, h.out_port));
        ways.push((source, hops.collect()));
    }
    Ok(ways)
}

fn merge_points(ways: &[Way]) -> usize {
    let mut inputs: BTreeMap<(u32, u8), Vec<u8>> = BTreeMap::new();
    for &(switch, input, output) in ways.iter().flat_map(|w| &w.1) {
        let ports = inputs.entry((switch, output)).or_default();
        if !ports.contains(&input) {
            ports.push(input);
        }
    }
    inputs.values().filter(|ports| ports.len() > 1).count()
}

fn evolution(text: &mut String) -> Result<(), Failure> {
    text.push_str(
        "### Evolution of trees, figures 1 to 3\n\n`scenarios/garcia-trees-2005/evolution-*.toml`, scheme `recn`, default thresholds (ingress and \
         egress detection 10 packets). Times are in us. A root is named by its output port, with the side on which it was seen first and when. A \
         port *acts as root* while queues that feed it are at Xoff and the queue behind it is not, looked at in windows of 5 us.\n\n\
         | | published | measured | as published | with egress detection at 31 packets |\n|---|---|---|---|---|\n",
    );
    for experiment in EXPERIMENTS {
        let name = format!("evolution-{}", experiment.key);
        let recorded = record(&load(&name, &[])?)?;
        let late = record(&load(&name, &[LATE_EGRESS])?)?;
        let word = |holds: bool| if holds { "yes" } else { "**no**" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            experiment.key,
            experiment.published,
            measured(&recorded, experiment.until_us),
            word((experiment.holds)(&recorded)),
            word((experiment.holds)(&late)),
        );
    }
    text.push_str(
        "\nWhich side is first depends on the thresholds where more flows meet than the speedup carries. N flows at full rate and speedup 2 make \
         the egress queue gain one packet a packet time and each ingress queue 1 - 2/N of one. Three flows (1b at sw1 and sw2, 2c) meet the ingress \
         threshold first if it is less than a third of that at the egress; five flows (1a) meet the egress threshold first unless that is more than \
         5/3 of the ingress one. No pair of thresholds gives both as published; the defaults are left alone.\n\n\
         In 3c SAQs keep the name of the root that was there when they were made: RECN does not rename a tree while its queues are full. That the \
         flows are limited one switch before is seen from Xoff, which `s2` stops sending.\n",
    );
    Ok(())
}
