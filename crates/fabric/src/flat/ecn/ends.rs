//! ECN at end nodes: an ACK for every packet that is ejected, or a CNP for some, and the response
//! of each flow to what comes back.

use crate::flat::nodes::Waiting;
use crate::flat::{Flat, Mode, NONE, Packet, T};
use ecn::response::{Config, NotificationPoint, Response};
use observe::{Observer, PacketKind, Side, payload};
use plan::{CnpConfig, EcnEndConfig};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use units::{PerNode, Tick};

/// Packets of an injection queue that may wait for the link where sources have rates [choice].
const PACED_PACKETS: u32 = 2;

/// An ACK or CNP that waits for injection.
#[derive(Debug, Clone, Copy)]
struct Answer {
    /// The source of the packet that it tells of.
    destination: u32,
    sequence: u32,
    group: u8,
    mark: bool,
}

/// What a node sends to another.
#[derive(Debug)]
struct Flow {
    response: Response,
    /// It may not start before this tick unless an answer comes: the last that was found out.
    until: u64,
}

/// ECN at an end node.
#[derive(Debug)]
struct End {
    /// Answers that wait, the oldest first.
    answers: VecDeque<Answer>,
    /// By destination: its flow; [`NONE`] where nothing was sent.
    flow_to: PerNode<u32>,
    flows: Vec<Flow>,
    /// The earliest start among those that were asked about and may not start yet.
    earliest: u64,
    /// By source: when the last CNP went there, and the number of the next.
    points: BTreeMap<u32, (NotificationPoint, u32)>,
    /// By node that packets went to: the number of its next CNP.
    expected: BTreeMap<u32, u32>,
}

impl End {
    /// Of a node that has sent nothing to so many.
    fn new(nodes: usize) -> End {
        End {
            answers: VecDeque::new(),
            flow_to: PerNode::new(nodes, NONE),
            flows: Vec::new(),
            earliest: u64::MAX,
            points: BTreeMap::new(),
            expected: BTreeMap::new(),
        }
    }

    /// The flow to a destination, if anything was sent there.
    #[inline(always)]
    fn flow(&mut self, destination: usize) -> Option<&mut Flow> {
        let at = *self.flow_to.get(destination);
        self.flows.get_mut(at as usize)
    }
}

/// ECN at all end nodes; of a fabric without it nothing.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    /// CNPs in the place of ACKs.
    cnps: Option<CnpConfig>,
    /// Bytes of an ACK or CNP.
    bytes: u32,
    response: Option<Arc<Config>>,
    nodes: Vec<End>,
    /// Answers in the network; see [`Flat`].
    alive: i64,
    cnps_made: u64,
}

impl Ends {
    /// Of so many end nodes that have sent nothing.
    pub(crate) fn new(config: Option<EcnEndConfig>, nodes: usize) -> Ends {
        let Some(config) = config else {
            return Ends::default();
        };
        Ends {
            cnps: config.cnps,
            bytes: config.cnps.map_or(config.ack_bytes, |cnps| cnps.bytes),
            response: Some(Arc::new(config.response)),
            nodes: (0..nodes).map(|_| End::new(nodes)).collect(),
            alive: 0,
            cnps_made: 0,
        }
    }

    /// CNPs made; `None` where packets are answered by ACKs, or by nothing.
    pub(crate) fn cnps_made(&self) -> Option<u64> {
        self.cnps.map(|_| self.cnps_made)
    }

    /// Answers in the network, and answers that wait for injection.
    pub(crate) fn answers(&self) -> [i64; 2] {
        let waiting = self.nodes.iter().map(|end| end.answers.len() as i64);
        [self.alive, waiting.sum()]
    }

    /// Whether packets of a node have no ACK yet.
    pub(crate) fn awaits_answers(&self, n: usize) -> bool {
        let node = self.nodes.get(n);
        node.is_some_and(|node| {
            let mut flows = node.flows.iter();
            flows.any(|flow| flow.response.outstanding() > 0)
        })
    }

    /// Whether a packet is ejected at a node that answers it: what with.
    fn answer(&mut self, n: usize, packet: &Packet, t: T) -> Option<Answer> {
        let (mut sequence, mut mark) = (packet.sequence, packet.mark);
        if let Some(config) = self.cnps {
            let (point, next) = match packet.mark {
                true => self.nodes[n].points.entry(packet.source).or_default(),
                false => return None,
            };
            if !point.marked(Tick(t.into()), config.interval) {
                return None;
            }
            (sequence, mark) = (*next, false);
            *next += 1;
            self.cnps_made += 1;
        }
        Some(Answer { destination: packet.source, sequence, group: packet.group, mark })
    }

    /// An answer has come: its flow is told. What is wrong with it.
    fn answered(&mut self, n: usize, answer: &Packet, t: T) -> Result<(), &'static str> {
        let (end, now) = (&mut self.nodes[n], Tick(t.into()));
        if self.cnps.is_some() {
            let expected = end.expected.entry(answer.source).or_default();
            if *expected != answer.sequence {
                return Err("a CNP out of order");
            }
            *expected += 1;
        }
        let flow = end.flow(answer.source as usize);
        let flow = flow.ok_or("an answer of a node that was sent nothing")?;
        flow.until = 0;
        if self.cnps.is_some() {
            flow.response.cnp(now);
            return Ok(());
        }
        let acked = flow.response.acked(answer.mark, now);
        acked.map_err(|_| "an ACK that no packet waits for")
    }
}

/// Finds out until when a flow may not start.
#[inline(never)]
fn find_start(flow: &mut Flow, now: Tick) {
    let start = flow.response.next_start(now);
    // A timer may let it start earlier than the rate of now.
    let due = flow.response.due().unwrap_or(Tick::MAX);
    flow.until = if start > now { start.min(due).0 } else { 0 };
}

impl<M: Mode> Flat<M> {
    /// Step 2: an answer ends here, any other packet may be answered by one. Whether it ends.
    #[inline(never)]
    pub(crate) fn eject_with_answers(
        &mut self,
        observer: &mut impl Observer,
        n: usize,
        k: usize,
        t: T,
    ) -> bool {
        let (p, packet) = (self.first_node + n, &self.packets.slots[k]);
        let ends = matches!(packet.kind, PacketKind::Ack | PacketKind::Cnp);
        if ends {
            let (source, bytes) = (packet.source, packet.bytes);
            let whole = payload(source, packet.destination, packet.sequence, bytes);
            if packet.destination as usize != n || whole != packet.payload {
                let what = "an answer for another node, or with other contents";
                self.broken(p, Side::Ingress, t, what);
            }
            let heard = self.ends.answered(n, packet, t);
            self.must(heard, (p, Side::Ingress), t);
            let (view, place) = (Self::view_at(&self.owners, t), Self::place(p, Side::Ingress));
            observer.ejected(view, place, packet.view());
            self.alive -= 1;
            self.ends.alive -= 1;
        } else if let Some(answer) = self.ends.answer(n, packet, t) {
            self.ends.nodes[n].answers.push_back(answer);
            self.nodes[n].waiting_count += 1;
        }
        self.ask_to_admit_now(n);
        ends
    }

    /// Whether packets leave at the rates of DCQCN: a few of a queue go to injection then.
    #[inline(always)]
    pub(crate) fn is_paced(&self) -> bool {
        self.rare.answers && self.ends.cnps.is_some()
    }

    /// Step 3: the oldest answer that injection takes is stored. Whether one is.
    #[inline(never)]
    pub(crate) fn admit_answer(&mut self, observer: &mut impl Observer, n: usize, t: T) -> bool {
        let (bytes, kind) = match self.is_paced() {
            true => (self.ends.bytes, PacketKind::Cnp),
            false => (self.ends.bytes, PacketKind::Ack),
        };
        for at in 0..self.ends.nodes[n].answers.len() {
            let answer = self.ends.nodes[n].answers[at];
            let mut packet = self.header(
                n,
                &Waiting {
                    destination: answer.destination,
                    bytes,
                    born: t,
                    asked: 0,
                    group: answer.group,
                    kind,
                    next: NONE,
                },
            );
            if self.injection_queue(n, &packet, t).is_none() {
                if !self.rare.vcs && !self.per_queue_credits && !self.rare.saqs {
                    // They all lack the same room.
                    return false;
                }
                continue;
            }
            (packet.sequence, packet.mark) = (answer.sequence, answer.mark);
            self.ends.nodes[n].answers.remove(at);
            self.ends.alive += 1;
            self.nodes[n].waiting_count -= 1;
            self.inject(observer, n, packet, true, t);
            self.ask_to_admit(n, t + 1);
            return true;
        }
        false
    }

    /// Whether the next packet to a destination may start now. If not, when it may is kept.
    #[inline(always)]
    pub(crate) fn may_start(&mut self, n: usize, destination: usize, t: T) -> bool {
        let end = &mut self.ends.nodes[n];
        let Some(flow) = end.flow(destination) else {
            return true;
        };
        if flow.until <= t.into() {
            find_start(flow, Tick(t.into()));
        }
        let until = flow.until;
        if until > t.into() {
            end.earliest = end.earliest.min(until);
        }
        until <= t.into()
    }

    /// Rates of DCQCN: whether the injection queue of a packet has fewer than the few that may wait
    /// for the link: more would be beyond the reach of the rate while it is held up.
    pub(crate) fn queue_takes_another(&self, n: usize, packet: &Packet) -> bool {
        let p = self.first_node + n;
        let (mut queue, side) = (self.egress_queue(&self.port[p], packet), self.egress_side(p));
        if self.has_saqs(side) {
            queue = self.queue_by_cam(side, &packet.route, queue);
        }
        self.takes_paced(p, queue)
    }

    /// The same of a queue.
    pub(crate) fn takes_paced(&self, p: usize, queue: usize) -> bool {
        let record = self.port[p].egress as usize + queue;
        let (mut cells, mut k) = (0, self.queues[record].head);
        while let Some(packet) = self.packets.slots.get(k as usize) {
            cells += u32::from(packet.cells);
            k = packet.next;
        }
        cells < PACED_PACKETS * u32::from(self.sizes[0].cells)
    }

    /// Step 3: no packet moves: admittance is looked at again when time alone lets one start.
    pub(crate) fn await_start(&mut self, n: usize) {
        let earliest = std::mem::replace(&mut self.ends.nodes[n].earliest, u64::MAX);
        if let Ok(at) = T::try_from(earliest) {
            self.ask_to_admit(n, at);
        }
    }

    /// Step 3: a packet moves.
    #[inline(never)]
    pub(crate) fn sent(&mut self, n: usize, destination: usize, bytes: u32, t: T) {
        let (end, config) = (&mut self.ends.nodes[n], &self.ends.response);
        end.earliest = u64::MAX;
        let at = end.flow_to.get_mut(destination);
        if *at == NONE {
            *at = end.flows.len() as u32;
            let config = config.as_ref().expect("a response where there is ECN");
            let response = Response::new(Arc::clone(config));
            end.flows.push(Flow { response, until: 0 });
        }
        let flow = &mut end.flows[*at as usize];
        flow.until = 0;
        let sent = flow.response.sent(bytes, Tick(t.into()));
        self.must(sent, (self.first_node + n, Side::Egress), t);
    }
}
