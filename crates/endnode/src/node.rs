//! One end node: its units, called in the order of the hardware.

use crate::admittance::{Admittance, AdmittanceConfig, Waiting};
use crate::ecn::Ecn;
use crate::env::NodeEnv;
use crate::injection::Injection;
use crate::reception::Reception;
use crate::reorder::ReorderBuffer;
use crate::sources::Sources;
use crate::transport::Transport;
use flow_control::Control;
use observe::{Event, PacketKind, Place, REPLY_SEQUENCE, Side};
use plan::{EndNodeConfig, Order, Params};
use std::sync::Arc;
use switch::{Egress, LinkGrant, Packet, Packets};
use units::draw::Stream;
use units::{ClassId, PacketId, QueueId, Tick, Unit};
use workload::{Generator, Given, Replies};

/// What an end node is built from.
#[derive(Debug)]
pub struct NodeConfig {
    /// Its number.
    pub index: u32,
    /// End nodes of the network.
    pub nodes: usize,
    /// Its injection port: memory and link into the first switch.
    pub injection: Egress,
    /// Its generators; of a closed loop at most one a group.
    pub generators: Vec<Generator>,
    /// By group: the replies that its messages ask for. Groups beyond the list ask for none.
    pub replies: Arc<[Option<Replies>]>,
    /// As configured.
    pub config: EndNodeConfig,
    /// Whether packets are delivered in order, by their routes or by the reorder buffer.
    pub order: Order,
    /// For the admittance arbiter `random`.
    pub stream: Stream,
}

/// One end node.
#[derive(Debug)]
pub struct EndNode {
    injection: Injection,
    sources: Sources,
    pub(crate) admittance: Admittance,
    transport: Transport,
    reception: Reception,
    reorder: Option<Box<ReorderBuffer>>,
    pub(crate) ecn: Option<Box<Ecn>>,
    index: u32,
}

impl EndNode {
    /// A node before its first tick.
    pub fn new(params: &Params, config: NodeConfig) -> EndNode {
        let (index, stage) = (config.index, params.stages.injection);
        let admittance = AdmittanceConfig {
            nodes: config.nodes,
            injection_queues: config.injection.memory().queues(),
            limit_bytes: config.config.admittance_bytes,
            arbiter: config.config.admittance_arbiter,
            packet_bytes: params.packet_bytes,
            replies_apart: params.config.reply_vcs,
            stream: config.stream,
        };
        let reorders = config.config.reorder_buffer;
        EndNode {
            reorder: reorders.then(Box::default),
            ecn: config.config.ecn.map(|ecn| Box::new(Ecn::new(index, ecn))),
            injection: Injection::new(index, config.injection),
            sources: Sources::new(config.generators, config.config.generator, stage),
            admittance: Admittance::new(admittance),
            transport: Transport::new(config.replies, stage),
            reception: Reception::new(index, config.nodes, params.config.reply_vcs, config.order),
            index,
        }
    }

    /// Its number.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Evaluate: what the injection link does in this tick.
    pub fn evaluate_link(&self, now: Tick) -> LinkGrant {
        self.injection.port.evaluate(now)
    }

    /// Step 1: what the link arbiter granted starts.
    pub fn start_link(&mut self, params: &Params, grant: LinkGrant, env: &mut impl NodeEnv) {
        self.injection.start(params, grant, env);
    }

    /// Step 1: tails leave on the injection link.
    pub fn tails_leave(&mut self, now: Tick) {
        while self.injection.port.tail_leaves(now).is_some() {}
    }

    /// Step 2: the tail of a packet is ejected: its cells are credited, and it is delivered, or
    /// waits in the reorder buffer for an earlier one.
    pub fn eject(&mut self, id: PacketId, env: &mut impl NodeEnv) {
        let packet = &env.packets()[id];
        let (source, class) = (packet.source, packet.class);
        let cells = u32::from(packet.cells);
        if self.ecn.is_some() && self.eject_with_acks(id, env) {
            return self.injection.port.return_credit(class, cells);
        }
        let key = env.packets()[id].key();
        if env.is_gone(key.source, key.destination, key.sequence) {
            self.discard(id, env);
            return self.injection.port.return_credit(class, cells);
        }
        // A reorder buffer goes on waiting until [`EndNode::release_gone`].
        if self.reception.order() == Order::Kept && self.reorder.is_none() {
            self.skip_gone(id, env);
        }
        if let Some(reorder) = &mut self.reorder
            && env.packets()[id].sequence > self.reception.expected(&env.packets()[id])
        {
            reorder.hold(id, &env.packets()[id]);
        } else {
            self.deliver(id, env);
            self.release(source, false, env);
        }
        self.injection.port.return_credit(class, cells);
    }

    /// ECN: an ACK or CNP ends here, any other packet may be answered by one. Whether it ends.
    fn eject_with_acks(&mut self, id: PacketId, env: &mut impl NodeEnv) -> bool {
        let now = env.now();
        let Some(ecn) = &mut self.ecn else {
            return false;
        };
        let packet = &env.packets()[id];
        let is_ack = matches!(packet.kind, PacketKind::Ack | PacketKind::Cnp);
        if is_ack {
            ecn.acked(packet, now);
            env.ejected(self.ejection(), id);
            env.packets().remove(id);
        } else {
            ecn.ejected(packet, now);
        }
        is_ack
    }

    /// A packet that was cut in two by a fault ends here.
    fn discard(&mut self, id: PacketId, env: &mut impl NodeEnv) {
        let packet = env.packets()[id].view();
        env.observe(self.ejection(), Event::Lost { packet });
        env.packets().remove(id);
    }

    fn ejection(&self) -> Place {
        Place { port: self.injection.port.place.port, side: Side::Ingress }
    }

    /// A port of the switch leads to a destination from now on, or none does.
    pub fn set_leads_on(&mut self, destination: u32, leads_on: bool) {
        self.admittance.set_leads_on(destination, leads_on);
    }

    /// What was lost or stranded before a packet is not waited for.
    fn skip_gone(&mut self, id: PacketId, env: &mut impl NodeEnv) {
        loop {
            let packet = &env.packets()[id];
            let (source, destination) = (packet.source, packet.destination);
            let next = self.reception.expected(packet);
            if next >= packet.sequence || !env.is_gone(source, destination, next) {
                break;
            }
            self.reception.skip(&env.packets()[id]);
        }
    }

    /// Packets of a source that have waited in the reorder buffer and are next; `skips`: those
    /// lost or stranded are not waited for.
    fn release(&mut self, source: u32, skips: bool, env: &mut impl NodeEnv) {
        for (least, most) in [(0, REPLY_SEQUENCE - 1), (REPLY_SEQUENCE, u32::MAX)] {
            while let Some(reorder) = &self.reorder
                && let Some((sequence, id)) = reorder.first_of(source, least, most)
            {
                if skips {
                    self.skip_gone(id, env);
                }
                if self.reception.expected(&env.packets()[id]) < sequence {
                    break;
                }
                if let Some(reorder) = &mut self.reorder {
                    reorder.take(source, sequence);
                }
                self.deliver(id, env);
            }
        }
    }

    /// Packets in the reorder buffer that waited for what is now known to be lost or stranded.
    pub fn release_gone(&mut self, env: &mut impl NodeEnv) {
        let sources = self.reorder.as_ref().map(|reorder| reorder.sources());
        for source in sources.unwrap_or_default() {
            self.release(source, true, env);
        }
    }

    /// A packet is checked for place, contents and order. A request may be answered, or a reply
    /// free a place of a window.
    fn deliver(&mut self, id: PacketId, env: &mut impl NodeEnv) {
        let now = env.now();
        let packet = &env.packets()[id];
        self.reception.take(packet, now);
        if packet.last {
            match packet.kind {
                PacketKind::Data => {
                    self.transport.requested(packet, now);
                    self.sources.arrived(packet.group, packet.source, now);
                }
                // Ends in `eject_with_acks`.
                PacketKind::Ack | PacketKind::Cnp => {}
                PacketKind::Reply => self.sources.answered(packet.group, now),
            }
        }
        env.ejected(self.ejection(), id);
        env.packets().remove(id);
    }

    /// The reorder buffer, where there is one.
    pub fn reorder(&self) -> Option<&ReorderBuffer> {
        self.reorder.as_deref()
    }

    /// A request of this node was lost to a fault, or the reply to it: its place in the window is
    /// free after the time to think.
    pub fn request_lost(&mut self, group: u8, now: Tick) {
        self.sources.answered(group, now);
    }

    /// A message of a trace is given to it, in order of ticks and before its own.
    pub fn give(&mut self, message: Given) {
        self.sources.give(message);
    }

    /// Whether its sources of this group are a closed loop.
    pub fn is_closed(&self, group: u8) -> bool {
        self.sources.is_closed(group)
    }

    /// When the next message enters admittance: generated, then looked up and written.
    pub fn generation_due(&self) -> Option<Tick> {
        let (next, reply) = (self.sources.due(), self.transport.due());
        next.into_iter().chain(reply).min()
    }

    /// Step 2: every message due enters its admittance queue, whole, or is refused. Replies are
    /// never refused: a queue takes them beyond its bound.
    pub fn generate(&mut self, params: &Params, env: &mut impl NodeEnv) {
        let now = env.now();
        for at in 0..self.sources.sources.len() {
            while let Some((message, refused)) =
                self.sources.generate(at, false, now, &self.admittance)
            {
                self.offer(params, message, refused, env);
            }
        }
        while let Some(reply) = self.transport.reply(now) {
            self.offer(params, reply, false, env);
        }
    }

    fn offer(&mut self, params: &Params, message: Waiting, refused: bool, env: &mut impl NodeEnv) {
        if !refused {
            self.admittance.push(message);
        }
        let offered = message.offered(self.index, params.packet_bytes, refused);
        env.offered(offered);
    }

    /// The next tick in which anything happens here by itself, if nothing comes before.
    pub fn next_due(&self, packets: &Packets, now: Tick) -> Tick {
        let port = &self.injection.port;
        let next = now.next();
        let has_lines = port.recn().is_some_and(|recn| recn.cam().in_use() > 0);
        if has_lines || self.is_waiting() && self.may_admit() {
            return next;
        }
        let own = port.next_due(packets, now).min(port.pause_due(now));
        own.min(self.generation_due().unwrap_or(Tick::MAX)).max(next)
    }

    /// Whether admittance may move a packet without anything coming: certain where it may not.
    fn may_admit(&self) -> bool {
        let memory = self.injection.port.memory();
        let classes = memory.room_classes().map_or(0, |classes| classes.len());
        self.ecn.is_some() || (0..classes).any(|class| memory.room(ClassId::at(class)) > 0)
    }

    /// Step 3: at most one packet moves to injection: with ECN an ACK, else one of admittance.
    pub fn admit(&mut self, params: &Params, env: &mut impl NodeEnv) {
        if let Some(answer) = self.next_answer(params, env) {
            return self.injection.store(params, answer, env);
        }
        if self.is_paced() && !self.injection.takes_another(params) {
            return;
        }
        let Some(packet) = self.next_packet(params, env) else {
            return;
        };
        if let Some(ecn) = &mut self.ecn {
            ecn.sent(packet.destination, packet.bytes, env.now());
        }
        self.injection.store(params, packet, env);
        self.retry_delayed(params, env);
    }

    /// The oldest ACK or CNP that injection takes: those for other queues wait.
    fn next_answer(&mut self, params: &Params, env: &mut impl NodeEnv) -> Option<Packet> {
        let injection = &self.injection;
        let ecn = self.ecn.as_mut()?;
        let (kind, bytes) = ecn.answer();
        let cells = params.lengths(bytes).cells;
        let room = injection.room_for_all(params);
        if room.is_some_and(|room| room < cells) {
            return None;
        }
        ecn.take_ack(|ack| {
            let mut packet = injection.ack(params, ack, bytes, env);
            packet.kind = kind;
            injection.queue_for(params, &packet).map(|_| packet)
        })
    }

    /// Whether packets leave at the rates of DCQCN: a few of a queue go to injection then.
    fn is_paced(&self) -> bool {
        self.ecn.as_ref().is_some_and(|ecn| ecn.cnps_made().is_some())
    }

    /// The packet that the arbiter takes from admittance, of those that injection takes.
    fn next_packet(&mut self, params: &Params, env: &mut impl NodeEnv) -> Option<Packet> {
        let (now, is_paced) = (env.now(), self.is_paced());
        let (injection, ecn) = (&self.injection, &mut self.ecn);
        let room = injection.room_for_all(params).filter(|_| !is_paced);
        // The packet asked about last: nearly always the one that moves.
        let mut asked = None;
        let piece = self.admittance.take(|next| {
            if let Some(ecn) = ecn
                && !ecn.may_start(next.message.destination, now)
            {
                return None;
            }
            if let Some(room) = room {
                let cells = params.lengths(next.message.bytes).cells;
                return (cells <= room).then_some(QueueId(0));
            }
            let packet = asked.insert(injection.packet(params, next, env));
            if is_paced && !injection.queue_takes_another(params, packet) {
                return None;
            }
            injection.queue_for(params, packet)
        })?;
        let destination = piece.message.destination;
        let packet = asked.filter(|packet| packet.destination == destination);
        Some(packet.unwrap_or_else(|| injection.packet(params, &piece, env)))
    }

    /// `delayed`: a message that waited for room is generated now if there is some. It may move in
    /// the next tick.
    fn retry_delayed(&mut self, params: &Params, env: &mut impl NodeEnv) {
        for at in 0..self.sources.sources.len() {
            let generated = self.sources.generate(at, true, env.now(), &self.admittance);
            if let Some((message, refused)) = generated {
                self.offer(params, message, refused, env);
            }
        }
    }

    /// Step 4: a credit packet from the first switch.
    pub fn credit(&mut self, class: ClassId, cells: u32, now: Tick) {
        self.injection.port.credit(class, cells, now);
    }

    /// Step 4: another control packet from the first switch.
    pub fn control(&mut self, params: &Params, control: Control, env: &mut impl NodeEnv) {
        self.injection.port.control(params, control, env);
    }

    /// Steps 5 to 7 of the injection port.
    pub fn recn_step(&mut self, params: &Params, env: &mut impl NodeEnv) {
        self.injection.port.run_out(env);
        self.injection.port.recn_step(params, env);
    }

    /// The injection port: its memory, credit and link.
    pub fn injection(&self) -> &Egress {
        &self.injection.port
    }

    /// The same, to be changed.
    pub fn injection_mut(&mut self) -> &mut Egress {
        &mut self.injection.port
    }

    /// Whether a message waits in admittance, or an ACK for injection.
    pub fn is_waiting(&self) -> bool {
        self.admittance.is_waiting() || self.ecn.as_ref().is_some_and(|ecn| !ecn.acks().is_empty())
    }

    /// ACKs and flows, with ECN.
    pub fn ecn(&self) -> Option<&Ecn> {
        self.ecn.as_deref()
    }

    /// The messages that wait, by destination.
    pub fn admittance(&self) -> &Admittance {
        &self.admittance
    }

    /// Visits the messages generated before `now` that have not come to admittance.
    pub fn unadmitted(&self, now: Tick, mut visit: impl FnMut(Waiting)) {
        self.sources.unadmitted(now, &mut visit);
        let replies = self.transport.replies();
        replies.take_while(|reply| reply.born < now).for_each(|reply| visit(*reply));
    }

    /// Visits the replies that wait for their delay: those that are generated at `now` or later.
    pub fn replies_to_come(&self, now: Tick, visit: impl FnMut(Waiting)) {
        let replies = self.transport.replies().copied();
        replies.filter(|reply| reply.born >= now).for_each(visit);
    }

    /// Everything is at home: names the first thing that is not.
    pub fn left_over(&self) -> Option<String> {
        let node = Unit::Node { node: self.index() };
        if self.is_waiting() {
            return Some(format!("{node}: messages wait in admittance"));
        }
        if self.transport.due().is_some() {
            return Some(format!("{node}: replies wait for their delay"));
        }
        let outstanding = self.ecn().map_or(0, Ecn::outstanding);
        if outstanding > 0 {
            return Some(format!("{node}: {outstanding} packets without an ACK"));
        }
        self.injection().left_over()
    }
}
