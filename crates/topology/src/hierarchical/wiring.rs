//! Global wiring: which global port of which node joins which super nodes [lai-rsi].
//!
//! Palm tree: for super node s and another one d, the offset is o = (d - s - 1) mod G, and global
//! link j of the L links between the two (0 <= j < L) is global link i = o L + j of s. At d the
//! same link has offset (s - d - 1) mod G = G - 2 - o and the same j [choice].

use crate::edge_list::{Field, fields, lines};
use crate::error::{ConfigError, GlobalLinksError, TopologyError};
use crate::hierarchical::LocalGraph;

/// How super nodes are joined (keys `network.wiring` and `network.links_per_pair`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalWiring {
    /// Global link i of a super node is at node i mod n, global port i div n: one link a node in
    /// turn (default).
    PalmTreeSpread {
        /// Links between any two super nodes, L.
        links_per_pair: u32,
    },
    /// Global link i is at node i div g, global port i mod g: fills a node before the next.
    PalmTreePacked {
        /// Links between any two super nodes, L.
        links_per_pair: u32,
    },
    /// The links of a file.
    FromFile {
        /// The links as parsed.
        links: GlobalLinks,
    },
}

impl GlobalWiring {
    /// The legal values of `network.wiring`, the default first.
    pub const NAMES: &'static [&'static str] =
        &["palm-tree-spread", "palm-tree-packed", "from-file"];

    /// Its value of `network.wiring`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PalmTreeSpread { .. } => Self::NAMES[0],
            Self::PalmTreePacked { .. } => Self::NAMES[1],
            Self::FromFile { .. } => Self::NAMES[2],
        }
    }

    /// Both ends of every global link between so many super nodes, at least one.
    pub(crate) fn links(
        &self,
        local: &LocalGraph,
        super_nodes: u32,
    ) -> Result<Vec<(GlobalEnd, GlobalEnd)>, TopologyError> {
        let (n, g) = (local.nodes(), u32::from(local.global_ports()));
        let (links_per_pair, place): (u32, &dyn Fn(u32) -> (u32, u8)) = match self {
            Self::PalmTreeSpread { links_per_pair } => {
                (*links_per_pair, &|i| (i % n, (i / n) as u8))
            }
            Self::PalmTreePacked { links_per_pair } => {
                (*links_per_pair, &|i| (i / g, (i % g) as u8))
            }
            Self::FromFile { links } => return Ok(links.ends(local, super_nodes)?),
        };
        fits(local.virtual_radix(), super_nodes, links_per_pair)?;
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

/// Refuses more links a pair of super nodes than there are global ports for.
fn fits(virtual_radix: u32, super_nodes: u32, links_per_pair: u32) -> Result<(), ConfigError> {
    let most = virtual_radix.checked_div(super_nodes - 1);
    let most = most.unwrap_or(virtual_radix).max(1);
    let why = format!(": {super_nodes} super nodes with {virtual_radix} global ports each");
    ConfigError::check("network.links_per_pair", links_per_pair, 1..=most, &why)
}

const COLUMNS: [&str; 6] = ["a_super_node", "a_node", "a_port", "b_super_node", "b_node", "b_port"];

/// An end of a global link: (super node, node, global port from 0).
type GlobalEnd = (u32, u32, u8);

/// One line.
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

/// The global links of a file, read and not yet compared with a network.
///
/// Header `a_super_node,a_node,a_port,b_super_node,b_node,b_port`, in this order; a line a link.
/// Numbers from 0; ports are global ports, 0 .. g (switch port l + p). Blank lines and lines that
/// start with `#` are skipped.
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

    /// Both ends of every link.
    pub(crate) fn ends(
        &self,
        local: &LocalGraph,
        super_nodes: u32,
    ) -> Result<Vec<(GlobalEnd, GlobalEnd)>, GlobalLinksError> {
        let (n, g) = (local.nodes(), local.global_ports());
        let limits = [super_nodes, n, g.into()];
        let mut joined = vec![false; (super_nodes * super_nodes) as usize];
        // The line that uses each global port.
        let mut used = vec![0; (super_nodes * n) as usize * usize::from(g)];
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
            for (field, (s, node, port)) in
                [(2, (a_super, a_node, a_port)), (5, (b_super, b_node, b_port))]
            {
                let place = ((s * n + node) * u32::from(g) + port) as usize;
                let before: u32 = std::mem::replace(&mut used[place], link.line);
                if before != 0 {
                    let legal = format!(
                        "a port once; global port {port} of node {node} of super node {s} has the \
                         link of line {before}"
                    );
                    return Err(link.refuse(field, legal));
                }
            }
            joined[(a_super * super_nodes + b_super) as usize] = true;
            joined[(b_super * super_nodes + a_super) as usize] = true;
            // Below g, which is a `u8`.
            ends.push(((a_super, a_node, a_port as u8), (b_super, b_node, b_port as u8)));
        }
        all_joined(&joined, super_nodes)?;
        Ok(ends)
    }
}

/// Refuses wiring in which two super nodes have no link to each other: minimal routes take one
/// global link.
fn all_joined(joined: &[bool], super_nodes: u32) -> Result<(), GlobalLinksError> {
    let cut_off = |&(s, d): &(u32, u32)| !joined[(s * super_nodes + d) as usize];
    let pairs = (0..super_nodes).flat_map(|s| (s + 1..super_nodes).map(move |d| (s, d)));
    let missing: Vec<(u32, u32)> = pairs.filter(cut_off).collect();
    let Some((first, rest)) = missing.split_first() else {
        return Ok(());
    };
    let alone = (0..super_nodes)
        .find(|s| !joined[(s * super_nodes) as usize..][..super_nodes as usize].contains(&true));
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
