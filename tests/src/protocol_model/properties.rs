//! What must hold in every state.

mod tokens;
mod xoff;

use super::model::ProtocolModel;
use super::network::{PORTS, Side, width};
use super::queues::Held;
use super::state::{Fault, Port, State};
use recn::{MarkedQueues, RecnPort};
use stateright::Property;
use turnpool::Point;
use units::{LineId, PortId};

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
            Rule::Markers => markers(model, state),
            Rule::Tokens => !model.rules.tokens || tokens::agree(model, state),
            Rule::Xoff => xoff::agrees(model, state),
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

/// Nothing can happen any more.
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
