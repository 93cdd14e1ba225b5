//! Read-only looks at a fabric between two ticks, for observers that sample.

use super::Fabric;
use crate::observer::Observer;
use cam::Cam;
use switch::{CellsInUse, CrossingView, InPort, OutPort, Place, RequestView, Waits};
use units::{Tick, Unit};

/// One side of one port, as it is between two ticks.
#[derive(Debug, Clone, Copy)]
pub struct PortProbe<'a> {
    /// Which.
    pub place: Place,
    /// Its name.
    pub unit: Unit,
    /// Ingress: a packet is on the crossbar input. Egress and injection: the link carries something in the last tick.
    pub is_busy: bool,
    /// What its packets wait for.
    pub waits: Waits,
    /// Cells by what holds them.
    pub cells: CellsInUse,
    /// Its CAM, where it has one.
    pub cam: Option<&'a Cam>,
}

impl<O: Observer> Fabric<O> {
    /// Visits every connected port, ingress before egress, switches before end nodes.
    pub fn probe(&self, mut visit: impl FnMut(PortProbe<'_>)) {
        let now = self.now;
        for (part, switch) in self.whole().switches() {
            let packets = &part.medium.packets;
            for (at, (input, output)) in switch.inputs.iter().zip(&*switch.outputs).enumerate() {
                if output.link.peer.to == u32::MAX {
                    continue;
                }
                visit(ingress(input, switch.ingress_waits(packets, at, now), now));
                visit(egress(output, output.waits(packets, now), now));
            }
        }
        for (part, node) in self.whole().nodes() {
            let port = &node.injection;
            visit(egress(port, port.waits(&part.medium.packets, now), now));
        }
    }
}

impl<O: Observer> Fabric<O> {
    /// Visits every head that requests the crossbar of its switch: number of the switch, request.
    pub fn requests(&self, mut visit: impl FnMut(u32, RequestView)) {
        for (number, (part, switch)) in self.whole().switches().enumerate() {
            let packets = &part.medium.packets;
            switch.requests(packets, self.now, |view| visit(number as u32, view));
        }
    }

    /// Visits every packet on a crossbar: number of the switch, transfer.
    pub fn crossings(&self, mut visit: impl FnMut(u32, CrossingView)) {
        for (number, (_, switch)) in self.whole().switches().enumerate() {
            for view in switch.crossings(self.now) {
                visit(number as u32, view);
            }
        }
    }
}

fn ingress(port: &InPort, waits: Waits, now: Tick) -> PortProbe<'_> {
    PortProbe {
        place: port.place,
        unit: port.unit,
        is_busy: port.is_busy(now),
        waits,
        cells: port.cells_in_use(),
        cam: port.recn.as_ref().map(|r| &r.cam),
    }
}

fn egress(port: &OutPort, waits: Waits, now: Tick) -> PortProbe<'_> {
    PortProbe {
        place: port.link.place,
        unit: port.link.unit,
        is_busy: port.link.busy_until >= now.max(1),
        waits,
        cells: port.cells_in_use(),
        cam: port.recn.as_ref().map(|r| &r.cam),
    }
}
