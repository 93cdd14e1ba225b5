//! What happened, put together from raw events: every message and every packet with the ticks of
//! its life.

use crate::prelude::*;
use crate::watch::{Moment, Port, Seen};
use observe::{Offered, PacketView, Side};
use plan::GeneratorRule;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Deref;
use turnpool::Point;

/// A half-open interval of ticks.
pub(super) type Interval = (Tick, Tick);

/// Source, destination, and whether requests or replies.
type Stream = (u32, u32, PacketKind);

/// A message, and when its last tail was ejected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Message {
    offered: Offered,
    pub(super) delivered: Option<Tick>,
}

impl Message {
    pub(super) fn is_reply(&self) -> bool {
        self.kind == PacketKind::Reply
    }
}

impl Deref for Message {
    type Target = Offered;

    fn deref(&self) -> &Offered {
        &self.offered
    }
}

/// A packet that was admitted to injection.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentPacket {
    pub(super) packet: PacketView,
    /// When it started on the injection link.
    pub(super) injected: Option<Tick>,
    /// When its tail was ejected.
    pub(super) ejected: Option<Tick>,
}

/// A SAQ that was allocated or freed.
#[derive(Debug, Clone, Copy)]
pub(super) struct SaqChange {
    pub(super) at: Tick,
    pub(super) port: Port,
    pub(super) point: Point,
    /// Allocated; else freed.
    pub(super) allocated: bool,
    /// SAQs in use there after it, as the event has it.
    pub(super) in_use: u32,
}

pub(super) struct History<'a> {
    pub(super) config: &'a FabricConfig,
    pub(super) raw: &'a Watch,
    pub(super) saqs: Vec<SaqChange>,
    pub(super) messages: Vec<Message>,
    pub(super) packets: Vec<SentPacket>,
    /// First tick that was not simulated.
    pub(super) end: Tick,
    pub(super) findings: RefCell<Vec<String>>,
}

impl<'a> History<'a> {
    /// Puts it together; events that do not fit each other are findings.
    pub(super) fn of(config: &'a FabricConfig, raw: &'a Watch, end: Tick) -> History<'a> {
        let mut findings = Vec::new();
        let packets = packets(config, raw, &mut findings);
        let messages = messages(raw, &mut findings);
        check_generated(config, raw, end, &mut findings);
        let saqs = raw.events.iter().filter_map(saq_change).collect();
        History { config, raw, saqs, messages, packets, end, findings: findings.into() }
    }

    pub(super) fn measured(&self) -> Interval {
        let run = &self.config.run;
        (run.warmup.min(run.duration), run.duration)
    }

    /// Whether the messages of a group ask for replies.
    pub(super) fn asks(&self, group: usize) -> bool {
        self.config.workload.summaries[group].replies.is_some()
    }

    pub(super) fn any_asks(&self) -> bool {
        (0..self.config.workload.groups.len()).any(|group| self.asks(group))
    }

    pub(super) fn any_hot(&self) -> bool {
        !self.config.hot_destinations.is_empty()
    }

    /// Whether a flow goes to no hot destination.
    pub(super) fn is_victim(&self, destination: u32) -> bool {
        !self.config.hot_destinations.contains(&destination)
    }

    /// Requests with their replies, if those were delivered: when.
    pub(super) fn requests(&self) -> Vec<(Message, Option<Tick>)> {
        let mut answers = BTreeMap::new();
        for m in self.messages.iter().filter(|m| m.is_reply()) {
            answers.insert((m.destination, m.source, m.group, m.asked), m.delivered);
        }
        let requests = self.messages.iter();
        requests
            .filter(|m| !m.is_reply() && !m.refused && self.asks(m.group.into()))
            .map(|m| {
                let answer = answers.get(&(m.source, m.destination, m.group, m.born));
                (*m, answer.copied().flatten())
            })
            .collect()
    }

    /// A length of time in nanoseconds.
    pub(super) fn ns(&self, ticks: Span) -> f64 {
        let per_ns = self.config.time_base.ticks_per_ns();
        ticks.0 as f64 * per_ns.den() as f64 / per_ns.num() as f64
    }

    /// A moment in nanoseconds.
    pub(super) fn at_ns(&self, tick: Tick) -> f64 {
        self.ns(tick - Tick::ZERO)
    }

    /// Bytes in a span as a rate; none in an empty one.
    fn rate(&self, bytes: u64, (start, end): Interval) -> Option<f64> {
        (end > start).then(|| bytes as f64 / self.ns(end - start))
    }

    /// Bytes of the messages generated in a span, of those that are `wanted`, as a rate.
    pub(super) fn offered(&self, span: Interval, wanted: impl Fn(&Message) -> bool) -> Option<f64> {
        let messages = self.messages.iter().filter(|m| is_in(m.born, span) && wanted(m));
        self.rate(messages.map(|m| u64::from(m.bytes)).sum(), span)
    }

    /// The same of the packets ejected.
    pub(super) fn received(&self, span: Interval, wanted: impl Fn(&Moment) -> bool) -> Option<f64> {
        let ejected = self.raw.ejected.iter().filter(|p| is_in(p.at, span) && wanted(p));
        self.rate(ejected.map(|p| u64::from(p.bytes)).sum(), span)
    }
}

/// From the generation of a message to its entry into admittance.
pub(super) fn injection_stage(config: &FabricConfig) -> Span {
    let stages = config.switch.stages;
    config.time_base.link_phit_ticks() * u64::from(stages.lookup + stages.enqueue)
}

pub(super) fn is_in(tick: Tick, (start, end): Interval) -> bool {
    start <= tick && tick < end
}

fn saq_change(&Seen { at, port, event }: &Seen) -> Option<SaqChange> {
    let (allocated, point, in_use) = match event {
        Event::SaqAllocated { point, in_use, .. } => (true, point, in_use),
        Event::SaqFreed { point, in_use, .. } => (false, point, in_use),
        _ => return None,
    };
    Some(SaqChange { at, port, point, allocated, in_use })
}

/// Whether it is the injection side of an end node.
pub(super) fn is_injection(config: &FabricConfig, (element, _, side): Port) -> bool {
    side == Side::Egress && element as usize >= config.network.switches()
}

/// Packets by the events of their lives: stored and sent at the injection side of their node, and
/// ejected.
fn packets(config: &FabricConfig, raw: &Watch, findings: &mut Vec<String>) -> Vec<SentPacket> {
    let mut packets = Vec::new();
    let mut numbers = BTreeMap::new();
    let here = raw.events.iter().filter(|seen| is_injection(config, seen.port));
    for seen in here.clone() {
        if let Event::Stored { packet, .. } = seen.event {
            if numbers.insert(packet.id(), packets.len()).is_some() {
                findings.push(format!("events: {:?} admitted twice", packet.id()));
            }
            packets.push(SentPacket { packet, injected: None, ejected: None });
        }
    }
    let sent = here.filter_map(|seen| match seen.event {
        Event::Departed { packet, .. } => Some((seen.at, packet, "injected")),
        _ => None,
    });
    let ejected = raw.ejected.iter().map(|moment| (moment.at, moment.packet, "ejected"));
    for (at, packet, name) in sent.chain(ejected) {
        let id = packet.id();
        let Some(&number) = numbers.get(&id) else {
            findings.push(format!("events: {id:?} {name}, never admitted"));
            continue;
        };
        let slot = match name {
            "injected" => &mut packets[number].injected,
            _ => &mut packets[number].ejected,
        };
        if slot.replace(at).is_some() {
            findings.push(format!("events: {id:?} {name} twice"));
        }
    }
    packets
}

/// Messages as reported, with their deliveries: each flow delivers its messages in the order
/// in which it took them; requests and replies may have virtual channels of their own.
fn messages(raw: &Watch, findings: &mut Vec<String>) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut under_way: BTreeMap<Stream, VecDeque<usize>> = BTreeMap::new();
    for offered in &raw.offered {
        if !offered.refused {
            let flow = (offered.source, offered.destination, offered.kind);
            under_way.entry(flow).or_default().push_back(messages.len());
        }
        messages.push(Message { offered: *offered, delivered: None });
    }
    let mut arrived: BTreeMap<Stream, u32> = BTreeMap::new();
    for packet in &raw.ejected {
        let flow = (packet.source, packet.destination, packet.kind);
        let bytes = arrived.entry(flow).or_default();
        *bytes += packet.bytes;
        if !packet.last {
            continue;
        }
        let whole = std::mem::take(bytes);
        let Some(at) = under_way.get_mut(&flow).and_then(VecDeque::pop_front) else {
            findings.push(format!("events: flow {flow:?} delivers a message that was not offered"));
            continue;
        };
        let message = &mut messages[at];
        message.delivered = Some(packet.at);
        let (found, offered) =
            ((whole, packet.born, packet.group), (message.bytes, message.born, message.group));
        if found != offered {
            findings.push(format!(
                "events: flow {flow:?}: (bytes, born, group) {found:?} delivered, {offered:?} \
                 offered"
            ));
        }
    }
    messages
}

/// What is reported is what the generators give, all of it that was generated before the end. With
/// `delayed` a message is generated when its queue has room for it: later than drawn, and
/// everything that comes after it of that source as much later.
fn check_generated(config: &FabricConfig, raw: &Watch, end: Tick, findings: &mut Vec<String>) {
    let delayed = config.endnode.generator == GeneratorRule::Delayed;
    let stage = injection_stage(config);
    let mut reported: BTreeMap<(u32, u8), VecDeque<&Offered>> = BTreeMap::new();
    for offered in raw.offered.iter().filter(|o| o.kind == PacketKind::Data) {
        let source = (offered.source, offered.group);
        reported.entry(source).or_default().push_back(offered);
    }
    // When a request of a closed loop is generated depends on the replies.
    let open = config.workload.generators.iter();
    for (node, generator) in open.filter(|(_, generator)| !generator.is_closed()) {
        let source = (*node, generator.group());
        let reported = reported.entry(source).or_default();
        let mut shift = Span::ZERO;
        for message in generator.clone() {
            let born = message.tick + shift;
            if born >= end || (!shift.is_zero() && born >= generator.end_tick()) {
                break;
            }
            let Some(offered) = reported.pop_front() else {
                // It may wait for room, but not before it came to its queue.
                if !delayed || born + stage >= end {
                    findings.push(format!("events: source {source:?}: {message:?} not offered"));
                }
                break;
            };
            if offered.born > born && delayed {
                shift = offered.born - message.tick;
            }
            let found = (offered.born, offered.destination, offered.bytes);
            let drawn = (message.tick + shift, message.destination, message.bytes);
            if found != drawn {
                findings.push(format!(
                    "events: source {source:?}: {found:?} offered, {drawn:?} generated"
                ));
            }
        }
        if let Some(offered) = reported.front() {
            findings.push(format!("events: {offered:?}: no generator gives it"));
        }
    }
}
