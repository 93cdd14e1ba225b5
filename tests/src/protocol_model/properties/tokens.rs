//! Tokens: each that is away is in one place.

use super::{downstream, egress_queue};
use crate::protocol_model::model::ProtocolModel;
use crate::protocol_model::network::{PORTS, Side, width};
use crate::protocol_model::state::State;
use flow_control::Control;
use turnpool::Point;
use units::bits::ones;
use units::{LineId, PortId};

/// Notified lines, child bits, debts and leaf bits agree.
pub(super) fn agree(model: &ProtocolModel, state: &State) -> bool {
    let units = &model.network.units;
    (0..units.len()).all(|unit| {
        let recn = &state.ports[unit].recn;
        let leaf = |line: LineId| match units[unit].side {
            Side::Ingress => !recn.registers(line).notified,
            Side::Injection | Side::Egress => recn.registers(line).children == 0,
        };
        let mut lines = ones(recn.cam().valid()).map(LineId::at);
        lines.all(|line| recn.cam().leaf(line) == leaf(line))
            && match units[unit].side {
                Side::Ingress => link_tokens(model, state, unit) && owned(model, state, unit),
                Side::Egress => children(model, state, unit),
                Side::Injection => true,
            }
    })
}

/// Every notified line of an ingress port has its token in one place: in a notification on its way,
/// at the SAQ upstream, or in a token or NACK on its way back.
fn link_tokens(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let port = &state.ports[ingress];
    let Some(upstream) = model.network.units[ingress].peer else {
        return true;
    };
    let upstream = &state.ports[upstream];
    let asked = upstream.controls.iter().filter_map(|c| match *c {
        Control::Notification(point) => Some(point),
        _ => None,
    });
    let answered = port.controls.iter().filter_map(|c| match *c {
        Control::Token(point) | Control::Nack(point) => Some(point),
        _ => None,
    });
    let held = upstream.recn.cam().iter().map(|(_, point)| point);
    let mut away: Vec<Point> = asked.chain(answered).chain(held).collect();
    let recn = &port.recn;
    let mut notified: Vec<Point> = recn
        .cam()
        .iter()
        .filter(|(line, _)| recn.registers(*line).notified)
        .map(|(_, point)| point)
        .collect();
    away.sort();
    notified.sort();
    away == notified
}

/// A line owes a token exactly if the egress queue has this port for a child.
fn owned(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let recn = &state.ports[ingress].recn;
    let bit = 1u64 << model.network.units[ingress].port.0;
    recn.cam().iter().all(|(line, point)| {
        let queue = downstream(model, ingress, point)
            .and_then(|(egress, rest)| egress_queue(&state.ports[egress].recn, rest));
        recn.registers(line).owned == queue.is_some_and(|(children, _)| children & bit != 0)
    })
}

/// Every child of an egress queue has its SAQ.
fn children(model: &ProtocolModel, state: &State, egress: usize) -> bool {
    let place = model.network.units[egress];
    let recn = &state.ports[egress].recn;
    let lines = recn.cam().iter();
    let saqs = lines.map(|(line, point)| (point, recn.registers(line).children));
    let mut all = saqs.chain([(Point::EMPTY, recn.root_children())]);
    all.all(|(point, children)| {
        ones(children).map(PortId::at).all(|input| {
            let turn = turnpool::turn(u32::from(input.0), u32::from(place.port.0), PORTS);
            let ingress = model.network.find(place.element, Side::Ingress, input);
            let named = point.prepend(turn, width()).ok();
            let line = |u: usize, p| state.ports[u].recn.cam().find(&p);
            ingress.zip(named).and_then(|(u, p)| line(u, p)).is_some()
        })
    })
}
