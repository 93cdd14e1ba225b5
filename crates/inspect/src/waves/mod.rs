//! Registers and events of ports as signals over time: what `setaside run --waves` writes.
//!
//! Registers are sampled after every tick of the window: memories, heads, CAM lines, credits,
//! grants, links. What happens in a tick and leaves no register, as a control packet that starts,
//! is a text that holds for that tick.

mod port;
mod track;

use crate::points::Points;
use crate::watch::whole;
use crate::waveform::{Signals, Sink};
use flow_control::Control;
use observe::{Event, Observer, Offered, PacketKey, PacketView, Place, PortView, View};
use port::{PortSignals, Sending, Side};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use topology::{Endpoint, Network};
use track::{Out, Pulse, short};
use turnpool::Point;
use units::{PortId, Tick, TimeBase, Unit, WireId};

/// Configuration of waves.
#[derive(Debug, Clone)]
pub struct WavesConfig {
    /// For the roots of congestion trees.
    pub network: Arc<Network>,
    /// For times.
    pub time_base: TimeBase,
    /// Ports, or whole switches and end nodes; all, if there are none.
    pub units: Vec<Unit>,
    /// The first tick.
    pub from: Tick,
    /// The first tick after the last.
    pub to: Tick,
}

/// The observer.
pub struct Waves {
    config: WavesConfig,
    points: Points,
    ports: Vec<PortSignals>,
    /// What an end node offers, and what is ejected there.
    nodes: BTreeMap<u32, [Pulse; 2]>,
    /// Index into `ports` of those that are shown.
    by_place: BTreeMap<Place, usize>,
    out: Option<Out>,
    /// The units that are sampled.
    sampled: Arc<[Unit]>,
}

impl Waves {
    /// Nothing is declared yet.
    pub fn new(config: WavesConfig) -> Waves {
        Waves {
            sampled: ports(&config),
            points: Points::new(config.network.clone()),
            ports: Vec::new(),
            nodes: BTreeMap::new(),
            by_place: BTreeMap::new(),
            out: None,
            config,
        }
    }

    /// The ports that are to be shown, by switch, then port, then end nodes.
    pub fn sampled(&self) -> Arc<[Unit]> {
        self.sampled.clone()
    }

    /// Declares the signals of [`Waves::sampled`], which are sampled in their order, and begins a
    /// file of them, which starts at a time in ps.
    ///
    /// # Errors
    /// What the file is written to does not take it.
    pub fn begin(
        &mut self,
        ports: impl IntoIterator<Item = PortView>,
        file: impl FnOnce(&Signals, u64) -> io::Result<Box<dyn Sink + Send>>,
    ) -> io::Result<()> {
        let mut signals = Signals::default();
        signals.open("fabric");
        let mut open: Option<String> = None;
        for view in ports {
            let (unit, place) = (view.probe.unit, view.probe.place);
            let name = short(unit);
            let (element, port) = name.split_once('.').unwrap_or((&name, ""));
            if open.as_deref() != Some(element) {
                if open.is_some() {
                    signals.close();
                }
                signals.open(element);
                open = Some(element.to_string());
            }
            if let Unit::Injection { node } = unit {
                let pulses = ["offered", "ejected"].map(|name| Pulse::new(&mut signals, name));
                self.nodes.insert(node, pulses);
            }
            signals.open(port);
            self.by_place.insert(place, self.ports.len());
            self.ports.push(PortSignals::new(&mut signals, &view));
            signals.close();
        }
        if open.is_some() {
            signals.close();
        }
        signals.close();
        let start = ps(&self.config.time_base, self.config.from);
        self.out = Some(Out::new(file(&signals, start)?));
        Ok(())
    }

    /// The next tick after which ports are sampled; every tick of the window is.
    pub fn next_sample(&self, now: Tick) -> Option<Tick> {
        let next = now.max(self.config.from);
        (self.out.is_some() && next < self.config.to).then_some(next)
    }

    /// Samples the ports of [`Waves::sampled`], in their order, after a tick.
    pub fn sample(&mut self, ports: impl IntoIterator<Item = PortView>) {
        let Some(out) = &mut self.out else { return };
        for (signals, port) in self.ports.iter_mut().zip(ports) {
            out.ps = ps(&self.config.time_base, port.tick);
            signals.sample(&port, &self.points, out);
        }
        self.nodes.values_mut().flatten().for_each(|pulse| pulse.set(out));
    }

    /// Ends the file: the last values hold until `now`.
    ///
    /// # Errors
    /// The first that there was.
    pub fn end(&mut self, now: Tick) -> io::Result<()> {
        let Some(mut out) = self.out.take() else {
            return Ok(());
        };
        if let Some(error) = out.error {
            return Err(error);
        }
        let end = ps(&self.config.time_base, now.min(self.config.to));
        let start = ps(&self.config.time_base, self.config.from);
        out.sink.end(end.max(start))
    }

    fn port(&mut self, place: Place) -> Option<&mut PortSignals> {
        let at = *self.by_place.get(&place)?;
        self.ports.get_mut(at)
    }

    fn sending(&mut self, place: Place) -> Option<&mut Sending> {
        match &mut self.port(place)?.side {
            Side::Egress(sending) => Some(sending),
            Side::Ingress(_) => None,
        }
    }

    /// A control packet, about a point as `unit` names it.
    fn control(&self, unit: Option<Unit>, control: Control) -> String {
        let Some(point) = control.point() else {
            return control.name().to_string();
        };
        let root = unit.and_then(|unit| self.points.root(unit, point));
        let root = root.map_or_else(|| format!("{point}").replace(' ', ""), short);
        format!("{}:{root}", control.name())
    }

    fn departed(&mut self, view: View<'_>, place: Place, key: PacketKey, output: PortId) {
        match self.port(place).map(|port| &mut port.side) {
            Some(Side::Ingress(crossing)) => crossing.last = Some(key),
            Some(Side::Egress(sending)) => sending.start(key),
            None => {}
        }
        // `iq`: the crossbar output is the link.
        if let Unit::Ingress { .. } = self.points.unit(view, place) {
            let owner = view.owners[place.port.index()];
            let wire = place.port.0 - u32::from(owner.port.0) + u32::from(output.0);
            let there = Place { port: WireId(wire), side: observe::Side::Egress };
            if let Some(sending) = self.sending(there).filter(|s| !s.has_memory) {
                sending.start(key);
            }
        }
    }

    fn is_in_window(&self, now: Tick) -> bool {
        self.config.from <= now && now < self.config.to
    }
}

impl Observer for Waves {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        match event {
            Event::Departed { packet, output, .. } => {
                self.departed(view, place, packet.key(), output);
            }
            Event::Hop { at, .. } => {
                if let Some(sending) = self.sending(place) {
                    sending.end = Some(at.next());
                }
            }
            _ if !self.is_in_window(view.now) => {}
            Event::Stored { packet, .. } => {
                if let Some(port) = self.port(place) {
                    port.arrives.add(format_args!("{}", packet.key()));
                }
            }
            Event::ControlSent(control) => {
                let unit = self.points.unit(view, place);
                let sender = crate::watch::sender(unit, control);
                let what = self.control(Some(sender), control);
                if let Some(sending) = self.sending(place) {
                    sending.control.add(format_args!("{what}"));
                }
            }
            Event::CreditSent { class, cells } => {
                if let Some(sending) = self.sending(place) {
                    sending.credit.add(format_args!("class{class}+{cells}"));
                }
            }
            Event::Internal(control) => {
                let unit = self.points.unit(view, place);
                let notified = |point: Point| self.points.notified(unit, point);
                let what = self.control(control.point().and_then(notified), control);
                if let Some(sending) = self.sending(place) {
                    sending.internal.add(format_args!("{what}"));
                }
            }
            _ => {}
        }
    }

    fn offered(&mut self, view: View<'_>, offered: Offered) {
        if self.is_in_window(view.now)
            && let Some([pulse, _]) = self.nodes.get_mut(&offered.source)
        {
            let refused = if offered.refused { ":refused" } else { "" };
            pulse.add(format_args!("n{}:{}B{refused}", offered.destination, offered.bytes));
        }
    }

    fn ejected(&mut self, view: View<'_>, _place: Place, packet: PacketView) {
        let key = packet.key();
        if self.is_in_window(view.now)
            && let Some([_, pulse]) = self.nodes.get_mut(&key.destination)
        {
            pulse.add(format_args!("{key}"));
        }
    }
}

fn ports(config: &WavesConfig) -> Arc<[Unit]> {
    let graph = config.network.graph();
    let switches = (0..graph.switches() as u32).flat_map(|switch| {
        let ports = 0..graph.ports(switch) as u8;
        let ports = ports.filter(move |&port| graph.peer(switch, port) != Endpoint::None);
        ports.flat_map(move |port| [Unit::Ingress { switch, port }, Unit::Egress { switch, port }])
    });
    let nodes = (0..graph.nodes() as u32).map(|node| Unit::Injection { node });
    let units = &config.units;
    let is_wanted =
        |unit: &Unit| units.is_empty() || units.contains(unit) || units.contains(&whole(*unit));
    switches.chain(nodes).filter(is_wanted).collect()
}

/// A tick in ps, to the nearest.
fn ps(time_base: &TimeBase, tick: Tick) -> u64 {
    let ticks_per_ns = time_base.ticks_per_ns();
    let (num, den) = (u128::from(ticks_per_ns.num()), u128::from(ticks_per_ns.den()));
    ((u128::from(tick.0) * den * 1_000 * 2 + num) / (num * 2)) as u64
}
