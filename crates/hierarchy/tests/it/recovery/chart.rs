//! Sequence charts as text.

use super::network::{Action, Network};
use super::shape::Shape;
use hierarchy::recovery::{Effect, Message, Region};
use std::fmt::Write as _;

/// From column to column.
const WIDTH: usize = 9;

pub(crate) struct Chart<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) network: Network,
    pub(crate) text: String,
}

/// Routers as letters.
fn name(router: usize) -> char {
    char::from(b'a' + router as u8)
}

impl<'a> Chart<'a> {
    pub(crate) fn new(shape: &'a Shape, network: Network) -> Chart<'a> {
        let names = (0..shape.tables.len()).map(|r| format!("{:<WIDTH$}", name(r)));
        let text = format!("{}\n", names.collect::<String>().trim_end());
        Chart { shape, network, text }
    }

    /// The columns, and a note beside them.
    fn row(&mut self, columns: &str, beside: &str) {
        let width = WIDTH * (self.shape.tables.len() - 1) + 1;
        let _ = writeln!(self.text, "{}", format!("{columns:<width$}  {beside}").trim_end());
    }

    fn bars(&self) -> Vec<char> {
        let bar = |at| if at % WIDTH == 0 { '|' } else { ' ' };
        (0..WIDTH * (self.shape.tables.len() - 1) + 1).map(bar).collect()
    }

    pub(crate) fn step(&mut self, action: Action) {
        let before = self.network.clone();
        let (router, effects) = self.network.step(self.shape, action);
        let changes = effects.iter().filter_map(|effect| match effect {
            Effect::Entry { region, .. } => Some(*region),
            Effect::Send { .. } => None,
        });
        let mut notes: Vec<String> =
            changes.map(|region| self.change(&before, router, region)).collect();
        let mut columns = self.bars();
        let ends = |link: usize| self.shape.links[link].map(|end| end.0);
        let pair = |link| ends(link).map(name);
        match action {
            Action::LinkFails(link) => {
                notes = vec![format!("link {0}-{1} fails", pair(link)[0], pair(link)[1])]
            }
            Action::LinkRepaired(link) => {
                notes = vec![format!("link {0}-{1} is repaired", pair(link)[0], pair(link)[1])]
            }
            Action::RouterFails(r) => notes = vec![format!("node {} fails", name(r))],
            Action::RouterRepaired(r) => notes = vec![format!("node {} is repaired", name(r))],
            Action::Noticed(link, end) => {
                columns[ends(link)[end] * WIDTH] = 'o';
                let state = if before.carries[link] { "up" } else { "down" };
                notes
                    .insert(0, format!("{} sees {} {state}", pair(link)[end], pair(link)[1 - end]));
            }
            Action::Delivered(link, end) => {
                let text = self.label(ends(link)[end], before.ways[link][end][0]);
                arrow(&mut columns, ends(link)[1 - end], ends(link)[end], &text);
            }
        }
        let columns: String = columns.into_iter().collect();
        self.row(&columns, &notes.join("; "));
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
