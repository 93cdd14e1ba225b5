//! The parts that a fabric is cut into, and how far they look ahead.

use super::Builder;
use crate::clock::Engine;
use crate::clock::fast::Fast;
use crate::clock::reference::Reference;
use crate::elements::Elements;
use crate::names::Names;
use crate::part::{Clockwork, Part};
use crate::partition::Slot;
use crate::routing::Routing;
use crate::transit::Transit;
use crate::wires::{End, Wires};
use observe::Owner;
use std::sync::Arc;
use switch::Organisation;
use topology::Endpoint;
use units::{ElementId, Span, Unit};

impl Builder<'_> {
    /// The parts, without their elements.
    pub(super) fn no_elements(&self) -> Vec<Elements> {
        let routing = Routing::new(self.config.network.clone(), self.config.routing);
        let none = |part| Elements {
            params: self.params.clone(),
            routing: routing.clone(),
            switches: Vec::new(),
            nodes: Vec::new(),
            first_wire: Vec::new(),
            names: self.names(part),
            addresses: self.addresses.clone(),
        };
        (0..self.partition.parts).map(none).collect()
    }

    /// What the elements of a part are called.
    fn names(&self, part: usize) -> Names {
        let here = |&(_, slot): &(u32, &Slot)| slot.part as usize == part;
        let switches = (0..).zip(&self.partition.switches).filter(here);
        let nodes = (0..).zip(&self.partition.nodes).filter(here);
        Names::new(
            switches
                .map(|(switch, _)| Unit::Switch { switch })
                .chain(nodes.map(|(node, _)| Unit::Node { node })),
        )
    }

    /// Part `n` with these elements; `owners` are those of all ports of the fabric, `links` as in
    /// [`Builder::links_cut`].
    pub(super) fn part(
        &self,
        n: usize,
        elements: Elements,
        owners: &Arc<[Owner]>,
        links: &[Vec<usize>],
        engine: Engine,
    ) -> Part {
        let end = |owner: &Owner| {
            let part = self.partition.slot(owner.element.0).part;
            if part as usize == n {
                let element = ElementId(self.partition.element_in_part(owner.element.0));
                End::Here(Owner { element, ..*owner })
            } else {
                End::Away { part }
            }
        };
        let is_iq = self.config.switch.organisation == Organisation::Iq;
        let wires = Wires::new(owners.iter().map(end), is_iq);
        let clockwork = match engine {
            Engine::Fast | Engine::Parallel(_) => {
                let mut fast = Fast::new(&elements);
                fast.wheel.set_names(elements.names.clone());
                let ports = elements.switches.iter().map(|s| s.ports()).sum::<usize>();
                fast.wheel.reserve(ports + elements.nodes.len());
                Clockwork::Fast(Box::new(fast))
            }
            Engine::Reference => Clockwork::Reference(Reference::new(&elements, None)),
            Engine::Shuffled(seed) => Clockwork::Reference(Reference::new(&elements, Some(seed))),
        };
        let switches = elements.switches.len() as u32;
        Part {
            elements,
            transit: Transit::new(wires, Arc::clone(owners), &links[n], switches),
            clockwork,
        }
    }

    /// Least time from sending to any effect over the links that are cut: wire, then stages of the
    /// receiver or the length of a control packet (see [`switch::Link`]). Nodes are in the part of
    /// their switch, so these are links between switches.
    pub(super) fn lookahead(&self) -> Span {
        let params = &self.params;
        let credit = params.credit_span + params.stages.credit_return;
        let mut stages = params.stages.ingress.min(credit);
        if params.recn.is_some() || !self.config.faults.is_none() {
            stages = stages.min(params.named_span);
        }
        if let Some(pause) = &params.pause {
            stages = stages.min(pause.span);
        }
        let wires = self.ports_cut().map(|((s, p), _)| self.latency(s, p));
        wires.min().map_or(Span::MAX, |wire| wire + stages)
    }

    /// By part: its links to each part.
    pub(super) fn links_cut(&self) -> Vec<Vec<usize>> {
        let parts = self.partition.parts;
        let mut links = vec![vec![0; parts]; parts];
        for (_, (from, to)) in self.ports_cut() {
            links[from as usize][to as usize] += 1;
        }
        links
    }

    /// Ports whose links lead from one part to another, with both.
    fn ports_cut(&self) -> impl Iterator<Item = ((u32, u8), (u32, u32))> + '_ {
        let graph = self.network.graph();
        let part = |s: u32| self.partition.slot(s).part;
        let ports = (0..graph.switches() as u32)
            .flat_map(move |s| (0..graph.ports(s) as u8).map(move |p| (s, p)));
        ports.filter_map(move |(s, p)| match graph.peer(s, p) {
            Endpoint::Port { switch, .. } if part(switch) != part(s) => {
                Some(((s, p), (part(s), part(switch))))
            }
            _ => None,
        })
    }
}
