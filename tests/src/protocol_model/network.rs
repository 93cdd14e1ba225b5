//! What does not change in an exploration: switches, links, flows and their routes.

use plan::Organisation;
use turnpool::Route;
use units::PortId;

pub(super) const PORTS: u32 = 4;

pub(super) const NODE_PORT: PortId = PortId(0);

pub(super) fn width() -> u32 {
    turnpool::turn_width(PORTS, false)
}

/// What commits by itself: a switch or an end node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Element {
    Switch(u8),
    Node(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// Injection memory of an end node: an egress port without ingress ports behind it.
    Injection,
    Ingress,
    /// Egress memory; in `iq` the output without one.
    Egress,
}

/// One side of a port with its RECN unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) element: Element,
    pub(crate) side: Side,
    /// Number of the port; 0 for an end node.
    pub(crate) port: PortId,
    /// The unit at the other end of its link; `None`: a node that only ejects.
    pub(crate) peer: Option<usize>,
}

/// A switch that a flow crosses: switch, ingress port, egress port.
pub(crate) type Hop = (u8, u8, u8);

/// Packets from one node over these switches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flow {
    pub(crate) node: u8,
    pub(crate) packets: u8,
    pub(crate) hops: &'static [Hop],
}

/// Units, and for each flow where its packets go.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    /// Where the switches have memories.
    pub(crate) organisation: Organisation,
    pub(crate) units: Vec<Unit>,
    pub(crate) packets: Vec<u8>,
    /// `[flow]`: the units on its way, injection first.
    pub(crate) ways: Vec<Vec<usize>>,
    /// `[flow][unit]`: the turns that remain there.
    routes: Vec<Vec<Route>>,
    flow_of: Vec<u8>,
}

impl Network {
    pub(crate) fn new(flows: &[Flow], organisation: Organisation) -> Network {
        let mut network = Network {
            organisation,
            units: Vec::new(),
            packets: flows.iter().map(|f| f.packets).collect(),
            ways: Vec::new(),
            routes: Vec::new(),
            flow_of: Vec::new(),
        };
        for flow in flows {
            let way = network.way(flow);
            network.ways.push(way);
        }
        for (flow, way) in flows.iter().zip(&network.ways) {
            network.routes.push(routes(flow, way, network.units.len()));
        }
        for (flow, &packets) in network.packets.iter().enumerate() {
            network.flow_of.extend(std::iter::repeat_n(flow as u8, usize::from(packets)));
        }
        network
    }

    fn way(&mut self, flow: &Flow) -> Vec<usize> {
        let mut way = vec![self.unit(Element::Node(flow.node), Side::Injection, NODE_PORT)];
        for &(switch, input, output) in flow.hops {
            let (input, output) = (PortId(input), PortId(output));
            let ingress = self.unit(Element::Switch(switch), Side::Ingress, input);
            let before = way[way.len() - 1];
            self.units[before].peer = Some(ingress);
            self.units[ingress].peer = Some(before);
            way.push(ingress);
            way.push(self.unit(Element::Switch(switch), Side::Egress, output));
        }
        way
    }

    fn unit(&mut self, element: Element, side: Side, port: PortId) -> usize {
        let same = |u: &Unit| (u.element, u.side, u.port) == (element, side, port);
        self.units.iter().position(same).unwrap_or_else(|| {
            self.units.push(Unit { element, side, port, peer: None });
            self.units.len() - 1
        })
    }

    /// The unit of a port, if a flow meets it.
    pub(crate) fn find(&self, element: Element, side: Side, port: PortId) -> Option<usize> {
        let same = |u: &Unit| (u.element, u.side, u.port) == (element, side, port);
        self.units.iter().position(same)
    }

    pub(crate) fn stores(&self, unit: usize) -> bool {
        self.organisation != Organisation::Iq || self.units[unit].side != Side::Egress
    }

    pub(crate) fn flow(&self, packet: u8) -> usize {
        usize::from(self.flow_of[usize::from(packet)])
    }

    pub(crate) fn first_packet(&self, flow: usize) -> u8 {
        self.packets[..flow].iter().sum()
    }

    /// The turns that remain to a packet at a unit.
    pub(crate) fn route(&self, packet: u8, unit: usize) -> &Route {
        &self.routes[self.flow(packet)][unit]
    }

    /// The unit before this one on the way of a packet, and that behind it.
    pub(crate) fn neighbours(&self, packet: u8, unit: usize) -> (Option<usize>, Option<usize>) {
        let way = &self.ways[self.flow(packet)];
        let at = way.iter().position(|&u| u == unit);
        let before = at.and_then(|at| at.checked_sub(1)).map(|at| way[at]);
        (before, at.and_then(|at| way.get(at + 1)).copied())
    }

    /// The next memory on the way of a packet; none behind the last.
    pub(crate) fn next_memory(&self, packet: u8, unit: usize) -> Option<usize> {
        let next = self.neighbours(packet, unit).1?;
        if self.stores(next) { Some(next) } else { self.neighbours(packet, next).1 }
    }
}

/// `[unit]`: the turns that remain to a flow there.
fn routes(flow: &Flow, way: &[usize], units: usize) -> Vec<Route> {
    let mut route = Route::EMPTY;
    for &(_, input, output) in flow.hops {
        let turn = turnpool::turn(u32::from(input), u32::from(output), PORTS);
        route.push_back(turn, width()).expect("a few turns fit a route");
    }
    let mut at = vec![Route::EMPTY; units];
    for (k, &unit) in way.iter().enumerate() {
        at[unit] = route;
        // An ingress port: its switch's turn is used up behind it.
        if k % 2 == 1 {
            route.consume(width()).expect("a turn for each switch");
        }
    }
    at
}
