//! Edge lists: CSV text to links.
//!
//! Header `a,a_port,b,b_port`, optionally `latency_ns` and `rate_bytes_per_ns`, in any order. Ends
//! are `s0`, ... (switches) and `n0`, ... (end nodes, whose port is empty or 0). Empty: the
//! scenario's default. Blank lines and those that start with `#` are skipped.

use std::str::FromStr;

use units::Ratio;

use crate::builder::{GraphBuilder, GraphError};
use crate::graph::{Endpoint, Graph, LinkAttributes, PORTS_MAX, TABLE_NODES_MAX};

const COLUMNS: [&str; 6] = ["a", "a_port", "b", "b_port", "latency_ns", "rate_bytes_per_ns"];
const REQUIRED: usize = 4;
/// More than any other topology has: the routing tables grow with its square.
const SWITCHES_MAX: u32 = 4 * TABLE_NODES_MAX;

/// One line of an edge list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// One end.
    pub a: Endpoint,
    /// The other end.
    pub b: Endpoint,
    /// Latency and rate.
    pub attributes: LinkAttributes,
    /// Line of the text, from 1.
    pub line: u32,
}

/// A parsed edge list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeList {
    /// The links in the order of the text.
    pub edges: Vec<Edge>,
    /// Ports of every switch; `None`: each has those up to the highest one used, and at least 2.
    pub switch_ports: Option<u32>,
}

#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) text: &'a str,
    line: u32,
    pub(crate) column: u32,
}

impl Field<'_> {
    fn error(&self, what: String) -> GraphError {
        GraphError { line: self.line, column: self.column, what }
    }

    fn refuse(&self, name: &'static str, legal: impl Into<String>) -> GraphError {
        let legal = legal.into();
        self.error(format!("{name} = `{}` is not legal; legal: {legal}", self.text))
    }

    fn ratio(&self, name: &'static str) -> Result<Option<Ratio>, GraphError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let read = Ratio::from_str(self.text);
        read.map(Some)
            .map_err(|_| self.refuse(name, "empty, or a positive number such as 10, 2.5 or 5/2"))
    }
}

/// The lines of a list with their numbers from 1, without blank ones and comments.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (&str, u32)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_read = |text: &str| !text.trim().is_empty() && !text.trim_start().starts_with('#');
    text.lines().zip(1u32..).filter(move |(text, _)| is_read(text))
}

/// Splits a line at commas; spaces around a field do not count.
pub(crate) fn fields(text: &str, line: u32) -> Vec<Field<'_>> {
    let mut column = 1;
    text.split(',')
        .map(|raw| {
            let lead = raw.chars().take_while(|c| c.is_whitespace()).count() as u32;
            let blank = raw.trim().is_empty();
            let field =
                Field { text: raw.trim(), line, column: column + if blank { 0 } else { lead } };
            column += raw.chars().count() as u32 + 1;
            field
        })
        .collect()
}

/// Reads `s3` with its port, or `n3`.
fn end(
    id: Field<'_>,
    port: Field<'_>,
    names: (&'static str, &'static str),
) -> Result<Endpoint, GraphError> {
    let number = |prefix: char| -> Option<u32> {
        let digits = id.text.strip_prefix(prefix)?;
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
    };
    if let Some(node) = number('n').filter(|&node| node < TABLE_NODES_MAX) {
        return match port.text {
            "" | "0" => Ok(Endpoint::Node(node)),
            _ => Err(port.refuse(names.1, "empty or 0: an end node has one port")),
        };
    }
    match number('s').filter(|&switch| switch < SWITCHES_MAX) {
        Some(switch) => match port.text.parse::<u8>() {
            Ok(number) if u32::from(number) < PORTS_MAX => {
                Ok(Endpoint::Port { switch, port: number })
            }
            _ => Err(port.refuse(names.1, format!("0 to {}", PORTS_MAX - 1))),
        },
        None => {
            let legal = format!(
                "s0 to s{} for a switch, n0 to n{} for an end node",
                SWITCHES_MAX - 1,
                TABLE_NODES_MAX - 1
            );
            Err(id.refuse(names.0, legal))
        }
    }
}

/// Place of each of [`COLUMNS`] among the fields of a line.
fn header(fields: &[Field<'_>]) -> Result<[Option<usize>; COLUMNS.len()], GraphError> {
    let mut places = [None; COLUMNS.len()];
    for (place, field) in fields.iter().enumerate() {
        let refuse = |why| {
            field.error(format!(
                "column `{}` is {why}; legal, once each: {}",
                field.text,
                COLUMNS.join(", ")
            ))
        };
        let known = COLUMNS.iter().position(|&name| name == field.text);
        let known = known.ok_or_else(|| refuse("not known"))?;
        if places[known].replace(place).is_some() {
            return Err(refuse("there twice"));
        }
    }
    match (0..REQUIRED).find(|&column| places[column].is_none()) {
        Some(column) => Err(GraphError {
            line: fields[0].line,
            column: 1,
            what: format!("the header has no column `{}`", COLUMNS[column]),
        }),
        None => Ok(places),
    }
}

impl EdgeList {
    /// Reads the text of an edge list.
    ///
    /// # Errors
    /// The first thing that cannot be read, with its line and column.
    pub fn parse(text: &str) -> Result<Self, GraphError> {
        let mut lines = lines(text);
        let (first, line) = lines.next().ok_or_else(|| GraphError {
            line: 1,
            column: 1,
            what: "the edge list is empty; expected the header \
                   `a,a_port,b,b_port[,latency_ns][,rate_bytes_per_ns]`"
                .to_owned(),
        })?;
        let names = fields(first, line);
        let places = header(&names)?;
        let mut edges = Vec::new();
        for (text, line) in lines {
            let fields = fields(text, line);
            if fields.len() != names.len() {
                let column = match fields.get(names.len()) {
                    Some(extra) => extra.column,
                    None => text.chars().count() as u32 + 1,
                };
                let what = format!("{} fields; the header has {}", fields.len(), names.len());
                return Err(GraphError { line, column, what });
            }
            let blank = Field { text: "", line, column: 1 };
            let field = |column: usize| places[column].map_or(blank, |place| fields[place]);
            let a = end(field(0), field(1), (COLUMNS[0], COLUMNS[1]))?;
            let b = end(field(2), field(3), (COLUMNS[2], COLUMNS[3]))?;
            let latency_ns = field(4).ratio(COLUMNS[4])?;
            let rate_bytes_per_ns = field(5).ratio(COLUMNS[5])?;
            edges.push(Edge {
                a,
                b,
                attributes: LinkAttributes { latency_ns, rate_bytes_per_ns },
                line,
            });
        }
        Ok(Self { edges, switch_ports: None })
    }

    /// The graph: nodes and switches from 0 to the highest named.
    ///
    /// # Errors
    /// A link that cannot be, with its line; or a graph that is not connected or lacks a node.
    pub fn graph(&self) -> Result<Graph, GraphError> {
        let links = self.edges.iter().map(Edge::ends).collect::<Result<Vec<_>, _>>()?;
        let mut ports: Vec<u32> = Vec::new();
        let mut nodes = 0;
        for &(switch, far) in &links {
            let mut meet = |(switch, port): (u32, u8)| {
                if ports.len() <= switch as usize {
                    ports.resize(switch as usize + 1, 2);
                }
                ports[switch as usize] = ports[switch as usize].max(u32::from(port) + 1);
            };
            meet(switch);
            match far {
                Far::Node(node) => nodes = nodes.max(node + 1),
                Far::Port(port) => meet(port),
            }
        }
        if let Some(all) = self.switch_ports {
            ports.fill(all);
        }
        let mut builder = GraphBuilder::new(&ports, nodes)?;
        for (edge, (near, far)) in self.edges.iter().zip(links) {
            let linked = match far {
                Far::Node(node) => builder.attach(node, near, edge.attributes),
                Far::Port(far) => builder.connect(near, far, edge.attributes),
            };
            linked.map_err(|error| GraphError { line: edge.line, ..error })?;
        }
        builder.finish()
    }
}

/// What the port of a switch is linked to.
#[derive(Clone, Copy)]
enum Far {
    Node(u32),
    Port((u32, u8)),
}

impl Edge {
    /// A port of a switch, and what it is linked to.
    fn ends(&self) -> Result<((u32, u8), Far), GraphError> {
        match (self.a, self.b) {
            (Endpoint::Port { switch, port }, Endpoint::Port { switch: far, port: far_port }) => {
                Ok(((switch, port), Far::Port((far, far_port))))
            }
            (Endpoint::Node(node), Endpoint::Port { switch, port })
            | (Endpoint::Port { switch, port }, Endpoint::Node(node)) => {
                Ok(((switch, port), Far::Node(node)))
            }
            (a, b) => {
                let what =
                    format!("a link between two end nodes, {a} and {b}; one end must be a switch");
                Err(GraphError { line: self.line, column: 0, what })
            }
        }
    }
}
