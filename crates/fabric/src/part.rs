//! A part of a fabric: switches, end nodes, what is on the wires that end at them, their clock. A
//! fabric on one thread is one part.

use crate::clock::fast::Fast;
use crate::clock::reference::Reference;
use crate::elements::Elements;
use crate::mail::Mail;
use crate::partition::Partition;
use crate::transit::{Alarm, Transit, Wake};
use endnode::EndNode;
use observe::Observer;
use switch::Switch;
use units::{ElementId, PortId, Tick};

pub(crate) enum Clockwork {
    Fast(Box<Fast>),
    Reference(Reference),
}

pub(crate) struct Part {
    pub(crate) elements: Elements,
    pub(crate) transit: Transit,
    pub(crate) clockwork: Clockwork,
}

/// From outside, between two ticks.
impl Alarm for Clockwork {
    fn wake(&mut self, now: Tick, at: Tick, wake: Wake, element: ElementId, port: PortId) {
        if let Clockwork::Fast(fast) = self {
            fast.wheel.wake(now, at, wake, element, port);
        }
    }
}

impl Part {
    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(&mut self, observer: &mut O, from: Tick, end: Tick) {
        let (elements, transit) = (&mut self.elements, &mut self.transit);
        match &mut self.clockwork {
            Clockwork::Fast(fast) => fast.run(elements, transit, observer, from, end),
            Clockwork::Reference(all) => all.run(elements, transit, observer, from, end),
        }
    }

    /// The first tick from `from` on at which anything here is due; [`Tick::MAX`] if nothing is.
    pub(crate) fn first_due(&self, from: Tick) -> Tick {
        match &self.clockwork {
            Clockwork::Fast(fast) => fast.wheel.first_due(from),
            Clockwork::Reference(_) => from,
        }
    }

    /// Ticks in which anything was due so far; `None` where every tick is looked at.
    pub(crate) fn ticks_served(&self) -> Option<u64> {
        match &self.clockwork {
            Clockwork::Fast(fast) => Some(fast.served),
            Clockwork::Reference(_) => None,
        }
    }

    /// Takes in what another part has sent; all of it is due at `now` or later.
    pub(crate) fn deliver(&mut self, mail: &mut Mail, now: Tick) {
        self.transit.deliver(mail, now, &mut self.clockwork);
    }
}

/// All parts looked at as one fabric between two ticks: elements by their numbers, each with the
/// part that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) parts: &'a [Part],
    pub(crate) partition: &'a Partition,
    pub(crate) now: Tick,
}

impl<'a> Parts<'a> {
    pub(crate) fn switch(self, switch: u32) -> (&'a Part, &'a Switch) {
        let slot = self.partition.switches[switch as usize];
        let part = &self.parts[slot.part as usize];
        (part, &part.elements.switches[slot.at as usize])
    }

    pub(crate) fn node(self, node: u32) -> (&'a Part, &'a EndNode) {
        let slot = self.partition.nodes[node as usize];
        let part = &self.parts[slot.part as usize];
        (part, &part.elements.nodes[slot.at as usize])
    }

    pub(crate) fn switches(self) -> impl Iterator<Item = (&'a Part, &'a Switch)> {
        (0..self.partition.switches.len() as u32).map(move |s| self.switch(s))
    }

    pub(crate) fn nodes(self) -> impl Iterator<Item = (&'a Part, &'a EndNode)> {
        (0..self.partition.nodes.len() as u32).map(move |n| self.node(n))
    }

    /// The first thing that is not at home, after everything drained.
    pub(crate) fn left_over(self) -> Option<String> {
        let switches = self.switches().filter_map(|(_, s)| s.left_over(self.now));
        let nodes = self.nodes().filter_map(|(_, n)| n.left_over(self.now));
        switches.chain(nodes).next()
    }

    /// Whether anything waits in admittance, is on its way or will or may be generated.
    pub(crate) fn is_busy(self) -> bool {
        self.parts.iter().any(|part| {
            part.transit.packets.alive() > 0
                || part.transit.wires.control_packets() > 0
                || part.elements.admittance_waits()
                || part.elements.next_generation().is_some()
                || self.has_to_tell(part)
        })
    }

    /// Whether a closed loop will hear of a message that is gone, and go on.
    fn has_to_tell(self, part: &Part) -> bool {
        let mut lost = part.transit.gone.requests().iter();
        lost.any(|request| self.node(request.node).1.is_closed(request.group))
    }

    /// Packets in the network: admitted and not yet ejected.
    pub(crate) fn packets_in_network(self) -> usize {
        let alive = |part: &Part| part.transit.packets.alive();
        self.parts.iter().map(alive).sum()
    }
}
