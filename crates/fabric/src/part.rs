//! The units of a fabric: switches, end nodes, what is on the wires between them, and their clock.

use crate::clock::reference::Reference;
use crate::elements::Elements;
use crate::transit::Transit;
use endnode::EndNode;
use observe::Observer;
use switch::Switch;
use units::Tick;

pub(crate) struct Part {
    pub(crate) elements: Elements,
    pub(crate) transit: Transit,
    pub(crate) clock: Reference,
}

impl Part {
    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(&mut self, observer: &mut O, from: Tick, end: Tick) {
        let (elements, transit) = (&mut self.elements, &mut self.transit);
        self.clock.run(elements, transit, observer, from, end);
    }
}

/// The units looked at between two ticks.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) part: &'a Part,
    pub(crate) now: Tick,
}

impl<'a> Parts<'a> {
    pub(crate) fn switch(self, switch: u32) -> (&'a Part, &'a Switch) {
        (self.part, &self.part.elements.switches[switch as usize])
    }

    pub(crate) fn node(self, node: u32) -> (&'a Part, &'a EndNode) {
        (self.part, &self.part.elements.nodes[node as usize])
    }

    pub(crate) fn switches(self) -> impl Iterator<Item = (&'a Part, &'a Switch)> {
        let switches = self.part.elements.switches.iter();
        switches.map(move |switch| (self.part, switch))
    }

    pub(crate) fn nodes(self) -> impl Iterator<Item = (&'a Part, &'a EndNode)> {
        let nodes = self.part.elements.nodes.iter();
        nodes.map(move |node| (self.part, node))
    }

    /// The first thing that is not at home, after everything drained.
    pub(crate) fn left_over(self) -> Option<String> {
        let switches = self.switches().filter_map(|(_, s)| s.left_over());
        let nodes = self.nodes().filter_map(|(_, n)| n.left_over());
        switches.chain(nodes).next()
    }

    /// Whether anything waits in admittance, is on its way or will or may be generated.
    pub(crate) fn is_busy(self) -> bool {
        let Part {
            elements, transit, ..
        } = self.part;
        transit.packets.alive() > 0
            || transit.wires.control_packets() > 0
            || elements.admittance_waits()
            || elements.next_generation().is_some()
            || self.has_to_tell()
    }

    /// Whether a closed loop will hear of a message that is gone, and go on.
    fn has_to_tell(self) -> bool {
        let mut lost = self.part.transit.gone.requests().iter();
        lost.any(|request| self.node(request.node).1.is_closed(request.group))
    }

    /// Packets in the network: admitted and not yet ejected.
    pub(crate) fn packets_in_network(self) -> usize {
        self.part.transit.packets.alive()
    }
}
