//! What happened, put together from raw events: every message and every packet with the ticks of
//! its life.

use super::Findings;
use super::raw::Raw;
use crate::watch::Moment;
use observe::{Offered, PacketKind, PacketView};
use plan::{FabricConfig, GeneratorRule};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Deref;
use units::{Span, Tick};

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

/// The whole run.
pub(super) struct History<'a> {
    /// What was simulated.
    pub(super) config: &'a FabricConfig,
    /// Its raw events.
    pub(super) raw: &'a Raw,
    /// All messages.
    pub(super) messages: Vec<Message>,
    /// All packets.
    pub(super) packets: Vec<SentPacket>,
    /// First tick that was not simulated.
    pub(super) end: Tick,
    /// What does not fit.
    pub(super) findings: RefCell<Findings>,
}

impl<'a> History<'a> {
    /// Puts it together; events that do not fit each other are findings.
    pub(super) fn of(config: &'a FabricConfig, raw: &'a Raw, end: Tick) -> History<'a> {
        let mut findings = Findings::default();
        let packets = packets(raw, &mut findings);
        let messages = messages(raw, &mut findings);
        check_generated(config, raw, end, &mut findings);
        History { config, raw, messages, packets, end, findings: findings.into() }
    }

    /// The measured time.
    pub(super) fn measured(&self) -> Interval {
        let run = &self.config.run;
        (run.warmup.min(run.duration), run.duration)
    }

    /// Whether the messages of a group ask for replies.
    pub(super) fn asks(&self, group: usize) -> bool {
        self.config.workload.summaries[group].replies.is_some()
    }

    /// Whether those of any group do.
    pub(super) fn any_asks(&self) -> bool {
        (0..self.config.workload.groups.len()).any(|group| self.asks(group))
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
    pub(super) fn rate(&self, bytes: u64, (start, end): Interval) -> Option<f64> {
        (end > start).then(|| bytes as f64 / self.ns(end - start))
    }

    /// Bytes of the packets ejected in a span, of those that are `wanted`.
    pub(super) fn delivered(&self, span: Interval, wanted: impl Fn(&Moment) -> bool) -> u64 {
        let ejected = self.raw.ejected.iter();
        ejected.filter(|p| is_in(p.at, span) && wanted(p)).map(|p| u64::from(p.bytes)).sum()
    }
}

/// From the generation of a message to its entry into admittance.
pub(super) fn injection_stage(config: &FabricConfig) -> Span {
    let stages = config.switch.stages;
    config.time_base.link_phit_ticks() * u64::from(stages.lookup + stages.enqueue)
}

/// Whether a tick is in a span.
pub(super) fn is_in(tick: Tick, (start, end): Interval) -> bool {
    start <= tick && tick < end
}

/// Packets by the events of their lives.
fn packets(raw: &Raw, findings: &mut Findings) -> Vec<SentPacket> {
    let mut packets = Vec::new();
    let mut numbers = BTreeMap::new();
    for admitted in &raw.admitted {
        numbers.insert(admitted.id(), packets.len());
        packets.push(SentPacket { packet: admitted.packet, injected: None, ejected: None });
    }
    if numbers.len() != packets.len() {
        findings.add("events", "a packet was admitted twice");
    }
    let known = |moment: &Moment| numbers.get(&moment.id()).copied();
    for (moments, name) in [(&raw.injected, "injected"), (&raw.ejected, "ejected")] {
        for moment in moments.iter() {
            let Some(at) = known(moment) else {
                findings.add("events", &format!("{:?} {name}, never admitted", moment.id()));
                continue;
            };
            let packet = &mut packets[at];
            let slot = match name {
                "injected" => &mut packet.injected,
                _ => &mut packet.ejected,
            };
            if slot.replace(moment.at).is_some() {
                findings.add("events", &format!("{:?} {name} twice", moment.id()));
            }
        }
    }
    packets
}

/// Messages as they were told, with their deliveries: each flow delivers its messages in the order
/// in which it took them; requests and replies may have virtual channels of their own.
fn messages(raw: &Raw, findings: &mut Findings) -> Vec<Message> {
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
            findings
                .add("events", &format!("flow {flow:?} delivers a message that was not offered"));
            continue;
        };
        let message = &mut messages[at];
        message.delivered = Some(packet.at);
        let (found, offered) =
            ((whole, packet.born, packet.group), (message.bytes, message.born, message.group));
        if found != offered {
            findings.add(
                "events",
                &format!(
                    "flow {flow:?}: (bytes, born, group) {found:?} delivered, {offered:?} offered"
                ),
            );
        }
    }
    messages
}

/// What was told is what the generators give, all of it that was generated before the end. With
/// `delayed` a message is generated when its queue has room for it: later than drawn, and
/// everything that comes after it of that source as much later.
fn check_generated(config: &FabricConfig, raw: &Raw, end: Tick, findings: &mut Findings) {
    let delayed = config.endnode.generator == GeneratorRule::Delayed;
    let stage = injection_stage(config);
    let mut told: BTreeMap<(u32, u8), VecDeque<&Offered>> = BTreeMap::new();
    for offered in raw.offered.iter().filter(|o| o.kind == PacketKind::Data) {
        let source = (offered.source, offered.group);
        told.entry(source).or_default().push_back(offered);
    }
    // When a request of a closed loop is generated depends on the replies.
    let open = config.workload.generators.iter();
    for (node, generator) in open.filter(|(_, generator)| !generator.is_closed()) {
        let source = (*node, generator.group());
        let told = told.entry(source).or_default();
        let mut shift = Span::ZERO;
        for message in generator.clone() {
            let born = message.tick + shift;
            if born >= end || (!shift.is_zero() && born >= generator.end_tick()) {
                break;
            }
            let Some(offered) = told.pop_front() else {
                // It may wait for room, but not before it came to its queue.
                if !delayed || born + stage >= end {
                    findings.add("events", &format!("source {source:?}: {message:?} not offered"));
                }
                break;
            };
            if offered.born > born && delayed {
                shift = offered.born - message.tick;
            }
            let found = (offered.born, offered.destination, offered.bytes);
            let drawn = (message.tick + shift, message.destination, message.bytes);
            if found != drawn {
                findings.add(
                    "events",
                    &format!("source {source:?}: {found:?} offered, {drawn:?} generated"),
                );
            }
        }
        if let Some(offered) = told.front() {
            findings.add("events", &format!("{offered:?}: no generator gives it"));
        }
    }
}
