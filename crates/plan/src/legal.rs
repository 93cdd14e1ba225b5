//! What is legal for both engines, and what is built alike for both.

use crate::params::refuse;
use crate::{ConfigError, Params, params};
use crate::{FabricConfig, FaultTables, RoutingKind};
use crate::{GeneratorRule, Order};
use hierarchy::recovery::{Configured, Recovery};
use topology::Endpoint;

/// Most switches and end nodes together.
const ELEMENTS_MAX: usize = 1 << 22;

/// What all elements read.
///
/// # Errors
/// What no element sees alone.
pub fn checked(config: &FabricConfig) -> Result<Params, ConfigError> {
    let FabricConfig { network, endnode, faults, .. } = config;
    let elements = network.switches() + network.nodes();
    refuse(
        elements > ELEMENTS_MAX,
        &format!("{elements} switches and end nodes; legal: at most {ELEMENTS_MAX}"),
    )?;
    let by_levels = config.routing == RoutingKind::TwoLevel;
    refuse(
        config.switch.adaptive.is_some() != by_levels
            || (by_levels && network.hierarchy().is_none()),
        "two-level routing needs a hierarchical network and its rules",
    )?;
    let may_fail = by_levels && config.switch.faults;
    refuse(
        !may_fail && !faults.is_none(),
        "faults; legal with two-level routing and `SwitchConfig::faults`",
    )?;
    if let Some(ecn) = endnode.ecn {
        let (bytes, most) =
            (ecn.cnps.map_or(ecn.ack_bytes, |cnps| cnps.bytes), config.packet_bytes);
        refuse(bytes > most, &format!("answers of {bytes} bytes; legal: at most {most}"))?;
    }
    if let Some(trace) = &config.workload.trace {
        let waits = trace.has_after || endnode.generator == GeneratorRule::Delayed;
        refuse(
            endnode.admittance_bytes.is_some() && waits,
            "a trace, and admittance with a bound; legal: unbounded, or a bound with `drop` where \
             no message waits for another",
        )?;
        let may_be_lost = !faults.is_none() || order(config) == Order::Free;
        refuse(
            trace.has_after && may_be_lost,
            "messages that wait for others where packets are lost or overtake; legal: no faults, \
             deliveries in order",
        )?;
    }
    refuse(
        by_levels && endnode.ecn.is_some(),
        "responses with two-level routing; legal: other routing",
    )?;
    refuse(
        config.routing != RoutingKind::Turns && config.switch.scheme.version().is_some(),
        "RECN names congested points by turns; legal routing: turns",
    )?;
    params(config)
}

/// What end nodes ask of the order of packets. Nothing where parts of the fabric may not know yet
/// what a fault has taken, unless a reorder buffer waits for that.
pub fn order(config: &FabricConfig) -> Order {
    let is_sure = config.faults.is_none() || config.endnode.reorder_buffer;
    match config.overtaking() {
        None if is_sure => Order::Kept,
        _ => Order::Free,
    }
}

/// The unit for fault discovery and recovery of a switch, where it keeps its tables itself.
pub fn recovery(config: &FabricConfig, switch: u32) -> Result<Option<Recovery>, ConfigError> {
    let Some(hierarchy) = config.network.hierarchy() else {
        return Ok(None);
    };
    if config.faults.tables == FaultTables::Recomputed {
        return Ok(None);
    }
    let shapes = hierarchy.shapes();
    let shape = &shapes[switch as usize];
    let graph = config.network.graph();
    let peers = (0..graph.ports(switch) as u8).map(|port| {
        let peer = match graph.peer(switch, port) {
            Endpoint::Port { switch, .. } => switch,
            Endpoint::Node(_) | Endpoint::None => switch,
        };
        shapes[peer as usize].address
    });
    let table = hierarchy.tables()[switch as usize].clone();
    let configured = Configured::new(table, shape.local(), shape.global())
        .map_err(|error| ConfigError::Impossible { what: error.to_string() })?
        .with_places(shape.address, peers.collect());
    Ok(Some(Recovery::new(config.faults.protocol, configured)))
}
