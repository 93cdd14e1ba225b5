//! Scheduler: the crossbar arbiter. Requests are registers ([`RequestRegisters`]); here they meet
//! free inputs, free outputs and room.

mod crossings;
#[cfg(test)]
mod crossings_tests;
mod evaluate;
mod pick;
mod requests;
#[cfg(test)]
mod requests_tests;
mod waiting;

pub use crossings::Crossing;
pub use requests::{Class, RequestRegisters};

use crate::heads::Head;
use crate::params::Params;
use arrayvec::ArrayVec;
use bits::ones;
use crossbar::{AnyArbiter, Matching};
use crossings::Crossings;
use units::{ClassId, PortId, QueueId, Span, Tick};
use waiting::Waiting;

/// Most ports of a switch: sets of ports are words.
pub const PORTS_MAX: usize = 64;

/// What the scheduler looks at beside its own registers, as committed.
pub trait Ports {
    /// Register of the head of an ingress queue.
    fn head(&self, input: PortId, queue: QueueId) -> &Head;
    /// Since when the packet at that head is stored.
    fn age(&self, input: PortId, queue: QueueId) -> Tick;
    /// Free cells of a class behind an output: the output memory, in `iq` the next input memory.
    fn room(&self, output: PortId, class: ClassId) -> u32;
    /// Of these outputs those that take a packet: in `iq` their link must be free.
    fn open(&self, outputs: u64) -> u64;
}

/// A granted transfer over the crossbar: input and output free, head visible, room behind the
/// output, in this tick only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossbarGrant {
    /// Ingress port.
    pub input: PortId,
    /// Egress port.
    pub output: PortId,
    /// Queue whose head goes.
    pub queue: QueueId,
}

/// An evaluation of the crossbar in which there may be something to do: when, for which output.
pub type Again = (Tick, PortId);

/// Registers of the crossbar and of its arbiter.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Scheduler {
    crossings: Crossings,
    /// Outputs that something happened to since the last evaluation.
    marked: u64,
    /// All ports.
    mask: u64,
    /// Evaluations that were asked for: for which tick last, and when the last one was.
    asked: Tick,
    begun: Tick,
    ports: u16,
    /// The first SAQ of an ingress port.
    normal: QueueId,
    oldest_first: bool,
    shared_outputs: bool,
    has_saqs: bool,
    /// An input may send to several outputs at once.
    multicast_read: bool,
    requests: RequestRegisters,
    /// Heads that have requested for too long, and what they have reserved.
    waiting: Waiting,
    /// One arbiter a class, so that the waiting bounds of each hold.
    arbiters: [AnyArbiter; 2],
    matching: Matching,
    /// `[input][output][class]`: the queue that the round robin among those of the input that
    /// request the output begins with.
    pointers: Box<[[u16; 2]]>,
    /// `[input][output]`: the queue that goes if that pair is granted.
    queue_of: Box<[QueueId]>,
    /// `[input][output]`: age of that queue's head, for arbiters that read it.
    ages: Box<[u64]>,
    /// `[class][output]`: inputs that may be granted it in the present evaluation; else zero.
    inputs_of: [Box<[u64]>; 2],
    /// By class: the longest that a head has requested that went.
    longest_wait: [Span; 2],
    grants: ArrayVec<CrossbarGrant, PORTS_MAX>,
    again: Vec<Again>,
    lacking: u64,
}

impl Scheduler {
    /// Of a switch with so many ports, each with at most `normal` normal queues; `seed` is that of
    /// its arbiters.
    ///
    /// # Panics
    /// With no port or more than [`PORTS_MAX`].
    pub fn new(params: &Params, ports: usize, normal: usize, seed: u64) -> Scheduler {
        assert!(
            (1..=PORTS_MAX).contains(&ports),
            "{ports} ports of a switch"
        );
        let kind = params.config.arbiter;
        let arbiter = |salt| {
            AnyArbiter::new(kind, ports, seed ^ salt)
                .expect("port count and iterations were checked")
        };
        let ages = if kind.reads_ages() { ports * ports } else { 0 };
        Scheduler {
            crossings: Crossings::new(ports),
            marked: 0,
            mask: u64::MAX >> (64 - ports),
            asked: Tick::MAX,
            begun: Tick::MAX,
            ports: ports as u16,
            normal: QueueId::at(normal),
            oldest_first: kind.reads_ages(),
            shared_outputs: params.shared_outputs,
            has_saqs: params.recn.is_some(),
            multicast_read: params.config.input_multicast_read,
            requests: RequestRegisters::new(ports, normal.max(1)),
            waiting: Waiting::new(params.wait_bound, params.config.saq_priority, ports),
            arbiters: [arbiter(0), arbiter(0x5a90_0000_0000_0001)],
            matching: Matching::new(ports),
            pointers: vec![[0; 2]; ports * ports].into(),
            queue_of: vec![QueueId(0); ports * ports].into(),
            ages: vec![0; ages].into(),
            inputs_of: [vec![0; ports].into(), vec![0; ports].into()],
            longest_wait: [Span::ZERO; 2],
            grants: ArrayVec::new(),
            again: Vec::with_capacity(2 * ports),
            lacking: 0,
        }
    }

    /// Index of a pair of ports.
    #[inline(always)]
    fn pair(&self, input: PortId, output: PortId) -> usize {
        input.index() * usize::from(self.ports) + output.index()
    }

    /// The register of the transfer from `input` to `output`: that of the input, or, where an input
    /// may send to several outputs at once, that of the output.
    #[inline(always)]
    fn transfer(&self, input: PortId, output: PortId) -> PortId {
        if self.multicast_read { output } else { input }
    }

    /// Inputs that can take no further transfer, a bit each.
    #[inline(always)]
    fn busy_inputs(&self) -> u64 {
        if self.multicast_read {
            0
        } else {
            self.crossings.busy_inputs()
        }
    }

    /// Class of an ingress queue, and its number within the class.
    #[inline(always)]
    fn class_of(&self, queue: QueueId) -> (Class, usize) {
        if queue < self.normal {
            (Class::Normal, queue.index())
        } else {
            (Class::Saq, usize::from(queue.0 - self.normal.0))
        }
    }

    /// The first queue of a class.
    #[inline(always)]
    fn first_of(&self, class: Class) -> usize {
        match class {
            Class::Normal => 0,
            Class::Saq => self.normal.index(),
        }
    }

    /// The head of `queue` requests these outputs from now on, a bit each, visible from tick
    /// `visible` on; `old` is what it requested before.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// scheduler.request(PortId(1), QueueId(0), 0, 0b1100);
    /// assert_eq!(scheduler.requested_by(PortId(1), QueueId(0)), 0b1100);
    /// scheduler.request(PortId(1), QueueId(0), 0b1100, 0b0100); // a new table
    /// assert_eq!(scheduler.requests().outputs(1), 0b0100);
    /// ```
    #[inline(always)]
    pub fn request(&mut self, input: PortId, queue: QueueId, old: u64, outputs: u64) {
        let (class, number) = self.class_of(queue);
        for output in ones(old & !outputs) {
            self.requests.clear(class, input.index(), output, number);
        }
        for output in ones(outputs & !old) {
            self.requests.set(class, input.index(), output, number);
        }
    }

    /// The head of `queue`, which requested `old`, requests nothing any more.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// scheduler.request(PortId(1), QueueId(0), 0, 0b1000);
    /// // It had reserved nothing, so that nobody has to be looked at.
    /// assert_eq!(scheduler.withdraw(PortId(1), QueueId(0), 0b1000, Tick(5)), None);
    /// assert_eq!(scheduler.requests().outputs(1), 0);
    /// ```
    #[inline(always)]
    pub fn withdraw(
        &mut self,
        input: PortId,
        queue: QueueId,
        old: u64,
        now: Tick,
    ) -> Option<Again> {
        self.request(input, queue, old, 0);
        // It may have reserved what others can have now.
        (old != 0 && now >= self.waiting.from())
            .then(|| self.arm(old, now))
            .flatten()
    }

    /// Outputs that a queue requests, where it requests several.
    pub fn requested_by(&self, input: PortId, queue: QueueId) -> u64 {
        let (class, number) = self.class_of(queue);
        let requests = |&output: &usize| {
            let same = |queue: usize| queue == number;
            let pair = (class, input.index(), output);
            self.requests.find(pair, number as u32, same).is_some()
        };
        let outputs = ones(self.requests.outputs(input.index())).filter(requests);
        outputs.fold(0, |set, output| set | 1 << output)
    }

    /// When to evaluate for a head of `input` that requests `output` and is visible from `visible`
    /// on: then, or when input and output are free.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// // A head of input 1 that is visible in tick 10 requests output 3.
    /// let again = scheduler.ask(PortId(1), PortId(3), Tick(10), Tick(5));
    /// assert_eq!(again, Some((Tick(10), PortId(3))));
    /// ```
    #[inline(always)]
    pub fn ask(
        &mut self,
        input: PortId,
        output: PortId,
        visible: Tick,
        now: Tick,
    ) -> Option<Again> {
        let at = visible.max(now.next());
        // A busy input is looked at again when its transfer ends.
        let transfer = self.transfer(input, output);
        if self.crossings.end(transfer) >= at {
            return self.crossings.awaited(transfer);
        }
        self.ask_output(output, at, now)
    }

    /// When to evaluate for `output`: at `at`, or when it is free.
    #[inline(always)]
    fn ask_output(&mut self, output: PortId, at: Tick, now: Tick) -> Option<Again> {
        if let Some(input) = self.crossings.sender_if_busy(output) {
            let transfer = self.transfer(input, output);
            if self.crossings.end(transfer) > at {
                return self.crossings.awaited(transfer);
            }
        }
        if at == now.next() {
            self.arm(1 << output.0, now)
        } else {
            Some((at, output))
        }
    }

    /// These outputs are evaluated in the next tick.
    #[inline(always)]
    fn arm(&mut self, outputs: u64, now: Tick) -> Option<Again> {
        self.marked |= outputs;
        let next = now.next();
        let first = std::mem::replace(&mut self.asked, next) != next;
        first.then(|| (next, crate::routing::lowest(outputs)))
    }

    /// Room came behind `output`: it is evaluated in the next tick if anybody wants it. Of a busy
    /// input the end of its transfer will ask.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// assert_eq!(scheduler.room_came(PortId(3), Tick(20)), None); // nobody wants it
    /// scheduler.request(PortId(1), QueueId(0), 0, 1 << 3);
    /// assert_eq!(scheduler.room_came(PortId(3), Tick(20)), Some((Tick(21), PortId(3))));
    /// ```
    #[inline(always)]
    pub fn room_came(&mut self, output: PortId, now: Tick) -> Option<Again> {
        self.free(now);
        // One that is overdue may reserve ports as soon as there is room, busy or not; and what it
        // had kept from others may be reserved no more.
        if now >= self.waiting.from() {
            return self.arm(1 << output.0, now);
        }
        let inputs = self.requests.inputs_of_any_class(output.index());
        if inputs & !self.busy_inputs() != 0 {
            self.ask_output(output, now.next(), now)
        } else {
            None
        }
    }

    /// `output` is looked at in the evaluation of this tick. Whether it is the first.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// assert!(scheduler.mark(PortId(3), Tick(10)));
    /// assert!(!scheduler.mark(PortId(2), Tick(10))); // one evaluation does for both
    /// ```
    #[inline(always)]
    pub fn mark(&mut self, output: PortId, now: Tick) -> bool {
        self.marked |= 1 << output.0;
        std::mem::replace(&mut self.begun, now) != now
    }

    /// Step 1: a granted transfer starts, whose head has been visible since `visible`; input and
    /// output are free again at `end`. When to evaluate, if anybody waits for them.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// let grant = CrossbarGrant { input: PortId(1), output: PortId(3), queue: QueueId(0) };
    /// scheduler.start(&grant, Tick(10), Tick(42), Tick(10));
    /// assert_eq!(scheduler.last_sender(PortId(3)), Some(PortId(1)));
    /// assert!(scheduler.transfers().any(|(input, crossing)| {
    ///     (input, crossing.output, crossing.end) == (PortId(1), PortId(3), Tick(42))
    /// }));
    /// assert_eq!([41, 42].map(|tick| scheduler.may_have_moved_since(Tick(tick))), [true, false]);
    /// ```
    #[inline(always)]
    pub fn start(&mut self, grant: &CrossbarGrant, visible: Tick, end: Tick, now: Tick) {
        let (class, _) = self.class_of(grant.queue);
        let longest = &mut self.longest_wait[class as usize];
        *longest = (now - visible).max(*longest);
        let transfer = self.transfer(grant.input, grant.output);
        self.crossings
            .start(transfer, grant.input, grant.output, end);
    }

    /// If anybody waits for the input or the output of a transfer that has started: when they are
    /// free.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// let grant = CrossbarGrant { input: PortId(1), output: PortId(3), queue: QueueId(0) };
    /// scheduler.start(&grant, Tick(10), Tick(42), Tick(10));
    /// assert_eq!(scheduler.ask_for_end(&grant), None); // nobody waits
    /// scheduler.request(PortId(2), QueueId(0), 0, 1 << 3);
    /// assert_eq!(scheduler.ask_for_end(&grant), Some((Tick(42), PortId(3))));
    /// ```
    #[inline(always)]
    pub fn ask_for_end(&mut self, grant: &CrossbarGrant) -> Option<Again> {
        let input = self.requests.outputs(grant.input.index());
        let output = self.requests.inputs_of_any_class(grant.output.index());
        if input | output != 0 {
            self.crossings
                .awaited(self.transfer(grant.input, grant.output))
        } else {
            None
        }
    }

    /// Inputs and outputs of transfers that have ended take part in the next arbitration.
    #[inline(always)]
    fn free(&mut self, now: Tick) {
        if let Some(ended) = self.crossings.free(now) {
            for transfer in ones(ended) {
                // The input may go on to whatever it requests, the output to whoever requests it.
                let output = self.crossings.output_of(PortId(transfer as u8));
                self.marked |= 1 << output.0;
                if !self.multicast_read {
                    self.marked |= self.requests.outputs(transfer);
                }
            }
        }
    }

    /// What the last evaluation granted.
    #[inline(always)]
    pub fn grants(&self) -> &[CrossbarGrant] {
        &self.grants
    }

    /// Takes a grant of the last evaluation.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// scheduler.request(PortId(1), QueueId(0), 0, 1 << 3);
    /// scheduler.evaluate(Tick(10), true, &Standing { head, room: 8 });
    /// assert_eq!(scheduler.take_grant().map(|grant| grant.input), Some(PortId(1)));
    /// assert_eq!(scheduler.take_grant(), None);
    /// ```
    #[inline(always)]
    pub fn take_grant(&mut self) -> Option<CrossbarGrant> {
        self.grants.pop()
    }

    /// Takes what the last evaluation asks for: when to evaluate again.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// scheduler.request(PortId(1), QueueId(0), 0, 1 << 3);
    /// scheduler.evaluate(Tick(8), true, &Standing { head, room: 8 });
    /// assert_eq!(scheduler.take_again(), Some((Tick(10), PortId(3)))); // the head is visible then
    /// ```
    #[inline(always)]
    pub fn take_again(&mut self) -> Option<Again> {
        self.again.pop()
    }

    /// Takes the outputs that lacked room in the last evaluation, a bit each.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// scheduler.request(PortId(1), QueueId(0), 0, 1 << 3);
    /// scheduler.evaluate(Tick(10), true, &Standing { head, room: 0 });
    /// assert_eq!((scheduler.grants().len(), scheduler.take_lacking()), (0, 1 << 3));
    /// ```
    #[inline(always)]
    pub fn take_lacking(&mut self) -> u64 {
        std::mem::take(&mut self.lacking)
    }

    /// The input that sent the last packet to an output.
    #[inline(always)]
    pub fn last_sender(&self, output: PortId) -> Option<PortId> {
        self.crossings.last_sender(output)
    }

    /// Transfers: by input, the last one.
    pub fn transfers(&self) -> impl Iterator<Item = (PortId, Crossing)> + '_ {
        self.crossings.iter()
    }

    /// Whether a transfer may be under way at `since` or later.
    pub fn may_have_moved_since(&self, since: Tick) -> bool {
        self.crossings.iter().any(|(_, c)| c.end > since)
    }

    /// Who requests what.
    pub fn requests(&self) -> &RequestRegisters {
        &self.requests
    }

    /// Asks for the registers ahead of their use.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        prefetch::line(self);
        self.crossings.prefetch();
        self.requests.prefetch();
    }
}
