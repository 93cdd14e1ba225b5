//! What is legal for both engines, and what is built alike for both.

use crate::params;
use crate::{ConfigError, Params};
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
    let impossible = |what: String| Err(ConfigError::Impossible { what });
    let elements = config.network.switches() + config.network.nodes();
    if elements > ELEMENTS_MAX {
        return impossible(format!(
            "{elements} switches and end nodes; legal: at most {ELEMENTS_MAX}"
        ));
    }
    let by_levels = config.routing == RoutingKind::TwoLevel;
    if config.switch.adaptive.is_some() != by_levels
        || (by_levels && config.network.hierarchy().is_none())
    {
        let what = "two-level routing needs a hierarchical network and its rules";
        return impossible(what.to_string());
    }
    let may_fail = by_levels && config.switch.faults;
    if !may_fail && !config.faults.is_none() {
        let what = "faults; legal with two-level routing and `SwitchConfig::faults`";
        return impossible(what.to_string());
    }
    if let Some(ecn) = config.endnode.ecn {
        let bytes = ecn.cnps.map_or(ecn.ack_bytes, |cnps| cnps.bytes);
        let most = config.packet_bytes;
        if bytes > most {
            return impossible(format!("answers of {bytes} bytes; legal: at most {most}"));
        }
    }
    if let Some(trace) = &config.workload.trace {
        let is_bounded = config.endnode.admittance_bytes.is_some();
        if is_bounded && (trace.has_after || config.endnode.generator == GeneratorRule::Delayed) {
            let what = "a trace, and admittance with a bound; legal: unbounded, or a bound with \
                        `drop` where no message waits for another";
            return impossible(what.to_string());
        }
        let may_be_lost = !config.faults.is_none() || order(config) == Order::Free;
        if trace.has_after && may_be_lost {
            let what = "messages that wait for others where packets are lost or overtake; legal: \
                        no faults, deliveries in order";
            return impossible(what.to_string());
        }
    }
    if by_levels && config.endnode.ecn.is_some() {
        return impossible("responses with two-level routing; legal: other routing".to_string());
    }
    if config.routing != RoutingKind::Turns && config.switch.scheme.version().is_some() {
        return impossible(
            "RECN names congested points by turns; legal routing: turns".to_string(),
        );
    }
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
