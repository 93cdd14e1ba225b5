//! The switch: its ports, and the steps of a tick in their order.

use crate::config::Organisation;
use crate::env::{Env, Event, Wake};
use crate::in_port::{Head, InPort, Transfer};
use crate::mu::normal_queue;
use crate::out_port::{Internal, InternalKind, LinkGrant, OutPort};
use crate::packet::PacketId;
use crate::params::Params;
use crate::requests::{RequestRegisters, bits};
use cam::Allocation;
use crossbar::{AnyArbiter, Matching, TransferTiming};
use flow_control::Control;
use saq::QueueId;
use turnpool::Point;
use units::{Tick, Unit, broken};

/// A granted transfer over the crossbar. Holding one means: input and output free, head visible, room behind the
/// output, in this tick only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossbarGrant {
    /// Ingress port.
    pub input: u8,
    /// Egress port.
    pub output: u8,
    /// Queue whose head goes.
    pub queue: QueueId,
}

/// One switch.
#[derive(Debug)]
pub struct Switch {
    /// Ingress ports.
    pub inputs: Box<[InPort]>,
    /// Egress ports.
    pub outputs: Box<[OutPort]>,
    /// What the last evaluation granted.
    pub grants: Vec<CrossbarGrant>,
    pub(crate) index: u32,
    pub(crate) ports: u32,
    pub(crate) width: u32,
    pub(crate) ports_mask: u64,
    pub(crate) requests: RequestRegisters,
    pub(crate) busy_inputs: u64,
    pub(crate) busy_outputs: u64,
    /// Outputs that something happened to since the last evaluation.
    pub(crate) marked: u64,
    /// Tick of the evaluation that was asked for last.
    pub(crate) armed: Tick,
    /// One arbiter a class, so that the waiting bounds of each hold.
    pub(crate) arbiters: [AnyArbiter; 2],
    pub(crate) matching: Matching,
    /// `[class]`: who may be granted which output in the present evaluation; all zero between evaluations.
    pub(crate) inputs_of: [Box<[u64]>; 2],
    /// `[input][output]`: the queue that goes if that pair is granted.
    pub(crate) queue_of: Box<[QueueId]>,
    /// `[input][output]`: age of that queue's head, for arbiters that read it.
    pub(crate) ages: Box<[u64]>,
    messages: Vec<Internal>,
    tokens: Vec<(u8, Point)>,
    /// Tick at which the next timer of a SAQ ends.
    next_timer: Tick,
}

impl Switch {
    /// Puts ports together. `width` is the width of this switch's turns, `seed` that of its arbiters.
    ///
    /// # Panics
    /// If there are no ports, more than 64, or not as many inputs as outputs.
    pub fn new(
        params: &Params,
        index: u32,
        width: u32,
        inputs: Vec<InPort>,
        outputs: Vec<OutPort>,
        seed: u64,
    ) -> Switch {
        let ports = inputs.len();
        assert_eq!(ports, outputs.len());
        let kind = params.config.arbiter;
        let arbiter = |salt| {
            AnyArbiter::new(kind, ports, seed ^ salt)
                .expect("port count and iterations were checked")
        };
        let queues = inputs
            .iter()
            .map(|p| usize::from(p.normal))
            .max()
            .unwrap_or(1)
            .max(1);
        Switch {
            grants: Vec::with_capacity(ports),
            index,
            ports: ports as u32,
            width,
            ports_mask: u64::MAX >> (64 - ports),
            requests: RequestRegisters::new(ports, queues),
            busy_inputs: 0,
            busy_outputs: 0,
            marked: 0,
            armed: Tick::MAX,
            arbiters: [arbiter(0), arbiter(0x5a90_0000_0000_0001)],
            matching: Matching::new(ports),
            inputs_of: [vec![0; ports].into(), vec![0; ports].into()],
            queue_of: vec![0; ports * ports].into(),
            ages: if kind.reads_ages() {
                vec![0; ports * ports].into()
            } else {
                Box::default()
            },
            messages: Vec::with_capacity(2 * ports),
            tokens: Vec::with_capacity(ports),
            next_timer: Tick::MAX,
            inputs: inputs.into(),
            outputs: outputs.into(),
        }
    }

    /// Step 1: the granted transfers start: each packet leaves its queue.
    #[inline]
    pub fn start_crossbar(&mut self, params: &Params, env: &mut impl Env) {
        for at in 0..self.grants.len() {
            let grant = self.grants[at];
            self.start_transfer(params, grant, env);
        }
        self.grants.clear();
    }

    #[inline]
    fn start_transfer(&mut self, params: &Params, grant: CrossbarGrant, env: &mut impl Env) {
        let CrossbarGrant {
            input,
            output,
            queue,
        } = grant;
        let now = env.now();
        let port = &mut self.inputs[usize::from(input)];
        let lease = port
            .memory
            .pop(queue)
            .unwrap_or_else(|error| broken(port.unit, now, &error));
        let id = lease.item;
        env.departed(port.place, id, queue, output);
        let class = if params.per_queue_credits { queue } else { 0 };
        let out = &mut self.outputs[usize::from(output)];
        let end = if out.room.is_empty() {
            // iq: the crossbar output is the link.
            out.link.start_packet(params, id, params.stages.egress, env)
        } else {
            let packet = &mut env.packets()[id];
            let length = u64::from(packet.crossbar_ticks);
            let end = TransferTiming::end(now, length, packet.tail, params.crossbar_phit);
            packet.tail = end + params.stages.egress;
            packet.due = if params.store_and_forward {
                packet.tail
            } else {
                now + params.stages.egress
            };
            let due = packet.due;
            out.reserve(packet.class, u32::from(packet.cells), now);
            out.arrivals.push(env.packets(), id);
            env.wake(due, Wake::StoreEgress, self.index, output);
            end
        };
        port.transfer = Some(Transfer {
            lease,
            start: now,
            end,
            output,
            class,
        });
        self.busy_inputs |= 1 << input;
        self.busy_outputs |= 1 << output;
        env.wake(end - 1, Wake::CrossbarTail, self.index, input);
        self.ingress_fell(params, usize::from(input), queue, env);
        self.refresh(usize::from(input), queue, env);
    }

    /// Step 1: what the link arbiter of `output` granted starts.
    #[inline(always)]
    pub fn start_link(
        &mut self,
        params: &Params,
        output: usize,
        grant: LinkGrant,
        env: &mut impl Env,
    ) {
        let left = self.outputs[output].start(params, grant, env);
        if params.config.organisation == Organisation::Iq && grant.control {
            // The crossbar output is the link: try again when it is free.
            let until = self.outputs[output].link.busy_until.max(env.now() + 1);
            self.outputs[output].link.kick(until, env);
        }
        if let Some(queue) = left {
            self.outputs[output].fell(params, output as u8, queue, &mut self.messages, env);
        }
    }

    /// Evaluate, `iq`: the link behind `output` is free again, which may open it for the crossbar in this very tick.
    /// Returns whether an evaluation of the crossbar is new to this tick.
    pub fn mark_free_link(&mut self, output: usize, now: Tick) -> bool {
        self.marked |= 1 << output;
        let new = self.armed != now;
        self.armed = now;
        new
    }

    /// Step 1: the tail of the transfer from `input` leaves: its cells are free, their credit goes upstream, input and
    /// output take part in the next arbitration.
    #[inline]
    pub fn crossbar_tail(&mut self, input: usize, env: &mut impl Env) {
        let now = env.now();
        let port = &mut self.inputs[input];
        let Some(Transfer {
            lease,
            start,
            end,
            output,
            class,
        }) = port.transfer.take()
        else {
            broken(
                port.unit,
                now,
                &"a tail leaves an input that transfers no packet",
            );
        };
        debug_assert_eq!(end - 1, now);
        let cells = u32::from(lease.cells);
        if let Err(error) = port.memory.release(lease) {
            broken(port.unit, now, &error);
        }
        self.busy_inputs &= !(1 << input);
        self.busy_outputs &= !(1 << output);
        self.outputs[input].link.push_credit(class, cells, env);
        let out = &self.outputs[usize::from(output)];
        if out.room.is_empty() {
            env.hop(out.place, end - start);
        }
        // The input may go on to whatever it requests, the output to whoever requests it.
        let wanted =
            self.requests.inputs_of_any_class(usize::from(output)) & !self.busy_inputs != 0;
        let marks =
            (self.requests.outputs(input) | u64::from(wanted) << output) & !self.busy_outputs;
        if marks != 0 {
            self.marked |= marks;
            self.arm(env);
        }
    }

    /// Step 1: the tail of a packet leaves `output` on its link: its cells are room again.
    #[inline]
    pub fn link_tail(&mut self, params: &Params, output: usize, env: &mut impl Env) {
        let (sender, cells) = self.outputs[output].tail(env);
        if params.config.organisation == Organisation::Oq {
            // The memory here is the one that the upstream link has credit for.
            self.outputs[usize::from(sender)]
                .link
                .push_credit(0, cells, env);
        } else {
            self.mark_output(output, env);
        }
    }

    /// Step 2: the head that arrived at `input` is stored: RU, PPU or MU, MMU, then FCU and CDU.
    #[inline]
    pub fn store(&mut self, params: &Params, input: usize, id: PacketId, env: &mut impl Env) {
        let now = env.now();
        let packet = &mut env.packets()[id];
        let saq = self.inputs[input].saq_of(&packet.route);
        self.route(params, input, packet);
        packet.visible = now + params.stages.arbitration;
        let (head, destination) = (Head::of(packet), packet.destination);
        if params.config.organisation == Organisation::Oq {
            return self.pass_to_output(id, env);
        }
        let queue = saq.unwrap_or_else(|| normal_queue(params, head.output, destination));
        let port = &mut self.inputs[input];
        if let Err(error) = port.memory.push(queue, id, head.cells) {
            broken(port.unit, now, &error);
        }
        env.stored(port.place, id, queue);
        if port.memory.packets(queue) == 1 && port.may_request(queue) {
            self.request(input, queue, head, env);
        }
        if params.recn.is_some() {
            if saq.is_some() {
                self.ingress_rose(params, input, queue, env);
                self.propagate_upstream(params, input, queue, env);
            } else {
                self.detect_at_ingress(params, input, queue, head.output, env);
            }
        }
    }

    /// `oq`: the head goes through to the output memory, in which every input has its own share. Heads that come to one
    /// output in one tick are stored in the order of their inputs.
    #[inline(never)]
    fn pass_to_output(&mut self, id: PacketId, env: &mut impl Env) {
        let now = env.now();
        let output = env.packets()[id].output;
        let port = &mut self.outputs[usize::from(output)];
        port.reserve(0, u32::from(env.packets()[id].cells), now);
        port.arrivals.insert_by_sender(env.packets(), id);
        env.wake(now, Wake::StoreEgress, self.index, output);
    }

    /// Step 2: the head that crossed to `output` is stored: PPU or MU, MMU, then FCU and CDU.
    #[inline]
    pub fn store_egress(&mut self, params: &Params, output: usize, env: &mut impl Env) {
        let now = env.now();
        let port = &mut self.outputs[output];
        let Some(id) = port.arrivals.pop(env.packets()) else {
            broken(port.unit, now, &"nothing arrives from the crossbar");
        };
        debug_assert_eq!(env.packets()[id].due, now);
        let sender = env.packets()[id].sender;
        let queue = port.store(params, id, env);
        if port.recn.is_some() {
            let before = self.messages.len();
            port.rose(params, output as u8, queue, &mut self.messages);
            port.detect(params, output as u8, queue, sender, &mut self.messages);
            if self.messages.len() > before {
                env.wake(now, Wake::Recn, self.index, 0);
            }
        }
    }

    /// Steps 5 to 8: internal messages, markers, frees, internal tokens. `all` looks at every queue and line, else only
    /// at those marked; both do the same.
    pub fn recn_step(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        let Some(config) = params.recn else { return };
        let now = env.now();
        if now >= self.next_timer {
            let ports = self
                .inputs
                .iter_mut()
                .map(|p| &mut p.recn)
                .chain(self.outputs.iter_mut().map(|p| &mut p.recn));
            self.next_timer = ports
                .flatten()
                .map(|r| r.mark_timers(now, &config))
                .min()
                .unwrap_or(Tick::MAX);
        }
        self.carry_messages(params, env);
        for input in 0..self.inputs.len() {
            if all
                || self.inputs[input]
                    .recn
                    .as_ref()
                    .is_some_and(|r| r.is_marked())
            {
                self.settle_ingress(input, all, env);
            }
            if all
                || self.outputs[input]
                    .recn
                    .as_ref()
                    .is_some_and(|r| r.is_marked())
            {
                self.outputs[input].settle(all, env);
            }
        }
        for port in 0..self.inputs.len() {
            self.free_ingress(params, port, all, env);
            self.outputs[port].free(params, all, env);
        }
        self.carry_tokens(env);
    }

    /// Step 5, by egress port, then queue. An egress queue says at most one thing of each kind in a tick, and departures
    /// (Xon) come before stores.
    fn carry_messages(&mut self, params: &Params, env: &mut impl Env) {
        let mut messages = std::mem::take(&mut self.messages);
        // Insertion sort: stable, in place, nearly always one or two messages.
        for i in 1..messages.len() {
            let mut j = i;
            while j > 0
                && (messages[j - 1].egress, messages[j - 1].queue)
                    > (messages[j].egress, messages[j].queue)
            {
                messages.swap(j - 1, j);
                j -= 1;
            }
        }
        for message in &messages {
            match message.kind {
                InternalKind::Notify { sender } => {
                    self.notify(params, *message, usize::from(sender), env)
                }
                InternalKind::Xoff => self.block_children(*message, true, env),
                InternalKind::Xon => self.block_children(*message, false, env),
            }
        }
        messages.clear();
        self.messages = messages;
    }

    /// The point of an egress queue as ingress port `input` names it.
    fn point_at(&self, message: Internal, input: usize) -> Point {
        let turn = turnpool::turn(input as u32, u32::from(message.egress), self.ports);
        let port = &self.outputs[usize::from(message.egress)];
        match port
            .recn
            .as_ref()
            .and_then(|r| r.line(message.queue).map(|line| r.cam.point(line)))
        {
            None => Point::from_turn(turn, self.width),
            Some(point) => point
                .prepend(turn, self.width)
                .unwrap_or_else(|error| broken(port.unit, 0, &error)),
        }
    }

    /// A notification from an egress queue to ingress port `input`: adopted if it found the congestion itself, accepted
    /// while a SAQ is free, else refused at once.
    fn notify(&mut self, params: &Params, message: Internal, input: usize, env: &mut impl Env) {
        let now = env.now();
        let point = self.point_at(message, input);
        let egress = usize::from(message.egress);
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        env.observe(
            self.outputs[egress].place,
            Event::Internal(Control::Notification(point)),
        );
        let normal = QueueId::from(message.egress);
        let host = recn.host(&point, normal);
        let answer = recn.allocate(&mut port.memory, point, host, now);
        let in_use = recn.cam.in_use();
        let line = match answer {
            Allocation::Full => return env.observe(port.place, Event::SaqRefused(point)),
            Allocation::Present(line) if recn.lines[usize::from(line)].owned => broken(
                port.unit,
                now,
                &format_args!("second notification for {point:?} inside the switch"),
            ),
            Allocation::Present(line) => line,
            Allocation::Allocated(line) => {
                env.observe(
                    port.place,
                    Event::SaqAllocated {
                        line,
                        point,
                        in_use,
                    },
                );
                line
            }
        };
        recn.lines[usize::from(line)].owned = true;
        if matches!(answer, Allocation::Allocated(_)) {
            self.allocated(input, params, env);
        }
        let Some(recn) = self.outputs[egress].recn.as_mut() else {
            return;
        };
        let xoff = match recn.line(message.queue) {
            None => {
                recn.root_children |= 1 << input;
                recn.root_xoff.is_set()
            }
            Some(line) => {
                recn.cam.set_leaf(line, false);
                let registers = &mut recn.lines[usize::from(line)];
                registers.children |= 1 << input;
                registers.xoff.is_set()
            }
        };
        if xoff {
            self.block(input, line, true, env);
        }
    }

    /// Xoff or Xon from an egress queue to its child ports.
    fn block_children(&mut self, message: Internal, blocked: bool, env: &mut impl Env) {
        let port = &self.outputs[usize::from(message.egress)];
        let Some(recn) = port.recn.as_ref() else {
            return;
        };
        let children = recn.line(message.queue).map_or(recn.root_children, |line| {
            recn.lines[usize::from(line)].children
        });
        let place = port.place;
        for input in bits(children) {
            let point = self.point_at(message, input);
            let control = if blocked {
                Control::Xoff(point)
            } else {
                Control::Xon(point)
            };
            env.observe(place, Event::Internal(control));
            let child = &self.inputs[input];
            let Some(line) = child.recn.as_ref().and_then(|r| r.cam.find(&point)) else {
                broken(
                    child.unit,
                    env.now(),
                    &format_args!("child SAQ {point:?} is missing"),
                )
            };
            self.block(input, line, blocked, env);
        }
    }

    fn block(&mut self, input: usize, line: u8, blocked: bool, env: &mut impl Env) {
        let Some(recn) = self.inputs[input].recn.as_mut() else {
            return;
        };
        recn.cam.set_blocked(line, blocked);
        if !blocked {
            recn.check |= 1 << line;
        }
        let queue = recn.queue(line);
        self.refresh(input, queue, env);
    }

    /// A SAQ was allocated at `input`: its timer will end.
    pub(crate) fn allocated(&mut self, _input: usize, params: &Params, env: &mut impl Env) {
        let ends = env.now() + params.recn.map_or(1, |c| c.saq_timer.max(1));
        self.next_timer = self.next_timer.min(ends);
        env.wake(ends, Wake::Recn, self.index, 0);
    }

    /// A SAQ was allocated at an egress port: its timer will end.
    pub(crate) fn egress_timer(&mut self, params: &Params, now: Tick) {
        let ends = now + params.recn.map_or(1, |c| c.saq_timer.max(1));
        self.next_timer = self.next_timer.min(ends);
    }

    /// Step 6 at an ingress port.
    fn settle_ingress(&mut self, input: usize, all: bool, env: &mut impl Env) {
        let port = &mut self.inputs[input];
        let Some(mut recn) = port.recn.take() else {
            return;
        };
        let (normal, lines) = if all {
            (u64::MAX >> (64 - recn.base), recn.cam.valid())
        } else {
            (recn.settle_normal, recn.settle_lines)
        };
        (recn.settle_normal, recn.settle_lines) = (0, 0);
        let mut ready = 0u64;
        for queue in bits(normal) {
            recn.settle(&mut port.memory, queue as QueueId, &mut |line| {
                ready |= 1 << line
            });
        }
        for line in bits(lines) {
            let queue = recn.queue(line as u8);
            recn.settle(&mut port.memory, queue, &mut |line| ready |= 1 << line);
        }
        let base = recn.base;
        port.recn = Some(recn);
        for line in bits(ready) {
            self.refresh(input, base + line as QueueId, env);
        }
    }

    /// Step 7 at an ingress port: a freed SAQ owes its egress port a token.
    fn free_ingress(&mut self, params: &Params, input: usize, all: bool, env: &mut impl Env) {
        let Some(config) = params.recn else { return };
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let lines = if all { recn.cam.valid() } else { recn.check };
        recn.check = 0;
        for line in bits(lines) {
            let line = line as u8;
            if !recn.may_free(&port.memory, line, env.now(), &config) {
                continue;
            }
            let owned = recn.lines[usize::from(line)].owned;
            let point = recn
                .cam
                .free(line)
                .unwrap_or_else(|error| broken(port.unit, env.now(), &error));
            let in_use = recn.cam.in_use();
            env.observe(
                port.place,
                Event::SaqFreed {
                    line,
                    point,
                    in_use,
                },
            );
            if owned {
                self.tokens.push((input as u8, point));
            }
        }
    }

    /// Step 8: tokens from freed ingress SAQs to the egress queues that notified them.
    fn carry_tokens(&mut self, env: &mut impl Env) {
        let mut tokens = std::mem::take(&mut self.tokens);
        for &(input, point) in &tokens {
            let output = turnpool::forward(u32::from(input), point.first(self.width), self.ports);
            let port = &mut self.outputs[output as usize];
            env.observe(port.place, Event::Internal(Control::Token(point)));
            let Some(recn) = port.recn.as_mut() else {
                continue;
            };
            let rest = point.without_first(self.width).unwrap_or(Point::EMPTY);
            let line = if rest.bits() == 0 {
                None
            } else {
                Some(recn.cam.find(&rest))
            };
            let bit = 1u64 << input;
            let children = match line {
                None => &mut recn.root_children,
                Some(Some(line)) => &mut recn.lines[usize::from(line)].children,
                Some(None) => broken(
                    port.unit,
                    env.now(),
                    &format_args!("token for {rest:?}, which has no SAQ"),
                ),
            };
            if *children & bit == 0 {
                broken(
                    port.unit,
                    env.now(),
                    &format_args!("token from in{input}, which is no child of {rest:?}"),
                );
            }
            *children &= !bit;
            if let (0, Some(Some(line))) = (*children, line) {
                recn.cam.set_leaf(line, true);
                recn.check |= 1 << line;
                env.wake(env.now() + 1, Wake::Recn, self.index, 0);
            }
        }
        tokens.clear();
        self.tokens = tokens;
    }

    /// Everything is at home (see the ports). Names the first thing that is not.
    pub fn left_over(&self) -> Option<String> {
        let inputs = self.inputs.iter().filter_map(InPort::left_over);
        inputs
            .chain(self.outputs.iter().filter_map(OutPort::left_over))
            .next()
    }

    /// Name in messages.
    pub fn unit(&self) -> Unit {
        Unit::Switch { switch: self.index }
    }
}
