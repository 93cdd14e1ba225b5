//! End nodes: generators, admittance queues, injection, ejection (spec: switch.md, End nodes: input adapters).

use crate::admittance::{Admittance, Waiting};
use crate::config::{EndNodeConfig, GeneratorRule};
use crate::env::{Alarm, TickEnv};
use crate::observer::{Observer, Offered};
use crate::routing::Routing;
use std::cell::Cell;
use std::mem::offset_of;
use switch::{Env, Internal, LinkGrant, OutPort, Packet, Params, Place, Side, Wake, payload};
use turnpool::Route;
use units::{Tick, Ticks, Unit, broken};
use workload::{Generator, Message};

/// A generator and the message that it will give next.
#[derive(Debug)]
pub(crate) struct Source {
    generator: Generator,
    next: Option<Message>,
    /// `delayed`: how much later than drawn everything is by now.
    shift: Ticks,
    /// `delayed`: the message waits for room.
    waits: bool,
}

impl Source {
    pub(crate) fn new(mut generator: Generator) -> Source {
        let next = generator.next();
        Source {
            generator,
            next,
            shift: 0,
            waits: false,
        }
    }

    /// On to the next message; one that the delay pushed out of its window is not generated.
    fn advance(&mut self) {
        let (shift, end) = (self.shift, self.generator.end_tick());
        self.next = self
            .generator
            .next()
            .filter(|m| shift == 0 || m.tick + shift < end);
    }

    /// When the next message is generated.
    fn tick(&self) -> Option<Tick> {
        self.next.as_ref().map(|m| m.tick + self.shift)
    }

    /// Visits the messages generated before `now` that are on their way into admittance. One that waits for room, and what
    /// comes after it, is not generated yet.
    fn unadmitted(&self, now: Tick, visit: &mut impl FnMut(Waiting)) {
        if self.waits || self.tick().is_none_or(|tick| tick >= now) {
            return;
        }
        let (shift, end) = (self.shift, self.generator.end_tick());
        let later = self.generator.clone();
        let later = later.take_while(|m| shift == 0 || m.tick + shift < end);
        for message in self.next.into_iter().chain(later) {
            let born = message.tick + shift;
            if born >= now {
                break;
            }
            visit(Waiting {
                destination: message.destination,
                bytes: message.bytes,
                born,
                group: message.group,
            });
        }
    }
}

/// One end node.
#[derive(Debug)]
#[repr(C)]
pub struct EndNode {
    /// Injection side: memory and link into the first switch.
    pub injection: OutPort,
    pub(crate) sources: Vec<Source>,
    /// Tick of the last admittance, of which there is at most one a tick.
    pub(crate) last_admit: Tick,
    /// Tick of the generation that was asked for last.
    generate_at: Tick,
    index: u32,
    element: u32,
    config: EndNodeConfig,
    /// Messages that wait for injection.
    pub(crate) admittance: Admittance,
    /// Next sequence number expected from each source.
    expected: Box<[u32]>,
    /// Internal messages of the injection port: there is nobody to tell.
    messages: Vec<Internal>,
}

// What admission and generation share is one cache line.
const _: () = assert!(offset_of!(EndNode, admittance) - offset_of!(EndNode, sources) == 64);

impl EndNode {
    pub(crate) fn new(
        index: u32,
        element: u32,
        nodes: usize,
        injection: OutPort,
        admittance: Admittance,
        generators: Vec<Generator>,
        config: EndNodeConfig,
    ) -> EndNode {
        EndNode {
            injection,
            sources: generators.into_iter().map(Source::new).collect(),
            last_admit: Tick::MAX,
            generate_at: 0,
            index,
            element,
            config,
            admittance,
            expected: vec![0; nodes].into(),
            messages: Vec::new(),
        }
    }

    /// Asks for the record itself ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        prefetch::line(&self.sources);
        self.admittance.prefetch();
    }

    /// Asks for what every ejection touches.
    #[inline(always)]
    pub(crate) fn prefetch_expected(&self) {
        prefetch::line(&self.expected);
        self.injection.link.prefetch();
    }

    /// Asks for what the ejection of a packet touches.
    #[inline(always)]
    pub(crate) fn prefetch_ejection(&self, packet: &Packet) {
        prefetch::nth(&self.expected, packet.source as usize);
    }

    /// Asks for the first generator, and for the message that it will give next.
    #[inline(always)]
    pub(crate) fn prefetch_sources(&self) {
        if let Some(source) = self.sources.first() {
            prefetch::line(&source.generator);
            prefetch::line(&source.next);
        }
    }

    /// Asks for where the next message will wait.
    #[inline(always)]
    pub(crate) fn prefetch_messages(&self) {
        if let Some(message) = self.sources.first().and_then(|source| source.next.as_ref()) {
            self.admittance.prefetch_push(message.destination);
        }
    }

    /// Its number.
    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    /// Visits the messages generated before `now` that have not come to admittance.
    pub(crate) fn unadmitted(&self, now: Tick, visit: &mut impl FnMut(Waiting)) {
        for source in &self.sources {
            source.unadmitted(now, visit);
        }
    }

    /// When the next message enters admittance: generated, then looked up and written.
    pub(crate) fn generation_due(&self, params: &Params) -> Option<Tick> {
        let next = self
            .sources
            .iter()
            .filter(|s| !s.waits)
            .filter_map(Source::tick)
            .min();
        next.map(|tick| tick + params.stages.injection)
    }

    /// Step 2: every message due enters its admittance queue, whole, or is refused.
    pub(crate) fn generate<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        params: &Params,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let now = env.now;
        for at in 0..self.sources.len() {
            let source = &mut self.sources[at];
            if source.waits
                || source
                    .tick()
                    .is_none_or(|t| t + params.stages.injection > now)
            {
                continue;
            }
            let Some(message) = source.next else { continue };
            let fits = self.admittance.fits(message.destination, message.bytes);
            if !fits && self.config.generator == GeneratorRule::Delayed {
                source.waits = true;
                continue;
            }
            source.advance();
            self.offer(params, message, now - params.stages.injection, !fits, env);
        }
        self.arm_generation(params, env);
    }

    /// Asks to be woken for the next message, once.
    fn arm_generation(&mut self, params: &Params, env: &mut impl Env) {
        let now = env.now();
        if let Some(due) = self.generation_due(params).map(|due| due.max(now + 1))
            && (self.generate_at <= now || due < self.generate_at)
        {
            self.generate_at = due;
            env.wake(due, Wake::Generate, self.element, 0);
        }
    }

    fn offer<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        params: &Params,
        message: Message,
        born: Tick,
        refused: bool,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let offered = Offered {
            source: self.index,
            destination: message.destination,
            bytes: message.bytes,
            packets: message.bytes.div_ceil(params.packet_bytes),
            group: message.group,
            born,
            refused,
        };
        if !refused {
            self.admittance
                .push(message.destination, message.bytes, message.group, born);
            env.wake(env.now, Wake::Admit, self.element, 0);
        }
        let (observer, view) = env.observer_and_view();
        observer.offered(view, offered);
    }

    /// Step 3: at most one packet moves from admittance to injection: the memory has room for it, and if its queue is a
    /// SAQ, ready or not, that SAQ is below Xoff.
    pub(crate) fn admit<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        params: &Params,
        routing: &Routing,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let per_queue = params.per_queue_credits;
        // A tail that leaves in this tick has made room.
        self.injection.finish_tail(env.now + 1);
        if !per_queue && self.injection.free_room(0) == 0 {
            return self.await_room(env);
        }
        let injection = &self.injection;
        let quiet = injection.is_quiet(env);
        let xoff = params.recn.map_or(u32::MAX, |c| c.thresholds.xoff);
        let index = self.index;
        // Nearly always that of the packet that moves.
        let last_route = Cell::new((u32::MAX, Route::EMPTY));
        let may_move = |destination: u32, bytes: u32| {
            let room = |class: u16| injection.free_room(class) >= params.lengths(bytes).cells;
            if !per_queue && (quiet || injection.recn.is_none()) {
                return room(0).then_some(0);
            }
            let route = routing.route(index, destination);
            last_route.set((destination, route));
            let ahead = injection.link.next_output(&route, 0) as u8;
            let queue = injection.queue_of(params, &route, ahead, &destination);
            let saq = injection
                .recn
                .as_ref()
                .is_some_and(|r| r.line(queue).is_some());
            let takes = room(if per_queue { queue } else { 0 })
                && !(saq && injection.memory.packets(queue) >= xoff);
            takes.then_some(queue)
        };
        let Some(piece) = self.admittance.take(
            self.config.admittance_arbiter,
            params.packet_bytes,
            may_move,
        ) else {
            return self.await_room(env);
        };
        let lengths = params.lengths(piece.bytes);
        let (cells, now) = (lengths.cells, env.now);
        let route = match last_route.get() {
            (destination, route) if destination == piece.destination => route,
            _ => routing.route(index, piece.destination),
        };
        let id = env.packets().insert(Packet {
            ahead: injection.link.next_output(&route, 0) as u8,
            route,
            tail: now,
            due: 0,
            born: piece.born,
            injected: 0,
            source: index,
            destination: piece.destination,
            sequence: piece.sequence,
            payload: payload(index, piece.destination, piece.sequence, piece.bytes),
            next: switch::NO_PACKET,
            bytes: piece.bytes,
            link_ticks: lengths.link_ticks as u32,
            crossbar_ticks: lengths.crossbar_ticks as u32,
            cells: cells as u16,
            class: 0,
            output: 0,
            sender: 0,
            group: piece.group,
            last: piece.last,
        });
        let queue = self.injection.store(params, id, env);
        self.injection
            .reserve(if per_queue { queue } else { 0 }, cells, env.now);
        if !PLAIN {
            let messages = &mut self.messages;
            if self.injection.rose(params, 0, queue, 0, now, messages) {
                self.injection.stir(params, env);
            }
            self.messages.clear();
        }
        self.retry_delayed(params, env);
        if self.admittance.is_waiting() {
            env.wake(env.now + 1, Wake::Admit, self.element, 0);
        }
    }

    /// `delayed`: a message that waited for room is generated now if there is some.
    fn retry_delayed<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        params: &Params,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        if self.config.generator == GeneratorRule::Drop {
            return;
        }
        for at in 0..self.sources.len() {
            let source = &mut self.sources[at];
            let Some(message) = source.next.filter(|_| source.waits) else {
                continue;
            };
            if !self.admittance.fits(message.destination, message.bytes) {
                continue;
            }
            source.waits = false;
            source.shift = (env.now - params.stages.injection).saturating_sub(message.tick);
            source.advance();
            self.offer(
                params,
                message,
                env.now - params.stages.injection,
                false,
                env,
            );
        }
        self.arm_generation(params, env);
    }

    /// Step 1: what the link arbiter granted starts.
    pub(crate) fn start(&mut self, params: &Params, grant: LinkGrant, env: &mut impl Env) {
        let now = env.now();
        if let Some(queue) = grant.queue
            && let Some(id) = self.injection.memory.front(queue)
        {
            env.packets()[id].injected = now;
        }
        if let Some(queue) = self.injection.start(params, grant, env) {
            if !env.is_plain() && params.recn.is_some() {
                self.injection
                    .fell(params, 0, queue, &mut self.messages, env);
                self.messages.clear();
                self.wake_admittance(now, env);
            }
            self.wake_admittance(self.injection.tail_end() - 1, env);
        }
    }

    /// Nothing could be admitted: the next tail may make room.
    fn await_room(&self, env: &mut impl Env) {
        let end = self.injection.tail_end();
        if end != Tick::MAX {
            self.wake_admittance(end - 1, env);
        }
    }

    /// Step 4: a credit packet from the first switch.
    #[inline]
    pub(crate) fn credit(&mut self, class: u16, cells: u32, env: &mut impl Env) {
        self.injection.link.receive_credit(class, cells, env.now());
        self.injection.kick_if_waiting(env);
    }

    /// Step 4: another control packet from the first switch.
    pub(crate) fn control(
        &mut self,
        params: &Params,
        control: flow_control::Control,
        env: &mut impl Env,
    ) {
        self.injection.control(params, control, env);
        self.wake_admittance(env.now() + 1, env);
    }

    /// Steps 6 and 7 of the injection port.
    pub(crate) fn recn_step(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        let (Some(config), now) = (params.recn, env.now()) else {
            return;
        };
        if let Some(recn) = self.injection.recn.as_mut() {
            recn.mark_timers(now, &config);
        }
        self.injection.settle(all, env);
        self.injection.free(params, all, env);
        self.wake_admittance(now + 1, env);
    }

    fn wake_admittance(&self, at: Tick, env: &mut impl Env) {
        if self.admittance.is_waiting() {
            env.wake(at, Wake::Admit, self.element, 0);
        }
    }

    /// Step 2: the tail of a packet is ejected: checked for place, contents and order; its cells are credited.
    pub(crate) fn eject<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        params: &Params,
        id: u32,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let now = env.now;
        let port = self.injection.link.place.port;
        let unit = Unit::Node { node: self.index };
        let (observer, view) = env.observer_and_view();
        let p = &view.packets[id];
        if cfg!(not(setaside_unchecked)) && p.destination != self.index {
            broken(
                unit,
                now,
                &format_args!(
                    "packet n{}->n{} #{} ejected at n{}",
                    p.source, p.destination, p.sequence, self.index
                ),
            );
        }
        if cfg!(not(setaside_unchecked))
            && p.payload != payload(p.source, p.destination, p.sequence, p.bytes)
        {
            broken(
                unit,
                now,
                &format_args!(
                    "packet n{}->n{} #{} has other contents",
                    p.source, p.destination, p.sequence
                ),
            );
        }
        let expected = &mut self.expected[p.source as usize];
        if cfg!(not(setaside_unchecked)) && p.sequence != *expected {
            broken(
                unit,
                now,
                &format_args!(
                    "order: packet n{}->n{} #{} ejected, #{expected} expected",
                    p.source, p.destination, p.sequence
                ),
            );
        }
        *expected += 1;
        let cells = u32::from(p.cells);
        observer.ejected(
            view,
            Place {
                port,
                side: Side::Ingress,
            },
            p,
        );
        env.medium.ejected += 1;
        env.packets().remove(id);
        self.injection.link.push_credit(params, 0, cells, env);
    }

    /// Everything is at home. Names the first thing that is not.
    pub fn left_over(&self) -> Option<String> {
        if self.admittance.is_waiting() {
            return Some(format!(
                "{}: messages wait in admittance",
                Unit::Node { node: self.index }
            ));
        }
        self.injection.left_over()
    }
}
