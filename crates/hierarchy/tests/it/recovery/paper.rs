//! `Protocol::Paper`: "its counterexamples as tests, drawn in the docs" (issue). Each test is a
//! run, and the entries that it leaves wrong; the page has the chart of it.

use super::explore::{Faults, explore};
use super::network::{Action, Network};
use super::shape::{Shape, c4, complete_by};
use hierarchy::recovery::Region::{Node, SuperNode};
use hierarchy::recovery::{Effect, Message, Protocol, Region};
use std::fmt::Write as _;

const PAGE: &str = include_str!("../../../../../docs/units/recovery.md");

/// From column to column.
const WIDTH: usize = 9;

/// A network and the sequence chart of its run as text.
struct Chart<'a> {
    shape: &'a Shape,
    network: Network,
    text: String,
}

/// Routers as letters.
fn name(router: usize) -> char {
    char::from(b'a' + router as u8)
}

impl<'a> Chart<'a> {
    fn new(shape: &'a Shape, protocol: Protocol) -> Chart<'a> {
        let names = (0..shape.tables.len()).map(|r| format!("{:<WIDTH$}", name(r)));
        let text = format!("{}\n", names.collect::<String>().trim_end());
        Chart { shape, network: Network::new(shape, protocol), text }
    }

    /// A row: a column for each router, and notes beside them.
    fn step(&mut self, action: Action) {
        let before = self.network.clone();
        let (router, effects) = self.network.step(self.shape, action);
        let changes = effects.iter().filter_map(|effect| match effect {
            Effect::Entry { region, .. } => Some(*region),
            Effect::Send { .. } => None,
        });
        let mut notes: Vec<String> =
            changes.map(|region| self.change(&before, router, region)).collect();
        let width = WIDTH * (self.shape.tables.len() - 1) + 1;
        let bar = |at| if at % WIDTH == 0 { '|' } else { ' ' };
        let mut columns: Vec<char> = (0..width).map(bar).collect();
        let ends = |link: usize| self.shape.links[link].map(|end| end.0);
        let pair = |link| ends(link).map(name);
        match action {
            Action::LinkFails(link) => {
                let [a, b] = pair(link);
                notes = vec![format!("link {a}-{b} fails")];
            }
            Action::LinkRepaired(link) => {
                let [a, b] = pair(link);
                notes = vec![format!("link {a}-{b} is repaired")];
            }
            Action::RouterFails(r) => notes = vec![format!("node {} fails", name(r))],
            Action::RouterRepaired(r) => notes = vec![format!("node {} is repaired", name(r))],
            Action::Noticed(link, end) => {
                columns[ends(link)[end] * WIDTH] = 'o';
                let state = if before.carries[link] { "up" } else { "down" };
                let (sees, other) = (pair(link)[end], pair(link)[1 - end]);
                notes.insert(0, format!("{sees} sees {other} {state}"));
            }
            Action::Delivered(link, end) => {
                let text = self.label(ends(link)[end], before.ways[link][end][0]);
                arrow(&mut columns, ends(link)[1 - end], ends(link)[end], &text);
            }
        }
        let row = format!("{}  {}", columns.iter().collect::<String>(), notes.join("; "));
        let _ = writeln!(self.text, "{}", row.trim_end());
    }

    fn change(&self, before: &Network, router: usize, region: Region) -> String {
        let ports = |network: &Network| {
            let behind = Network::behind(self.shape, router, network.routers[router].entry(region));
            behind.into_iter().map(name).collect::<String>()
        };
        let entry = self.region(router, region);
        format!("{}[{entry}] {{{}}}>{{{}}}", name(router), ports(before), ports(&self.network))
    }

    fn region(&self, router: usize, region: Region) -> String {
        match region {
            Region::Node(node) => {
                let own = self.shape.super_node(router) * self.shape.nodes;
                name(own + usize::from(node)).to_string()
            }
            Region::SuperNode(super_node) => format!("S{super_node}"),
        }
    }

    fn label(&self, router: usize, message: Message) -> String {
        match message {
            Message::Unreachable(region) => format!("FD {}", self.region(router, region)),
            Message::Reachable(region) => format!("FR {}", self.region(router, region)),
            Message::End => "end".to_string(),
            Message::Failed(place, _) => format!("FD {}", name(self.shape.router(place))),
            Message::Recovered(_) => "FR".to_string(),
        }
    }

    /// A fault, and what is due after it until nothing is: the first that is not on a link that has
    /// to wait, else the first.
    fn fault(&mut self, action: Action, waits: Option<usize>) {
        self.step(action);
        loop {
            let due = self.network.due(self.shape);
            let held =
                |action: &&Action| !matches!(action, Action::Delivered(l, _) if Some(*l) == waits);
            let Some(&next) = due.iter().find(held).or(due.first()) else {
                return;
            };
            self.step(next);
        }
    }

    /// The links between two routers.
    fn link(&self, a: usize, b: usize) -> usize {
        let mut links = self.shape.links.iter();
        let between = |ends: &[(usize, u8); 2]| ends.map(|end| end.0) == [a, b];
        links.position(between).expect("a link")
    }

    /// Entries that are wrong: router, entry, routers behind its ports, those that it should have.
    fn wrong(&self) -> Vec<(usize, Region, Vec<usize>, Vec<usize>)> {
        let wrong = self.network.wrong(self.shape).into_iter();
        let behind = |router, ports| Network::behind(self.shape, router, ports);
        wrong.map(|(r, region, is, must)| (r, region, behind(r, is), behind(r, must))).collect()
    }

    fn is_on_page(&self) {
        assert!(PAGE.contains(&self.text), "{}", self.text);
    }
}

/// An arrow between columns, with a label in its middle.
fn arrow(columns: &mut [char], from: usize, to: usize, label: &str) {
    let (first, last) = (from.min(to) * WIDTH + 1, from.max(to) * WIDTH);
    columns[first..last].fill('-');
    if from < to {
        columns[last - 1] = '>';
    } else {
        columns[first] = '<';
    }
    let start = first + (last - first - label.len()) / 2;
    for (at, letter) in label.chars().enumerate() {
        columns[start + at] = letter;
    }
}

/// K2 x 2: a-b, c-d, and one link a-c. It fails, and a keeps its own dead port, since not all nodes
/// of super node 1 have failed; so does b, which receives FD of c alone.
#[test]
fn k2_by_2_keeps_its_own_dead_port() {
    let shape = complete_by(2, 2, 1);
    let mut run = Chart::new(&shape, Protocol::Paper);
    run.fault(Action::LinkFails(run.link(0, 2)), None);
    let wrong = [
        (0, SuperNode(1), vec![2], vec![]),
        (1, SuperNode(1), vec![0], vec![]),
        (2, SuperNode(0), vec![0], vec![]),
        (3, SuperNode(0), vec![2], vec![]),
    ];
    assert_eq!(run.wrong(), wrong);
    run.is_on_page();
}

/// K3: a-b fails. Tables lose ports and are never computed anew: a and b cannot reach each other,
/// although c reaches both. Pruned tables from scratch are the same, in every
/// order of one fault: this is a limit of pruned tables, not of the paper's messages.
#[test]
fn k3_is_never_recomputed() {
    let shape = complete_by(3, 1, 0);
    let mut run = Chart::new(&shape, Protocol::Paper);
    run.fault(Action::LinkFails(run.link(0, 1)), None);
    let entry = |router: usize, node| run.network.routers[router].entry(Node(node));
    assert_eq!([entry(0, 1), entry(1, 0)], [0, 0]);
    for (router, node) in [(0, 2), (2, 1), (1, 2), (2, 0)] {
        assert_ne!(entry(router, node), 0);
    }
    assert_eq!(run.wrong(), []);
    run.is_on_page();
    let faults = Faults { count: 1, links: true, routers: true };
    let explored = explore(&shape, Protocol::Paper, faults, None);
    assert_eq!((explored.wrong, explored.rests), (None, true));
}

/// K3 x 2: all nodes of super node 1 fail, the one with the global link last. Its neighbour a sends
/// FD to b and c; b sends the packet on to c, where it arrives first and does not name the port to
/// a; that of a itself is dropped as a duplicate.
#[test]
fn k3_by_2_drops_what_it_needs() {
    let shape = complete_by(3, 2, 1);
    let mut run = Chart::new(&shape, Protocol::Paper);
    for router in [4, 5] {
        run.fault(Action::RouterFails(router), None);
        assert_eq!(run.wrong(), [], "all is right until the last one fails");
    }
    run.text.clear();
    let names = Chart::new(&shape, Protocol::Paper).text;
    run.fault(Action::RouterFails(3), Some(run.link(0, 2)));
    run.text.insert_str(0, &names);
    assert_eq!(run.wrong(), [(2, SuperNode(1), vec![0], vec![])]);
    run.is_on_page();
    // If the packet from a is the first at c, all is right.
    let mut other = Chart::new(&shape, Protocol::Paper);
    for router in [4, 5, 3] {
        other.fault(Action::RouterFails(router), None);
    }
    assert_eq!(other.wrong(), []);
}

/// C4: a-b and c-d fail, a-b is repaired. Entries of a and b still lack the other link's ports, so
/// neither sends FR, and the entries through a and b stay empty at c and d.
#[test]
fn c4_does_not_report_recovery() {
    let shape = c4();
    let mut run = Chart::new(&shape, Protocol::Paper);
    run.fault(Action::LinkFails(run.link(0, 1)), None);
    run.fault(Action::LinkFails(run.link(2, 3)), None);
    assert_eq!(run.wrong(), []);
    run.fault(Action::LinkRepaired(run.link(0, 1)), None);
    let wrong = [(2, Node(0), vec![], vec![1]), (3, Node(1), vec![], vec![0])];
    assert_eq!(run.wrong(), wrong);
    run.is_on_page();
}

/// C4: one link that fails and is repaired is enough, in an order in which FR of another router
/// comes round before the one that is needed.
#[test]
fn c4_is_left_wrong_by_one_link_too() {
    let faults = Faults { count: 1, links: true, routers: false };
    let way = explore(&c4(), Protocol::Paper, faults, None).wrong;
    assert_eq!(way.expect("a wrong entry").len(), 20);
}

/// The run of C4 with the default protocol, on the page too.
#[test]
fn per_entry_reports_recovery() {
    let shape = c4();
    let mut run = Chart::new(&shape, Protocol::PerEntry);
    for fault in [Action::LinkFails(0), Action::LinkFails(2)] {
        run.fault(fault, None);
    }
    run.text = Chart::new(&shape, Protocol::Paper).text;
    run.fault(Action::LinkRepaired(0), None);
    assert_eq!(run.wrong(), []);
    run.is_on_page();
}
