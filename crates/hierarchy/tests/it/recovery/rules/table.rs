//! A router for these tests: node 0 of a square 0-1-3-2, with two global links.

use hierarchy::recovery::{Address, Configured, Effect, Message, Protocol, Recovery, Region};
use units::PortId;

/// To node 1.
pub(crate) const ONE: PortId = PortId(0);
/// To node 2.
pub(crate) const TWO: PortId = PortId(1);
/// To super node 1, node 0.
pub(crate) const FAR: PortId = PortId(2);
/// To super node 2, node 0.
pub(crate) const FURTHER: PortId = PortId(3);

/// T1: 1 by port 0, 2 by port 1, 3 by both. T2: own, 1 by port 2, 2 by port 3, 3 by ports 0 and 1.
pub(crate) fn configured() -> Configured {
    let place = |super_node, node| Address { super_node, node };
    let peers = vec![place(0, 1), place(0, 2), place(1, 0), place(2, 0)];
    Configured::new(vec![0, 1, 2, 3], vec![0, 4, 8, 3], 0b0011, 0b1100)
        .expect("legal tables")
        .with_places(place(0, 0), peers)
}

/// A unit that writes down its effects.
pub(crate) struct Told {
    pub(crate) unit: Recovery,
    pub(crate) effects: Vec<Effect>,
}

impl Told {
    pub(crate) fn new(protocol: Protocol) -> Told {
        Told { unit: Recovery::new(protocol, configured()), effects: Vec::new() }
    }

    pub(crate) fn down(&mut self, port: PortId) -> &mut Told {
        let effects = &mut self.effects;
        self.unit.port_down(port, &mut |effect| effects.push(effect));
        self
    }

    pub(crate) fn up(&mut self, port: PortId) -> &mut Told {
        let effects = &mut self.effects;
        self.unit.port_up(port, &mut |effect| effects.push(effect));
        self
    }

    pub(crate) fn restart(&mut self) -> &mut Told {
        let effects = &mut self.effects;
        self.unit.restart(&mut |effect| effects.push(effect));
        self
    }

    pub(crate) fn get(&mut self, port: PortId, message: Message) -> &mut Told {
        let effects = &mut self.effects;
        let result = self.unit.receive(port, message, &mut |effect| effects.push(effect));
        result.expect("a legal message");
        self
    }

    /// What was sent since the last time, and where.
    pub(crate) fn sent(&mut self) -> Vec<(PortId, Message)> {
        let effects = std::mem::take(&mut self.effects).into_iter();
        let sent = effects.filter_map(|effect| match effect {
            Effect::Send { port, message } => Some((port, message)),
            Effect::Entry { .. } => None,
        });
        sent.collect()
    }

    /// Entries shown since the last time.
    pub(crate) fn shown(&mut self) -> Vec<(Region, u64)> {
        let effects = std::mem::take(&mut self.effects).into_iter();
        let shown = effects.filter_map(|effect| match effect {
            Effect::Send { .. } => None,
            Effect::Entry { region, ports } => Some((region, ports)),
        });
        shown.collect()
    }

    /// All entries, T1 before T2.
    pub(crate) fn tables(&self) -> Vec<u64> {
        let regions = self.unit.configured().regions();
        regions.map(|region| self.unit.entry(region)).collect()
    }
}
