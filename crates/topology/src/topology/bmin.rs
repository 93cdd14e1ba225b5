//! BMIN: bidirectional multistage network of 8-port switches, perfect shuffle, N = 2^B nodes
//! [garcia-trees-2005; topology.md].
//!
//! ceil(B/2) stages of N/4 switches; ports 0..3 down, 4..7 up. Up port p of switch w has label L =
//! 4w + p (B bits) and leads to the down port of label rotl2(L) of the next stage. Going up, a
//! switch label loses its two highest bits and takes in p at the low end; going down by port q it
//! loses its two lowest and takes in q at the high end. So t stages up and down again replace the
//! upper 2t bits of a label, which gives the turn stage and the ports below. With odd B the top
//! stage replaces one bit only: two of its down ports lead to the same switch.
//!
//! Routes merge, by the source's digits too: on the way up the label of a switch holds the bits of
//! the source that are still compared, and the port of arrival is the digit that the stage reads.

use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Endpoint, Graph, NODES_MAX, NODES_MAX_REASON};
use crate::path::UpChoice;
use crate::routes::{Parts, Routes};

const UP: u8 = 4;
const PORTS: u32 = 8;

#[derive(Debug)]
struct Bmin {
    bits: u32,
    up_choice: UpChoice,
}

/// Least t with `a` and `b` equal in bits 2 ..= B-1-2t: the lowest bit from 2 on in which they
/// differ decides.
#[inline]
fn turn_stage(bits: u32, a: u32, b: u32) -> u32 {
    match (a ^ b) & !3 {
        0 => 0,
        differing => (bits - 1 - differing.trailing_zeros()) / 2 + 1,
    }
}

impl Bmin {
    /// The two bits of `node` that stage `stage` reads.
    #[inline]
    fn digit(&self, stage: u32, node: u32) -> u8 {
        let shift = if stage == 0 { 0 } else { self.bits - 2 * stage };
        (node >> shift & 3) as u8
    }
}

impl Routes for Bmin {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
        let stage = switch >> (self.bits - 2);
        if in_port < UP && stage < turn_stage(self.bits, source, destination) {
            let node = match self.up_choice {
                UpChoice::Destination => destination,
                UpChoice::Source => source,
            };
            return UP + self.digit(stage, node);
        }
        let port = self.digit(stage, destination);
        // Odd B, top stage: the low bit of the port reaches no label. The mirror image leads down
        // by the source's bit.
        if self.up_choice == UpChoice::Source && stage > 0 && self.bits == 2 * stage + 1 {
            return port & 2 | (source >> 1 & 1) as u8;
        }
        port
    }

    #[inline]
    fn peer(&self, _: &Graph, switch: u32, port: u8) -> Endpoint {
        let (stage_bits, port) = (self.bits - 2, u32::from(port));
        let (stage, label) = (switch >> stage_bits, switch << 2 | port & 3);
        let label = label & ((1 << self.bits) - 1);
        if port >= u32::from(UP) {
            if stage + 1 == self.bits.div_ceil(2) {
                return Endpoint::None;
            }
            let next = rotate(label, 2, self.bits);
            return Endpoint::Port {
                switch: (stage + 1) << stage_bits | next >> 2,
                port: (next & 3) as u8,
            };
        }
        if stage == 0 {
            return Endpoint::Node(label);
        }
        let next = rotate(label, stage_bits, self.bits);
        Endpoint::Port {
            switch: (stage - 1) << stage_bits | next >> 2,
            port: UP + (next & 3) as u8,
        }
    }

    /// Bit 2, the lowest one that makes a packet go up, takes it to the top.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        (self.bits > 2).then_some((0, 4))
    }
}

/// A label of `bits` bits, at least `by`, rotated to the left.
#[inline]
fn rotate(label: u32, by: u32, bits: u32) -> u32 {
    (label << by | label >> (bits - by)) & ((1 << bits) - 1)
}

pub(crate) fn parts(up_choice: UpChoice, nodes: u32) -> Result<Parts, TopologyError> {
    if !nodes.is_power_of_two() || !(4..=NODES_MAX).contains(&nodes) {
        let legal = format!("a power of two, 4 to {NODES_MAX}: {NODES_MAX_REASON}");
        return Err(ConfigError::new("network.nodes", nodes, legal).into());
    }
    let bits = nodes.trailing_zeros();
    let (stages, per_stage) = (bits.div_ceil(2), nodes / 4);
    let port_of = |stage, label: u32| (stage * per_stage + (label >> 2), (label & 3) as u8);
    let links = (0..stages - 1).flat_map(|stage| (0..nodes).map(move |label| (stage, label)));
    let links = links.map(|(stage, label)| {
        let (lower, port) = port_of(stage, label);
        [(lower, UP + port), port_of(stage + 1, rotate(label, 2, bits))]
    });
    let ports = vec![PORTS; (stages * per_stage) as usize];
    Ok(Parts {
        name: "bmin",
        graph: Graph::wired(&ports, (0..nodes).map(|node| port_of(0, node)), links)?,
        routes: Arc::new(Bmin { bits, up_choice }),
        maximum_links: Some(nodes.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::Bmin;
    use crate::graph::{Endpoint, Graph};
    use crate::network::Network;
    use crate::options::BuildOptions;
    use crate::path::UpChoice;
    use crate::routes::Routes;

    // Every network is checked for it when it is built: here one that has one port wrong.
    #[test]
    fn a_rule_that_reckons_with_other_wiring_is_refused() {
        #[derive(Debug)]
        struct Wrong(Bmin);
        impl Routes for Wrong {
            fn merges(&self) -> bool {
                true
            }

            fn next_port(&self, switch: u32, in_port: u8, destination: u32, source: u32) -> u8 {
                self.0.next_port(switch, in_port, destination, source)
            }
            fn peer(&self, graph: &Graph, switch: u32, port: u8) -> Endpoint {
                let right = self.0.peer(graph, switch, port);
                if (switch, port) == (5, 6) { Endpoint::None } else { right }
            }
        }
        let mut parts = super::parts(UpChoice::Destination, 32).unwrap();
        let bits = 5;
        let up_choice = UpChoice::Destination;
        parts.routes = std::sync::Arc::new(Wrong(Bmin { bits, up_choice }));
        let error = Network::from_parts(parts, &BuildOptions::default()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with(
                "the routing rule reckons that port 6 of s5 leads to None; the graph has Port"
            ),
            "{text}"
        );
    }
}
