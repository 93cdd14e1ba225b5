//! Scheduler: the crossbar arbiter. Requests are registers ([`crate::requests`]); here they meet free inputs, free
//! outputs and room.

use crate::config::Organisation;
use crate::env::{Env, Wake};
use crate::heads::{Head, Heads};
use crate::params::Params;
use crate::requests::{Class, bits, find_in_word};
use crate::switch::{CrossbarGrant, Switch};
use crossbar::{Arbiter, Requests};
use saq::QueueId;
use units::Tick;

/// Classes that request, by priority.
#[inline(always)]
fn classes(params: &Params, env: &impl Env) -> &'static [Class] {
    let saqs = !env.is_plain() && params.recn.is_some();
    &Class::ALL[..if saqs { 2 } else { 1 }]
}

/// The number of the only bit that is set.
#[inline(always)]
fn single_bit(word: u64) -> Option<usize> {
    (word != 0 && word & (word - 1) == 0).then(|| word.trailing_zeros() as usize)
}

impl Switch {
    /// Something changed for `output`: arbitrate for it in the next tick. Of a busy input that requests it the end of its
    /// transfer will ask.
    #[inline(always)]
    pub(crate) fn mark_output(&mut self, output: usize, env: &mut impl Env) {
        let now = env.now();
        self.free_crossbar(now);
        // One that is overdue may reserve ports as soon as there is room, busy or not.
        if self.requests.inputs_of_any_class(output) & !self.busy_inputs != 0
            || now >= self.overdue.from
        {
            self.ask(output, now + 1, env);
        }
    }

    /// Asks for an arbitration for `output` at `at`, or when it is free.
    #[inline(always)]
    pub(crate) fn ask(&mut self, output: usize, at: Tick, env: &mut impl Env) {
        if self.busy_outputs >> output & 1 == 1 {
            let input = usize::from(self.crossings[output].sender);
            if self.crossings[input].end > at {
                return self.await_transfer(input, env);
            }
        }
        if at == env.now() + 1 {
            self.arm(1 << output, env);
        } else {
            env.wake(at, Wake::Crossbar, self.index, output as u8);
        }
    }

    /// Asks for an arbitration for `outputs` in the next tick.
    #[inline]
    pub(crate) fn arm(&mut self, outputs: u64, env: &mut impl Env) {
        self.marked |= outputs;
        let next = env.now() + 1;
        if self.armed != next {
            self.armed = next;
            env.wake(
                next,
                Wake::Crossbar,
                self.index,
                outputs.trailing_zeros() as u8,
            );
        }
    }

    /// Outputs that heads of `input` request.
    #[inline]
    pub fn requested_by(&self, input: usize) -> u64 {
        self.requests.outputs(input)
    }

    /// These outputs are to be looked at in the evaluation of this tick. Returns whether they are the first.
    #[inline]
    pub fn begin_evaluation(&mut self, outputs: u64, now: Tick) -> bool {
        self.marked |= outputs;
        std::mem::replace(&mut self.begun, now) != now
    }

    /// Evaluate: matches requests with free inputs and outputs that have room, normal queues before SAQs. `all` looks at
    /// every output, else only at those marked; both find the same grants, which wait in [`Switch::grants`]. Changes only
    /// registers of the arbiters.
    #[inline(always)]
    pub fn evaluate_crossbar(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        if env.now() >= self.overdue.from {
            return self.evaluate_where_overdue(params, all, env);
        }
        let outputs = self.outputs_to_evaluate(params, all, env);
        self.grants.clear();
        match single_bit(outputs) {
            Some(output) => {
                let grant = self.evaluate_one(params, output, env);
                self.grants.extend(grant);
            }
            None => self.evaluate_many::<false>(params, outputs, env),
        }
    }

    /// The same, where heads may be overdue. Whatever changes who has reserved what concerns all
    /// outputs.
    #[inline(never)]
    fn evaluate_where_overdue(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        let changed = self.reserve(params, env);
        let outputs = self.outputs_to_evaluate(params, all || changed, env);
        self.grants.clear();
        self.evaluate_many::<true>(params, outputs, env);
        // Others may reserve now what an overdue head had; a normal queue may have taken the room
        // for which a SAQ has reserved its ports.
        let frees = |grant: &&CrossbarGrant| {
            self.is_overdue(grant, env.now()) || self.overdue.concerns(usize::from(grant.output))
        };
        if let Some(grant) = self.grants.iter().find(frees) {
            self.arm(1 << grant.output, env);
        }
    }

    /// Evaluate and step 1 in one, for an engine in which nobody reads what starts before all have decided.
    #[inline(always)]
    pub fn evaluate_and_start_crossbar(&mut self, params: &Params, env: &mut impl Env) {
        if env.now() >= self.overdue.from {
            self.evaluate_where_overdue(params, false, env);
            return self.start_crossbar(params, env);
        }
        let outputs = self.outputs_to_evaluate(params, false, env);
        let (mut next, many) = match single_bit(outputs) {
            Some(output) => (self.evaluate_one(params, output, env), false),
            None => {
                self.evaluate_many::<false>(params, outputs, env);
                (self.grants.pop(), true)
            }
        };
        while let Some(grant) = next {
            self.start_transfer(params, grant, env);
            // A single one is in no list: the list's cache line is left alone.
            next = if many { self.grants.pop() } else { None };
        }
    }

    /// The outputs that are looked at in this evaluation: free, and in `iq` with a link that is.
    #[inline(always)]
    fn outputs_to_evaluate(&mut self, params: &Params, all: bool, env: &mut impl Env) -> u64 {
        self.free_crossbar(env.now());
        // A busy output is looked at again when its transfer ends.
        for output in bits(self.marked & self.busy_outputs) {
            self.await_transfer(usize::from(self.crossings[output].sender), env);
        }
        let outputs = if all { self.ports_mask } else { self.marked } & !self.busy_outputs;
        self.marked = 0;
        if !env.is_plain() && params.config.organisation == Organisation::Iq {
            return self.with_open_links(outputs, env.now());
        }
        outputs
    }

    /// `OVERDUE`: heads may have reserved ports.
    #[inline(never)]
    fn evaluate_many<const OVERDUE: bool>(
        &mut self,
        params: &Params,
        outputs: u64,
        env: &mut impl Env,
    ) {
        if outputs == 0 {
            return;
        }
        self.matching.clear();
        let mut again = 0;
        for &class in classes(params, env) {
            again |= self.arbitrate::<OVERDUE>(class, outputs, env);
        }
        for output in bits(self.matching.matched_outputs()) {
            let input = usize::from(self.matching.input_of(output as u8).expect("matched"));
            let queue = self.queue_of[input * self.outputs.len() + output];
            let grant = self.grant(input, output, queue, env);
            self.grants.push(grant);
        }
        // Candidates that the arbiter left aside try again.
        again &= !self.matching.matched_outputs();
        if again != 0 {
            self.arm(again, env);
        }
        for output in bits(outputs) {
            self.inputs_of[0][output] = 0;
            self.inputs_of[1][output] = 0;
        }
    }

    /// The same where one output is looked at: nobody else can take an input from it.
    #[inline(always)]
    fn evaluate_one(
        &mut self,
        params: &Params,
        output: usize,
        env: &mut impl Env,
    ) -> Option<CrossbarGrant> {
        let normal = self.evaluate_class(Class::Normal, output, env);
        if normal.is_some() || env.is_plain() || params.recn.is_none() {
            return normal;
        }
        self.evaluate_saqs(output, env)
    }

    #[inline(never)]
    fn evaluate_saqs(&mut self, output: usize, env: &mut impl Env) -> Option<CrossbarGrant> {
        self.evaluate_class(Class::Saq, output, env)
    }

    #[inline(always)]
    fn evaluate_class(
        &mut self,
        class: Class,
        output: usize,
        env: &mut impl Env,
    ) -> Option<CrossbarGrant> {
        let (mut inputs, mut last) = (0u64, None);
        for input in bits(self.requests.inputs(class, output) & !self.busy_inputs) {
            if let Some((queue, visible)) = self.grantable_queue(class, input, output, env) {
                inputs |= 1 << input;
                last = Some((input, queue));
                self.set_age(input, output, visible);
            }
        }
        let (mut input, mut queue) = last?;
        let granted = match self.arbiters[class as usize].grant_one(output as u8, inputs) {
            Some(granted) => usize::from(granted),
            None => self.arbitrate_one(class, output, inputs),
        };
        if granted != input {
            let first = self.look_at_heads(class, granted, output, env).first;
            (input, queue) = (granted, first.expect("found before").0);
        }
        Some(self.grant(input, output, queue, env))
    }

    /// One output by way of a matching.
    #[inline(never)]
    fn arbitrate_one(&mut self, class: Class, output: usize, inputs: u64) -> usize {
        self.matching.clear();
        self.inputs_of[class as usize][output] = inputs;
        let requests = Requests {
            inputs_of: &self.inputs_of[class as usize],
            ages: &self.ages,
        };
        self.arbiters[class as usize].arbitrate(&requests, &mut self.matching);
        self.inputs_of[class as usize][output] = 0;
        let input = self.matching.input_of(output as u8);
        usize::from(input.expect("an arbiter grants the only output that is requested"))
    }

    /// `iq`: the outputs whose link may start a packet now.
    #[inline(never)]
    fn with_open_links(&self, outputs: u64, now: Tick) -> u64 {
        bits(outputs)
            .filter(|&o| self.outputs[o].link.open_for_data(now))
            .fold(0, |open, o| open | 1 << o)
    }

    /// Collects the grantable requests of a class for `outputs` and lets the arbiter extend the matching. Returns the outputs
    /// that it left aside: what is left has no free input in this tick unless the matching is not maximal.
    #[inline(always)]
    fn arbitrate<const OVERDUE: bool>(
        &mut self,
        class: Class,
        outputs: u64,
        env: &mut impl Env,
    ) -> u64 {
        let free = !self.busy_inputs & !self.matching.matched_inputs();
        let mut any = 0u64;
        for output in bits(outputs & !self.matching.matched_outputs()) {
            let mut inputs = 0u64;
            let mut requesting = self.requests.inputs(class, output) & free;
            if OVERDUE {
                requesting &= self.overdue.may_go(class, output);
            }
            for input in bits(requesting) {
                if let Some((queue, visible)) = self.grantable_queue(class, input, output, env) {
                    inputs |= 1 << input;
                    self.set_age(input, output, visible);
                    // A normal queue that the arbiter left aside still goes before a SAQ.
                    let normal = self.inputs_of[Class::Normal as usize][output];
                    if class == Class::Normal || normal >> input & 1 == 0 {
                        self.queue_of[input * self.outputs.len() + output] = queue;
                    }
                }
            }
            self.inputs_of[class as usize][output] = inputs;
            any |= u64::from(inputs != 0) << output;
        }
        if any == 0 {
            return 0;
        }
        let arbiter = &mut self.arbiters[class as usize];
        let requests = Requests {
            inputs_of: &self.inputs_of[class as usize],
            ages: &self.ages,
        };
        arbiter.arbitrate(&requests, &mut self.matching);
        let taken = self.matching.matched_inputs();
        bits(any & !self.matching.matched_outputs())
            .filter(|&o| self.inputs_of[class as usize][o] & !taken != 0)
            .fold(0, |left, o| left | 1 << o)
    }

    /// The queue of `class` of `input` that may start towards `output` now, if one may: head visible, room behind the output.
    /// Round robin within the class; for arbiters that read ages the oldest. Also since when its head is visible.
    #[inline(always)]
    fn grantable_queue(
        &mut self,
        class: Class,
        input: usize,
        output: usize,
        env: &mut impl Env,
    ) -> Option<(QueueId, Tick)> {
        let now = env.now();
        let mut found = self.look_at_heads(class, input, output, env);
        // A tail that has left makes room.
        if found.starved && self.outputs[output].finish_tail(now).is_some() {
            found = self.look_at_heads(class, input, output, env);
        }
        if found.first.is_none() {
            if found.invisible != Tick::MAX {
                env.wake(found.invisible, Wake::Crossbar, self.index, output as u8);
            }
            if found.starved {
                self.outputs[output].await_room(env);
            }
        }
        found.first
    }

    /// For arbiters that read ages.
    #[inline(always)]
    fn set_age(&mut self, input: usize, output: usize, visible: Tick) {
        if self.oldest_first {
            self.ages[input * self.outputs.len() + output] = visible;
        }
    }

    /// The queues of `class` of `input` that request `output`, from the pointer of their round robin on.
    #[inline(always)]
    fn look_at_heads(
        &self,
        class: Class,
        input: usize,
        output: usize,
        env: &mut impl Env,
    ) -> Heads {
        let (now, plain) = (env.now(), env.is_plain());
        match self.requests.only_word(class, input, output) {
            Some(word) if !self.oldest_first && !self.overdue.concerns(output) => {
                let port = &self.inputs[input];
                let base = port.first_of(class);
                let mut found = Heads::default();
                find_in_word(word, self.pointer(class, input, output), |number| {
                    let head = port.memory.register((base + number) as QueueId);
                    found.look_at(base + number, head.visible, now, || {
                        self.has_room(output, head, plain)
                    })
                });
                found
            }
            _ => self.look_at_many_heads(class, input, output, env),
        }
    }

    /// The queue that the round robin among those of `class` of `input` that request `output`
    /// begins with. Each output has its own: what goes to another moves nothing here.
    #[inline(always)]
    pub(crate) fn pointer(&self, class: Class, input: usize, output: usize) -> u32 {
        if class == Class::Normal && !self.shared_outputs {
            return 0;
        }
        u32::from(self.pointers[input * self.outputs.len() + output][class as usize])
    }

    #[inline(never)]
    fn look_at_many_heads(
        &self,
        class: Class,
        input: usize,
        output: usize,
        env: &mut impl Env,
    ) -> Heads {
        let now = env.now();
        let port = &self.inputs[input];
        let base = port.first_of(class);
        let mut found = Heads::default();
        let pointer = self.pointer(class, input, output);
        let mut look = |number: usize| {
            let queue = (base + number) as QueueId;
            let head = port.memory.register(queue);
            let before = found.first;
            let fits = || {
                self.has_room(output, head, false)
                    && !(self.overdue.concerns(output)
                        && self.overdue.room_is_claimed(class, input, queue, head))
            };
            let may_go = found.look_at(base + number, head.visible, now, fits);
            if !may_go || !self.oldest_first {
                return may_go;
            }
            // By age of the packet, not by how long it has been at the head.
            let age = self.age(input, queue, env);
            found.first = match before {
                Some((_, oldest)) if age >= oldest => before,
                _ => Some((queue, age)),
            };
            false
        };
        match self.overdue.holder(class, output, input) {
            Some(queue) => {
                look(usize::from(queue) - base);
            }
            None => {
                self.requests.find((class, input, output), pointer, look);
            }
        }
        found
    }

    /// Since when the packet at the head of a queue has been visible or waited behind others.
    fn age(&self, input: usize, queue: QueueId, env: &mut impl Env) -> Tick {
        let id = self.inputs[input].memory.front(queue);
        env.packets()[id.expect("a queue that requests has a head")].due
    }

    /// Room in the memory behind the crossbar: the output memory, or in `iq` the next input memory.
    #[inline]
    pub(crate) fn has_room(&self, output: usize, head: &Head, plain: bool) -> bool {
        let output = &self.outputs[output];
        let room = if plain {
            output.free_room(head.class)
        } else {
            output.behind_crossbar().available(head.class)
        };
        room >= u32::from(head.cells)
    }

    /// The queue of a matched pair is granted the crossbar; the round robin of the pair and class
    /// goes on behind it.
    #[inline(always)]
    fn grant(
        &mut self,
        input: usize,
        output: usize,
        queue: QueueId,
        env: &mut impl Env,
    ) -> CrossbarGrant {
        let (class, number) = self.inputs[input].class_of(queue, env);
        if class == Class::Saq || self.shared_outputs {
            let pair = input * self.outputs.len() + output;
            self.pointers[pair][class as usize] = number as u16 + 1;
        }
        CrossbarGrant {
            input: input as u8,
            output: output as u8,
            queue,
        }
    }
}
