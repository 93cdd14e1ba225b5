//! An egress port: MU, MMU, room for the crossbar hop, credit for the link, the link and its
//! arbiter; the injection side of an end node too. The link: `link_side.rs`; SAQs: `saqs.rs`.

mod fcu;
mod link_arbiter;
mod link_side;
mod paused;
mod saqs;

pub use fcu::Fcu;
pub use link_arbiter::LinkArbiter;
pub use paused::PausedVcs;

use crate::env::Env;
use crate::link::{Link, Peer};
use crate::memory::{Head, PortMemory};
use crate::mu::{Mu, class_of};
use crate::packet::{Packet, Packets};
use crate::routing::{LookAhead, NextSwitch};
use observe::{Event, Place};
use plan::{LinkState, MemoryLayout, Params, RouteTable, short};
use recn::RecnPort;
use std::collections::VecDeque;
use std::sync::Arc;
use turnpool::RouteEnded;
use units::{ClassId, PacketId, PortId, QueueId, Tick, Unit, broken};

/// What an egress port is built from.
#[derive(Debug, Clone)]
pub struct EgressConfig {
    /// Its memory; `None` where the organisation has none here.
    pub memory: Option<MemoryLayout>,
    /// The memory at the other end of its link.
    pub next_memory: MemoryLayout,
    /// The switch there, if it is one.
    pub next_switch: Option<NextSwitch>,
    /// The other end of its link.
    pub peer: Peer,
    /// Classes of the memory at the ingress side, whose credit goes back over the link.
    pub own_classes: u32,
    /// Its number.
    pub port: PortId,
    /// Its name for observers.
    pub place: Place,
    /// Its name in messages.
    pub unit: Unit,
}

/// What the link does in this tick, decided on committed state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkGrant {
    /// A control packet starts.
    pub control: bool,
    /// The head of this queue starts.
    pub queue: Option<QueueId>,
}

impl LinkGrant {
    /// Nothing starts.
    pub fn is_nothing(&self) -> bool {
        !self.control && self.queue.is_none()
    }
}

/// One egress port.
#[derive(Debug)]
pub struct Egress {
    arbiter: LinkArbiter,
    port: PortId,
    /// Of a switch, whose hops end here.
    is_switch: bool,
    mu: Mu,
    /// Heads on their way from the crossbar.
    arrivals: VecDeque<PacketId>,
    /// The ingress port that sent the packet that is leaving over the link (`oq`).
    sender: PortId,
    /// Its name for observers.
    pub place: Place,
    pub(crate) link: Link,
    fcu: Fcu,
    memory: PortMemory,
    next: Option<NextSwitch>,
    recn: Option<Box<RecnPort>>,
    /// Pause in the place of credits.
    paused: Option<Box<PausedVcs>>,
}

impl Egress {
    /// An empty port.
    pub fn new(params: &Params, config: EgressConfig) -> Egress {
        let unit = config.unit;
        let layout = config.memory.unwrap_or_default();
        let saqs = if config.memory.is_some() { params.saqs() } else { 0 };
        // `iq`: lines without queues, where asked for.
        let lines = if config.memory.is_some() || params.config.recn.iq_egress_lines {
            params.saqs()
        } else {
            0
        };
        let recn = params.rules.filter(|_| lines > 0).map(|rules| {
            let base = QueueId(short(layout.queues));
            Box::new(RecnPort::new(lines as usize, base, rules, false))
        });
        let next = config.next_memory;
        Egress {
            arbiter: LinkArbiter::new((layout.queues + saqs) as usize),
            port: config.port,
            is_switch: matches!(unit, Unit::Egress { .. }),
            mu: Mu::new(layout.queues, params.vcs),
            arrivals: VecDeque::new(),
            sender: PortId(0),
            place: config.place,
            link: Link::new(params, config.peer, config.own_classes),
            fcu: Fcu::new(short(next.classes), short(next.class_cells), unit),
            memory: PortMemory::new(layout, saqs, true, unit),
            next: config.next_switch,
            recn,
            paused: params.pause.map(|pause| Box::new(PausedVcs::new(pause.rule, params.vcs))),
        }
    }

    /// Its name in messages.
    pub fn unit(&self) -> Unit {
        self.memory.unit()
    }

    /// The sending end of its link.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Its memory.
    pub fn memory(&self) -> &PortMemory {
        &self.memory
    }

    /// Credit for the next memory.
    pub fn fcu(&self) -> &Fcu {
        &self.fcu
    }

    /// Its SAQs.
    pub fn recn(&self) -> Option<&RecnPort> {
        self.recn.as_deref()
    }

    /// Heads on their way from the crossbar.
    pub fn arrivals(&self) -> impl Iterator<Item = PacketId> + '_ {
        self.arrivals.iter().copied()
    }

    /// The table behind the link is another one from now on.
    pub fn set_next_table(&mut self, table: Arc<RouteTable>) {
        if let Some(next) = &mut self.next {
            next.look_ahead = LookAhead::Table(table);
        }
    }

    /// The link goes down, or comes up again.
    pub fn set_link_state(&mut self, state: LinkState) {
        self.link.state = state;
    }

    /// The output that a packet will request in the next switch, whose turn is `skip` bits on; 0
    /// before an end node.
    /// Errors: The route ends before the next switch.
    pub fn look_ahead(&self, packet: &Packet, skip: u32) -> Result<PortId, RouteEnded> {
        match &self.next {
            Some(next) => next.output(&packet.route, skip, &packet.destination),
            None => Ok(PortId(0)),
        }
    }

    /// The class that a transfer takes room in: of the memory here, in `iq` of the next one.
    pub fn class_behind_crossbar(&self, params: &Params, packet: &Packet) -> ClassId {
        if self.memory.has_room() {
            let queue = || self.mu.egress(params, packet.next_vc, packet.ahead, packet.destination);
            class_of(params, packet.next_vc, queue)
        } else {
            self.class_in_next_memory(params, packet)
        }
    }

    /// Credit class that a packet takes in the memory behind the link.
    pub fn class_in_next_memory(&self, params: &Params, packet: &Packet) -> ClassId {
        match &self.next {
            Some(next) => class_of(params, packet.next_vc, || {
                next.mu.ingress(params, packet.next_vc, packet.ahead, packet.destination)
            }),
            None => ClassId(0),
        }
    }

    /// Free cells of a class behind the crossbar.
    #[inline]
    pub fn room(&self, class: ClassId) -> u32 {
        if self.memory.has_room() { self.memory.room(class) } else { self.fcu.available(class) }
    }

    /// Whether the crossbar may start a packet here now; in `iq` it starts on the link.
    pub fn is_open(&self, now: Tick) -> bool {
        self.memory.has_room() || self.link.open_for_data(now)
    }

    /// Takes room for a packet that is granted the hop into this memory.
    pub fn reserve(&mut self, class: ClassId, cells: u32, now: Tick) {
        self.memory.reserve(class, cells, now);
    }

    /// A head comes over the crossbar, to be stored in its tick.
    pub(crate) fn expect(&mut self, id: PacketId) {
        self.arrivals.push_back(id);
    }

    /// `oq`: a head has come through, and is stored in this tick in the order of the inputs.
    pub(crate) fn expect_now(&mut self, id: PacketId, packets: &Packets) {
        let sender = packets[id].sender;
        let at = self.arrivals.partition_point(|&other| packets[other].sender < sender);
        self.arrivals.insert(at, id);
    }

    /// Step 2: takes the head that is stored now, if one is.
    #[inline]
    pub(crate) fn take_arrival(&mut self, env: &mut impl Env) -> Option<PacketId> {
        let now = env.now();
        let due = env.packets()[*self.arrivals.front()?].stored;
        if due < now {
            broken(self.unit(), now, &"a head comes late");
        }
        if due > now {
            return None;
        }
        self.arrivals.pop_front()
    }

    /// MU and PPU: the queue of a packet: the SAQ of the longest match, else by the scheme.
    pub fn queue_of(&self, params: &Params, packet: &Packet) -> QueueId {
        if let Some(recn) = &self.recn
            && let Some(line) = recn.cam().lookup(&packet.route)
        {
            return recn.queue(line);
        }
        self.mu.egress(params, packet.next_vc, packet.ahead, packet.destination)
    }

    /// Step 2 (admittance: 3): stores a head, whose tail is in memory at [`Packet::tail`].
    pub fn store(&mut self, params: &Params, id: PacketId, env: &mut impl Env) -> QueueId {
        let now = env.now();
        let packet = &env.packets()[id];
        let queue = self.queue_of(params, packet);
        self.memory.push(queue, id, packet.cells, now);
        let (packet, place) = (packet.view(), self.place);
        env.observe(place, Event::Stored { packet, queue });
        if self.memory.packets(queue) == 1 {
            self.refresh(params, queue, env);
        }
        queue
    }

    /// Brings the head register and the request of a queue up to date.
    pub(crate) fn refresh(&mut self, params: &Params, queue: QueueId, env: &mut impl Env) {
        match self.memory.front(queue) {
            Some(id) if self.recn.as_ref().is_none_or(|r| r.may_request(queue)) => {
                let packet = &env.packets()[id];
                let visible = packet.stored + params.stages.arbitration;
                let class = self.class_in_next_memory(params, packet);
                *self.memory.head_mut(queue) =
                    Head { visible, class, cells: packet.cells, output: PortId(0), requests: true };
                self.arbiter.raise(queue);
            }
            _ => self.arbiter.withdraw(queue),
        }
    }

    /// Names what is not at home: packets, markers, SAQs, credits.
    pub fn left_over(&self) -> Option<String> {
        let unit = self.unit();
        let control = || (self.link.has_control()).then(|| format!("{unit}: control packets wait"));
        let saqs = || {
            let recn = self.recn.as_ref()?;
            let (in_use, children) = (recn.cam().in_use(), recn.root_children());
            if in_use > 0 {
                return Some(format!("{unit}: {in_use} SAQs in use"));
            }
            (children != 0).then(|| format!("{unit}: tokens of children {children:#b} are away"))
        };
        self.memory.left_over().or_else(|| self.fcu.left_over()).or_else(control).or_else(saqs)
    }
}
