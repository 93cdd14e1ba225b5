//! The switch: ports and scheduler, and the order of the commit (spec: clock.md). Each step names
//! the units that it asks; effects are carried at once to the unit that they are for.

mod commit;
mod control;
mod counters;
mod decide;
mod faults;
mod heads;
mod marking;
mod pause;
mod recovery;
mod store;
mod transfer;

use self::marking::MarkingGlue;
use self::recovery::Recovering;
pub use counters::EgressCounters;

use crate::egress::{Egress, LinkGrant};
use crate::env::Env;
use crate::ingress::{Ingress, Pauser};
use crate::memory::Head;
use crate::packet::Packets;
use crate::scheduler::{Ports, Scheduler};
use plan::{Organisation, Params};
use recn::Internal;
use turnpool::Point;
use units::{ClassId, PortId, QueueId, Span, Tick, Unit};

/// One switch.
#[derive(Debug)]
pub struct Switch {
    pub(crate) inputs: Box<[Ingress]>,
    pub(crate) outputs: Box<[Egress]>,
    pub(crate) scheduler: Scheduler,
    /// Width of the turns.
    width: u32,
    unit: Unit,
    /// Messages of egress ports, for step 5.
    messages: Vec<Internal>,
    /// Tokens of ingress ports, for step 8.
    tokens: Vec<(PortId, Point)>,
    /// Two-level routing: what its ports decide by.
    counters: Option<Box<EgressCounters>>,
    /// Two-level routing with faults.
    recovery: Option<Box<Recovering>>,
    /// ECN: which packets are marked.
    marking: Option<Box<MarkingGlue>>,
    /// With pause in the place of credits, by input.
    pausers: Box<[Pauser]>,
}

/// What the scheduler sees of the ports.
struct View<'a> {
    inputs: &'a [Ingress],
    outputs: &'a [Egress],
    packets: &'a Packets,
    now: Tick,
    iq: bool,
}

impl Ports for View<'_> {
    fn head(&self, input: PortId, queue: QueueId) -> &Head {
        self.inputs[input.index()].memory().head(queue)
    }
    fn age(&self, input: PortId, queue: QueueId) -> Tick {
        let front = self.inputs[input.index()].memory().front(queue);
        self.packets[front.expect("a queue that requests has a head")].stored
    }
    fn room(&self, output: PortId, class: ClassId) -> u32 {
        self.outputs[output.index()].room(class)
    }
    fn open(&self, outputs: u64) -> u64 {
        if !self.iq {
            return outputs;
        }
        let open = |&output: &usize| self.outputs[output].is_open(self.now);
        units::bits::ones(outputs).filter(open).fold(0, |set, o| set | 1 << o)
    }
    fn open_from(&self, output: PortId) -> Tick {
        if self.iq { self.outputs[output.index()].link().busy_until } else { Tick::ZERO }
    }
}

impl Switch {
    /// Puts ports together. `width` is that of its turns, `seed` that of its arbiters. Panics: If
    /// there are no ports, more than [`crate::PORTS_MAX`], or not as many inputs as outputs.
    pub fn new(
        params: &Params,
        unit: Unit,
        width: u32,
        inputs: Vec<Ingress>,
        outputs: Vec<Egress>,
        seed: u64,
    ) -> Switch {
        let ports = inputs.len();
        assert_eq!(ports, outputs.len());
        let saqs = params.saqs() as usize;
        let normal = |input: &Ingress| input.memory().queues().saturating_sub(saqs);
        let normal = inputs.iter().map(normal).max().unwrap_or(0);
        let adaptive = params.config.adaptive;
        Switch {
            scheduler: Scheduler::new(params, ports, normal, seed),
            width,
            unit,
            messages: Vec::with_capacity(2 * ports),
            tokens: Vec::with_capacity(ports),
            counters: adaptive.map(|rule| Box::new(EgressCounters::new(rule.counter, ports))),
            recovery: None,
            marking: MarkingGlue::new(params, &inputs),
            pausers: Switch::pausers(params, &inputs),
            inputs: inputs.into(),
            outputs: outputs.into(),
        }
    }

    /// Ports.
    pub fn ports(&self) -> usize {
        self.inputs.len()
    }

    /// Ingress ports.
    pub fn inputs(&self) -> &[Ingress] {
        &self.inputs
    }

    /// Egress ports.
    pub fn outputs(&self) -> &[Egress] {
        &self.outputs
    }

    /// An egress port, whose link goes down or up, or has another table behind it.
    pub fn output_mut(&mut self, port: PortId) -> &mut Egress {
        &mut self.outputs[port.index()]
    }

    /// The crossbar arbiter.
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Width of the turns.
    pub fn turn_width(&self) -> u32 {
        self.width
    }

    /// Q of its egress ports, where two-level routing decides: for audits.
    pub fn egress_counters(&self) -> Option<&EgressCounters> {
        self.counters.as_deref()
    }

    /// The registers of an input, with pause in the place of credits.
    pub fn pauser(&self, input: PortId) -> Option<&Pauser> {
        self.pausers.get(input.index())
    }

    /// Evaluate: the link behind a port.
    #[inline]
    pub fn evaluate_link(&self, port: PortId, now: Tick) -> LinkGrant {
        self.outputs[port.index()].evaluate(now)
    }

    /// Step 1: what the link arbiter of a port granted starts.
    pub fn start_link(
        &mut self,
        params: &Params,
        port: PortId,
        grant: LinkGrant,
        env: &mut impl Env,
    ) {
        let output = &mut self.outputs[port.index()];
        if let Some(queue) = output.start(params, grant, env) {
            output.fell(params, queue, &mut self.messages, env.now());
        } else if grant.control && params.pause.is_some() {
            self.word_started(port, env.now());
        }
    }

    /// Evaluate: the crossbar. Changes only registers of the scheduler.
    pub fn evaluate_crossbar(&mut self, params: &Params, packets: &Packets, now: Tick) {
        let (inputs, outputs) = (&self.inputs, &self.outputs);
        let iq = params.config.organisation == Organisation::Iq;
        self.scheduler.evaluate(now, &View { inputs, outputs, packets, now, iq });
    }

    /// Step 1: the granted transfers start: each packet leaves its queue, and the tails of those of
    /// one tick leave too. Returns the ports of the transfers, a bit each.
    pub fn start_crossbar(&mut self, params: &Params, env: &mut impl Env) -> u64 {
        let (mut inputs, mut outputs) = (0_u64, 0);
        while let Some(grant) = self.scheduler.take_grant() {
            inputs |= 1 << grant.input.0;
            outputs |= 1 << grant.output.0;
            self.start_transfer(params, grant, env);
        }
        for input in units::bits::ones(inputs) {
            self.tails_leave(params, PortId::at(input), env.now());
        }
        inputs | outputs
    }

    /// Step 1: tails leave; cells of an input, in `oq` of an output, are credit for that input.
    #[inline]
    pub fn tails_leave(&mut self, params: &Params, port: PortId, now: Tick) {
        while let Some((class, cells)) = self.inputs[port.index()].memory.tail_leaves(now) {
            self.outputs[port.index()].return_credit(class, cells);
        }
        while let Some((sender, cells)) = self.outputs[port.index()].tail_leaves(now) {
            if params.config.organisation == Organisation::Oq {
                self.outputs[sender.index()].return_credit(ClassId(0), cells);
            }
        }
    }

    /// The next tick in which the crossbar or steps 5 to 8 do anything if nothing comes before.
    pub fn next_due(&self, params: &Params, packets: &Packets, now: Tick) -> Tick {
        let next = now.next();
        if params.recn.is_some() && self.any_lines() {
            return next;
        }
        let (inputs, outputs) = (&self.inputs, &self.outputs);
        let iq = params.config.organisation == Organisation::Iq;
        let view = View { inputs, outputs, packets, now, iq };
        let mut due = self.scheduler.next_due(now, &view);
        for pauser in &self.pausers {
            due = due.min(pauser.next_due(now));
        }
        if let Some(marking) = &self.marking {
            due = due.min(marking.next_due());
        }
        if params.pause.is_some() {
            let runs_out = |output: &Egress| output.pause_due(now);
            due = self.outputs.iter().map(runs_out).fold(due, Tick::min);
        }
        due.max(next)
    }

    fn any_lines(&self) -> bool {
        let inputs = self.inputs.iter().filter_map(Ingress::recn);
        let mut all = inputs.chain(self.outputs.iter().filter_map(Egress::recn));
        all.any(|recn| recn.cam().in_use() > 0)
    }

    /// The next tick in which a port does anything by itself, the crossbar aside.
    pub fn port_due(&self, port: PortId, packets: &Packets, now: Tick) -> Tick {
        let input = self.inputs[port.index()].next_due(now);
        input.min(self.outputs[port.index()].next_due(packets, now))
    }

    /// The longest that any head has requested, see [`Scheduler::longest_waits`].
    pub fn longest_waits(&self, packets: &Packets, now: Tick) -> [Span; 2] {
        let view = View { inputs: &self.inputs, outputs: &self.outputs, packets, now, iq: false };
        self.scheduler.longest_waits(now, &view)
    }

    /// The longest waits are counted anew.
    pub fn forget_waits(&mut self) {
        self.scheduler.forget_waits();
    }

    /// Everything is at home (see the ports). Names the first thing that is not.
    pub fn left_over(&self) -> Option<String> {
        let inputs = self.inputs.iter().filter_map(|p| p.left_over());
        let outputs = self.outputs.iter().filter_map(|p| p.left_over());
        inputs.chain(outputs).next()
    }
}
