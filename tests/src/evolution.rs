//! What garcia-trees-2005 shows of congestion trees that grow, move and merge (figures 1 to 3),
//! looked for in the recorded runs of `scenarios/garcia-trees-2005/evolution-*.toml`: the tests
//! require it, `cargo xtask reproduce` prints it.

use crate::prelude::*;
use inspect::{Move, Tree, Trees};
use observe::Side;
use setaside::Recorded;
use std::ops::Range;

/// Whether something holds, such as a published statement; else what of it does not.
pub type Holds = Result<(), String>;

/// Egress detection above three times the ingress detection: where three flows meet at speedup 2
/// the ingress is first then.
pub const LATE_EGRESS: (&str, &str) = ("recn.detection_egress_packets", "31");

/// When later flows start and, in 3c, one stops, us.
const LATER: u64 = 40;

/// Egress side of a port.
pub fn out(switch: u32, port: u8) -> Unit {
    Unit::Egress { switch, port }
}

/// Injection memory of a node.
pub fn injection(node: u32) -> Unit {
    Unit::Injection { node }
}

/// Microseconds as ticks.
pub fn us(recorded: &Recorded, us: u64) -> Tick {
    Tick::ZERO + recorded.time_base.ns_to_ticks_ceil(us * 1000)
}

/// All roots, for however long.
pub fn roots(trees: &Trees) -> BTreeSet<Unit> {
    trees.trees().iter().map(|t| t.root).collect()
}

/// Roots of the trees at `at` that are no part of another.
pub fn whole(trees: &Trees, at: Tick) -> BTreeSet<Unit> {
    let there = trees.trees().iter();
    there.filter(|t| t.is_alive(at) && !t.is_inside(at)).map(|t| t.root).collect()
}

/// The side on which each root was seen first.
pub fn sides(trees: &Trees) -> BTreeMap<Unit, Side> {
    let mut sides = BTreeMap::new();
    for tree in trees.trees() {
        sides.entry(tree.root).or_insert(tree.first_seen);
    }
    sides
}

/// The most cells in the normal queues of a port, by bin of the series, between two times in us.
pub fn cells(recorded: &Recorded, port: Unit, between: Range<f64>) -> Vec<u32> {
    let mut lines = recorded.recording.recorder.ports_csv().lines();
    let header = lines.next().unwrap_or_default();
    let at = header.split(',').position(|name| name == "cells_normal_max");
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let time: f64 = fields[0].parse().ok()?;
        let there = fields[1] == port.to_string() && between.contains(&(time / 1000.0));
        fields[at?].parse().ok().filter(|_| there)
    };
    lines.filter_map(line).collect()
}

fn part(holds: bool, what: impl Into<String>) -> Holds {
    if holds { Ok(()) } else { Err(what.into()) }
}

/// The first tree with this root.
fn tree(trees: &Trees, root: Unit) -> Result<&Tree, String> {
    let mut found = trees.trees().iter().filter(|t| t.root == root);
    found.next().ok_or_else(|| format!("no tree at {root}"))
}

fn joined(tree: &Tree, unit: Unit) -> Option<Tick> {
    let branch = tree.branches.iter().find(|b| b.unit == unit);
    branch.map(|b| b.joined)
}

/// From where to where roots moved downstream.
fn merged(trees: &Trees) -> BTreeSet<(Unit, Unit)> {
    let moves = trees.moves();
    let downstream = moves.iter().filter(|m| m.downstream);
    downstream.map(|m| (m.from, m.to)).collect()
}

/// The roots, all at output `port`, are those of these switches, first seen on these sides.
pub fn first_seen(recorded: &Recorded, port: u8, ingress: &[u32], egress: &[u32]) -> Holds {
    let at = |switches: &[u32], side| {
        let all = switches.iter().map(|&s| (out(s, port), side));
        all.collect::<BTreeMap<_, _>>()
    };
    let mut published = at(ingress, Side::Ingress);
    published.extend(at(egress, Side::Egress));
    let sides = sides(&recorded.recording.trees);
    part(sides.keys().eq(published.keys()), "the roots")?;
    part(sides == published, "sides on which roots are seen first")
}

/// "1a five flows that meet only at the root switch: grows from the root to the leaves; at each
/// switch egress queues fill before ingress queues." (scenarios.md)
pub fn one_a(recorded: &Recorded) -> Holds {
    let trees = &recorded.recording.trees;
    let root = out(0, 5);
    part(roots(trees) == [root].into(), "the roots")?;
    let tree = tree(trees, root)?;
    part(tree.first_seen == Side::Egress, "egress before ingress at the root")?;
    for k in 0..5u8 {
        let (middle, leaf) = (u32::from(k) + 1, u32::from(k) + 6);
        let input = |switch, port| Unit::Ingress { switch, port };
        let way = [
            input(0, k),
            out(middle, 0),
            input(middle, 1),
            out(leaf, 0),
            input(leaf, 1),
            injection(u32::from(k)),
        ];
        let ticks = way.map(|unit| joined(tree, unit));
        let grows = Some(tree.born) <= ticks[0] && ticks.is_sorted_by(|a, b| a < b);
        part(grows, format!("root to leaf, flow {k}"))?;
        for switch in [middle, leaf] {
            let [egress, ingress] =
                [Side::Egress, Side::Ingress].map(|side| tree.joined_switch(switch, side));
            let first = egress.is_some() && egress < ingress;
            part(first, format!("egress before ingress at s{switch}"))?;
        }
    }
    let nodes: BTreeSet<Unit> = (0..5).map(injection).collect();
    part(tree.leaves(tree.peak().1) == nodes, "leaves")?;
    part(tree.acting(us(recorded, 40)) == [root], "root that acts")
}

/// "1b eight flows to one node, three of them merging at sw1: [...] local spots end up in one
/// tree." (scenarios.md)
pub fn one_b_spots(recorded: &Recorded) -> Holds {
    let trees = &recorded.recording.trees;
    let spots: BTreeSet<Unit> = (0..5).map(|s| out(s, 0)).collect();
    part(roots(trees) == spots, "the roots")?;
    // Before egress memories are full.
    part(whole(trees, us(recorded, 20)) == spots, "local spots")?;
    let one = BTreeSet::from([out(0, 0)]);
    part(whole(trees, us(recorded, 59)) == one, "one tree at the end")?;
    let merged = merged(trees);
    for (from, to) in [(1, 4), (2, 4), (3, 0), (4, 0)] {
        let there = merged.contains(&(out(from, 0), out(to, 0)));
        part(there, format!("s{from} becomes a part of s{to}"))?;
    }
    Ok(())
}

/// "1b [...] congestion is first at the ingress at sw1, sw2 and first at the egress at the root,
/// sw3, sw4" (scenarios.md)
pub fn one_b_sides(recorded: &Recorded) -> Holds {
    first_seen(recorded, 0, &[1, 2], &[0, 3, 4])
}

/// "1c three flows merge at a first-stage switch; later a fourth joins at the second stage: the
/// root moves downstream, the first tree becomes a subtree." (scenarios.md)
pub fn one_c(recorded: &Recorded) -> Holds {
    let trees = &recorded.recording.trees;
    let (from, to) = (out(1, 0), out(2, 0));
    let (first, second) = (tree(trees, from)?, tree(trees, to)?);
    let later = us(recorded, LATER);
    part(first.born < later, "a tree before the fourth flow")?;
    part(second.born >= later, "another with the fourth flow")?;
    let before = whole(trees, us(recorded, LATER - 1));
    part(before == [from].into(), "one tree before the fourth flow")?;
    let moves = trees.moves();
    let [Move { at, downstream: true, .. }] = moves[..] else {
        return Err("one move, downstream".to_string());
    };
    part(merged(trees) == [(from, to)].into(), "roots of the move")?;
    let becomes = first.is_inside(at) && trees.trees()[first.inside[0].tree] == *second;
    part(becomes, "the first becomes a subtree")?;
    let end = whole(trees, us(recorded, 89));
    part(end == [to].into(), "one tree at the end")?;
    part(first.acting(us(recorded, 35)) == [from], "first acts")?;
    part(second.acting(us(recorded, 85)) == [to], "second acts")?;
    // What was its root is a branch now, and its sources are leaves of the other tree.
    part(joined(second, from) == Some(at), "root becomes a branch")?;
    let leaves = second.leaves(second.peak().1);
    part(leaves.contains(&injection(0)), "leaves move")
}

/// "3a tree 1 (root sw1) then tree 2 (root sw2) meet in a new root sw3 and merge." (scenarios.md)
pub fn three_a(recorded: &Recorded) -> Holds {
    let trees = &recorded.recording.trees;
    let [one, two, new] = [1, 2, 3].map(|s| out(s, 0));
    part(roots(trees) == [one, two, new].into(), "the roots")?;
    let before = whole(trees, us(recorded, LATER - 1));
    part(before == [one].into(), "tree 1 alone before tree 2")?;
    let later = tree(trees, two)?.born < tree(trees, new)?.born;
    part(later, "the new root after tree 2")?;
    let both = BTreeSet::from([(one, new), (two, new)]);
    part(merged(trees) == both, "both merge")?;
    let end = whole(trees, us(recorded, 89));
    part(end == [new].into(), "one tree at the end")
}

/// "3b a branch of a later tree shares point X with tree 1 and they stay two." (scenarios.md)
pub fn three_b(recorded: &Recorded) -> Holds {
    let trees = &recorded.recording.trees;
    let x = out(3, 0);
    let (first, second) = (tree(trees, out(1, 3))?, tree(trees, out(2, 3))?);
    let later = us(recorded, LATER);
    part(first.born < later, "tree 1 before the later flows")?;
    part(second.born >= later, "tree 2 with the later flows")?;
    let at = us(recorded, 85);
    for (tree, name) in [(first, "tree 1"), (second, "tree 2")] {
        let reaches = tree.branches.iter().any(|b| b.unit == x && b.is_there(at));
        part(reaches, format!("{name} reaches X"))?;
        part(tree.inside.is_empty(), format!("{name} stays whole"))?;
    }
    let both = BTreeSet::from([first.root, second.root]);
    part(whole(trees, at) == both, "they stay two")?;
    // X is overloaded itself until tree 2 has come up to it: that spot is a part of a tree from its
    // birth on.
    let mut spots = trees.trees().iter().filter(|t| t.root == x);
    let inside = spots.all(|t| t.inside.first().is_some_and(|i| i.from == t.born));
    part(inside, "X a part from its birth on")
}

/// "3c one flow stops: the root moves upstream from sw2 to sw1, while sw2's queues stay full."
/// (scenarios.md) SAQs keep the name of the root that was there when they were made; that sw1
/// limits the flows is seen from Xoff.
pub fn three_c(recorded: &Recorded) -> Holds {
    let root = out(2, 0);
    let tree = tree(&recorded.recording.trees, root)?;
    let before = tree.acting(us(recorded, LATER - 1));
    part(before == [root], "s2 acts before")?;
    let after = us(recorded, 100);
    part(tree.acting(after) == [out(1, 0)], "s1 acts after")?;
    part(tree.is_alive(after), "the tree stays")?;
    // 512 cells; one packet is always on its way out.
    let full = three_c_cells(recorded);
    part(full == [511; 8], "queues of s2 stay full")
}

/// What the queues of sw2 hold in 3c, from when the flow that stops has drained until the others
/// stop.
pub fn three_c_cells(recorded: &Recorded) -> Vec<u32> {
    cells(recorded, out(2, 0), 80.0..120.0)
}
