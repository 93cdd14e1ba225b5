//! Looks at a fabric between two ticks, for observers that sample, for results and for tests.

use super::Fabric;
use crate::audit::audit;
use hierarchy::TwoLevelTable;
use observe::{Observer, PortProbe, PortView};
use switch::{RequestView, Switch};
use units::{PortId, Span, SwitchId, Tick, Unit};

impl<O: Observer> Fabric<O> {
    /// Visits every connected port, ingress before egress, switches before end nodes.
    pub fn probe(&mut self, mut visit: impl FnMut(PortProbe)) {
        if let Some(flat) = &mut self.flat {
            return flat.probe(visit);
        }
        let now = self.now();
        for (part, switch) in self.all().switches() {
            let (params, packets) = (&part.elements.params, &part.transit.packets);
            for (at, (input, output)) in switch.inputs().iter().zip(switch.outputs()).enumerate() {
                if output.link().peer().wire.is_none() {
                    continue;
                }
                let waits = switch.ingress_waits(params, packets, PortId::at(at), now);
                visit(input.probe(waits));
                visit(output.probe(params, packets, now));
            }
        }
        for (part, node) in self.all().nodes() {
            let (params, packets) = (&part.elements.params, &part.transit.packets);
            visit(node.injection().probe(params, packets, now));
        }
    }

    /// The longest that any head has requested, of normal queues and of SAQs, see
    /// [`switch::Switch::longest_waits`].
    pub(crate) fn longest_waits(&self) -> [Span; 2] {
        if let Some(flat) = &self.flat {
            return flat.longest_waits();
        }
        let waits = self.all().switches();
        let waits =
            waits.map(|(part, switch)| switch.longest_waits(&part.transit.packets, self.now));
        waits.fold([Span::ZERO; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])])
    }

    /// The longest waits are counted anew from the present tick on.
    pub(crate) fn forget_waits(&mut self) {
        if let Some(flat) = &mut self.flat {
            flat.forget_waits();
        }
        if let Some(units) = &mut self.units {
            let switches = units.elements.switches.iter_mut();
            switches.for_each(Switch::forget_waits);
        }
    }

    /// Looks at every memory cell by cell and at the credits of every link: for tests, every few
    /// hundred ticks.
    ///
    /// # Errors
    /// What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        match &self.flat {
            Some(flat) => flat.audit(),
            None => audit(self.all()),
        }
    }

    /// A side of a port as the last simulated tick has left it; none for a whole switch or node.
    pub fn look(&mut self, unit: Unit) -> Option<PortView> {
        if let Some(flat) = &mut self.flat {
            return flat.look(unit);
        }
        let now = self.now();
        Some(match unit {
            Unit::Ingress { switch, port } => {
                let (part, switch) = self.all().switch(switch);
                let (at, port) = (PortId(port), &switch.inputs()[usize::from(port)]);
                let packets = &part.transit.packets;
                let waits = switch.ingress_waits(&part.elements.params, packets, at, now);
                let mut outputs = active_outputs(switch, now);
                let scheduler = switch.scheduler();
                let granted = outputs.find(|output| scheduler.last_sender(*output) == Some(at));
                port.view(waits, granted, packets, now)
            }
            Unit::Egress { switch, port } => {
                let (part, switch) = self.all().switch(switch);
                let (at, port) = (PortId(port), &switch.outputs()[usize::from(port)]);
                let mut outputs = active_outputs(switch, now);
                let granted = outputs.find(|output| *output == at);
                let granted = granted.and_then(|output| switch.scheduler().last_sender(output));
                port.view(&part.elements.params, granted, &part.transit.packets, now)
            }
            Unit::Injection { node } => {
                let (part, node) = self.all().node(node);
                let packets = &part.transit.packets;
                node.injection()
                    .view(&part.elements.params, None, packets, now)
            }
            Unit::Switch { .. } | Unit::Node { .. } => return None,
        })
    }

    /// Visits every head that requests the crossbar of its switch, by the registers of units.
    pub fn requests(&self, mut visit: impl FnMut(SwitchId, RequestView)) {
        for (number, (part, switch)) in self.all().switches().enumerate() {
            let (params, packets) = (&part.elements.params, &part.transit.packets);
            switch.requests(params, packets, self.now(), |view| {
                visit(SwitchId::at(number), view);
            });
        }
    }

    /// Visits the tables of every ingress port that has two-level ones, as they are now.
    pub fn two_level_tables(&self, mut visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        if let Some(flat) = self.flat() {
            return flat.two_level_tables(visit);
        }
        for (number, (_, switch)) in self.all().switches().enumerate() {
            for (at, input) in switch.inputs().iter().enumerate() {
                if let Some(two_level) = input.two_level() {
                    visit(SwitchId::at(number), PortId::at(at), two_level.table());
                }
            }
        }
    }
}

/// Outputs of a switch that took something from the crossbar in the last tick before `now`.
fn active_outputs(switch: &Switch, now: Tick) -> impl Iterator<Item = PortId> + '_ {
    let crossings = switch.scheduler().transfers();
    let crossings = crossings.filter(move |(_, crossing)| crossing.end >= now.max(Tick(1)));
    crossings.map(|(_, crossing)| crossing.output)
}
