//! An egress port: memory (where the organisation has one), room for the crossbar hop, link. The injection side of an end
//! node is one too.

mod ahead;
mod link_arbiter;

pub use link_arbiter::LinkGrant;

use crate::config::Organisation;
use crate::env::{Env, Wake};
use crate::heads::{Head, Memory};
use crate::link::Link;
use crate::packet::{Fifo, PacketId};
use crate::params::{MemoryLayout, Params, short};
use crate::recn::RecnPort;
use crate::requests::QueueSet;
use crate::scheme::QueueScheme;
use flow_control::ClassCredits;
use saq::{Lease, QueueId};
use units::{Tick, Unit, broken};

/// A packet whose head has left and whose tail has not.
#[derive(Debug)]
struct Transfer {
    lease: Lease,
    class: u16,
    sender: u8,
}

/// One egress port.
// In the order of use, each from the beginning of a cache line: registers of the arbiter and of the transfer; what the crossbar
// changes; the link; what every packet touches of the memory.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct OutPort {
    /// Queues with a head that may request.
    eligible: QueueSet,
    pointer: u32,
    /// The crossbar waits for room, and nothing is on the link.
    room_awaited: bool,
    /// Of a switch, whose hops end here.
    at_switch: bool,
    /// When the tail of the packet on the link has left.
    tail_end: Tick,
    transfer: Option<Transfer>,
    /// Free cells that the crossbar (or admittance) may still fill, by class; taken at the grant. `None` without a memory.
    pub room: Option<ClassCredits>,
    /// Heads on their way from the crossbar.
    pub arrivals: Fifo,
    /// Stored late: when the first of them is visible to the link arbiter.
    next_arrival: Tick,
    /// No SAQ is in use here and no Xoff in force, as was seen last; [`OutPort::stir`] comes before one is allocated, and as soon
    /// as there is Xoff.
    quiet: bool,
    /// The link behind the port, whose name is that of the port.
    pub link: Link,
    /// SAQs.
    pub recn: Option<Box<RecnPort>>,
    /// Port memory (MMU); without cells where the organisation has none.
    pub memory: Memory,
    /// Tick of the evaluation that was asked for last because of missing room.
    room_wake: Tick,
}

// Lines that a hop touches whole.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(OutPort, room) == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(OutPort, link) == 128);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(OutPort, recn) == 128 + size_of::<Link>());

impl OutPort {
    /// An empty port. `layout` is `None` where the organisation has no memory here.
    pub fn new(params: &Params, layout: Option<MemoryLayout>, link: Link) -> OutPort {
        let layout = layout.unwrap_or(MemoryLayout {
            cells: 0,
            queues: 0,
            classes: 0,
            class_cells: 0,
        });
        let has_memory = layout.queues > 0;
        let saqs = if has_memory { params.saqs() } else { 0 };
        let queues = (layout.queues + saqs) as usize;
        // `iq`: lines without queues, where asked for.
        let lines = if has_memory || params.config.recn.iq_egress_lines {
            params.saqs()
        } else {
            0
        };
        let recn = params
            .rules
            .filter(|_| lines > 0)
            .map(|rules| (lines, rules));
        OutPort {
            memory: Memory::with_registers(short(layout.cells), queues, saqs as usize, Head::NONE),
            room: (layout.classes > 0)
                .then(|| ClassCredits::new(short(layout.class_cells), short(layout.classes))),
            arrivals: Fifo::default(),
            next_arrival: Tick::MAX,
            recn: recn.map(|(saqs, rules)| {
                Box::new(RecnPort::new(
                    saqs as usize,
                    layout.queues as QueueId,
                    rules,
                    false,
                ))
            }),
            eligible: QueueSet::new(queues),
            pointer: 0,
            transfer: None,
            tail_end: Tick::MAX,
            room_awaited: false,
            quiet: true,
            room_wake: Tick::MAX,
            at_switch: matches!(link.unit, Unit::Egress { .. }),
            link,
        }
    }

    /// MU and PPU: the queue of a packet that will request output `ahead` in the next switch: the SAQ of the longest match,
    /// else by the scheme.
    #[inline(always)]
    pub fn queue_of(
        &self,
        params: &Params,
        route: &turnpool::Route,
        ahead: u8,
        destination: &u32,
    ) -> QueueId {
        if let Some(recn) = &self.recn
            && let Some(line) = recn.cam.lookup(route)
        {
            return recn.queue(line);
        }
        params.scheme.egress_queue(u32::from(ahead), destination) as QueueId
    }

    /// Commit 2 (admittance: 3): stores a head. The tail is in memory at `packet.tail`. Returns the queue.
    #[inline(always)]
    pub fn store(&mut self, params: &Params, id: PacketId, env: &mut impl Env) -> QueueId {
        let now = env.now();
        self.look_for_quiet();
        let (queue, requests) = self.put(params, id, now, env);
        if requests {
            let visible = self.memory.register(queue).visible;
            self.link.kick(visible.max(now + 1), env);
        }
        queue
    }

    /// Stored late: the heads that are visible to the link arbiter by tick `now`.
    #[inline(always)]
    pub fn store_late(&mut self, params: &Params, now: Tick, env: &mut impl Env) {
        if self.next_arrival <= now {
            self.store_arrivals(params, now, env);
        }
    }

    // Between them may be heads that are stored in their tick: those have gone when they are visible.
    #[inline(always)]
    fn store_arrivals(&mut self, params: &Params, now: Tick, env: &mut impl Env) {
        while let Some(stored) = self.expect_next(params, env)
            && self.next_arrival <= now
            && let Some(id) = self.arrivals.pop(env.packets())
        {
            let (queue, _) = self.put(params, id, stored, env);
            let packets = self.memory.packets(queue);
            if !self.is_quiet(env) || !env.is_plain() && params.detects_at_egress(packets) {
                broken(self.link.unit, stored, &"a head stored late concerns SAQs");
            }
        }
    }

    /// The heads that come before tick `end`, for what does not happen in every hop.
    #[inline(never)]
    fn store_those_before(&mut self, params: &Params, end: Tick, env: &mut impl Env) {
        self.store_arrivals(params, end - 1 + params.stages.arbitration, env);
    }

    /// Stored late: when the next head is stored that comes, and with it when that is visible.
    #[inline(always)]
    fn expect_next(&mut self, params: &Params, env: &mut impl Env) -> Option<Tick> {
        let due = self.arrivals.due(env.packets());
        self.next_arrival = due.map_or(Tick::MAX, |due| due + params.stages.arbitration);
        due
    }

    /// Whether a packet that has taken its room here, the last one to do so, may be stored late.
    #[inline(always)]
    pub(crate) fn may_store_late(&mut self, params: &Params, class: u16, env: &impl Env) -> bool {
        if env.is_plain() || !env.stores_late() {
            return env.stores_late();
        }
        let taken = self.room.as_ref().map_or(0, |r| r.class(class).in_use());
        taken < params.quiet_cells.egress && self.look_for_quiet()
    }

    /// Whether no SAQ is in use here and no Xoff in force any more.
    #[inline(always)]
    fn look_for_quiet(&mut self) -> bool {
        self.quiet = self.quiet || self.recn.as_ref().is_none_or(|r| r.is_quiet());
        self.quiet
    }

    /// The same as far as is known without looking. Only known where heads are stored late.
    #[inline(always)]
    pub fn is_quiet(&self, env: &impl Env) -> bool {
        env.is_plain() || env.stores_late() && self.quiet
    }

    /// SAQs or Xoff may be here from now on: heads that have come are stored, those that come are in their tick.
    pub fn stir(&mut self, params: &Params, env: &mut impl Env) {
        if self.next_arrival != Tick::MAX {
            self.store_those_before(params, env.now() + 1, env);
            self.next_arrival = Tick::MAX;
            let (element, port) = (self.link.element, self.link.port);
            let mut next = self.arrivals.front();
            while let Some(id) = next {
                let packet = &env.packets()[id];
                let due = packet.due;
                next = packet.behind();
                env.wake(due, Wake::StoreEgress, element, port);
            }
        }
        self.quiet = false;
    }

    /// Stored late: a head comes that is visible to the link arbiter at `visible`, and has it look then.
    #[inline(always)]
    pub(crate) fn expect_arrival(&mut self, visible: Tick, env: &mut impl Env) {
        self.next_arrival = self.next_arrival.min(visible);
        self.link.kick(visible, env);
    }

    /// Commit 2: takes the head that is stored now. None where it was awaited twice.
    #[inline]
    pub(crate) fn take_arrival(&mut self, params: &Params, env: &mut impl Env) -> Option<PacketId> {
        let now = env.now();
        let late = self.next_arrival != Tick::MAX;
        if late {
            self.store_those_before(params, now, env);
        }
        self.arrivals.due(env.packets()).filter(|&due| due <= now)?;
        let id = self.arrivals.pop(env.packets());
        if late {
            self.expect_next(params, env);
        }
        id
    }

    /// Puts a head into its queue, in tick `now`. Returns the queue, and whether it requests something new.
    #[inline(always)]
    fn put(
        &mut self,
        params: &Params,
        id: PacketId,
        now: Tick,
        env: &mut impl Env,
    ) -> (QueueId, bool) {
        let quiet = self.is_quiet(env);
        let packet = &mut env.packets()[id];
        let queue = if quiet {
            params
                .scheme
                .egress_queue(u32::from(packet.ahead), &packet.destination) as QueueId
        } else {
            self.queue_of(params, &packet.route, packet.ahead, &packet.destination)
        };
        packet.due = now + params.stages.arbitration;
        packet.class = self.class_in_next_memory(params, packet.ahead, &packet.destination);
        let head = Head::of(packet);
        if let Err(error) = self.memory.push(queue, id, head.cells) {
            broken(self.link.unit, now, &error);
        }
        env.stored(self.link.place, id, queue, now);
        let requests = self.memory.packets(queue) == 1 && (quiet || self.may_request(queue));
        if requests {
            *self.memory.register_mut(queue) = head;
            self.eligible.insert(queue);
        }
        (queue, requests)
    }

    /// Credit class that a packet takes in the memory behind the link.
    #[inline]
    fn class_in_next_memory(&self, params: &Params, ahead: u8, destination: &u32) -> u16 {
        if !params.per_queue_credits || self.link.peer.switch.is_none() {
            return 0;
        }
        params.scheme.ingress_queue(u32::from(ahead), destination) as u16
    }

    #[inline]
    fn may_request(&self, queue: QueueId) -> bool {
        self.recn.as_ref().is_none_or(|r| r.may_request(queue))
    }

    /// Brings the head register and the request of a queue up to date.
    #[inline(always)]
    pub fn refresh(&mut self, queue: QueueId, env: &mut impl Env) {
        match self.memory.front(queue) {
            Some(id) if self.is_quiet(env) || self.may_request(queue) => {
                let packet = &env.packets()[id];
                let head = Head::of(packet);
                self.request(queue, head, env);
            }
            _ => {
                self.eligible.remove(queue);
            }
        }
    }

    /// Raises the request of a queue, or renews it for a new head.
    #[inline(always)]
    fn request(&mut self, queue: QueueId, head: Head, env: &mut impl Env) {
        *self.memory.register_mut(queue) = head;
        self.eligible.insert(queue);
        self.link.kick(head.visible.max(env.now() + 1), env);
    }

    /// Whether any queue has a head that may request.
    #[inline]
    fn has_requests(&self) -> bool {
        !self.eligible.is_empty()
    }

    /// Whether credit for the next memory came back for somebody who may want it.
    #[inline]
    pub fn kick_if_waiting(&mut self, env: &mut impl Env) {
        if self.has_requests() {
            self.link.kick(env.now() + 1, env);
        }
    }

    /// Commit 1: what was granted starts. Returns the queue that a packet left.
    #[inline(always)]
    pub fn start(
        &mut self,
        params: &Params,
        grant: LinkGrant,
        env: &mut impl Env,
    ) -> Option<QueueId> {
        debug_assert!(!grant.lacks_credit, "not decided yet");
        if grant.control {
            self.link.start_control(params, env);
            if self.has_requests() {
                let free = self.link.busy_until.max(env.now() + 1);
                self.link.kick(free, env);
            }
        }
        let queue = grant.queue?;
        let now = env.now();
        // In `oq` the credit of a switch's packet went upstream as it left.
        let left = self.finish_tail(now);
        debug_assert!(
            left.is_none()
                || params.config.organisation != Organisation::Oq
                || matches!(self.link.unit, Unit::Injection { .. })
        );
        let lease = self
            .memory
            .pop(queue)
            .unwrap_or_else(|error| broken(self.link.unit, now, &error));
        let id = lease.item;
        let packet = &env.packets()[id];
        let sender = packet.sender;
        // The class that the packet held in this memory: recomputed from its queue, since `packet.class` is the next one.
        let class = if params.per_queue_credits { queue } else { 0 };
        self.pointer = u32::from(queue) + 1;
        let end = self.link.start_packet(params, id, 0, env);
        env.departed(self.link.place, id, queue, 0);
        self.transfer = Some(Transfer {
            lease,
            class,
            sender,
        });
        self.tail_end = end;
        if self.at_switch {
            env.hop(self.link.place, end - 1, end - now);
            if !env.is_plain() && params.config.organisation == Organisation::Oq {
                env.wake(end - 1, Wake::LinkTail, self.link.element, self.link.port);
            }
        }
        if std::mem::take(&mut self.room_awaited) {
            self.wake_for_room(env);
        }
        self.refresh(queue, env);
        if self.has_requests() || self.link.has_prompt_control() {
            self.link.kick(end, env);
        } else {
            self.kick_for_arrival(env);
        }
        Some(queue)
    }

    /// Step 1 of ticks before `now`: the tail of the packet on the link, if it has left by then; its cells are room again.
    /// Nobody sees it before they look: whoever reads the room calls this first. Returns the ingress port that had sent the
    /// packet and its cells.
    #[inline(always)]
    pub fn finish_tail(&mut self, now: Tick) -> Option<(u8, u32)> {
        if now < self.tail_end {
            return None;
        }
        let transfer = self.transfer.take()?;
        let (cells, at) = (u32::from(transfer.lease.cells), self.tail_end - 1);
        self.tail_end = Tick::MAX;
        if let Err(error) = self.memory.release(transfer.lease) {
            broken(self.link.unit, at, &error);
        }
        if let Err(error) = self.room_mut(at).give(transfer.class, cells) {
            broken(self.link.unit, at, &error);
        }
        Some((transfer.sender, cells))
    }

    /// Class and cells of the packet that is leaving over the link.
    pub fn leaving(&self) -> Option<(u16, u32)> {
        self.transfer
            .as_ref()
            .map(|t| (t.class, u32::from(t.lease.cells)))
    }

    /// When the tail of the packet on the link has left; the largest tick if none is on it.
    #[inline]
    pub fn tail_end(&self) -> Tick {
        self.tail_end
    }

    /// The crossbar lacks room here: it is evaluated for this output when the tail of a packet has left.
    #[inline]
    pub(crate) fn await_room(&mut self, env: &mut impl Env) {
        self.room_awaited = self.tail_end == Tick::MAX;
        if !self.room_awaited {
            self.wake_for_room(env);
        }
    }

    #[inline]
    fn wake_for_room(&mut self, env: &mut impl Env) {
        if self.room_wake != self.tail_end {
            self.room_wake = self.tail_end;
            env.wake(
                self.tail_end,
                Wake::Crossbar,
                self.link.element,
                self.link.port,
            );
        }
    }

    /// Takes room for a packet that is granted the hop into this memory.
    #[inline]
    pub fn reserve(&mut self, class: u16, cells: u32, now: Tick) {
        if let Err(error) = self.room_mut(now).take(class, cells) {
            broken(self.link.unit, now, &error);
        }
    }

    #[inline]
    fn room_mut(&mut self, now: Tick) -> &mut ClassCredits {
        let Some(room) = &mut self.room else {
            broken(self.link.unit, now, &"no memory to have room in")
        };
        room
    }

    /// Free cells of a class of the memory here; none without a memory.
    #[inline]
    pub fn free_room(&self, class: u16) -> u32 {
        self.room.as_ref().map_or(0, |room| room.available(class))
    }

    /// What a transfer over the crossbar takes: room in the memory here, or in `iq` credit for the next input memory.
    #[inline]
    pub fn behind_crossbar(&self) -> &ClassCredits {
        self.room.as_ref().unwrap_or(&self.link.credits)
    }

    /// Everything is at home: no packet, no marker, no SAQ, all credits back. Names what is not.
    pub fn left_over(&self) -> Option<String> {
        if self.memory.free_cells() != self.memory.pool_cells() {
            return Some(format!(
                "{}: {} cells in use",
                self.link.unit,
                self.memory.queued_cells() + self.memory.leased_cells()
            ));
        }
        if let Some(class) = self.link.credits.iter().position(|c| !c.is_home()) {
            return Some(format!(
                "{}: {} credits of class {class} are away",
                self.link.unit,
                self.link.credits.class(class as u16).in_use()
            ));
        }
        if let Some(room) = &self.room
            && let Some(class) = room.iter().position(|c| !c.is_home())
        {
            return Some(format!(
                "{}: {} cells of room of class {class} are away",
                self.link.unit,
                room.class(class as u16).in_use()
            ));
        }
        if !self.link.control.is_empty() {
            return Some(format!("{}: control packets wait", self.link.unit));
        }
        let recn = self.recn.as_ref()?;
        if recn.cam.in_use() > 0 {
            return Some(format!(
                "{}: {} SAQs in use",
                self.link.unit,
                recn.cam.in_use()
            ));
        }
        (recn.root_children != 0).then(|| {
            format!(
                "{}: tokens of children {:#b} are away",
                self.link.unit, recn.root_children
            )
        })
    }
}
