//! A port between two ticks, with all its registers.

use switch::{CellsInUse, Egress, Ingress, Packets, Place, PortMemory, Waits};
use units::{PortId, Tick, Unit};

/// A side of a port.
#[derive(Debug, Clone, Copy)]
pub enum PortSide<'a> {
    /// Of a switch.
    Ingress(&'a Ingress),
    /// Of a switch, or the injection side of an end node.
    Egress(&'a Egress),
}

/// A port as the last simulated tick has left it.
#[derive(Debug, Clone, Copy)]
pub struct PortLook<'a> {
    /// The last simulated tick.
    pub tick: Tick,
    /// All packets of its part of the fabric.
    pub packets: &'a Packets,
    /// The port.
    pub port: PortSide<'a>,
    /// What its packets wait for.
    pub waits: Waits,
    /// Ingress: the output that it sends to over the crossbar; egress: the input that sends.
    pub granted: Option<PortId>,
}

impl<'a> PortLook<'a> {
    /// Its name.
    pub fn unit(&self) -> Unit {
        match self.port {
            PortSide::Ingress(port) => port.unit(),
            PortSide::Egress(port) => port.unit(),
        }
    }

    /// Its name for observers.
    pub fn place(&self) -> Place {
        match self.port {
            PortSide::Ingress(port) => port.place(),
            PortSide::Egress(port) => port.place(),
        }
    }

    /// Its memory.
    pub fn memory(&self) -> &'a PortMemory {
        match self.port {
            PortSide::Ingress(port) => port.memory(),
            PortSide::Egress(port) => port.memory(),
        }
    }

    /// Its SAQs.
    pub fn recn(&self) -> Option<&'a recn::RecnPort> {
        match self.port {
            PortSide::Ingress(port) => port.recn(),
            PortSide::Egress(port) => port.recn(),
        }
    }

    /// Its cells by what holds them.
    pub fn cells(&self) -> CellsInUse {
        match self.port {
            PortSide::Ingress(port) => port.cells_in_use(self.tick),
            PortSide::Egress(port) => port.cells_in_use(self.tick),
        }
    }
}
