//! Links and nodes that fail and recover (spec: rsi.md): what is lost with them, what routers tell
//! each other, and what end nodes hear of it. When what fails is said by [`crate::faults`].

mod links;
mod recovering;

use super::{Flat, Mode, NONE, Packet, T};
use crate::engine::Faultable;
use crate::faults::seen::Seen;
use crate::gone::GonePackets;
use hierarchy::TwoLevelTable;
use hierarchy::recovery::{Effect, Message, Recovery};
use observe::{Event, Observer, Owner, PacketKey, Side};
use plan::{ConfigError, FabricConfig, FaultTables, LinkState};
use units::PortId;

/// Registers and lists of fault recovery.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// By switch; none where tables are recomputed.
    units: Vec<Option<Recovery>>,
    /// By switch: messages of this tick.
    inbox: Vec<Vec<(PortId, Message)>>,
    /// Switches with messages.
    changed: Vec<u32>,
    effects: Vec<Effect>,
    /// By port: its link is down, and would be taken until then.
    down: Vec<Option<T>>,
    /// By port: the last packet that came, and when its tail is stored.
    arriving: Vec<Option<(PacketKey, T)>>,
    pub(crate) gone: GonePackets,
    /// What has happened since the last fault.
    pub(crate) seen: Seen,
}

impl Faults {
    /// For a fabric with so many ports.
    ///
    /// # Errors
    /// What recovery cannot be built of.
    pub(crate) fn new(config: &FabricConfig, ports: usize) -> Result<Faults, ConfigError> {
        if config.faults.is_none() {
            return Ok(Faults::default());
        }
        let recomputed = config.faults.tables == FaultTables::Recomputed;
        let switches = 0..config.network.switches() as u32;
        let unit = |s| match recomputed {
            true => Ok(None),
            false => plan::recovery(config, s),
        };
        Ok(Faults {
            inbox: vec![Vec::new(); switches.len()],
            units: switches.map(unit).collect::<Result<_, _>>()?,
            down: vec![None; ports],
            arriving: vec![None; ports],
            ..Faults::default()
        })
    }

    /// Until when the link of a port is taken, which says so `busy`, whether it is up or down.
    pub(crate) fn busy_of(&self, p: usize, busy: T) -> T {
        self.down.get(p).copied().flatten().unwrap_or(busy)
    }

    /// A packet comes to an input.
    pub(crate) fn arrives(&mut self, p: usize, packet: &Packet) {
        self.arriving[p] = Some((packet.view().key(), packet.tail));
    }
}

impl<M: Mode> Flat<M> {
    /// The last tick that was simulated: in it falls what fails.
    fn last_tick(&self) -> T {
        self.now.saturating_sub(1)
    }

    /// A packet is lost or stranded.
    pub(crate) fn lose(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        event: Event,
        t: T,
    ) {
        match event {
            Event::Stranded { .. } => self.faults.seen.stranded += 1,
            _ => self.faults.seen.lost += 1,
        }
        self.faults.gone.add(self.packets.slots[k].view());
        self.observe(observer, (p, Side::Ingress), event, t);
        self.packets.remove(k as u32);
        self.alive -= 1;
    }

    /// What was lost or stranded of those numbered below a packet is not waited for.
    pub(super) fn skip_gone(&mut self, n: usize, k: usize) {
        let packet = &self.packets.slots[k];
        let expected = self.nodes[n].expected(packet.source, packet.kind);
        let is_gone =
            |number| self.faults.gone.contains((packet.source, packet.destination, number));
        while *expected < packet.sequence && is_gone(*expected) {
            *expected += 1;
        }
    }
}

impl<M: Mode> Faultable for Flat<M> {
    fn set_link(
        &mut self,
        observer: &mut impl Observer,
        (here, there): (Owner, Owner),
        state: LinkState,
    ) {
        assert!(
            self.rare.faults,
            "a link is set by hand in the units, or where faults are configured"
        );
        let t = self.last_tick();
        let (here, there) = (self.port_of(here), self.port_of(there));
        if state == LinkState::Down {
            self.cut_in_two(here);
            self.cut_in_two(there);
        }
        for (sender, receiver) in [(here, there), (there, here)] {
            if state == LinkState::Down {
                self.cut_wire(observer, sender, receiver, t);
            }
            self.set_state(sender, state, t);
        }
    }

    fn port_changed(&mut self, observer: &mut impl Observer, end: Owner, state: LinkState) {
        let s = end.element.index();
        if s >= self.switches.len() {
            return;
        }
        if state == LinkState::Down {
            self.forget_recovery(self.port_of(end));
        }
        self.with_unit(observer, s, |unit, effects| match state {
            LinkState::Down => unit.port_down(end.port, effects),
            LinkState::Up => unit.port_up(end.port, effects),
        });
    }

    fn lose_packets(&mut self, observer: &mut impl Observer, switch: u32) {
        let t = self.last_tick();
        for record in self.ingress_records(switch as usize) {
            while self.queues[record].head != NONE {
                self.discard_head(observer, record, &|packet| Event::Lost { packet }, t);
            }
            self.renew_head(observer, record, t);
        }
    }

    fn fail(&mut self, observer: &mut impl Observer, switch: u32) {
        self.with_unit(observer, switch as usize, |unit, effects| {
            unit.restart(effects);
        });
    }

    fn set_tables(
        &mut self,
        observer: &mut impl Observer,
        switch: u32,
        table: &TwoLevelTable,
        live: u64,
    ) {
        let s = switch as usize;
        let old = &self.two_level.tables[s];
        let changed = table.iter().filter(|&(region, ports)| old.entry(region) != ports);
        let effects = changed.map(|(region, ports)| Effect::Entry { region, ports });
        self.faults.effects.extend(effects);
        self.two_level.live[s] = live;
        let t = self.last_tick();
        self.carry_effects(observer, s, t);
    }

    fn notify_sources(&mut self, observer: &mut impl Observer) {
        let t = self.last_tick();
        let mut lost = self.faults.gone.take_requests();
        lost.sort_unstable();
        let waiting = self.nodes_that_wait();
        for request in lost {
            let n = request.node as usize;
            self.answered(n, request.group, t);
            self.ask_to_generate(n, t, false);
        }
        for n in waiting {
            self.release_gone(observer, n, t);
        }
    }

    fn take_seen(&mut self) -> Seen {
        std::mem::take(&mut self.faults.seen)
    }
}
