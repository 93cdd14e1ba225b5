//! Global wiring [lai-rsi]. Palm tree: for super node s and another one d, the offset is
//! `o = (d - s - 1) mod G`, and global link j of the L links between the two (0 <= j < L) is global
//! link `i = o L + j` of s; at d the offset is `G - 2 - o`, with the same j [choice].

use std::collections::{BTreeMap, BTreeSet};

use crate::edge_list::{Field, fields, lines};
use crate::error::{ConfigError, GlobalLinksError, TopologyError};
use crate::hierarchical::LocalGraph;

/// How super nodes are joined (keys `network.wiring` and `network.links_per_pair`, L).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalWiring {
    /// Global link i is at node i mod n, global port i div n: one link a node in turn (default).
    PalmTreeSpread(u32),
    /// Global link i is at node i div g, global port i mod g: fills a node before the next.
    PalmTreePacked(u32),
    /// The links of a file.
    FromFile(GlobalLinks),
}

impl GlobalWiring {
    /// The legal values of `network.wiring`, the default first.
    pub const NAMES: &'static [&'static str] =
        &["palm-tree-spread", "palm-tree-packed", "from-file"];

    /// Its value of `network.wiring`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PalmTreeSpread(_) => Self::NAMES[0],
            Self::PalmTreePacked(_) => Self::NAMES[1],
            Self::FromFile(_) => Self::NAMES[2],
        }
    }

    /// Both ends of every global link between so many super nodes, at least one.
    pub(crate) fn links(
        &self,
        local: &LocalGraph,
        super_nodes: u32,
    ) -> Result<Vec<(GlobalEnd, GlobalEnd)>, TopologyError> {
        let (n, g) = (local.nodes, u32::from(local.global_ports));
        let (links_per_pair, place): (u32, &dyn Fn(u32) -> (u32, u8)) = match self {
            Self::PalmTreeSpread(links) => (*links, &|i| (i % n, (i / n) as u8)),
            Self::PalmTreePacked(links) => (*links, &|i| (i / g, (i % g) as u8)),
            Self::FromFile(links) => return Ok(links.ends(local, super_nodes)?),
        };
        let radix = local.virtual_radix();
        let most = radix.checked_div(super_nodes - 1).unwrap_or(radix).max(1);
        let why = format!(": {super_nodes} super nodes with {radix} global ports each");
        ConfigError::check("network.links_per_pair", links_per_pair, 1..=most, &why)?;
        let end = |s: u32, d: u32, j: u32| {
            let offset = (d + super_nodes - s - 1) % super_nodes;
            let (node, port) = place(offset * links_per_pair + j);
            (s, node, port)
        };
        let mut links = Vec::new();
        for s in 0..super_nodes {
            for d in s + 1..super_nodes {
                links.extend((0..links_per_pair).map(|j| (end(s, d, j), end(d, s, j))));
            }
        }
        Ok(links)
    }
}

const COLUMNS: [&str; 6] = ["a_super_node", "a_node", "a_port", "b_super_node", "b_node", "b_port"];

/// An end of a global link: (super node, node, global port from 0).
type GlobalEnd = (u32, u32, u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link {
    line: u32,
    /// In the order of [`COLUMNS`].
    values: [u32; COLUMNS.len()],
    columns: [u32; COLUMNS.len()],
}

impl Link {
    fn refuse(&self, field: usize, legal: String) -> GlobalLinksError {
        let what = format!("{} = {} is not legal", COLUMNS[field], self.values[field]);
        GlobalLinksError { line: self.line, column: self.columns[field], what, legal }
    }
}

/// The global links of a file, not yet compared with a network.
///
/// Header `a_super_node,a_node,a_port,b_super_node,b_node,b_port`, in this order; a line a link,
/// all from 0 (ports: 0 .. g). Blank lines and those that start with `#` are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalLinks {
    links: Vec<Link>,
}

impl GlobalLinks {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The first thing that cannot be read.
    pub fn parse(text: &str) -> Result<Self, GlobalLinksError> {
        let mut lines = lines(text);
        let header = lines.next().unwrap_or(("", 1));
        let names = fields(header.0, header.1);
        if !names.iter().map(|field| field.text).eq(COLUMNS) {
            let wrong = names.iter().zip(COLUMNS).find(|(field, name)| field.text != *name);
            return Err(GlobalLinksError {
                line: header.1,
                column: wrong.map_or(1, |(field, _)| field.column),
                what: format!("`{}` is not the header", header.0.trim()),
                legal: COLUMNS.join(","),
            });
        }
        let links = lines.map(|(text, line)| link(text, line));
        let links = links.collect::<Result<_, _>>()?;
        Ok(Self { links })
    }

    pub(crate) fn ends(
        &self,
        local: &LocalGraph,
        super_nodes: u32,
    ) -> Result<Vec<(GlobalEnd, GlobalEnd)>, GlobalLinksError> {
        let (n, g) = (local.nodes, local.global_ports);
        let limits = [super_nodes, n, g.into()];
        let mut joined = BTreeSet::new();
        // The line that uses each global port.
        let mut used = BTreeMap::new();
        let mut ends = Vec::with_capacity(self.links.len());
        for link in &self.links {
            for (field, (&value, limit)) in link.values.iter().zip(limits.repeat(2)).enumerate() {
                if value >= limit {
                    let legal = match limit {
                        0 => "none".to_owned(),
                        _ => format!("0 to {}", limit - 1),
                    };
                    return Err(link.refuse(field, legal));
                }
            }
            let [a_super, a_node, a_port, b_super, b_node, b_port] = link.values;
            if a_super == b_super {
                let legal = "another super node than that of end a".to_owned();
                return Err(link.refuse(3, legal));
            }
            let ends_of = [(2, (a_super, a_node, a_port)), (5, (b_super, b_node, b_port))];
            for (field, end @ (s, node, port)) in ends_of {
                if let Some(before) = used.insert(end, link.line) {
                    let legal = format!(
                        "a port once; global port {port} of node {node} of super node {s} has the \
                         link of line {before}"
                    );
                    return Err(link.refuse(field, legal));
                }
            }
            joined.extend([(a_super, b_super), (b_super, a_super)]);
            // Below g, which is a `u8`.
            ends.push(((a_super, a_node, a_port as u8), (b_super, b_node, b_port as u8)));
        }
        all_joined(&joined, super_nodes)?;
        Ok(ends)
    }
}

/// Refuses super nodes without a link to each other: minimal routes take one global link.
fn all_joined(joined: &BTreeSet<(u32, u32)>, super_nodes: u32) -> Result<(), GlobalLinksError> {
    let pairs = (0..super_nodes).flat_map(|s| (s + 1..super_nodes).map(move |d| (s, d)));
    let missing: Vec<(u32, u32)> = pairs.filter(|pair| !joined.contains(pair)).collect();
    let Some((first, rest)) = missing.split_first() else {
        return Ok(());
    };
    let alone = (0..super_nodes).find(|&s| joined.range((s, 0)..(s + 1, 0)).next().is_none());
    let what = match alone {
        Some(alone) => format!("super node {alone} has no link at all"),
        None => format!(
            "super nodes {} and {} have no link to each other, nor have {} other pairs",
            first.0,
            first.1,
            rest.len()
        ),
    };
    let legal = "a link or more between any two super nodes".to_owned();
    Err(GlobalLinksError { line: 0, column: 0, what, legal })
}

fn link(text: &str, line: u32) -> Result<Link, GlobalLinksError> {
    let found = fields(text, line);
    if found.len() != COLUMNS.len() {
        let end = text.chars().count() as u32 + 1;
        let column = found.get(COLUMNS.len()).map_or(end, |field| field.column);
        let (what, legal) = (format!("{} fields", found.len()), COLUMNS.len().to_string());
        return Err(GlobalLinksError { line, column, what, legal });
    }
    let (mut values, mut columns) = ([0; COLUMNS.len()], [0; COLUMNS.len()]);
    for (at, &Field { text, column, .. }) in found.iter().enumerate() {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let value = text.parse().ok().filter(|_| plain);
        values[at] = value.ok_or_else(|| {
            let what = format!("{} = {text} is not legal", COLUMNS[at]);
            GlobalLinksError { line, column, what, legal: "a whole number from 0".to_owned() }
        })?;
        columns[at] = column;
    }
    Ok(Link { line, values, columns })
}
