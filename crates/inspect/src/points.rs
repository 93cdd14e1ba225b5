//! From the point of a SAQ to the place in the network that it names.

use observe::{Place, Side, View};
use std::sync::Arc;
use topology::{Endpoint, Network};
use turnpool::Point;
use units::Unit;

type Way = fn(u32, u32, u32) -> u32;

/// Follows turns through the graph.
#[derive(Debug, Clone)]
pub(crate) struct Points {
    network: Arc<Network>,
}

impl Points {
    pub(crate) fn new(network: Arc<Network>) -> Points {
        Points { network }
    }

    /// The port of a place.
    pub(crate) fn unit(&self, view: View<'_>, Place { port, side }: Place) -> Unit {
        let owner = view.owners[port.index()];
        let (element, port) = (owner.element.0, owner.port.0);
        match element.checked_sub(self.network.switches() as u32) {
            None if side == Side::Ingress => Unit::Ingress { switch: element, port },
            None => Unit::Egress { switch: element, port },
            Some(node) if side == Side::Ingress => Unit::Node { node },
            Some(node) => Unit::Injection { node },
        }
    }

    /// The ingress port in whose switch the first turn of a point stored at `unit` is taken.
    fn first_ingress(&self, unit: Unit) -> Option<(u32, u8)> {
        let graph = self.network.graph();
        match unit {
            Unit::Ingress { switch, port } => Some((switch, port)),
            Unit::Egress { switch, port } => match graph.peer(switch, port) {
                Endpoint::Port { switch, port } => Some((switch, port)),
                Endpoint::Node(_) | Endpoint::None => None,
            },
            Unit::Injection { node } => Some(graph.node_port(node)),
            Unit::Switch { .. } | Unit::Node { .. } => None,
        }
    }

    /// The output port that `point`, stored at `unit`, names: the root of its tree.
    pub(crate) fn root(&self, unit: Unit, point: Point) -> Option<Unit> {
        let graph = self.network.graph();
        let (mut switch, mut port) = self.first_ingress(unit)?;
        let mut rest = point;
        loop {
            let out = self.turn(switch, port, rest, turnpool::forward)?;
            rest = rest.without_first(self.network.turn_width(switch))?;
            if rest.bits() == 0 {
                return Some(Unit::Egress { switch, port: out });
            }
            let Endpoint::Port { switch: s, port: p } = graph.peer(switch, out) else {
                return None;
            };
            (switch, port) = (s, p);
        }
    }

    /// The port that the first turn of a point leads to from a port of a switch: towards the root
    /// (`turnpool::forward`), or from there (`turnpool::backward`).
    fn turn(&self, switch: u32, port: u8, point: Point, way: Way) -> Option<u8> {
        let width = self.network.turn_width(switch);
        if u32::from(point.bits()) < width {
            return None;
        }
        let ports = self.network.graph().ports(switch);
        Some(way(u32::from(port), point.first(width), ports) as u8)
    }

    /// The next port towards the root: of an ingress port the egress port of its switch, of an
    /// egress or injection port the ingress port at the end of its link. From there comes what
    /// makes a SAQ for `point` at `unit`.
    pub(crate) fn next(&self, unit: Unit, point: Point) -> Option<Unit> {
        let (switch, port) = self.first_ingress(unit)?;
        match unit {
            Unit::Ingress { .. } => {
                let port = self.turn(switch, port, point, turnpool::forward)?;
                Some(Unit::Egress { switch, port })
            }
            _ => Some(Unit::Ingress { switch, port }),
        }
    }

    /// Whether a point stored at an ingress port names an output of this very switch.
    pub(crate) fn is_one_turn(&self, unit: Unit, point: Point) -> bool {
        match unit {
            Unit::Ingress { switch, .. } => {
                u32::from(point.bits()) == self.network.turn_width(switch)
            }
            _ => false,
        }
    }

    /// The ingress port that an egress port of its switch notifies of a point, as named there.
    pub(crate) fn notified(&self, egress: Unit, point: Point) -> Option<Unit> {
        let Unit::Egress { switch, port } = egress else {
            return None;
        };
        let port = self.turn(switch, port, point, turnpool::backward)?;
        Some(Unit::Ingress { switch, port })
    }

    /// The point of an egress port that an ingress port names with one turn more; none for a root.
    pub(crate) fn rest(&self, egress: Unit, point: Point) -> Option<Point> {
        let Unit::Egress { switch, .. } = egress else {
            return None;
        };
        point.without_first(self.network.turn_width(switch)).filter(|rest| rest.bits() > 0)
    }
}
