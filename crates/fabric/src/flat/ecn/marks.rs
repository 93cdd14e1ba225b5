//! Marks in switches. A packet waits from the end of its forwarding delay on, `stages.arbitration`
//! after its head is stored. One that starts in that tick cuts through. Ends of delays are looked
//! at in step 5, first all that wait from then on, then the buffers that they filled.
//!
//! The marker is told what is stored in its tick, so that sides of ports are timed. Of links that
//! were blocked it is told when it asks: credit is no event.

use super::buffer::{Buffer, Buffered};
use crate::flat::{Flat, Kind, Mode, NONE, Packet, T};
use ecn::marking::{Held, Kind as What, Marker, MarkerError, Marking, WaitsUntil};
use observe::{PacketKind, Side};
use plan::{ConfigError, EcnConfig, FabricConfig, Layouts, Params};
use units::draw::Stream;
use units::{PortId, Tick};
use workload::rng::stream;

/// The marker of a switch.
#[derive(Debug)]
struct Switch {
    marker: Marker,
    /// Data packets that are being sent: when their tails have left, by output. With
    /// [`WaitsUntil::End`] only.
    sending: Vec<(T, PortId)>,
}

impl Switch {
    /// Tails have left.
    fn settle(&mut self, t: T) -> Result<(), MarkerError> {
        for &(end, output) in &self.sending {
            if end <= t {
                self.marker.ended(output, What::Data)?;
            }
        }
        self.sending.retain(|(end, _)| *end > t);
        Ok(())
    }
}

/// The markers of a fabric; of one without them nothing.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// Input memories matter.
    pub(crate) at_inputs: bool,
    /// Egress memories do (`red`).
    pub(crate) at_outputs: bool,
    /// It matters when links were blocked.
    pub(crate) asks_calm: bool,
    config: Option<EcnConfig>,
    packet_cells: u16,
    cell_bytes: u64,
    switches: Vec<Switch>,
    /// By port.
    buffers: Vec<Buffer>,
    streams: Vec<Stream>,
    /// By egress queue: cells stored in it.
    cells: Vec<u32>,
    /// Ports where a forwarding delay ends, and the packets; used again.
    ended: Vec<(u32, u32)>,
}

/// What a packet is to the marker.
fn what(packet: &Packet) -> What {
    match packet.kind {
        PacketKind::Data | PacketKind::Reply => What::Data,
        PacketKind::Ack | PacketKind::Cnp => What::Ack,
    }
}

impl Marks {
    /// Of a fabric in which nothing waits, with so many queues.
    ///
    /// # Errors
    /// Memories that cannot be.
    pub(crate) fn new(
        config: &FabricConfig,
        params: &Params,
        queues: usize,
    ) -> Result<Marks, ConfigError> {
        let ecn = config.switch.ecn;
        let Some(ecn) = ecn.filter(|ecn| ecn.marking != Marking::None) else {
            return Ok(Marks::default());
        };
        let graph = config.network.graph();
        let at_outputs = matches!(ecn.marking, Marking::Red(_));
        let mut marks = Marks {
            at_inputs: !at_outputs,
            at_outputs,
            asks_calm: !at_outputs && !ecn.calm.is_zero(),
            config: Some(ecn),
            packet_cells: params.lengths(params.packet_bytes).cells as u16,
            cell_bytes: params.config.cell_bytes.into(),
            cells: vec![0; if at_outputs { queues } else { 0 }],
            ..Marks::default()
        };
        let layouts = Layouts { params, graph };
        for s in 0..graph.switches() as u32 {
            let ports = graph.ports(s) as u8;
            let marker = Marker::new(ecn.marking, ports, ecn.calm);
            marks.switches.push(Switch {
                marker: marker.with_waits_until(ecn.waits_until),
                sending: Vec::new(),
            });
            for port in 0..ports {
                let layout = layouts.ingress(s, port)?.unwrap_or_default();
                let classes = match params.per_queue_credits {
                    true => layout.queues + params.saqs(),
                    false => u32::from(params.vcs),
                };
                marks.buffers.push(Buffer {
                    packets: Vec::new(),
                    class_cells: layout.cells / classes.max(1),
                });
                if at_outputs {
                    let name = format!("switch{s}.port{port}.red");
                    marks.streams.push(stream(config.run.seed, &name));
                }
            }
        }
        Ok(marks)
    }

    /// How often a full input memory was an event so far, how often no marks were pending then, and
    /// the data packets that waited in these memories.
    pub(crate) fn events(&self) -> [u64; 3] {
        let markers = self.switches.iter().map(|switch| &switch.marker);
        markers.fold([0; 3], |[all, at_rest, waited], marker| {
            let [more, more_at_rest] = marker.events();
            let waited = waited + marker.waited_at_events();
            [all + more, at_rest + more_at_rest, waited]
        })
    }
}

impl<M: Mode> Flat<M> {
    fn marking(&self) -> EcnConfig {
        self.marks.config.expect("a fabric with marks")
    }

    /// Step 2: a packet is stored at an input.
    #[inline(never)]
    pub(crate) fn stored_where_marked(&mut self, p: usize, k: usize) {
        let packet = &self.packets.slots[k];
        let (t, s) = (packet.stored, self.port[p].element as usize);
        let counts = self.marking().cut_through_occupies_slot;
        let held = Buffered {
            packet: k as u32,
            output: packet.out,
            what: what(packet),
            class: packet.class,
            cells: packet.cells,
            due: t + self.times.arbitration,
            counts,
            ends: NONE,
        };
        let settled = self.marks.switches[s].settle(t);
        self.must(settled, (p, Side::Ingress), t);
        let buffer = &mut self.marks.buffers[p];
        buffer.drop_ended(t);
        buffer.packets.push(held);
        if counts {
            self.arrived(p, &held, t);
        }
        self.wheel.put(held.due, Kind::Mark, p);
    }

    /// A packet counts from now on.
    fn arrived(&mut self, p: usize, held: &Buffered, t: T) {
        self.hear_credit(self.port[p].first(p) + usize::from(held.output), t);
        let marker = &mut self.marks.switches[self.port[p].element as usize].marker;
        marker.arrived(PortId(held.output), held.what, Tick(t.into()));
    }

    /// Step 5: forwarding delays end, at the ports that are due.
    pub(crate) fn mark_due(&mut self, t: T) {
        let mut due = std::mem::take(&mut self.due[Kind::Mark as usize]);
        due.sort_unstable();
        due.dedup();
        for p in due.drain(..) {
            self.end_delays(p as usize, t);
        }
        self.due[Kind::Mark as usize] = due;
        let mut ended = std::mem::take(&mut self.marks.ended);
        for (p, k) in ended.drain(..) {
            self.mark_if_full(p as usize, k, t);
        }
        self.marks.ended = ended;
    }

    fn end_delays(&mut self, p: usize, t: T) {
        let s = self.port[p].element as usize;
        let settled = self.marks.switches[s].settle(t);
        self.must(settled, (p, Side::Ingress), t);
        for at in 0..self.marks.buffers[p].packets.len() {
            let held = self.marks.buffers[p].packets[at];
            if held.due != t {
                continue;
            }
            self.marks.ended.push((p as u32, held.packet));
            if !held.counts {
                self.marks.buffers[p].packets[at].counts = true;
                self.arrived(p, &held, t);
            }
        }
        self.marks.buffers[p].drop_ended(t);
    }

    /// Marks what is to be marked if a packet has made its buffer full.
    fn mark_if_full(&mut self, p: usize, k: u32, t: T) {
        let config = self.marking();
        let buffer = &self.marks.buffers[p];
        let fresh = buffer.packets.iter().rfind(|held| held.packet == k);
        let Some(&fresh) = fresh else { return };
        let threshold = config.input_threshold_packets;
        if !buffer.is_filled_by(&fresh, threshold, self.marks.packet_cells.into()) {
            return;
        }
        if self.marks.asks_calm {
            for at in 0..self.marks.buffers[p].packets.len() {
                let output = usize::from(self.marks.buffers[p].packets[at].output);
                self.hear_credit(self.port[p].first(p) + output, t);
            }
        }
        let s = self.port[p].element as usize;
        let (marks, packets) = (&mut self.marks, &mut self.packets.slots);
        let buffer = &marks.buffers[p];
        let held = buffer.of_class(fresh.class).map(|held| Held {
            output: PortId(held.output),
            kind: held.what,
            sending: held.ends != NONE,
        });
        let mark = |at| {
            let held = buffer.of_class(fresh.class).nth(at);
            packets[held.expect("a packet in the buffer").packet as usize].mark = true;
        };
        marks.switches[s].marker.full(held, Tick(t.into()), mark);
    }

    /// Step 1: a packet has started over the crossbar and leaves until `end`; it took room of class
    /// `class` behind the output.
    #[inline(never)]
    pub(crate) fn started_where_marked(
        &mut self,
        (p, to): (usize, usize),
        k: usize,
        class: u16,
        (end, t): (T, T),
    ) {
        let marks = self.starts(p, k, end, t);
        self.packets.slots[k].mark |= marks;
        if self.marks.asks_calm {
            let room = self.counters[self.port[to].credits as usize + usize::from(class)];
            if room < self.marks.packet_cells {
                let port = &self.port[to];
                let marker = &mut self.marks.switches[port.element as usize].marker;
                marker.blocked(PortId(port.number));
            }
        }
    }

    /// Whether a packet that starts gets a mark.
    fn starts(&mut self, p: usize, k: usize, end: T, t: T) -> bool {
        let waits_until = self.marking().waits_until;
        let s = self.port[p].element as usize;
        let buffer = &mut self.marks.buffers[p];
        let Some(held) = buffer.find(k) else {
            return false;
        };
        if !held.counts {
            // What leaves to another part may have had the same record.
            let leaves = |held: &Buffered| held.packet != k as u32 || held.ends != NONE;
            buffer.packets.retain(leaves);
            return false;
        }
        held.ends = end;
        let (output, what) = (PortId(held.output), held.what);
        let switch = &mut self.marks.switches[s];
        if what == What::Data && waits_until == WaitsUntil::End {
            switch.sending.push((end, output));
        }
        let marks = switch.marker.started(output, what);
        self.must(marks, (p, Side::Ingress), t)
    }

    /// Where it matters when links were blocked: all credit that has come to an output before this
    /// tick is counted. A link that is free since this tick is as one that is not. Whoever awaits
    /// the credit is looked at as before.
    pub(crate) fn hear_credit(&mut self, p: usize, t: T) {
        if !self.marks.asks_calm {
            return;
        }
        let peer = self.port[p].peer as usize;
        if peer != NONE as usize && self.port[peer].ready < t && !self.has_named(peer) {
            self.settle_back(&mut (), peer, t, t);
        }
        self.land(p, t);
    }

    /// Credit of a class has come to an output in tick `due`.
    #[inline(never)]
    pub(crate) fn credit_where_marked(&mut self, p: usize, class: u16, due: T) {
        let port = &self.port[p];
        if !port.at_switch || !self.marks.asks_calm {
            return;
        }
        let room = self.counters[port.credits as usize + usize::from(class)];
        if room >= self.marks.packet_cells {
            let marker = &mut self.marks.switches[port.element as usize].marker;
            marker.unblocked(PortId(port.number), Tick(due.into()));
        }
    }

    /// Step 2: a packet comes to the memory of an output, in tick [`Packet::stored`]: `red` may
    /// mark it.
    #[inline(never)]
    pub(crate) fn red(&mut self, p: usize, k: usize, queue: usize) {
        let (port, packet) = (&self.port[p], &self.packets.slots[k]);
        let now = Tick(packet.stored.into());
        if !port.at_switch || !self.marks.at_outputs {
            return;
        }
        let own = u32::from(packet.cells);
        let cells = &mut self.marks.cells[port.egress as usize + queue];
        let bytes = u64::from(*cells) * self.marks.cell_bytes;
        *cells += own;
        let marker = &self.marks.switches[port.element as usize].marker;
        let (output, stream) = (PortId(port.number), &mut self.marks.streams[p]);
        let marks = marker.stored(output, what(packet), bytes, now, stream);
        self.packets.slots[k].mark |= marks;
    }

    /// Step 1: a packet leaves the memory of an output.
    #[inline(never)]
    pub(crate) fn left_red(&mut self, p: usize, queue: usize, cells: u16) {
        let port = &self.port[p];
        if port.at_switch && self.marks.at_outputs {
            self.marks.cells[port.egress as usize + queue] -= u32::from(cells);
        }
    }
}
