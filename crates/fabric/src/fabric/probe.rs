//! Read-only looks at a fabric between two ticks, for observers that sample.

use super::Fabric;
use hierarchy::TwoLevelTable;
use observe::{LinesInUse, Observer, PortProbe};
use switch::{CrossingView, Egress, Ingress, RequestView, Waits};
use units::{PortId, SwitchId, Tick};

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

    /// Visits every packet on a crossbar.
    pub fn crossings(&self, mut visit: impl FnMut(SwitchId, CrossingView)) {
        for (number, (_, switch)) in self.all().switches().enumerate() {
            for view in switch.crossings(self.now()) {
                visit(SwitchId::at(number), view);
            }
        }
    }
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
