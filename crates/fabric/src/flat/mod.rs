//! The fast engine: records laid out for the cache, few events (docs: architecture.md, engines).

mod audit;
mod build;
mod bypass;
mod crossbar;
mod ecn;
mod extras;
mod faults;
mod home;
mod links;
mod many;
mod mapping;
mod mode;
mod nodes;
mod parts;
mod pause;
mod queries;
mod reach;
mod recn;
mod records;
mod reorder;
mod standing;
mod threads;
mod two_level;
mod views;
mod waiting;
mod wheel;

pub(crate) use build::refused;
pub(crate) use mode::{Eager, Plain, Saqs, Timed};
pub(crate) use parts::{Parts, build};

use crate::routing::Routing;
use build::needs_order;
use crossbar::{Crossing, Scratch, Switch};
use mode::{Mode, Rare};
use nodes::Node;
use observe::{Observer, Owner, Side};
use plan::{AdmittanceArbiter, GeneratorRule};
use records::{Fly, Packet, Packets, Port, Queue, Size};
use std::collections::VecDeque;
use std::sync::Arc;
use units::{QueueId, Tick, Unit, VcStep};
use wheel::{Kind, NONE, T, Wheel};
use workload::Replies;

/// Ticks that a run may have.
pub(crate) const TICKS_MAX: u64 = u32::MAX as u64 / 2;

/// Times in ticks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    ingress: T,
    egress: T,
    arbitration: T,
    credit_return: T,
    injection: T,
    link_phit: T,
    crossbar_phit: T,
    credit: T,
}

/// A fabric.
#[derive(Debug)]
pub(crate) struct Flat<M> {
    now: T,
    /// Ticks in which there was anything to do.
    served: u64,
    times: Times,
    rare: Rare<M>,
    // What is built.
    routing: Routing,
    port: Box<[Port]>,
    owners: Arc<[Owner]>,
    /// Number of the port of node 0.
    first_node: usize,
    per_queue_credits: bool,
    is_order_kept: bool,
    first_reply_vc: u8,
    many: many::Many,
    ingress_map: mapping::Map,
    egress_map: mapping::Map,
    /// Classes by queue, or one.
    ingress_class: mapping::Map,
    egress_class: mapping::Map,
    tables: Arc<[Option<Arc<::plan::RouteTable>>]>,
    /// By port.
    beyond: Box<[mapping::Beyond]>,
    steps: Vec<Box<[VcStep]>>,
    packet_bytes: u32,
    admittance: AdmittanceArbiter,
    admittance_bytes: Option<u32>,
    generator: GeneratorRule,
    replies: Arc<[Option<Replies>]>,
    /// The group of the messages of a trace.
    trace_group: Option<u8>,
    params: ::plan::Params,
    // State.
    wheel: Wheel,
    packets: Packets,
    sizes: Vec<Size>,
    size_of_bytes: Vec<u16>,
    queues: Vec<Queue>,
    /// By class, of all ports: [`Port::credits`], [`Port::room`], [`Port::back`].
    counters: Vec<u16>,
    wide: Vec<u64>,
    further: Vec<VecDeque<Fly>>,
    /// By port: credit that waits beyond `Port::later`, by the tick from which on it does.
    later: Vec<Vec<Fly>>,
    /// By side ([`Flat::side_of`]): packets on the wire that ends there, or on their way from the
    /// crossbar; the first and the last.
    wires: Vec<(u32, u32)>,
    switches: Vec<Switch>,
    crossing: Vec<Crossing>,
    /// By port, and some more ([`crossbar::LANES`]): as an input, until when it sends.
    sends_until: Vec<T>,
    /// By port, where queues share outputs: its first pair.
    pairs: Vec<u32>,
    pair: Vec<u64>,
    pair_words: usize,
    pointers: Vec<u16>,
    scratch: Scratch,
    scratch_words: Vec<u64>,
    nodes: Vec<Node>,
    recn: recn::Recn,
    two_level: two_level::TwoLevel,
    faults: faults::Faults,
    /// By end node, where they have one.
    reorder: Vec<reorder::Reorder>,
    bypass: bypass::Bypass,
    pauses: pause::Pauses,
    ends: ecn::Ends,
    marks: ecn::Marks,
    /// What goes to other parts.
    post: threads::Post,
    /// Packets in the network, put on wires, ejected. In one of several parts of a fabric more may
    /// have gone than have come into being.
    alive: i64,
    sent: u64,
    ejected: u64,
    reach: reach::Reach,
    // Of the present tick.
    crossbars: Vec<u32>,
    admits: Vec<u32>,
    due: [Vec<u32>; wheel::KINDS],
}

impl<M: Mode> Flat<M> {
    /// Simulates up to, not including, tick `until`.
    pub(crate) fn run_until(&mut self, observer: &mut impl Observer, until: Tick) {
        let end = until.0 as T;
        let mut from = self.now;
        while let Some(t) = self.wheel.next(from, end) {
            self.tick(observer, t);
            self.served += 1;
            from = t + 1;
        }
        self.now = end;
    }

    /// One tick, in the order of the phases (spec: clock.md).
    #[inline(always)]
    fn tick(&mut self, observer: &mut impl Observer, t: T) {
        self.wheel.begin(t);
        if self.reach.is_on {
            self.reach_links();
        }
        while let Some((_, p)) = self.wheel.take(wheel::LINKS) {
            self.link(observer, p, t);
        }
        if self.reach.is_on {
            self.reach_heads();
        }
        while let Some((_, queue)) = self.wheel.take(wheel::HEADS) {
            self.head(queue, t);
        }
        while let Some((_, s)) = self.wheel.take(wheel::CROSSBARS) {
            self.mark(s);
        }
        if self.reach.is_on {
            self.reach_crossbars(t);
        }
        while let Some(s) = self.crossbars.pop() {
            self.evaluate(observer, s as usize, t);
        }
        while let Some((kind, id)) = self.wheel.take(wheel::OTHERS) {
            self.due[kind].push(id as u32);
        }
        if self.are_stores_timed() || self.rare.saqs || self.rare.two_level {
            if self.rare.is_oq {
                // Those that come to one output go by their inputs, the first one last.
                self.due[Kind::Store as usize].sort_unstable_by(|a, b| b.cmp(a));
            }
            while let Some(p) = self.due[Kind::Store as usize].pop() {
                while let Some(k) = self.take_from_wire(p as usize, t) {
                    if self.rare.two_level {
                        self.assign(observer, p as usize, k, t);
                    }
                    self.store(observer, p as usize, k);
                }
            }
            while let Some(p) = self.due[Kind::StoreEgress as usize].pop() {
                let side = self.egress_side(p as usize);
                while let Some(k) = self.take_from_wire(side, t) {
                    self.store_egress(observer, p as usize, k, t);
                }
            }
        }
        while let Some(p) = self.due[Kind::Eject as usize].pop() {
            self.eject(observer, p as usize, t);
        }
        while let Some(n) = self.due[Kind::Generate as usize].pop() {
            self.generate(observer, n as usize, t);
        }
        while self.rare.saqs
            && let Some(p) = self.due[Kind::Ppu as usize].pop()
        {
            self.move_cold_head(observer, p as usize, t);
        }
        if self.rare.two_level && self.two_level.at_head {
            self.decide_step(observer, t);
        }
        while let Some(n) = self.due[Kind::Admit as usize].pop() {
            self.admits.push(n);
        }
        while let Some(n) = self.admits.pop() {
            self.admit(observer, n as usize, t);
        }
        if self.rare.extras {
            self.extras_steps(observer, t);
        }
        if self.rare.saqs {
            self.recn_steps(observer, t);
        }
        if self.rare.faults {
            self.recovery_steps(observer, t);
        }
    }

    /// Steps 4 to 8 of all that is due.
    fn recn_steps(&mut self, observer: &mut impl Observer, t: T) {
        while let Some(p) = self.due[Kind::Control as usize].pop() {
            self.controls(observer, p as usize, t);
        }
        while let Some(element) = self.due[Kind::Recn as usize].pop() {
            self.ask_for_recn(element as usize, t);
        }
        while let Some(element) = self.recn.due.pop() {
            self.recn_step(observer, element as usize, t);
        }
        self.calm(observer, t);
    }

    /// Stores are events, where there are no SAQs.
    #[inline(always)]
    fn are_stores_timed(&self) -> bool {
        !M::EAGER || self.rare.stores_timed
    }

    /// What was told ahead and lies at or beyond the end is taken back.
    pub(crate) fn end(&self, observer: &mut impl Observer) {
        if !M::EAGER {
            return;
        }
        for p in 0..self.port.len() {
            for side in [Side::Ingress, Side::Egress] {
                let (first, normal, saqs) = self.queues_of(p, side);
                for queue in 0..normal + saqs {
                    let packets = self.chain(self.queues[first + queue].head);
                    for packet in packets.filter(|packet| packet.stored >= self.now) {
                        let view = Self::view_at(&self.owners, packet.stored);
                        let (place, queue) = (Self::place(p, side), QueueId::at(queue));
                        observer.retract_stored(view, place, packet.view(), queue);
                    }
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn broken(&self, p: usize, side: Side, t: T, what: &str) -> ! {
        units::broken(self.unit(p, side), Tick(t.into()), &what)
    }

    /// The name of a side of a port.
    fn unit(&self, p: usize, side: Side) -> Unit {
        let port = &self.port[p];
        match (port.at_switch, side) {
            (true, Side::Ingress) => Unit::Ingress { switch: port.element, port: port.number },
            (true, Side::Egress) => Unit::Egress { switch: port.element, port: port.number },
            (false, Side::Ingress) => Unit::Node { node: port.element },
            (false, Side::Egress) => Unit::Injection { node: port.element },
        }
    }
}
