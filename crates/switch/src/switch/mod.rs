//! The switch: ports and scheduler, and the order of the commit (spec: clock.md). Each step names
//! the units that it asks; effects are carried at once to the unit that they are for.

mod ahead;
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

use crate::config::Organisation;
use crate::egress::{Egress, LinkGrant};
use crate::env::{Due, Env};
use crate::heads::Head;
use crate::ingress::{Ingress, Pauser};
use crate::packet::Packets;
use crate::params::Params;
use crate::scheduler::{Again, Ports, Scheduler};
use recn::Internal;
use turnpool::Point;
use units::{ClassId, PortId, QueueId, Span, Tick, Unit};

/// One switch.
// The ports and the registers of the crossbar first.
#[derive(Debug)]
#[repr(C)]
pub struct Switch {
    inputs: Box<[Ingress]>,
    outputs: Box<[Egress]>,
    scheduler: Scheduler,
    /// Width of the turns.
    width: u32,
    unit: Unit,
    /// Messages of egress ports, for step 5.
    messages: Vec<Internal>,
    /// Tokens of ingress ports, for step 8.
    tokens: Vec<(PortId, Point)>,
    /// When the next timer of a SAQ ends.
    next_timer: Tick,
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
    #[inline(always)]
    fn head(&self, input: PortId, queue: QueueId) -> &Head {
        self.inputs[input.index()].memory().head(queue)
    }
    fn age(&self, input: PortId, queue: QueueId) -> Tick {
        let front = self.inputs[input.index()].memory().front(queue);
        self.packets[front.expect("a queue that requests has a head")].stored
    }
    #[inline(always)]
    fn room(&self, output: PortId, class: ClassId) -> u32 {
        self.outputs[output.index()].room(class, self.now)
    }
    #[inline(always)]
    fn open(&self, outputs: u64) -> u64 {
        if !self.iq {
            return outputs;
        }
        let open = |&output: &usize| self.outputs[output].is_open(self.now);
        bits::ones(outputs)
            .filter(open)
            .fold(0, |set, o| set | 1 << o)
    }
}

impl Switch {
    /// Puts ports together. `width` is that of its turns, `seed` that of its arbiters.
    ///
    /// # Panics
    /// If there are no ports, more than [`crate::PORTS_MAX`], or not as many inputs as outputs.
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
        Switch {
            scheduler: Scheduler::new(params, ports, normal, seed),
            width,
            unit,
            messages: Vec::with_capacity(2 * ports),
            tokens: Vec::with_capacity(ports),
            next_timer: Tick::MAX,
            counters: params
                .config
                .adaptive
                .map(|adaptive| Box::new(EgressCounters::new(adaptive.counter, ports))),
            recovery: None,
            marking: MarkingGlue::new(params, &inputs),
            pausers: Switch::pausers(params, &inputs),
            inputs: inputs.into(),
            outputs: outputs.into(),
        }
    }

    /// Q of its egress ports, where two-level routing decides: for audits.
    pub fn egress_counters(&self) -> Option<&EgressCounters> {
        self.counters.as_deref()
    }

    /// Ports.
    #[inline(always)]
    pub fn ports(&self) -> usize {
        self.inputs.len()
    }

    /// Width of the turns.
    pub fn turn_width(&self) -> u32 {
        self.width
    }

    /// Ingress ports.
    #[inline(always)]
    pub fn inputs(&self) -> &[Ingress] {
        &self.inputs
    }

    /// Egress ports.
    #[inline(always)]
    pub fn outputs(&self) -> &[Egress] {
        &self.outputs
    }

    /// Egress ports, to count credit or to cut links.
    pub fn outputs_mut(&mut self) -> &mut [Egress] {
        &mut self.outputs
    }

    /// The scheduler.
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Evaluate: the link behind a port.
    #[inline(always)]
    pub fn evaluate_link(&mut self, port: PortId, env: &mut impl Env) -> LinkGrant {
        self.outputs[port.index()].evaluate(env)
    }

    /// Step 1: what the link arbiter of a port granted starts.
    #[inline(always)]
    pub fn start_link(
        &mut self,
        params: &Params,
        port: PortId,
        grant: LinkGrant,
        env: &mut impl Env,
    ) {
        let output = &mut self.outputs[port.index()];
        if let Some(queue) = output.start(params, grant, env) {
            output.fell(params, queue, &mut self.messages, env);
        } else if grant.control {
            if params.config.organisation == Organisation::Iq {
                // The crossbar output is the link: it is tried again when that is free.
                let free = output.link().busy_until().max(env.now().next());
                env.at(free, Due::Crossbar, port);
            }
            if params.pause.is_some() {
                self.said(port, env);
            }
        }
    }

    /// The crossbar is evaluated for this output in this tick. Whether nobody has said so yet.
    #[inline(always)]
    pub fn mark_crossbar(&mut self, output: PortId, now: Tick) -> bool {
        self.scheduler.mark(output, now)
    }

    /// Evaluate: the crossbar, for the outputs that were marked, or for all; both find the same
    /// grants. Changes only registers of the arbiters.
    #[inline(always)]
    pub fn evaluate_crossbar(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        let now = env.now();
        let view = View {
            inputs: &self.inputs,
            outputs: &self.outputs,
            packets: env.packets(),
            now,
            iq: params.config.organisation == Organisation::Iq,
        };
        self.scheduler.evaluate(now, all, &view);
        while let Some(again) = self.scheduler.take_again() {
            ask(again, env);
        }
        for output in bits::ones(self.scheduler.take_lacking()) {
            self.outputs[output].await_room(env);
        }
    }

    /// Step 1: the granted transfers start: each packet leaves its queue.
    #[inline(always)]
    pub fn start_crossbar(&mut self, params: &Params, env: &mut impl Env) {
        while let Some(grant) = self.scheduler.take_grant() {
            self.start_transfer(params, grant, env);
        }
    }

    /// Step 1, `oq`: the tail of a packet leaves a port on its link. The memory here is the one
    /// that the upstream link has credit for.
    pub fn link_tail(&mut self, output: PortId, env: &mut impl Env) {
        if let Some((sender, cells)) = self.outputs[output.index()].link_tail(env.now()) {
            self.outputs[sender.index()].return_credit(ClassId(0), cells, env);
        }
    }

    /// The longest that any head has requested, see [`Scheduler::longest_waits`].
    pub fn longest_waits(&self, packets: &Packets, now: Tick) -> [Span; 2] {
        let view = View {
            inputs: &self.inputs,
            outputs: &self.outputs,
            packets,
            now,
            iq: false,
        };
        self.scheduler.longest_waits(now, &view)
    }

    /// The longest waits are counted anew.
    pub fn forget_waits(&mut self) {
        self.scheduler.forget_waits();
    }

    /// Everything is at home in tick `now` (see the ports). Names the first thing that is not.
    pub fn left_over(&self, now: Tick) -> Option<String> {
        let inputs = self.inputs.iter().filter_map(|p| p.left_over(now));
        let outputs = self.outputs.iter().filter_map(|p| p.left_over(now));
        inputs.chain(outputs).next()
    }
}

/// Has the crossbar evaluated.
#[inline(always)]
fn ask((at, output): Again, env: &mut impl Env) {
    env.at(at, Due::Crossbar, output);
}
