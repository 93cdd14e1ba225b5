//! Read-only looks at a fabric between two ticks, for observers that sample.

use super::Fabric;
use hierarchy::TwoLevelTable;
use observe::{LinesInUse, Observer, PortLook, PortProbe, PortSide};
use switch::{Egress, Ingress, RequestView, Switch, Waits};
use units::{PortId, SwitchId, Tick, Unit};

impl<O: Observer> Fabric<O> {
    /// Visits every connected port, ingress before egress, switches before end nodes.
    pub fn probe(&self, mut visit: impl FnMut(PortProbe)) {
        let now = self.now();
        for (part, switch) in self.all().switches() {
            let (params, packets) = (&part.elements.params, &part.transit.packets);
            for (at, (input, output)) in switch.inputs().iter().zip(switch.outputs()).enumerate() {
                if output.link().peer().wire.is_none() {
                    continue;
                }
                let waits = switch.ingress_waits(params, packets, PortId::at(at), now);
                visit(ingress(input, waits, now));
                visit(egress(output, output.waits(params, packets, now), now));
            }
        }
        for (part, node) in self.all().nodes() {
            let (port, packets) = (node.injection(), &part.transit.packets);
            let waits = port.waits(&part.elements.params, packets, now);
            visit(egress(port, waits, now));
        }
    }

    /// A side of a port as the last simulated tick has left it; none for a whole switch or node.
    pub fn look(&self, unit: Unit) -> Option<PortLook<'_>> {
        let now = self.now();
        let (part, port, waits, granted) = match unit {
            Unit::Ingress { switch, port } => {
                let (part, switch) = self.all().switch(switch);
                let (at, port) = (PortId(port), &switch.inputs()[usize::from(port)]);
                let (params, packets) = (&part.elements.params, &part.transit.packets);
                let waits = switch.ingress_waits(params, packets, at, now);
                let mut outputs = active_outputs(switch, now);
                let scheduler = switch.scheduler();
                let granted = outputs.find(|output| scheduler.last_sender(*output) == Some(at));
                (part, PortSide::Ingress(port), waits, granted)
            }
            Unit::Egress { switch, port } => {
                let (part, switch) = self.all().switch(switch);
                let (at, port) = (PortId(port), &switch.outputs()[usize::from(port)]);
                let waits = port.waits(&part.elements.params, &part.transit.packets, now);
                let mut outputs = active_outputs(switch, now);
                let granted = outputs.find(|output| *output == at);
                let granted = granted.and_then(|output| switch.scheduler().last_sender(output));
                (part, PortSide::Egress(port), waits, granted)
            }
            Unit::Injection { node } => {
                let (part, node) = self.all().node(node);
                let port = node.injection();
                let waits = port.waits(&part.elements.params, &part.transit.packets, now);
                (part, PortSide::Egress(port), waits, None)
            }
            Unit::Switch { .. } | Unit::Node { .. } => return None,
        };
        Some(PortLook {
            tick: Tick(now.0.saturating_sub(1)),
            packets: &part.transit.packets,
            port,
            waits,
            granted,
        })
    }

    /// Visits every head that requests the crossbar of its switch.
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

fn ingress(port: &Ingress, waits: Waits, now: Tick) -> PortProbe {
    PortProbe {
        place: port.place(),
        unit: port.unit(),
        is_busy: port.is_busy(now),
        waits,
        cells: port.cells_in_use(now),
        lines: port.recn().map(|recn| LinesInUse::of(recn.cam())),
    }
}

fn egress(port: &Egress, waits: Waits, now: Tick) -> PortProbe {
    PortProbe {
        place: port.place(),
        unit: port.unit(),
        is_busy: port.link().busy_until() >= now.max(Tick(1)),
        waits,
        cells: port.cells_in_use(now),
        lines: port.recn().map(|recn| LinesInUse::of(recn.cam())),
    }
}
