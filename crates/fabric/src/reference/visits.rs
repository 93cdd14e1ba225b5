//! What is visited in a tick: switches with their ports, and end nodes.

use super::dues::Due;
use super::elements::Elements;
use observe::Owner;
use units::ElementId;

/// A switch that is visited in a tick; its ports a bit each.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Visit {
    pub(crate) switch: ElementId,
    /// To these something may come over the wire.
    pub(crate) arrivals: u64,
    /// At these anything else may happen.
    pub(crate) ports: u64,
    /// At these transfers start.
    pub(crate) crossed: u64,
    /// Something may happen at its crossbar.
    pub(crate) crossbar: bool,
}

/// What is visited in a tick, in an order on which results do not depend.
#[derive(Debug, Clone, Default)]
pub(crate) struct Visits {
    pub(crate) switches: Vec<Visit>,
    pub(crate) nodes: Vec<ElementId>,
    /// By element: its place in one of these lists, if it is there.
    places: Box<[usize]>,
    /// Ports of [`Visit::arrivals`] and of [`Visit::ports`].
    pub(crate) arrivals: Vec<(ElementId, u64)>,
    pub(crate) ports: Vec<(ElementId, u64)>,
}

impl Visits {
    /// Nobody yet, of these.
    pub(crate) fn of(elements: &Elements) -> Visits {
        let all = elements.switches.len() + elements.nodes.len();
        Visits { places: vec![0; all].into(), ..Visits::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.switches.clear();
        self.arrivals.clear();
        self.ports.clear();
        self.nodes.clear();
    }

    /// A switch is visited.
    #[inline]
    fn switch(&mut self, switch: ElementId) -> &mut Visit {
        let place = &mut self.places[switch.index()];
        if self.switches.get(*place).is_none_or(|visit| visit.switch != switch) {
            *place = self.switches.len();
            self.switches.push(Visit { switch, ..Visit::default() });
        }
        &mut self.switches[*place]
    }

    fn node(&mut self, node: ElementId) {
        let place = &mut self.places[node.index()];
        if self.nodes.get(*place) != Some(&node) {
            *place = self.nodes.len();
            self.nodes.push(node);
        }
    }

    /// Adds who is due; `owners`: whose ports wires end at.
    #[inline]
    pub(crate) fn add(&mut self, elements: &Elements, owners: &[Owner], due: Due) {
        let (wire, is_wire) = match due {
            Due::Switch(switch) => return self.switch(switch).crossbar = true,
            Due::Wire(wire) => (wire, true),
            Due::Port(wire) => (wire, false),
        };
        let Owner { element, port } = owners[wire.index()];
        if element.index() >= elements.switches.len() {
            return self.node(element);
        }
        let visit = self.switch(element);
        let ports = if is_wire { &mut visit.arrivals } else { &mut visit.ports };
        *ports |= 1 << port.0;
    }

    /// All that is due is there.
    pub(crate) fn list_ports(&mut self) {
        for visit in &self.switches {
            if visit.arrivals != 0 {
                self.arrivals.push((visit.switch, visit.arrivals));
            }
            if visit.ports != 0 {
                self.ports.push((visit.switch, visit.ports));
            }
        }
    }
}
