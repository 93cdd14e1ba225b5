//! Injection: makes packets, and is the memory and the link into the first switch. Organised as an
//! egress port of a switch.

use crate::admittance::{Piece, Waiting};
use crate::ecn::Ack;
use crate::env::NodeEnv;
use observe::PacketKind;
use plan::Params;
use switch::{Egress, Flow, LinkGrant, Packet};
use units::{ClassId, PortId, QueueId, Tick, VcId};

/// Packets of a queue that may wait for the link where sources have rates [choice]: what a network
/// adapter has fetched. More would be beyond the reach of the rate while the queue is held up.
const PACED_PACKETS: u32 = 2;

fn paced_cells(params: &Params) -> u32 {
    PACED_PACKETS * params.lengths(params.packet_bytes).cells
}

/// The injection port.
#[derive(Debug)]
pub struct Injection {
    pub(crate) port: Egress,
    source: u32,
}

impl Injection {
    /// The injection port of a node.
    pub fn new(source: u32, port: Egress) -> Injection {
        Injection { port, source }
    }

    /// The packet of a piece of a message, as it will be stored.
    pub fn packet(&self, params: &Params, piece: &Piece, env: &mut impl NodeEnv) -> Packet {
        let (source, message) = (self.source, &piece.message);
        let lengths = params.lengths(message.bytes);
        let flow = Flow {
            source,
            destination: message.destination,
            sequence: piece.sequence,
            group: message.group,
        };
        let mut packet = Packet::new(flow, message.bytes, lengths.cells as u16);
        packet.route = env.route(source, message.destination);
        packet.next_vc = match message.kind {
            PacketKind::Data | PacketKind::Ack | PacketKind::Cnp => VcId(0),
            PacketKind::Reply => VcId(params.first_reply_vc()),
        };
        packet.vc = packet.next_vc;
        packet.ahead = self
            .port
            .look_ahead(&packet, 0)
            .unwrap_or_else(|error| units::broken(self.port.unit(), env.now(), &error));
        packet.class = self.port.class_behind_crossbar(params, &packet);
        packet.stored = env.now();
        packet.tail = env.now();
        packet.link_ticks = lengths.link.0 as u32;
        packet.crossbar_ticks = lengths.crossbar.0 as u32;
        packet.born = message.born;
        packet.kind = message.kind;
        packet.asked = message.asked;
        packet.last = piece.last;
        packet
    }

    /// The packet of an ACK of so many bytes, as it will be stored.
    pub fn ack(&self, params: &Params, ack: &Ack, bytes: u32, env: &mut impl NodeEnv) -> Packet {
        let message = Waiting {
            destination: ack.destination,
            bytes,
            born: env.now(),
            group: ack.group,
            kind: PacketKind::Ack,
            asked: Tick::ZERO,
        };
        let piece = Piece { message, sequence: ack.sequence, last: true };
        let mut packet = self.packet(params, &piece, env);
        packet.mark = ack.mark;
        packet
    }

    /// Where all packets ask for the same room, and none for a SAQ: its free cells.
    pub fn room_for_all(&self, params: &Params) -> Option<u32> {
        let saqs = || self.port.recn().map_or(0, |recn| recn.cam().in_use());
        let is_one = !params.per_queue_credits && params.vcs == 1 && saqs() == 0;
        is_one.then(|| self.port.memory().room(ClassId(0)))
    }

    /// Whether any queue has fewer than `PACED_PACKETS` of the largest.
    pub fn takes_another(&self, params: &Params) -> bool {
        let memory = self.port.memory();
        let mut queues = (0..memory.queues()).map(QueueId::at);
        queues.any(|queue| memory.cells(queue) < paced_cells(params))
    }

    /// Whether the queue of a packet has fewer than `PACED_PACKETS` of the largest.
    pub fn queue_takes_another(&self, params: &Params, packet: &Packet) -> bool {
        let queue = self.port.queue_of(params, packet);
        self.port.memory().cells(queue) < paced_cells(params)
    }

    /// The queue that takes a packet; where queues share room, that of their class: it has room,
    /// and if it is a SAQ, ready or not, it is below Xoff.
    pub fn queue_for(&self, params: &Params, packet: &Packet) -> Option<QueueId> {
        // A tail that leaves in this tick has made room.
        if self.port.memory().room(packet.class) < u32::from(packet.cells) {
            return None;
        }
        let (Some(config), Some(recn)) = (&params.recn, self.port.recn()) else {
            return Some(QueueId(packet.class.0));
        };
        let queue = self.port.queue_of(params, packet);
        let is_saq = recn.line(queue).is_some();
        let takes = !is_saq || self.port.memory().packets(queue) < config.thresholds.xoff;
        takes.then_some(queue)
    }

    /// Step 3: stores a packet for which there is room.
    pub fn store(&mut self, params: &Params, packet: Packet, env: &mut impl NodeEnv) {
        let now = env.now();
        self.port.reserve(packet.class, u32::from(packet.cells), now);
        let id = env.packets().insert(packet);
        let queue = self.port.store(params, id, env);
        // Internal messages of the port: an end node has no other port.
        self.port.rose(params, queue, PortId(0), &mut Vec::new(), now);
    }

    /// Step 1: what the link arbiter granted starts.
    pub fn start(&mut self, params: &Params, grant: LinkGrant, env: &mut impl NodeEnv) {
        let now = env.now();
        let head = grant.queue.and_then(|at| self.port.memory().front(at));
        if let Some(id) = head {
            env.packets()[id].injected = now;
        }
        if let Some(queue) = self.port.start(params, grant, env) {
            self.port.fell(params, queue, &mut Vec::new(), now);
        }
    }
}
