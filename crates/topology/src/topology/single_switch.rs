//! One switch with an end node on each port.

use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, PORTS_MAX};
use crate::routes::{Parts, Routes};

#[derive(Debug)]
struct SingleSwitch;

impl Routes for SingleSwitch {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, _switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        destination as u8
    }
}

pub(crate) fn parts(ports: u32) -> Result<Parts, TopologyError> {
    ConfigError::check("switch.ports", ports, 2..=PORTS_MAX, "")?;
    Ok(Parts {
        name: "single-switch",
        graph: Graph::wired(&[ports], (0..ports).map(|node| (0, node as u8)), [])?,
        routes: Arc::new(SingleSwitch),
        maximum_links: Some(ports.into()),
    })
}
