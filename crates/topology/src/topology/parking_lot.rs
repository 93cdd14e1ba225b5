//! Parking lot: a chain of switches with a source each and a node at its end that all send to, to
//! see who gets which share [topology.md].
//!
//! Switch s has its source, node s, on port 0, the switch before it on port 1 and the next one on
//! port 2. Behind port 2 of the last switch is the node at the end, the one with the highest
//! number. Port 1 of switch 0 is not connected.

use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX, NODES_MAX_REASON};
use crate::routes::{Parts, Routes};

const SOURCE: u8 = 0;
const BACK: u8 = 1;
const ON: u8 = 2;
const PORTS: u32 = 3;

#[derive(Debug)]
struct ParkingLot {
    switches: u32,
}

impl Routes for ParkingLot {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        match destination.cmp(&switch) {
            std::cmp::Ordering::Less => BACK,
            std::cmp::Ordering::Equal => SOURCE,
            std::cmp::Ordering::Greater => ON,
        }
    }

    /// From the first source to the last one, which is as far as the end.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        (self.switches > 1).then(|| (0, self.switches - 1))
    }
}

pub(crate) fn parts(switches: u32) -> Result<Parts, TopologyError> {
    let why = format!(", a node less than {NODES_MAX}: {NODES_MAX_REASON}");
    ConfigError::check("network.switches", switches, 1..=NODES_MAX - 1, &why)?;
    // The node at the end is on the last switch.
    let node_ports = (0..switches + 1).map(|node| match node {
        end if end == switches => (switches - 1, ON),
        source => (source, SOURCE),
    });
    let links = (1..switches).map(|switch| [(switch - 1, ON), (switch, BACK)]);
    Ok(Parts {
        name: "parking-lot",
        graph: Graph::wired(&vec![PORTS; switches as usize], node_ports, links)?,
        routes: Arc::new(ParkingLot { switches }),
        // The link to the end.
        maximum_links: Some(1),
    })
}
