//! A router for these tests: node 0 of a square 0-1-3-2, with two global links.

use hierarchy::TwoLevelTable;
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
    let table = TwoLevelTable::new([0, 1, 2, 3].into(), [0, 4, 8, 3].into());
    Configured::new(table, 0b0011, 0b1100).expect("legal tables").with_places(place(0, 0), peers)
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

    fn event(&mut self, event: impl FnOnce(&mut Recovery, &mut dyn FnMut(Effect))) -> &mut Told {
        event(&mut self.unit, &mut |effect| self.effects.push(effect));
        self
    }

    pub(crate) fn down(&mut self, port: PortId) -> &mut Told {
        self.event(|unit, mut effects| unit.port_down(port, &mut effects))
    }

    pub(crate) fn up(&mut self, port: PortId) -> &mut Told {
        self.event(|unit, mut effects| unit.port_up(port, &mut effects))
    }

    pub(crate) fn restart(&mut self) -> &mut Told {
        self.event(|unit, mut effects| unit.restart(&mut effects))
    }

    pub(crate) fn get(&mut self, port: PortId, message: Message) -> &mut Told {
        self.event(|unit, mut effects| {
            unit.receive(port, message, &mut effects).expect("a legal message");
        })
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
        let entries = self.unit.configured().table().iter();
        entries.map(|(region, _)| self.unit.entry(region)).collect()
    }
}
