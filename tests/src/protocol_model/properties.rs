//! What must hold in every state.

use super::model::ProtocolModel;
use super::network::{PORTS, Side, width};
use super::queues::Held;
use super::state::{Fault, Port, State};
use flow_control::Control;
use recn::{MarkedQueues, RecnPort};
use stateright::Property;
use turnpool::Point;
use units::bits::ones;
use units::{LineId, PortId, named};

named! {
    /// A property; [`Rule::name`] states it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Rule: "property" {
        /// The production code finds no broken invariant, such as a row that the life cycle does
        /// not have.
        Protocol = "no broken invariant in the production code",
        /// Packets of a flow are ejected in order.
        Order = "in order",
        /// Every packet is in one place.
        Packets = "no packet lost or doubled",
        /// Markers and R bits agree; the queue of a free line holds nothing.
        Markers = "markers and ready bits agree",
        /// Every token that is away is in one place, leaf bits agree.
        Tokens = "no token lost or doubled",
        /// B bits agree with the Xoff in force downstream.
        Xoff = "blocked bits agree with Xoff in force",
        /// Where nothing can happen any more, everything has arrived.
        Delivered = "at rest everything is delivered",
        /// Where nothing can happen any more, every SAQ is free and every token home.
        PutAway = "at rest every SAQ is free",
    }
}

impl Rule {
    /// Whether it holds in `state`.
    fn holds(self, model: &ProtocolModel, state: &State) -> bool {
        match self {
            Rule::Protocol => !matches!(state.fault, Some(Fault::Protocol(_))),
            Rule::Order => !matches!(state.fault, Some(Fault::Overtaken(_))),
            // A commit that broke off has left things half done.
            _ if state.fault.is_some() => true,
            Rule::Packets => packets(model, state),
            Rule::Markers => markers(model, state),
            Rule::Tokens => !model.rules.tokens || tokens_agree(model, state),
            Rule::Xoff => xoff_agrees(model, state),
            Rule::Delivered => state.ejected == model.network.packets || !at_rest(model, state),
            Rule::PutAway => put_away(state) || !at_rest(model, state),
        }
    }
}

/// All, as the checker takes them.
pub(super) fn all() -> Vec<Property<ProtocolModel>> {
    macro_rules! always {
        ($($rule:ident),+) => {
            vec![$( Property::always(Rule::$rule.name(), |m, s| Rule::$rule.holds(m, s)) ),+]
        };
    }
    always![Protocol, Order, Packets, Markers, Tokens, Xoff, Delivered, PutAway]
}

fn at_rest(model: &ProtocolModel, state: &State) -> bool {
    let still = |p: &Port| p.arriving.is_empty() && p.controls.is_empty();
    state.ports.iter().all(|p| still(p)) && model.events(state).is_empty()
}

fn put_away(state: &State) -> bool {
    let home = |p: &Port| p.recn.cam().in_use() == 0 && p.recn.root_children() == 0;
    state.ports.iter().all(|p| home(p))
}

fn packets(model: &ProtocolModel, state: &State) -> bool {
    let network = &model.network;
    let mut seen = 0u64;
    let mut count = 0;
    let mut see = |packet: u8| {
        seen |= 1 << packet;
        count += 1;
    };
    for port in &state.ports {
        port.arriving.iter().for_each(|&p| see(p));
        for &(_, held) in port.queues.held() {
            if let Held::Packet(packet) = held {
                see(packet);
            }
        }
    }
    let mut expected = 0;
    for flow in 0..network.packets.len() {
        let first = network.first_packet(flow);
        let waiting = state.admitted[flow]..network.packets[flow];
        (0..state.ejected[flow]).chain(waiting).for_each(|k| see(first + k));
        expected += u32::from(network.packets[flow]);
    }
    count == expected && seen.count_ones() == expected
}

/// A line waits for exactly one marker, which is in some queue of its port, or is ready.
fn markers(model: &ProtocolModel, state: &State) -> bool {
    let agree = |port: &Port| {
        let (cam, queues) = (port.recn.cam(), &port.queues);
        (0..cam.lines()).map(LineId::at).all(|line| {
            let waits = cam.is_valid(line) && !cam.ready(line);
            let used = cam.is_valid(line) || queues.is_vacant(port.recn.queue(line));
            let markers = queues.held().iter().filter(|h| h.1 == Held::Marker(line));
            markers.count() == usize::from(waits) && used
        })
    };
    let ports = state.ports.iter().enumerate();
    // A line without a queue is never ready.
    let mut with_queues = ports.filter(|&(unit, _)| model.network.stores(unit));
    with_queues.all(|(_, port)| agree(port))
}

/// The egress port of its switch that `point` of an ingress port goes through, if a flow meets it,
/// and its name there; none for the root itself.
fn downstream(
    model: &ProtocolModel,
    ingress: usize,
    point: Point,
) -> Option<(usize, Option<Point>)> {
    let place = model.network.units[ingress];
    let output = turnpool::forward(u32::from(place.port.0), point.first(width()), PORTS);
    let port = PortId::at(output as usize);
    let egress = model.network.find(place.element, Side::Egress, port)?;
    let rest = point.without_first(width()).filter(|rest| rest.bits() != 0);
    Some((egress, rest))
}

/// Children of the SAQ for `point` of an egress port, of the root where there is none, and whether
/// Xoff is in force there.
fn egress_queue(recn: &RecnPort, point: Option<Point>) -> Option<(u64, bool)> {
    let Some(point) = point else {
        return Some((recn.root_children(), recn.root_xoff()));
    };
    let registers = recn.registers(recn.cam().find(&point)?);
    Some((registers.children, registers.xoff.is_set()))
}

/// Notified lines, child bits, debts and leaf bits agree.
fn tokens_agree(model: &ProtocolModel, state: &State) -> bool {
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

/// A token is due for a line exactly if the egress queue has this port for a child.
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

/// B bits agree with the Xoff in force downstream, inside every switch and over every link.
fn xoff_agrees(model: &ProtocolModel, state: &State) -> bool {
    let units = &model.network.units;
    (0..units.len())
        .filter(|&u| units[u].side == Side::Ingress)
        .all(|u| internal(model, state, u) && link(model, state, u))
}

/// An ingress SAQ is blocked while its egress SAQ has Xoff in force, or (`iq`) the ingress SAQ
/// behind the link: only then in the DD versions, where Xoff does not reach every SAQ; exactly then
/// in the token versions.
fn internal(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let recn = &state.ports[ingress].recn;
    recn.cam().iter().all(|(line, point)| {
        let child = recn.registers(line).owned;
        let sent = child || !model.rules.tokens;
        let stopped = sent && stopped(model, state, ingress, point);
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
