//! Edge lists: CSV text to links. The crate opens no file; the text is handed in.
//!
//! Header `a,a_port,b,b_port`, then optionally `latency_ns` and `rate_bytes_per_ns`; columns in any
//! order. Ends are `s0`, `s1`, ... for switches and `n0`, ... for end nodes; the port of a node is
//! empty or 0. An empty latency or rate means the scenario's default. Blank lines and lines that
//! start with `#` are skipped.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use units::{NodeId, Ratio, SwitchId};

use crate::builder::{GraphBuilder, GraphError};
use crate::graph::{Endpoint, Graph, LinkAttributes, PORTS_MAX};
use crate::limits::TABLE_NODES_MAX;

const COLUMNS: [&str; 6] = ["a", "a_port", "b", "b_port", "latency_ns", "rate_bytes_per_ns"];
const REQUIRED: usize = 4;
/// The most switches of an edge list: more than any other topology has, and the routing tables grow
/// with its square.
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
    /// Line of the text, from 1; 0 for an edge that comes from elsewhere.
    pub line: u32,
}

/// A parsed edge list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeList {
    /// The links in the order of the text.
    pub edges: Vec<Edge>,
    /// Ports of every switch; `None`: each has the ports up to the highest one used, and at
    /// least 2.
    pub switch_ports: Option<u32>,
}

/// Why an edge list was refused, and where: line and column count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EdgeListError {
    /// The text has no header.
    #[error(
        "line 1, column 1: the edge list is empty; expected the header `a,a_port,b,b_port[,latency_ns][,rate_bytes_per_ns]`"
    )]
    Empty,
    /// The header names a column that is not known, or one twice.
    #[error("line {line}, column {column}: column `{given}` is {}; legal, once each: a, a_port, b, b_port, latency_ns, rate_bytes_per_ns", if *twice { "there twice" } else { "not known" })]
    Header {
        /// Line.
        line: u32,
        /// Column.
        column: u32,
        /// The name given.
        given: String,
        /// Whether it is known but was there before.
        twice: bool,
    },
    /// The header lacks a column.
    #[error("line {line}, column 1: the header has no column `{missing}`")]
    MissingColumn {
        /// Line.
        line: u32,
        /// The name missing.
        missing: &'static str,
    },
    /// A line has more or fewer fields than the header.
    #[error("line {line}, column {column}: {given} fields; the header has {expected}")]
    FieldCount {
        /// Line.
        line: u32,
        /// Column: of the first field too many, or of the end of the line.
        column: u32,
        /// Fields given.
        given: usize,
        /// Fields expected.
        expected: usize,
    },
    /// A field that cannot be read.
    #[error("line {line}, column {column}: {name} = `{given}` is not legal; legal: {legal}")]
    Field {
        /// Line.
        line: u32,
        /// Column.
        column: u32,
        /// Name of the field.
        name: &'static str,
        /// Its text.
        given: String,
        /// What is legal.
        legal: String,
    },
    /// A link between two nodes.
    #[error("line {line}: a link between two end nodes, {a} and {b}; one end must be a switch")]
    TwoNodes {
        /// Line.
        line: u32,
        /// One end.
        a: Endpoint,
        /// The other end.
        b: Endpoint,
    },
    /// A link that the graph refuses.
    #[error("line {line}: {error}")]
    Link {
        /// Line.
        line: u32,
        /// What is wrong.
        error: GraphError,
    },
    /// The graph as a whole is refused.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// A field with its place.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) text: &'a str,
    line: u32,
    pub(crate) column: u32,
}

impl Field<'_> {
    fn refuse(&self, name: &'static str, legal: impl Into<String>) -> EdgeListError {
        EdgeListError::Field {
            line: self.line,
            column: self.column,
            name,
            given: self.text.to_owned(),
            legal: legal.into(),
        }
    }

    fn ratio(&self, name: &'static str) -> Result<Option<Ratio>, EdgeListError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let read = Ratio::from_str(self.text);
        read.map(Some)
            .map_err(|_| self.refuse(name, "empty, or a positive number such as 10, 2.5 or 5/2"))
    }
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
) -> Result<Endpoint, EdgeListError> {
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
fn header(fields: &[Field<'_>]) -> Result<[Option<usize>; COLUMNS.len()], EdgeListError> {
    let mut places = [None; COLUMNS.len()];
    for (place, field) in fields.iter().enumerate() {
        let refuse = |twice| EdgeListError::Header {
            line: field.line,
            column: field.column,
            given: field.text.to_owned(),
            twice,
        };
        let known =
            COLUMNS.iter().position(|&name| name == field.text).ok_or_else(|| refuse(false))?;
        if places[known].replace(place).is_some() {
            return Err(refuse(true));
        }
    }
    match (0..REQUIRED).find(|&column| places[column].is_none()) {
        Some(column) => {
            Err(EdgeListError::MissingColumn { line: fields[0].line, missing: COLUMNS[column] })
        }
        None => Ok(places),
    }
}

impl EdgeList {
    /// Reads the text of an edge list.
    ///
    /// # Errors
    /// The first thing that cannot be read, with its line and column.
    pub fn parse(text: &str) -> Result<Self, EdgeListError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text
            .lines()
            .zip(1u32..)
            .filter(|(text, _)| !text.trim().is_empty() && !text.trim_start().starts_with('#'));
        let (first, line) = lines.next().ok_or(EdgeListError::Empty)?;
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
                return Err(EdgeListError::FieldCount {
                    line,
                    column,
                    given: fields.len(),
                    expected: names.len(),
                });
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

    /// The edge list of a graph. Port counts survive only where they follow from the links.
    pub fn from_graph(graph: &Graph) -> Self {
        let edges =
            graph.links().map(|(a, b, attributes)| Edge { a, b, attributes, line: 0 }).collect();
        Self { edges, switch_ports: None }
    }

    /// The graph: nodes and switches from 0 to the highest named.
    ///
    /// # Errors
    /// A link that cannot be, with its line; or a graph that is not connected or lacks a node.
    pub fn graph(&self) -> Result<Graph, EdgeListError> {
        let mut ports: Vec<u32> = Vec::new();
        let mut nodes = 0;
        for &Edge { a, b, line, .. } in &self.edges {
            if !matches!((a, b), (Endpoint::Port { .. }, _) | (_, Endpoint::Port { .. })) {
                return Err(EdgeListError::TwoNodes { line, a, b });
            }
        }
        for end in self.edges.iter().flat_map(|edge| [edge.a, edge.b]) {
            match end {
                Endpoint::Node(node) => nodes = nodes.max(node + 1),
                Endpoint::Port { switch, port } => {
                    if ports.len() <= switch as usize {
                        ports.resize(switch as usize + 1, 2);
                    }
                    ports[switch as usize] = ports[switch as usize].max(u32::from(port) + 1);
                }
                Endpoint::None => {}
            }
        }
        if let Some(all) = self.switch_ports {
            ports.fill(all);
        }
        let mut builder = GraphBuilder::new(&ports, nodes)?;
        for &Edge { a, b, attributes, line } in &self.edges {
            let linked = match (a, b) {
                (
                    Endpoint::Port { switch: a, port: a_port },
                    Endpoint::Port { switch: b, port: b_port },
                ) => builder.connect((a, a_port), (b, b_port), attributes),
                (Endpoint::Node(node), Endpoint::Port { switch, port })
                | (Endpoint::Port { switch, port }, Endpoint::Node(node)) => {
                    builder.attach(node, (switch, port), attributes)
                }
                _ => return Err(EdgeListError::TwoNodes { line, a, b }),
            };
            linked.map_err(|error| EdgeListError::Link { line, error })?;
        }
        Ok(builder.finish()?)
    }
}

impl fmt::Display for EdgeList {
    /// The text that [`parse`](EdgeList::parse) reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", COLUMNS.join(","))?;
        for edge in &self.edges {
            for end in [edge.a, edge.b] {
                match end {
                    Endpoint::Node(node) => write!(f, "{},,", NodeId(node))?,
                    Endpoint::Port { switch, port } => write!(f, "{},{port},", SwitchId(switch))?,
                    Endpoint::None => f.write_str(",,")?,
                }
            }
            if let Some(latency) = edge.attributes.latency_ns {
                write!(f, "{latency}")?;
            }
            f.write_str(",")?;
            if let Some(rate) = edge.attributes.rate_bytes_per_ns {
                write!(f, "{rate}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
