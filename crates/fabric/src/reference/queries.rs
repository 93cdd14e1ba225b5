//! Looks at the units between two ticks, for observers that sample, for results and for tests.

use super::Reference;
use super::audit::audit;
use super::wires::Wire;
use crate::engine::{Faultable, Implementation, larger, of_message, of_packet};
use crate::watch::{RunError, Watch};
use endnode::{EndNode, Waiting};
use hierarchy::TwoLevelTable;
use observe::{
    Observer, Offered, Outstanding, Owner, PacketKind, PortProbe, PortView, ReorderPeak, Side,
};
use std::sync::Arc;
use switch::{Packet, RequestView, Switch};
use units::{ElementId, PortId, Span, SwitchId, Tick, Unit};
use workload::Given;

impl Implementation for Reference {
    fn run_until<'a, O: Observer + 'a>(
        &mut self,
        observers: impl Iterator<Item = &'a mut O>,
        end: Tick,
    ) {
        for observer in observers {
            let (elements, transit) = (&mut self.elements, &mut self.transit);
            self.clock.run(elements, transit, observer, self.now, end);
            self.now = end;
        }
    }

    fn give_message(&mut self, message: Given, _now: Tick) {
        let (elements, transit) = (&mut self.elements, &mut self.transit);
        let node = message.source as usize;
        elements.nodes[node].give(message);
        let element = ElementId::at(elements.switches.len() + node);
        elements.forget_due(element, transit);
    }

    fn look_at(&mut self, watch: &mut Watch) -> Result<(), RunError> {
        watch.look(self)
    }

    fn owners(&self) -> &Arc<[Owner]> {
        &self.transit.owners
    }

    fn packets_in_network(&self) -> usize {
        self.transit.packets.alive()
    }

    fn packets(&self) -> (u64, u64) {
        let waiting = self.nodes().iter().map(|node| node.admittance().packets()).sum();
        let in_network = self.packets_in_network() as u64;
        (waiting, in_network - self.acks_in_network())
    }

    fn answers(&self) -> (u64, Option<u64>) {
        let waiting = |node: &EndNode| node.ecn().map_or(0, |ecn| ecn.acks().len() as u64);
        let waiting: u64 = self.nodes().iter().map(waiting).sum();
        let mut nodes = self.nodes().iter();
        let made = nodes.try_fold(0, |made, node| Some(made + node.ecn()?.cnps_made()?));
        (waiting + self.acks_in_network(), made)
    }

    fn marking_events(&self) -> [u64; 3] {
        let markers = self.switches().iter().filter_map(Switch::marker);
        markers.fold([0; 3], |[all, at_rest, waited], marker| {
            let [more, more_at_rest] = marker.events();
            let waited = waited + marker.waited_at_events();
            [all + more, at_rest + more_at_rest, waited]
        })
    }

    fn reorder_peak(&self) -> Option<ReorderPeak> {
        let buffers = self.nodes().iter().filter_map(EndNode::reorder);
        buffers.map(|buffer| buffer.peak()).reduce(larger)
    }

    fn longest_waits(&self) -> [Span; 2] {
        let packets = &self.transit.packets;
        let waits = self.switches().iter();
        let waits = waits.map(|switch| switch.longest_waits(packets, self.now));
        waits.fold([Span::ZERO; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])])
    }

    fn forget_waits(&mut self) {
        for switch in &mut self.elements.switches {
            switch.forget_waits();
        }
    }

    fn audit(&self) -> Result<(), String> {
        audit(self)
    }

    fn at_home(&mut self) -> (bool, Option<String>) {
        let switches = self.switches().iter().filter_map(Switch::left_over);
        let nodes = self.nodes().iter().filter_map(EndNode::left_over);
        (self.is_busy(), switches.chain(nodes).next())
    }

    fn outstanding(&self, mut visit: impl FnMut(Outstanding)) {
        for node in self.nodes() {
            let mut waits = |message: Waiting| visit(of_message(self.offered(node, &message)));
            node.admittance().messages(&mut waits);
            node.unadmitted(self.now, &mut waits);
        }
        self.transit
            .packets
            .for_each(|packet| of_packet(packet.view()).into_iter().for_each(&mut visit));
    }

    fn replies_to_come(&self, mut visit: impl FnMut(Outstanding)) {
        for node in self.nodes() {
            let visit = |reply| visit(of_message(self.offered(node, &reply)));
            node.replies_to_come(self.now, visit);
        }
    }

    fn unadmitted(&self) -> Vec<Offered> {
        let mut offers = Vec::new();
        for node in self.nodes() {
            node.unadmitted(self.now, |message| offers.push(self.offered(node, &message)));
        }
        offers.sort_by_key(|offered| (offered.born, offered.source));
        offers
    }

    fn probe(&mut self, mut visit: impl FnMut(PortProbe)) {
        for (element, switch) in (0..).map(ElementId).zip(self.switches()) {
            for (port, output) in switch.outputs().iter().enumerate() {
                if output.link().peer.wire.is_some() {
                    let waits = |side| self.waits(element, side, PortId::at(port));
                    visit(switch.inputs()[port].probe(waits(Side::Ingress)));
                    visit(output.probe(waits(Side::Egress), self.now));
                }
            }
        }
        for (element, node) in (self.switches().len() as u32..).map(ElementId).zip(self.nodes()) {
            let waits = self.waits(element, Side::Egress, PortId(0));
            visit(node.injection().probe(waits, self.now));
        }
    }

    fn look(&mut self, unit: Unit) -> Option<PortView> {
        let (packets, now) = (&self.transit.packets, self.now);
        Some(match unit {
            Unit::Ingress { switch: element, port } => {
                let (switch, at) = (self.switch(element), PortId(port));
                let waits = self.waits(ElementId(element), Side::Ingress, at);
                let granted = transfers(switch, now).find(|(_, input)| *input == Some(at));
                let granted = granted.map(|(output, _)| output);
                switch.inputs()[at.index()].view(waits, granted, packets, now)
            }
            Unit::Egress { switch: element, port } => {
                let (switch, at) = (self.switch(element), PortId(port));
                let waits = self.waits(ElementId(element), Side::Egress, at);
                let granted = transfers(switch, now).find(|(output, _)| *output == at);
                let granted = granted.and_then(|(_, input)| input);
                switch.outputs()[at.index()].view(waits, granted, packets, now)
            }
            Unit::Injection { node } => {
                let element = ElementId(self.switches().len() as u32 + node);
                let waits = self.waits(element, Side::Egress, PortId(0));
                self.node(node).injection().view(waits, None, packets, now)
            }
            Unit::Switch { .. } | Unit::Node { .. } => return None,
        })
    }

    fn faultable(&mut self) -> &mut impl Faultable {
        self
    }

    fn two_level_tables(&self, mut visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        for (number, switch) in self.switches().iter().enumerate() {
            for (at, input) in switch.inputs().iter().enumerate() {
                if let Some(two_level) = input.two_level() {
                    visit(SwitchId::at(number), PortId::at(at), &two_level.table);
                }
            }
        }
    }
}

impl Reference {
    /// A message of a node, as observers are told.
    fn offered(&self, node: &EndNode, message: &Waiting) -> Offered {
        message.offered(node.index(), self.elements.params.packet_bytes, false)
    }

    /// ACKs and CNPs in the network: a walk over all packets, where there are any.
    fn acks_in_network(&self) -> u64 {
        let mut acks = 0;
        if self.nodes().iter().any(|node| node.ecn().is_some()) {
            let is_answer = |kind| matches!(kind, PacketKind::Ack | PacketKind::Cnp);
            let count = |packet: &Packet| acks += u64::from(is_answer(packet.kind));
            self.transit.packets.for_each(count);
        }
        acks
    }

    /// Whether anything waits in admittance, is on its way or will or may be generated, or a closed
    /// loop will hear of a message that is gone, and go on.
    fn is_busy(&self) -> bool {
        let mut lost = self.transit.gone.requests().iter();
        self.transit.packets.alive() > 0
            || self.transit.wires.iter().any(Wire::has_control)
            || self.nodes().iter().any(EndNode::is_waiting)
            || self.nodes().iter().any(|node| node.generation_due().is_some())
            || lost.any(|request| self.node(request.node).is_closed(request.group))
    }

    /// Visits every head that requests the crossbar of its switch.
    pub(crate) fn requests(&self, mut visit: impl FnMut(SwitchId, RequestView)) {
        let (params, packets) = (&self.elements.params, &self.transit.packets);
        for (number, switch) in self.switches().iter().enumerate() {
            switch.requests(params, packets, self.now, |view| {
                visit(SwitchId::at(number), view);
            });
        }
    }
}

/// Transfers over the crossbar in the last tick before `now`: output, and input.
fn transfers(switch: &Switch, now: Tick) -> impl Iterator<Item = (PortId, Option<PortId>)> + '_ {
    let crossings = switch.scheduler().transfers();
    let crossings = crossings.filter(move |(_, crossing)| crossing.end >= now.max(Tick(1)));
    crossings
        .map(|(_, crossing)| (crossing.output, switch.scheduler().last_sender(crossing.output)))
}
