//! Bidirectional multistage networks: the BMIN of 8-port switches with N = 2^B nodes, perfect
//! shuffle [garcia-trees-2005; topology.md], and the k-ary n-tree of 2k-port switches with k^n.
//!
//! Stages of N/k switches, ceil(B/2) of them with k = 4 in a BMIN; ports 0 .. k down, k .. 2k up.
//! Up port p of switch w has label L = kw + p and leads to the down port of the next stage whose
//! label is L rotated left by a digit in base k. So t stages up and down replace the upper t digits
//! of a label; the top stage of an odd B one bit only: two down ports lead to the same switch.
//!
//! Routes merge, by the source's digits too: on the way up the label of a switch holds the digits
//! of the source that are still compared, and the port of arrival the digit that the stage reads.

use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Endpoint, Graph, NODES_MAX, NODES_MAX_REASON, PORTS_MAX};
use crate::path::UpChoice;
use crate::routes::{Parts, Routes};

/// A BMIN, or a tree of any k. A route is found for each packet: shifts where they will do.
#[derive(Debug)]
struct Multistage<const IS_BMIN: bool> {
    k: u32,
    stages: u32,
    /// N / k^i for i in 0 ..= stages, at least 1: that of a stage is what its switches divide by.
    spans: Box<[u32]>,
    up_choice: UpChoice,
}

impl<const IS_BMIN: bool> Multistage<IS_BMIN> {
    fn new(nodes: u32, k: u32, stages: u32, up_choice: UpChoice) -> Self {
        let spans = (0..=stages).map(|i| (nodes / k.pow(i)).max(1)).collect();
        Self { k, stages, spans, up_choice }
    }

    /// Quotient and remainder by the span of a stage.
    #[inline]
    fn split(&self, number: u32, stage: u32) -> (u32, u32) {
        let span = self.spans[stage as usize];
        match IS_BMIN {
            true => (number >> span.trailing_zeros(), number & (span - 1)),
            false => (number / span, number % span),
        }
    }

    /// All digits but the lowest, and that.
    #[inline]
    fn digits(&self, label: u32) -> (u32, u32) {
        if IS_BMIN { (label >> 2, label & 3) } else { (label / self.k, label % self.k) }
    }

    /// The digit of a node that a stage reads: the lowest, then from the top.
    #[inline]
    fn digit(&self, stage: u32, node: u32) -> u32 {
        let from = if stage == 0 { node } else { self.split(node, stage).0 };
        self.digits(from).1
    }

    /// Whether some digit differs that no stage up to this one replaces.
    #[inline]
    fn goes_up(&self, stage: u32, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|node| self.split(self.digits(node).0, stage + 1).1);
        a != b
    }

    /// Switch and down port of a label at a stage.
    #[inline]
    fn place(&self, stage: u32, label: u32) -> (u32, u8) {
        let (switch, port) = self.digits(label);
        (stage * self.spans[1] + switch, port as u8)
    }

    /// What the up port of a label leads to.
    #[inline]
    fn above(&self, stage: u32, label: u32) -> (u32, u8) {
        let (top, rest) = self.split(label, 1);
        self.place(stage + 1, rest * self.k + top)
    }

    fn parts(self, name: &'static str) -> Result<Parts, TopologyError> {
        let (nodes, k) = (self.spans[0], self.k as u8);
        let labels = |stage| (0..nodes).map(move |label| (stage, label));
        let links = (0..self.stages - 1).flat_map(labels).map(|(stage, label)| {
            let (lower, port) = self.place(stage, label);
            [(lower, k + port), self.above(stage, label)]
        });
        let ports = vec![2 * self.k; (self.stages * self.spans[1]) as usize];
        Ok(Parts {
            name,
            graph: Graph::wired(&ports, (0..nodes).map(|node| self.place(0, node)), links)?,
            routes: Arc::new(self),
            maximum_links: Some(nodes.into()),
        })
    }
}

impl<const IS_BMIN: bool> Routes for Multistage<IS_BMIN> {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
        let (stage, _) = self.split(switch, 1);
        if u32::from(in_port) < self.k && self.goes_up(stage, source, destination) {
            let node = match self.up_choice {
                UpChoice::Destination => destination,
                UpChoice::Source => source,
            };
            return (self.k + self.digit(stage, node)) as u8;
        }
        let port = self.digit(stage, destination) as u8;
        // Odd B, top stage: the low bit of the port reaches no label; it mirrors the source's.
        if self.up_choice == UpChoice::Source && self.spans[stage as usize] < self.k {
            return port & 2 | (source >> 1 & 1) as u8;
        }
        port
    }

    #[inline]
    fn peer(&self, graph: &Graph, switch: u32, port: u8) -> Endpoint {
        if !IS_BMIN {
            return graph.peer(switch, port);
        }
        let (stage, at) = self.split(switch, 1);
        let (is_up, port) = self.digits(port.into());
        let label = at * self.k + port;
        if is_up > 0 {
            if stage + 1 == self.stages {
                return Endpoint::None;
            }
            let (switch, port) = self.above(stage, label);
            return Endpoint::Port { switch, port };
        }
        if stage == 0 {
            return Endpoint::Node(label);
        }
        // Rotated to the right.
        let (switch, port) = self.place(stage - 1, port * self.spans[1] + at);
        Endpoint::Port { switch, port: self.k as u8 + port }
    }

    /// Digit 1, the lowest one that makes a packet go up, takes it to the top.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        (self.stages > 1).then_some((0, self.k))
    }
}

pub(crate) fn bmin(up_choice: UpChoice, nodes: u32) -> Result<Parts, TopologyError> {
    if !nodes.is_power_of_two() || !(4..=NODES_MAX).contains(&nodes) {
        let legal = format!("a power of two, 4 to {NODES_MAX}: {NODES_MAX_REASON}");
        return Err(ConfigError::new("network.nodes", nodes, legal).into());
    }
    let stages = nodes.trailing_zeros().div_ceil(2);
    Multistage::<true>::new(nodes, 4, stages, up_choice).parts("bmin")
}

pub(crate) fn k_ary_n_tree(up_choice: UpChoice, k: u32, n: u32) -> Result<Parts, TopologyError> {
    ConfigError::check("network.k", k, 2..=PORTS_MAX / 2, " (switches of 2k ports)")?;
    let Some(nodes) = k.checked_pow(n).filter(|&nodes| n >= 1 && nodes <= NODES_MAX) else {
        let legal = format!("1 or more with k^n at most {NODES_MAX}: {NODES_MAX_REASON}");
        return Err(ConfigError::new("network.n", n, legal).into());
    };
    Multistage::<false>::new(nodes, k, n, up_choice).parts("k-ary-n-tree")
}
