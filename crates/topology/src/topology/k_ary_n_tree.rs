//! k-ary n-tree: the BMIN construction with switches of 2k ports and k^n nodes, for any k
//! [topology.md].
//!
//! n stages of k^(n-1) switches; ports 0..k-1 down, k..2k-1 up. Labels are read in base k; up port
//! p of switch w has label L = kw + p (n digits) and leads to the down port of the label rotated
//! left by one digit. Up digits: stage 0 reads digit 0, stage s digit n - s of the destination (or
//! source); down ports read the same digits of the destination.

use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX, NODES_MAX_REASON, PORTS_MAX};
use crate::path::UpChoice;
use crate::routes::{Parts, Routes};

#[derive(Debug)]
struct Tree {
    k: u32,
    n: u32,
    up_choice: UpChoice,
    /// k^i for i in 0..n.
    powers: Box<[u32]>,
}

impl Tree {
    #[inline]
    fn digit(&self, stage: u32, node: u32) -> u32 {
        let index = if stage == 0 { 0 } else { self.n - stage };
        node / self.powers[index as usize] % self.k
    }

    /// Whether a packet at `stage` still has to go up: some digit in 1 ..= n-1-stage differs.
    #[inline]
    fn goes_up(&self, stage: u32, a: u32, b: u32) -> bool {
        // Digits 1 ..= n-1-stage are those of (x / k) mod k^(n-1-stage).
        let modulus = self.powers[(self.n - 1 - stage) as usize];
        a / self.k % modulus != b / self.k % modulus
    }
}

impl Routes for Tree {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
        let stage = switch / self.powers[self.n as usize - 1];
        if u32::from(in_port) < self.k && self.goes_up(stage, source, destination) {
            let node = match self.up_choice {
                UpChoice::Destination => destination,
                UpChoice::Source => source,
            };
            return (self.k + self.digit(stage, node)) as u8;
        }
        self.digit(stage, destination) as u8
    }

    /// Digit 1, the lowest one that makes a packet go up, takes it to the top.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        (self.n > 1).then_some((0, self.k))
    }
}

pub(crate) fn parts(up_choice: UpChoice, k: u32, n: u32) -> Result<Parts, TopologyError> {
    ConfigError::check("network.k", k, 2..=PORTS_MAX / 2, " (switches of 2k ports)")?;
    let Some(nodes) = k.checked_pow(n).filter(|&nodes| n >= 1 && nodes <= NODES_MAX) else {
        let legal = format!("1 or more with k^n at most {NODES_MAX}: {NODES_MAX_REASON}");
        return Err(ConfigError::new("network.n", n, legal).into());
    };
    let per_stage = nodes / k;
    let port_of = |stage, label: u32| (stage * per_stage + label / k, (label % k) as u8);
    let links = (0..n - 1).flat_map(|stage| (0..nodes).map(move |label| (stage, label)));
    let links = links.map(|(stage, label)| {
        let (lower, port) = port_of(stage, label);
        let next = label % per_stage * k + label / per_stage;
        [(lower, k as u8 + port), port_of(stage + 1, next)]
    });
    let ports = vec![2 * k; (n * per_stage) as usize];
    Ok(Parts {
        name: "k-ary-n-tree",
        graph: Graph::wired(&ports, (0..nodes).map(|node| port_of(0, node)), links)?,
        routes: Arc::new(Tree { k, n, up_choice, powers: (0..n).map(|i| k.pow(i)).collect() }),
        maximum_links: Some(nodes.into()),
    })
}
