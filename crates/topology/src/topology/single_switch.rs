//! One switch with an end node on each port.

use std::sync::Arc;

use crate::builder::GraphBuilder;
use crate::error::{ConfigError, TopologyError};
use crate::graph::{LinkAttributes, PORTS_MAX};
use crate::parts::Parts;
use crate::path::UpChoice;
use crate::routes::Routes;

#[derive(Debug)]
struct SingleSwitch;

impl Routes for SingleSwitch {
    #[inline]
    fn next_port(&self, _switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        destination as u8
    }

    fn merges(&self) -> bool {
        true
    }
}

pub(crate) fn parts(_: UpChoice, ports: u32) -> Result<Parts, TopologyError> {
    if !(2..=PORTS_MAX).contains(&ports) {
        return Err(ConfigError::new("switch.ports", ports, format!("2 to {PORTS_MAX}")).into());
    }
    let mut builder = GraphBuilder::new(&[ports], ports)?;
    for node in 0..ports {
        builder.attach(node, (0, node as u8), LinkAttributes::default())?;
    }
    Ok(Parts {
        name: "single-switch",
        graph: builder.finish()?,
        routes: Arc::new(SingleSwitch),
        maximum_links: Some(ports.into()),
    })
}
