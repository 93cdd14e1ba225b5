//! `Protocol::Paper`: "its counterexamples as tests, drawn in the docs" (issue). Each test is a
//! run, and the entries that it leaves wrong; the page has the chart of it.

use super::cases::{c4, complete_by};
use super::chart::Chart;
use super::explore::{Faults, explore};
use super::network::{Action, Network};
use super::shape::Shape;
use hierarchy::recovery::Region::{Node, SuperNode};
use hierarchy::recovery::{Protocol, Region};

const PAGE: &str = include_str!("../../../../../docs/units/recovery.md");

impl Chart<'_> {
    fn of(shape: &Shape) -> Chart<'_> {
        Chart::new(shape, Network::new(shape, Protocol::Paper))
    }

    /// A fault, and what is due after it until nothing is: the first that is not on a link that has
    /// to wait, else the first.
    fn fault(&mut self, action: Action, waits: Option<usize>) {
        self.step(action);
        loop {
            let mut due = Vec::new();
            self.network.due(self.shape, |action| due.push(action));
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

/// K2 x 2: a-b, c-d, and one link a-c. It fails, and a keeps its own dead port, since not all nodes
/// of super node 1 have failed; so does b, which receives FD of c alone.
#[test]
fn k2_by_2_keeps_its_own_dead_port() {
    let shape = complete_by(2, 2, 1);
    let mut run = Chart::of(&shape);
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
    let mut run = Chart::of(&shape);
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
    let mut run = Chart::of(&shape);
    for router in [4, 5] {
        run.fault(Action::RouterFails(router), None);
        assert_eq!(run.wrong(), [], "all is right until the last one fails");
    }
    run.text.clear();
    let names = Chart::of(&shape).text;
    run.fault(Action::RouterFails(3), Some(run.link(0, 2)));
    run.text.insert_str(0, &names);
    assert_eq!(run.wrong(), [(2, SuperNode(1), vec![0], vec![])]);
    run.is_on_page();
    // If the packet from a is the first at c, all is right.
    let mut other = Chart::of(&shape);
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
    let mut run = Chart::of(&shape);
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

/// None of these runs leaves the default protocol wrong.
#[test]
fn per_entry_is_right_in_all_of_them() {
    let runs: [(Shape, &[Action]); 4] = [
        (complete_by(2, 2, 1), &[Action::LinkFails(2)]),
        (complete_by(3, 1, 0), &[Action::LinkFails(0)]),
        (
            complete_by(3, 2, 1),
            &[Action::RouterFails(4), Action::RouterFails(5), Action::RouterFails(3)],
        ),
        (c4(), &[Action::LinkFails(0), Action::LinkFails(2), Action::LinkRepaired(0)]),
    ];
    for (shape, faults) in &runs {
        let network = Network::new(shape, Protocol::PerEntry);
        let mut run = Chart::new(shape, network);
        for &fault in *faults {
            run.fault(fault, None);
        }
        assert_eq!(run.wrong(), []);
    }
}

/// The run of C4 with the default protocol, on the page too.
#[test]
fn per_entry_reports_recovery() {
    let shape = c4();
    let mut run = Chart::new(&shape, Network::new(&shape, Protocol::PerEntry));
    for fault in [Action::LinkFails(0), Action::LinkFails(2)] {
        run.fault(fault, None);
    }
    run.text = Chart::of(&shape).text;
    run.fault(Action::LinkRepaired(0), None);
    assert_eq!(run.wrong(), []);
    run.is_on_page();
}
