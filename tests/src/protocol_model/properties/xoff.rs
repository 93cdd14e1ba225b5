//! Xoff: B bits agree with the Xoff in force downstream.

use super::{downstream, egress_queue};
use crate::protocol_model::model::ProtocolModel;
use crate::protocol_model::network::Side;
use crate::protocol_model::state::{Port, State};
use flow_control::Control;
use turnpool::Point;

/// Inside every switch, and over every link.
pub(super) fn agrees(model: &ProtocolModel, state: &State) -> bool {
    let units = &model.network.units;
    (0..units.len())
        .filter(|&u| units[u].side == Side::Ingress)
        .all(|u| internal(model, state, u) && link(model, state, u))
}

/// An ingress SAQ is blocked while its egress SAQ has Xoff in force, or (`iq`) the ingress SAQ
/// behind the link: only then in the DD versions, where not every SAQ is told; exactly then in the
/// token versions.
fn internal(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let recn = &state.ports[ingress].recn;
    recn.cam().iter().all(|(line, point)| {
        let child = recn.registers(line).owned;
        let told = child || !model.rules.tokens;
        let stopped = told && stopped(model, state, ingress, point);
        let blocked = recn.cam().blocked(line);
        blocked == stopped || !model.rules.tokens && !blocked
    })
}

/// Whether what `point` of an ingress port stands for has Xoff in force.
fn stopped(model: &ProtocolModel, state: &State, ingress: usize, point: Point) -> bool {
    let Some((egress, rest)) = downstream(model, ingress, point) else {
        return false;
    };
    let port = &state.ports[egress];
    if model.network.stores(egress) {
        return egress_queue(&port.recn, rest).is_some_and(|queue| queue.1);
    }
    let behind = model.network.units[egress].peer.map(|u| &state.ports[u]);
    let (Some(behind), Some(rest)) = (behind, rest) else {
        return false;
    };
    // An Xon on its way will open it; before that the SAQ behind the link may be at Xoff again.
    let opened = port.controls.contains(&Control::Xon(rest));
    opened || at_xoff(behind, rest)
}

/// Once all on its way has come, an egress SAQ is blocked exactly while the ingress SAQ downstream
/// has Xoff in force. A line without a queue is there only while it has.
fn link(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let here = &state.ports[ingress];
    let Some(upstream) = model.network.units[ingress].peer else {
        return true;
    };
    let with_queues = model.network.stores(upstream);
    let upstream = &state.ports[upstream];
    upstream.recn.cam().iter().all(|(line, point)| {
        let mut blocked = !with_queues || upstream.recn.cam().blocked(line);
        for control in &upstream.controls {
            match *control {
                Control::Xoff(p) if p == point => blocked = true,
                Control::Xon(p) if p == point => blocked = false,
                _ => {}
            }
        }
        blocked == at_xoff(here, point)
    })
}

/// Whether the SAQ of an ingress port for `point` has Xoff in force.
fn at_xoff(port: &Port, point: Point) -> bool {
    let line = port.recn.cam().find(&point);
    line.is_some_and(|line| port.recn.registers(line).xoff.is_set())
}
