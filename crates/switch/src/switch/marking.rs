//! ECN marking in a switch (spec: ecn.md, Marking; pfc.md for `red`): events of its [`Marker`],
//! and which packets get its marks.
//!
//! A packet waits from the end of its forwarding delay on, `stages.arbitration` after its head is
//! stored. One that starts in that tick cuts through. Ends of delays are evaluated in step 5, first
//! all that wait from then on, then the buffers that they filled: the order of ports does not show.

use super::Switch;
use crate::env::Env;
use crate::ingress::Ingress;
use crate::must;
use crate::packet::Packet;
use ecn::marking::{Held, Kind, Marker, MarkerError, Marking, WaitsUntil};
use observe::PacketKind;
use plan::{EcnConfig, Params};
use std::collections::VecDeque;
use units::draw::Stream;
use units::{ClassId, PacketId, PortId, Tick};

/// A packet in an input memory.
#[derive(Debug)]
struct Buffered {
    packet: PacketId,
    output: PortId,
    kind: Kind,
    class: ClassId,
    cells: u32,
    /// It takes a slot: not during its forwarding delay, unless cutting through takes one too.
    counts: bool,
    /// It has started, and its tail has left when this tick begins.
    ends: Option<Tick>,
}

/// What an input memory holds, the oldest first, and the cells of a class of credit.
#[derive(Debug)]
struct Buffer {
    packets: Vec<Buffered>,
    class_cells: u32,
}

/// The marker of a switch, and what it must know of its input memories.
#[derive(Debug)]
pub(super) struct MarkingGlue {
    marker: Marker,
    config: EcnConfig,
    packet_cells: u32,
    buffers: Box<[Buffer]>,
    /// With [`WaitsUntil::End`]: data packets being sent, by when their tails have left.
    sending: Vec<(Tick, PortId)>,
    /// Packets in their forwarding delay: when it ends, by that.
    delayed: VecDeque<(Tick, PortId, PacketId)>,
    /// `red`: by output.
    streams: Box<[Stream]>,
}

/// What a packet is to the marker.
fn kind(packet: &Packet) -> Kind {
    match packet.kind {
        PacketKind::Data | PacketKind::Reply => Kind::Data,
        PacketKind::Ack | PacketKind::Cnp => Kind::Ack,
    }
}

impl Buffer {
    fn new(params: &Params, input: &Ingress) -> Buffer {
        let memory = input.memory();
        let classes =
            if params.per_queue_credits { memory.queues() as u32 } else { u32::from(params.vcs) };
        Buffer { packets: Vec::new(), class_cells: memory.pool_cells() / classes.max(1) }
    }

    /// A packet that has not started.
    fn find(&mut self, packet: PacketId) -> Option<&mut Buffered> {
        let mut packets = self.packets.iter_mut();
        packets.find(|held| held.packet == packet && held.ends.is_none())
    }

    /// Those that count, of a class.
    fn of_class(&self, class: ClassId) -> impl Iterator<Item = &Buffered> {
        let packets = self.packets.iter();
        packets.filter(move |held| held.counts && held.class == class)
    }

    /// Whether the arrival of `fresh` has filled its class: no room is left for another packet; or
    /// at least `threshold` packets are there.
    fn is_filled_by(&self, fresh: &Buffered, threshold: Option<u32>, packet_cells: u32) -> bool {
        let held = self.of_class(fresh.class);
        let (packets, cells) = held.fold((0, 0), |(n, cells), held| (n + 1, cells + held.cells));
        match threshold {
            Some(threshold) => packets >= threshold,
            None => {
                let left = self.class_cells.saturating_sub(cells);
                left < packet_cells && left + fresh.cells >= packet_cells
            }
        }
    }
}

impl MarkingGlue {
    /// Of a switch in which nothing waits; `None` where nothing is ever marked.
    pub(super) fn new(params: &Params, inputs: &[Ingress]) -> Option<Box<MarkingGlue>> {
        let config = params.config.ecn.filter(|ecn| ecn.marking != Marking::None)?;
        let buffer = |input: &Ingress| Buffer::new(params, input);
        Some(Box::new(MarkingGlue {
            marker: Marker::new(config.marking, inputs.len() as u8, config.calm)
                .with_waits_until(config.waits_until),
            config,
            packet_cells: params.lengths(params.packet_bytes).cells,
            buffers: inputs.iter().map(buffer).collect(),
            sending: Vec::new(),
            delayed: VecDeque::new(),
            streams: Box::default(),
        }))
    }

    /// When the next forwarding delay ends; [`Tick::MAX`]: none runs.
    pub(super) fn next_due(&self) -> Tick {
        self.delayed.front().map_or(Tick::MAX, |(due, ..)| *due)
    }

    /// Whether input buffers matter: with `red` they do not.
    fn counts(&self) -> bool {
        !matches!(self.config.marking, Marking::Red(_))
    }

    /// Whether it matters when links were blocked: with `red` credit is not reported as it comes.
    fn tracks_links(&self) -> bool {
        !self.config.calm.is_zero() && self.counts()
    }

    /// Step 2: a packet is stored at an input.
    pub(super) fn store(
        &mut self,
        params: &Params,
        input: PortId,
        id: PacketId,
        env: &mut impl Env,
    ) -> Result<(), MarkerError> {
        if !self.counts() {
            return Ok(());
        }
        let now = env.now();
        let packet = &env.packets()[id];
        let due = packet.stored + params.stages.arbitration;
        let settled = self.settle(now);
        let counts = self.config.cut_through_occupies_slot;
        let (output, kind) = (packet.output, kind(packet));
        let packets = &mut self.buffers[input.index()].packets;
        packets.retain(|held| held.ends.is_none_or(|end| end > now));
        packets.push(Buffered {
            packet: id,
            output,
            kind,
            class: packet.class,
            cells: packet.cells.into(),
            counts,
            ends: None,
        });
        if counts {
            self.marker.arrived(output, kind, now);
        }
        self.delayed.push_back((due, input, id));
        settled
    }

    /// Tails have left.
    fn settle(&mut self, now: Tick) -> Result<(), MarkerError> {
        let mut left = self.sending.extract_if(.., |(end, _)| *end <= now);
        left.try_for_each(|(_, output)| self.marker.ended(output, Kind::Data))
    }

    /// Forwarding delays end: the packets to mark.
    fn end_delays(&mut self, now: Tick) -> Vec<PacketId> {
        let due = self.delayed.partition_point(|(due, ..)| *due <= now);
        let mut ended: Vec<_> = self.delayed.drain(..due).collect();
        ended.sort_by_key(|(_, input, _)| *input);
        let (marker, buffers) = (&mut self.marker, &mut self.buffers);
        if !self.config.cut_through_occupies_slot {
            ended.retain(|&(_, input, packet)| {
                let held = buffers[input.index()].find(packet);
                held.is_some_and(|held| {
                    held.counts = true;
                    marker.arrived(held.output, held.kind, now);
                    true
                })
            });
        }
        let mut marks = Vec::new();
        for (_, input, packet) in ended {
            let buffer = &mut buffers[input.index()];
            buffer.packets.retain(|held| held.ends.is_none_or(|end| end > now));
            let fresh = buffer.packets.iter().rfind(|held| held.packet == packet);
            let threshold = self.config.input_threshold_packets;
            let fills =
                |fresh: &&Buffered| buffer.is_filled_by(fresh, threshold, self.packet_cells);
            let Some(class) = fresh.filter(fills).map(|fresh| fresh.class) else {
                continue;
            };
            let held = buffer.of_class(class).map(|held| Held {
                output: held.output,
                kind: held.kind,
                sending: held.ends.is_some(),
            });
            let id_of = |at| buffer.of_class(class).nth(at).map(|held| held.packet);
            marker.full(held, now, |at| marks.extend(id_of(at)));
        }
        marks
    }

    /// A packet starts, its tail has left when `ends` begins: whether it gets a mark.
    fn started(
        &mut self,
        input: PortId,
        packet: PacketId,
        ends: Tick,
    ) -> Result<bool, MarkerError> {
        let buffer = &mut self.buffers[input.index()];
        let Some(held) = buffer.find(packet) else {
            return Ok(false);
        };
        if !held.counts {
            buffer.packets.retain(|held| held.packet != packet);
            return Ok(false);
        }
        held.ends = Some(ends);
        if held.kind == Kind::Data && self.config.waits_until == WaitsUntil::End {
            self.sending.push((ends, held.output));
        }
        self.marker.started(held.output, held.kind)
    }
}

impl Switch {
    /// The marker, where packets are marked.
    pub fn marker(&self) -> Option<&Marker> {
        self.marking.as_deref().map(|marking| &marking.marker)
    }

    /// `red` draws from these, one an output.
    pub fn set_red_streams(&mut self, streams: Vec<Stream>) {
        if let Some(marking) = &mut self.marking {
            marking.streams = streams.into();
        }
    }

    /// Step 1: a packet crosses until `ends`; it takes room of class `class` behind `output`.
    pub(super) fn started_where_marked(
        &mut self,
        (input, output): (PortId, PortId),
        id: PacketId,
        class: ClassId,
        ends: Tick,
        env: &mut impl Env,
    ) {
        let Some(marking) = self.marking.as_deref_mut() else {
            return;
        };
        let now = env.now();
        let marks = must(marking.started(input, id, ends), self.unit, now);
        env.packets()[id].mark |= marks;
        if marking.tracks_links() && self.outputs[output.index()].room(class) < marking.packet_cells
        {
            marking.marker.blocked(output);
        }
    }

    /// A packet is removed that has not started.
    pub(super) fn removed_where_marked(&mut self, input: PortId, id: PacketId, now: Tick) {
        let unit = self.unit;
        if let Some(marking) = self.marking.as_deref_mut() {
            let _ = must(marking.started(input, id, now), unit, now);
        }
    }

    /// Step 4: credit of a class has come for the link at `output`.
    pub(super) fn credit_where_marked(&mut self, output: PortId, class: ClassId, now: Tick) {
        let Some(marking) = self.marking.as_deref_mut() else {
            return;
        };
        if marking.tracks_links()
            && self.outputs[output.index()].room(class) >= marking.packet_cells
        {
            marking.marker.unblocked(output, now);
        }
    }

    /// Step 5: forwarding delays end.
    pub(super) fn marking_step(&mut self, env: &mut impl Env) {
        let unit = self.unit;
        let Some(marking) = self.marking.as_deref_mut() else {
            return;
        };
        must(marking.settle(env.now()), unit, env.now());
        for id in marking.end_delays(env.now()) {
            env.packets()[id].mark = true;
        }
    }

    /// Step 2: a packet comes to the memory of `output`: `red` may mark it, by bytes in cells.
    pub(super) fn red_at_egress(
        &mut self,
        params: &Params,
        output: PortId,
        id: PacketId,
        env: &mut impl Env,
    ) {
        let Some(marking) = self.marking.as_deref_mut() else {
            return;
        };
        let Some(stream) = marking.streams.get_mut(output.index()) else {
            return;
        };
        let now = env.now();
        let (port, packet) = (&self.outputs[output.index()], &env.packets()[id]);
        let cells = port.memory().cells(port.queue_of(params, packet));
        let bytes = u64::from(cells) * u64::from(params.config.cell_bytes);
        let marks = marking.marker.stored(output, kind(packet), bytes, now, stream);
        env.packets()[id].mark |= marks;
    }
}
