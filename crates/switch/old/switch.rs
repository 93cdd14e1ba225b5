//! The switch: its ports, and the steps of a tick in their order.

use crate::config::Organisation;
use crate::env::{Env, Wake};
use crate::heads::Head;
use crate::in_port::{InPort, Transfer};
use crate::messages::{Internal, NO_SENDER};
use crate::mu::normal_queue;
use crate::out_port::{LinkGrant, OutPort};
use crate::overdue::Overdue;
use crate::packet::PacketId;
use crate::params::Params;
use crate::recn::Rules;
use crate::requests::{RequestRegisters, bits};
use crate::scheme::QueueScheme;
use crossbar::{AnyArbiter, Matching, TransferTiming};
use saq::QueueId;
use turnpool::Point;
use units::{Tick, Ticks, broken};

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

/// The last transfer from an input, and where the last one to the output of the same number came from, as the crossbar's
/// registers have it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing {
    /// From the input: its tail leaves in the tick before, input and output are free again.
    pub(crate) end: Tick,
    pub(crate) output: u8,
    /// Somebody waits for its input or output: the crossbar is evaluated at its end.
    pub(crate) awaited: bool,
    /// To the output: the input that sent it, [`NO_SENDER`] before the first.
    pub(crate) sender: u8,
}

impl Crossing {
    /// None yet.
    const NONE: Crossing = Crossing {
        end: 0,
        output: 0,
        awaited: false,
        sender: NO_SENDER,
    };
}

/// One switch.
// In the order of use: three cache lines of registers of the crossbar, requests, arbiters, then what is for more than one
// output at a time, and messages.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Switch {
    /// Ingress ports.
    pub inputs: Box<[InPort]>,
    /// Egress ports.
    pub outputs: Box<[OutPort]>,
    pub(crate) busy_inputs: u64,
    pub(crate) busy_outputs: u64,
    /// Outputs that something happened to since the last evaluation.
    pub(crate) marked: u64,
    /// No busy input or output is free before this tick.
    pub(crate) next_end: Tick,
    /// Tick of the evaluation that was asked for last.
    pub(crate) armed: Tick,
    /// Tick of the last evaluation that was begun ([`Switch::begin_evaluation`]).
    pub(crate) begun: Tick,
    /// Element number that it gives when it asks to be woken.
    pub(crate) index: u32,
    pub(crate) width: u32,
    pub(crate) requests: RequestRegisters,
    /// By number of the port.
    pub(crate) crossings: Box<[Crossing]>,
    /// The arbiters read ages.
    pub(crate) oldest_first: bool,
    /// Whether several normal queues of an input may request the same output.
    pub(crate) shared_outputs: bool,
    /// Heads that have requested for too long, and what they have reserved.
    pub(crate) overdue: Overdue,
    /// By class: the longest that a head has requested that went, see [`Switch::longest_waits`].
    pub(crate) longest_wait: [Ticks; 2],
    /// One arbiter a class, so that the waiting bounds of each hold.
    pub(crate) arbiters: [AnyArbiter; 2],
    pub(crate) matching: Matching,
    /// What the last evaluation granted.
    pub grants: Vec<CrossbarGrant>,
    /// `[input][output][class]`: the queue that the round robin among those of the input that
    /// request the output begins with.
    pub(crate) pointers: Box<[[u16; 2]]>,
    /// `[input][output]`: the queue that goes if that pair is granted, where several outputs are looked at.
    pub(crate) queue_of: Box<[QueueId]>,
    /// `[input][output]`: age of that queue's head, for arbiters that read it.
    pub(crate) ages: Box<[u64]>,
    /// `[class]`: who may be granted which output in the present evaluation; all zero between evaluations.
    pub(crate) inputs_of: [Box<[u64]>; 2],
    pub(crate) ports: u32,
    pub(crate) ports_mask: u64,
    pub(crate) messages: Vec<Internal>,
    pub(crate) tokens: Vec<(u8, Point)>,
    /// Tick at which the next timer of a SAQ ends.
    pub(crate) next_timer: Tick,
}

impl Switch {
    /// Puts ports together. `index` is the element number that it gives when it asks to be woken, `width` the width of its
    /// turns, `seed` that of its arbiters.
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
            begun: Tick::MAX,
            next_end: Tick::MAX,
            crossings: vec![Crossing::NONE; ports].into(),
            arbiters: [arbiter(0), arbiter(0x5a90_0000_0000_0001)],
            matching: Matching::new(ports),
            inputs_of: [vec![0; ports].into(), vec![0; ports].into()],
            pointers: vec![[0; 2]; ports * ports].into(),
            queue_of: vec![0; ports * ports].into(),
            shared_outputs: params.scheme.queues_share_outputs(),
            overdue: Overdue::new(params.wait_bound, ports),
            longest_wait: [0; 2],
            oldest_first: kind.reads_ages(),
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

    #[inline(always)]
    pub(crate) fn start_transfer(
        &mut self,
        params: &Params,
        grant: CrossbarGrant,
        env: &mut impl Env,
    ) {
        let CrossbarGrant {
            input,
            output,
            queue,
        } = grant;
        let now = env.now();
        let saqs = !env.is_plain() && params.recn.is_some();
        let moves = saqs && params.rules.is_some_and(Rules::moves);
        self.finish_transfer(params, usize::from(input), env);
        if moves {
            self.left_cold_queue(usize::from(input), queue, output);
        }
        let port = &mut self.inputs[usize::from(input)];
        let (class, _) = port.class_of(queue, env);
        let waited = now - port.memory.register(queue).visible;
        let longest = &mut self.longest_wait[class as usize];
        *longest = waited.max(*longest);
        let lease = port
            .memory
            .pop(queue)
            .unwrap_or_else(|error| broken(port.unit, now, &error));
        let id = lease.item;
        env.departed(port.place, id, queue, output);
        let class = if params.per_queue_credits { queue } else { 0 };
        env.packets()[id].route.consume(self.width);
        let out = &mut self.outputs[usize::from(output)];
        let end = if !env.is_plain() && out.room.is_none() {
            // iq: the crossbar output is the link.
            let end = out.link.start_packet(params, id, params.stages.egress, env);
            env.hop(out.link.place, end - 1, end - now);
            end
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
            let (due, class) = (packet.due, packet.class);
            out.reserve(class, u32::from(packet.cells), now);
            out.arrivals.push(env.packets(), id);
            if out.may_store_late(params, class, env) {
                out.expect_arrival(due + params.stages.arbitration, env);
            } else {
                env.wake(due, Wake::StoreEgress, self.index, output);
            }
            end
        };
        port.transfer = Some(Transfer { lease, end, class });
        self.crossings[usize::from(output)].sender = input;
        let crossing = &mut self.crossings[usize::from(input)];
        (crossing.end, crossing.output, crossing.awaited) = (end, output, false);
        self.busy_inputs |= 1 << input;
        self.busy_outputs |= 1 << output;
        self.next_end = self.next_end.min(end);
        // The credit of its cells may go upstream from then on.
        self.outputs[usize::from(input)]
            .link
            .expect_credit(end, env);
        if saqs {
            self.ingress_fell(params, usize::from(input), queue, env);
        }
        self.renew(usize::from(input), queue, env);
        if self.requests.outputs(usize::from(input)) != 0
            || self.requests.inputs_of_any_class(usize::from(output)) != 0
        {
            self.await_transfer(usize::from(input), env);
        }
        if moves {
            self.wake_ppu(usize::from(input), env.now(), env);
            self.match_egress_line(output, input, id, env);
        }
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
        if env.is_plain() {
            return;
        }
        if params.config.organisation == Organisation::Iq && grant.control {
            // The crossbar output is the link: try again when it is free.
            let until = self.outputs[output].link.busy_until.max(env.now() + 1);
            self.outputs[output].link.kick(until, env);
        }
        if let Some(queue) = left
            && params.recn.is_some()
        {
            self.outputs[output].fell(params, output as u8, queue, &mut self.messages, env);
        }
    }

    /// Asks for an evaluation of the crossbar when the transfer from `input` ends, once.
    #[inline]
    pub(crate) fn await_transfer(&mut self, input: usize, env: &mut impl Env) {
        let crossing = &mut self.crossings[input];
        if !crossing.awaited {
            crossing.awaited = true;
            env.wake(crossing.end, Wake::Crossbar, self.index, crossing.output);
        }
    }

    /// Step 1 of ticks before `now`, for the crossbar: inputs and outputs of transfers that have ended take part in the next
    /// arbitration. Nobody sees it before they look: whoever reads who is busy calls this first.
    #[inline(always)]
    pub(crate) fn free_crossbar(&mut self, now: Tick) {
        if now < self.next_end {
            return;
        }
        // Without branches: which transfers have ended cannot be foretold.
        let (mut next_end, mut awaited) = (Tick::MAX, 0);
        for input in bits(self.busy_inputs) {
            let crossing = &self.crossings[input];
            let ended = crossing.end <= now;
            next_end = next_end.min(if ended { Tick::MAX } else { crossing.end });
            self.busy_inputs &= !(u64::from(ended) << input);
            self.busy_outputs &= !(u64::from(ended) << crossing.output);
            awaited |= u64::from(ended & crossing.awaited) << input;
        }
        self.next_end = next_end;
        for input in bits(awaited) {
            // The input may go on to whatever it requests, the output to whoever requests it.
            self.marked |= self.requests.outputs(input) | 1 << self.crossings[input].output;
        }
    }

    /// The same for the memory at `input`: the cells of a packet whose tail has left are free, and their credit waits for the
    /// link upstream. Whoever reads either calls this first.
    #[inline(always)]
    pub fn finish_transfer(&mut self, params: &Params, input: usize, env: &mut impl Env) {
        if let Some((class, cells, end)) = self.inputs[input].end_transfer(env.now()) {
            let link = &mut self.outputs[input].link;
            link.add_credit(params, class, cells, end, env);
        }
    }

    /// What has left before this tick is gone, and credit has started: for looking at a switch from outside.
    pub fn finish(&mut self, params: &Params, env: &mut impl Env) {
        let now = env.now();
        self.free_crossbar(now);
        for port in 0..self.inputs.len() {
            self.finish_transfer(params, port, env);
            let output = &mut self.outputs[port];
            output.finish_tail(now);
            output.link.catch_up(params, now, env);
        }
    }

    /// Somebody at the other end of the link behind `port` waits for credit, see [`crate::Link::return_credit`].
    pub fn return_credit(&mut self, params: &Params, port: usize, env: &mut impl Env) {
        self.finish_transfer(params, port, env);
        let link = &mut self.outputs[port].link;
        link.return_credit(params, env);
        if let Some(transfer) = &self.inputs[port].transfer {
            link.expect_credit(transfer.end, env);
        }
    }

    /// Evaluate: the link behind port `port`, once the tail of the transfer from its input has left.
    #[inline(always)]
    pub fn evaluate_link(&mut self, params: &Params, port: usize, env: &mut impl Env) -> LinkGrant {
        let now = env.now();
        let (input, output) = (&mut self.inputs[port], &mut self.outputs[port]);
        output.store_late(params, now, env);
        if !output.link.may_start(now) {
            let ended = |transfer: &Transfer| transfer.end <= now;
            let credit = output.link.is_prompt() && input.transfer.as_ref().is_some_and(ended);
            output.kick_when_free(credit, env);
            return LinkGrant::default();
        }
        if let Some((class, cells, end)) = input.end_transfer(now) {
            output.link.add_credit(params, class, cells, end, env);
        }
        output.evaluate(params, env)
    }

    /// Step 1, `oq`: the tail of a packet leaves `output` on its link. The memory here is the one that the upstream link has
    /// credit for.
    #[inline]
    pub fn link_tail(&mut self, params: &Params, output: usize, env: &mut impl Env) {
        if let Some((sender, cells)) = self.outputs[output].finish_tail(env.now() + 1) {
            self.outputs[usize::from(sender)]
                .link
                .push_credit(params, 0, cells, env);
        }
    }

    /// Step 2: the head that arrived at `input` is stored: RU, PPU or MU, MMU, then FCU and CDU.
    #[inline]
    pub fn store(&mut self, params: &Params, input: usize, id: PacketId, env: &mut impl Env) {
        let (now, plain) = (env.now(), env.is_plain());
        if env.stores_late() {
            self.inputs[input].look_for_quiet(env);
        }
        let quiet = self.inputs[input].is_quiet(env);
        let packet = &mut env.packets()[id];
        let saq = if quiet {
            None
        } else {
            self.inputs[input].saq_on_arrival(&packet.route)
        };
        self.route(params, input, packet);
        if !plain && params.config.organisation == Organisation::Oq {
            packet.route.consume(self.width);
            return self.pass_to_output(id, env);
        }
        let (queue, head) = self.put(params, input, id, saq, now, env);
        let port = &self.inputs[input];
        if port.memory.packets(queue) == 1 {
            if !plain && params.rules.is_some_and(Rules::moves) {
                self.refresh(input, queue, env);
            } else if port.may_request(queue, env) {
                self.request(input, queue, head, env);
            }
        }
        if !plain && params.recn.is_some() {
            if saq.is_some() {
                self.ingress_rose(params, input, queue, env);
                self.propagate_upstream(params, input, queue, env);
            } else {
                self.detect_at_ingress(params, input, queue, head.output, env);
                self.wake_ppu(input, now, env);
            }
        }
    }

    /// The same for a head that has come before and that no SAQ can come of. Returns the output that it requests now, for which
    /// [`Switch::heads_visible`] is next if it is visible.
    #[inline]
    pub fn store_late(
        &mut self,
        params: &Params,
        input: usize,
        id: PacketId,
        env: &mut impl Env,
    ) -> u64 {
        let quiet = self.inputs[input].is_quiet(env);
        let packet = &mut env.packets()[id];
        let stored = packet.due;
        self.route(params, input, packet);
        let (queue, head) = self.put(params, input, id, None, stored, env);
        let port = &self.inputs[input];
        let packets = port.memory.packets(queue);
        if !quiet || !env.is_plain() && params.detects_at_ingress(packets) {
            broken(port.unit, stored, &"a head stored late concerns SAQs");
        }
        if packets > 1 {
            return 0;
        }
        self.raise(input, queue, head, env);
        1 << head.output
    }

    /// Puts a head into its queue at `input`, in tick `stored`: the SAQ that it matches, or a normal one.
    #[inline(always)]
    fn put(
        &mut self,
        params: &Params,
        input: usize,
        id: PacketId,
        saq: Option<QueueId>,
        stored: Tick,
        env: &mut impl Env,
    ) -> (QueueId, Head) {
        let packet = &mut env.packets()[id];
        packet.due = stored + params.stages.arbitration;
        let head = Head::of(packet);
        let queue = saq.unwrap_or_else(|| normal_queue(params, head.output, &packet.destination));
        let port = &mut self.inputs[input];
        if let Err(error) = port.memory.push(queue, id, head.cells) {
            broken(port.unit, stored, &error);
        }
        env.stored(port.place, id, queue, stored);
        (queue, head)
    }

    /// A SAQ may be in use at `input` from now on: heads that have come are stored, those that come are in their tick.
    pub(crate) fn stir(&mut self, params: &Params, input: usize, env: &mut impl Env) {
        let at = self.inputs[input].place.port;
        if self.inputs[input].is_quiet(env) {
            while let Some(id) = env.take_packet(at, env.now()) {
                self.store_late(params, input, id, env);
            }
            self.inputs[input].end_quiet();
            env.set_late(at, false);
        }
    }

    /// Evaluate: heads of `input` have become visible that request `outputs`. Returns whether they are to be arbitrated for in
    /// this tick, and this is the first to say so.
    #[inline]
    pub fn heads_visible(&mut self, input: usize, outputs: u64, env: &mut impl Env) -> bool {
        let now = env.now();
        self.free_crossbar(now);
        if outputs != 0 && self.busy_inputs >> input & 1 == 1 {
            self.await_transfer(input, env);
            return false;
        }
        for output in bits(outputs & self.busy_outputs) {
            self.await_transfer(usize::from(self.crossings[output].sender), env);
        }
        let open = outputs & !self.busy_outputs;
        open != 0 && self.begin_evaluation(open, now)
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
        let Some(id) = port.take_arrival(params, env) else {
            return;
        };
        if env.packets()[id].due != now {
            broken(port.link.unit, now, &"a head comes late");
        }
        let sender = env.packets()[id].sender;
        let queue = port.store(params, id, env);
        if !env.is_plain() && port.recn.is_some() {
            let (egress, messages) = (output as u8, &mut self.messages);
            let rose = port.rose(params, egress, queue, sender, now, messages);
            if rose {
                port.stir(params, env);
            }
            if port.detect(params, egress, queue, sender, messages) || rose {
                env.wake(now, Wake::Recn, self.index, 0);
            }
        }
    }

    /// The longest that any head has requested, with room behind the crossbar or without, of normal
    /// queues and of SAQs: of those that went since [`Switch::forget_waits`], and of those that
    /// still request before tick `now`.
    pub fn longest_waits(&self, now: Tick) -> [Ticks; 2] {
        let mut longest = self.longest_wait;
        self.visit_standing(|class, _, _, since| {
            let longest = &mut longest[class as usize];
            *longest = now.saturating_sub(since).max(*longest);
        });
        longest
    }

    /// The longest waits are counted anew.
    pub fn forget_waits(&mut self) {
        self.longest_wait = [0; 2];
    }

    /// Everything is at home (see the ports). Names the first thing that is not.
    pub fn left_over(&self) -> Option<String> {
        let inputs = self.inputs.iter().filter_map(InPort::left_over);
        inputs
            .chain(self.outputs.iter().filter_map(OutPort::left_over))
            .next()
    }
}
