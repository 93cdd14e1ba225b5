//! What must hold in every state.

use super::model::ProtocolModel;
use super::network::{PORTS, Side, width};
use super::queues::Held;
use super::state::{Fault, Port, State};
use flow_control::Control;
use recn::MarkedQueues;
use stateright::Property;
use switch::bits;
use turnpool::Point;

/// A property; [`Rule::name`] says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The production code finds no broken invariant, such as a row that the life cycle does not
    /// have.
    Protocol,
    /// Packets of a flow are ejected in order.
    Order,
    /// Every packet is in one place.
    Packets,
    /// Markers and R bits agree; the queue of a free line holds nothing.
    Markers,
    /// Every token that is away is in one place, leaf bits agree.
    Tokens,
    /// B bits agree with the Xoff in force downstream.
    Xoff,
    /// Where nothing can happen any more, everything has arrived.
    Delivered,
    /// Where nothing can happen any more, every SAQ is free and every token home.
    PutAway,
}

impl Rule {
    /// All, in the order in which they are reported.
    pub const ALL: [Rule; 8] = [
        Rule::Protocol,
        Rule::Order,
        Rule::Packets,
        Rule::Markers,
        Rule::Tokens,
        Rule::Xoff,
        Rule::Delivered,
        Rule::PutAway,
    ];

    /// One line.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Protocol => "no broken invariant in the production code",
            Rule::Order => "in order",
            Rule::Packets => "no packet lost or doubled",
            Rule::Markers => "markers and ready bits agree",
            Rule::Tokens => "no token lost or doubled",
            Rule::Xoff => "blocked bits agree with Xoff in force",
            Rule::Delivered => "at rest everything is delivered",
            Rule::PutAway => "at rest every SAQ is free",
        }
    }

    /// Whether it holds in `state`.
    pub fn holds(self, model: &ProtocolModel, state: &State) -> bool {
        match self {
            Rule::Protocol => !matches!(state.fault, Some(Fault::Protocol(_))),
            Rule::Order => !matches!(state.fault, Some(Fault::Overtaken(_))),
            // A commit that broke off has left things half done.
            _ if state.fault.is_some() => true,
            Rule::Packets => packets(model, state),
            Rule::Markers => state.ports.iter().all(|p| markers(p)),
            Rule::Tokens => !model.rules.tokens || tokens(model, state),
            Rule::Xoff => xoff(model, state),
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
    always![
        Protocol, Order, Packets, Markers, Tokens, Xoff, Delivered, PutAway
    ]
}

/// Nothing can happen any more.
fn at_rest(model: &ProtocolModel, state: &State) -> bool {
    let still = |p: &Port| p.arriving.is_empty() && p.controls.is_empty();
    state.ports.iter().all(|p| still(p)) && model.events(state).is_empty()
}

fn put_away(state: &State) -> bool {
    let home = |p: &Port| p.recn.cam.in_use() == 0 && p.recn.root_children == 0;
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
        (0..state.ejected[flow])
            .chain(waiting)
            .for_each(|k| see(first + k));
        expected += u32::from(network.packets[flow]);
    }
    count == expected && seen.count_ones() == expected
}

/// A line waits for exactly one marker, which is in some queue of its port, or is ready.
fn markers(port: &Port) -> bool {
    let recn = &port.recn;
    let marker = |line: u8| {
        let all = port.queues.held().iter();
        all.filter(|h| h.1 == Held::Marker(line)).count()
    };
    (0..recn.cam.lines() as u8).all(|line| {
        let waits = recn.cam.is_valid(line) && !recn.cam.ready(line);
        let used = recn.cam.is_valid(line) || port.queues.is_vacant(recn.queue(line));
        marker(line) == usize::from(waits) && used
    })
}

fn tokens(model: &ProtocolModel, state: &State) -> bool {
    let units = &model.network.units;
    (0..units.len()).all(|unit| {
        let recn = &state.ports[unit].recn;
        let leaf = |line: u8| match units[unit].side {
            Side::Ingress => !recn.lines[usize::from(line)].notified,
            _ => recn.lines[usize::from(line)].children == 0,
        };
        bits(recn.cam.valid()).all(|l| recn.cam.leaf(l as u8) == leaf(l as u8))
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
    let held = upstream.recn.cam.iter().map(|(_, point)| point);
    let mut away: Vec<Point> = asked.chain(answered).chain(held).collect();
    let recn = &port.recn;
    let lines = recn.cam.iter();
    let mut notified: Vec<Point> = lines
        .filter(|(line, _)| recn.lines[usize::from(*line)].notified)
        .map(|(_, point)| point)
        .collect();
    away.sort();
    notified.sort();
    away == notified
}

/// The register of the egress queue of its switch that `point` of an ingress port stands for:
/// children, and Xoff.
fn downstream(
    model: &ProtocolModel,
    state: &State,
    ingress: usize,
    point: Point,
) -> Option<(u64, bool)> {
    let place = model.network.units[ingress];
    let output = turnpool::forward(u32::from(place.port), point.first(width()), PORTS);
    let egress = model
        .network
        .find(place.element, Side::Egress, output as u8)?;
    let recn = &state.ports[egress].recn;
    let rest = point.without_first(width())?;
    if rest.bits() == 0 {
        return Some((recn.root_children, recn.root_xoff.is_set()));
    }
    let line = recn.cam.find(&rest)?;
    let registers = &recn.lines[usize::from(line)];
    Some((registers.children, registers.xoff.is_set()))
}

/// A line owes a token exactly if the egress queue has this port for a child.
fn owned(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let recn = &state.ports[ingress].recn;
    let bit = 1u64 << model.network.units[ingress].port;
    recn.cam.iter().all(|(line, point)| {
        let children = downstream(model, state, ingress, point).map_or(0, |d| d.0);
        recn.lines[usize::from(line)].owned == (children & bit != 0)
    })
}

/// Every child of an egress queue has its SAQ.
fn children(model: &ProtocolModel, state: &State, egress: usize) -> bool {
    let place = model.network.units[egress];
    let recn = &state.ports[egress].recn;
    let lines = recn.cam.iter();
    let saqs = lines.map(|(line, point)| (point, recn.lines[usize::from(line)].children));
    let mut all = saqs.chain([(Point::EMPTY, recn.root_children)]);
    all.all(|(point, children)| {
        bits(children).all(|input| {
            let turn = turnpool::turn(input as u32, u32::from(place.port), PORTS);
            let ingress = model
                .network
                .find(place.element, Side::Ingress, input as u8);
            let named = point.prepend(turn, width()).ok();
            let line = |u: usize, p| state.ports[u].recn.cam.find(&p);
            ingress.zip(named).and_then(|(u, p)| line(u, p)).is_some()
        })
    })
}

fn xoff(model: &ProtocolModel, state: &State) -> bool {
    let units = &model.network.units;
    (0..units.len())
        .filter(|&u| units[u].side == Side::Ingress)
        .all(|u| internal_xoff(model, state, u) && link_xoff(model, state, u))
}

/// An ingress SAQ is blocked while its egress SAQ has Xoff in force: only then in the DD versions,
/// where not every SAQ there is told; exactly then in the token versions.
fn internal_xoff(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let recn = &state.ports[ingress].recn;
    recn.cam.iter().all(|(line, point)| {
        let child = recn.lines[usize::from(line)].owned;
        let told = child || !model.rules.tokens;
        let stopped = told && downstream(model, state, ingress, point).is_some_and(|d| d.1);
        let blocked = recn.cam.blocked(line);
        blocked == stopped || !model.rules.tokens && !blocked
    })
}

/// Once all on its way has come, an egress SAQ is blocked exactly while the ingress SAQ downstream
/// has Xoff in force.
fn link_xoff(model: &ProtocolModel, state: &State, ingress: usize) -> bool {
    let here = &state.ports[ingress].recn;
    let Some(upstream) = model.network.units[ingress].peer else {
        return true;
    };
    let upstream = &state.ports[upstream];
    upstream.recn.cam.iter().all(|(line, point)| {
        let mut blocked = upstream.recn.cam.blocked(line);
        for control in &upstream.controls {
            match *control {
                Control::Xoff(p) if p == point => blocked = true,
                Control::Xon(p) if p == point => blocked = false,
                _ => {}
            }
        }
        let stops = |line| here.lines[usize::from(line)].xoff.is_set();
        blocked == here.cam.find(&point).is_some_and(stops)
    })
}
