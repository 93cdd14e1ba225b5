//! A part of a fabric: switches, end nodes, what is on the wires that end at them, their clockwork. A fabric on one thread is
//! one part.

use crate::engine::fast::Fast;
use crate::engine::reference::{Nowhere, Reference};
use crate::env::Medium;
use crate::mail::Mail;
use crate::node::EndNode;
use crate::observer::Observer;
use crate::partition::Partition;
use crate::units_of::Units;
use switch::Switch;
use units::Tick;

pub(crate) enum Clockwork {
    Fast(Box<Fast>),
    Reference(Reference),
}

pub(crate) struct Part {
    pub(crate) units: Units,
    pub(crate) medium: Medium,
    pub(crate) clockwork: Clockwork,
}

impl Part {
    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(&mut self, observer: &mut O, from: Tick, end: Tick) {
        let (units, medium) = (&mut self.units, &mut self.medium);
        match &mut self.clockwork {
            Clockwork::Fast(fast) => fast.run(units, medium, observer, from, end),
            Clockwork::Reference(reference) => reference.run(units, medium, observer, from, end),
        }
    }

    /// The first tick from `from` on at which anything here is due; [`Tick::MAX`] if nothing is.
    pub(crate) fn first_due(&self, from: Tick) -> Tick {
        match &self.clockwork {
            Clockwork::Fast(fast) => fast.wheel.first_due(from),
            Clockwork::Reference(_) => from,
        }
    }

    /// Takes in what another part has sent; all of it is due at `now` or later.
    pub(crate) fn deliver(&mut self, mail: &mut Mail, now: Tick) {
        let switches = self.units.switches.len() as u32;
        match &mut self.clockwork {
            Clockwork::Fast(fast) => self.medium.deliver(mail, now, switches, &mut fast.wheel),
            Clockwork::Reference(_) => self.medium.deliver(mail, now, switches, &mut Nowhere),
        }
    }

    /// See [`Units::settle`].
    pub(crate) fn settle<O: Observer>(&mut self, observer: &mut O, end: Tick) {
        self.units.settle(&mut self.medium, observer, end);
    }
}

/// All parts looked at as one fabric between two ticks: units by their numbers, each with the part that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Whole<'a> {
    pub(crate) parts: &'a [Part],
    pub(crate) partition: &'a Partition,
}

impl<'a> Whole<'a> {
    pub(crate) fn switch(self, switch: u32) -> (&'a Part, &'a Switch) {
        let slot = self.partition.switches[switch as usize];
        let part = &self.parts[slot.part as usize];
        (part, &part.units.switches[slot.at as usize])
    }

    pub(crate) fn node(self, node: u32) -> (&'a Part, &'a EndNode) {
        let slot = self.partition.nodes[node as usize];
        let part = &self.parts[slot.part as usize];
        (part, &part.units.nodes[slot.at as usize])
    }

    pub(crate) fn switches(self) -> impl Iterator<Item = (&'a Part, &'a Switch)> {
        (0..self.partition.switches.len() as u32).map(move |s| self.switch(s))
    }

    pub(crate) fn nodes(self) -> impl Iterator<Item = (&'a Part, &'a EndNode)> {
        (0..self.partition.nodes.len() as u32).map(move |n| self.node(n))
    }

    /// The first thing that is not at home, after everything drained.
    pub(crate) fn left_over(self) -> Option<String> {
        let switches = self.switches().filter_map(|(_, s)| s.left_over());
        switches
            .chain(self.nodes().filter_map(|(_, n)| n.left_over()))
            .next()
    }

    /// Whether anything waits in admittance, is on a wire or will be generated.
    pub(crate) fn is_busy(self) -> bool {
        self.parts.iter().any(|part| {
            part.medium.wires.control_packets() > 0
                || part.units.admittance_waits()
                || part.units.next_generation().is_some()
        })
    }

    /// Packets in the network: admitted and not yet ejected.
    pub(crate) fn packets_in_network(self) -> usize {
        self.parts.iter().map(|p| p.medium.packets.alive()).sum()
    }
}
