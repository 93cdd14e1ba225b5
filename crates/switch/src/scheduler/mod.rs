//! Scheduler: the crossbar arbiter. Requests meet free inputs, free outputs and room.

mod crossings;
mod evaluate;
mod pick;
mod requests;
#[cfg(test)]
mod tests;
mod waiting;

pub use crossings::Crossing;
pub use requests::{Class, RequestRegisters};

use crate::memory::Head;
use arrayvec::ArrayVec;
use crossbar::{AnyArbiter, Matching};
use crossings::Crossings;
use pick::has_room;
use plan::Params;
use units::bits::ones;
use units::{ClassId, PortId, QueueId, Span, Tick};
use waiting::Waiting;

/// Most ports of a switch: sets of ports are words.
pub const PORTS_MAX: usize = 64;

/// What the scheduler reads beside its own registers, as committed.
pub trait Ports {
    /// Register of the head of an ingress queue.
    fn head(&self, input: PortId, queue: QueueId) -> &Head;
    /// Since when the packet at that head is stored.
    fn age(&self, input: PortId, queue: QueueId) -> Tick;
    /// Free cells of a class behind an output: the output memory, in `iq` the next input memory.
    fn room(&self, output: PortId, class: ClassId) -> u32;
    /// Of these outputs those that take a packet now: in `iq` their link must be free.
    fn open(&self, outputs: u64) -> u64;
    /// From when on an output takes one, if nothing happens there before.
    fn open_from(&self, output: PortId) -> Tick;
}

/// A granted transfer over the crossbar, in this tick only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossbarGrant {
    /// Ingress port.
    pub input: PortId,
    /// Egress port.
    pub output: PortId,
    /// Queue whose head goes.
    pub queue: QueueId,
}

/// Registers of the crossbar and of its arbiter.
#[derive(Debug)]
pub struct Scheduler {
    crossings: Crossings,
    ports: u16,
    /// The first SAQ of an ingress port.
    normal: QueueId,
    oldest_first: bool,
    shared_outputs: bool,
    /// An input may send to several outputs at once.
    multicast_read: bool,
    requests: RequestRegisters,
    /// Heads that have requested for too long, and what they have reserved.
    waiting: Waiting,
    /// One arbiter a class, so that the waiting bounds of each hold.
    arbiters: [AnyArbiter; 2],
    matching: Matching,
    /// `[input][output][class]`: the queue that the round robin of the pair begins with.
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
}

impl Scheduler {
    /// Of a switch with so many ports, each with at most `normal` normal queues; `seed` is that of
    /// its arbiters.
    /// Panics: With no port or more than [`PORTS_MAX`].
    pub fn new(params: &Params, ports: usize, normal: usize, seed: u64) -> Scheduler {
        assert!((1..=PORTS_MAX).contains(&ports), "{ports} ports of a switch");
        let kind = params.config.arbiter;
        let arbiter = |salt| {
            AnyArbiter::new(kind, ports, seed ^ salt)
                .expect("port count and iterations were checked")
        };
        let ages = if kind.reads_ages() { ports * ports } else { 0 };
        Scheduler {
            crossings: Crossings::new(ports),
            ports: ports as u16,
            normal: QueueId::at(normal),
            oldest_first: kind.reads_ages(),
            shared_outputs: params.shared_outputs,
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
        }
    }

    fn pair(&self, input: PortId, output: PortId) -> usize {
        input.index() * usize::from(self.ports) + output.index()
    }

    /// The register of the transfer from `input` to `output`: that of the input, or, where an input
    /// may send to several outputs at once, that of the output.
    fn transfer(&self, input: PortId, output: PortId) -> PortId {
        if self.multicast_read { output } else { input }
    }

    /// Inputs that can take no further transfer, a bit each.
    fn busy_inputs(&self) -> u64 {
        if self.multicast_read { 0 } else { self.crossings.busy_inputs }
    }

    /// Class of an ingress queue, and its number within the class.
    fn class_of(&self, queue: QueueId) -> (Class, usize) {
        if queue < self.normal {
            (Class::Normal, queue.index())
        } else {
            (Class::Saq, usize::from(queue.0 - self.normal.0))
        }
    }

    fn first_of(&self, class: Class) -> usize {
        match class {
            Class::Normal => 0,
            Class::Saq => self.normal.index(),
        }
    }

    /// The head of `queue` requests an output from now on.
    pub fn request(&mut self, input: PortId, queue: QueueId, output: PortId) {
        let (class, number) = self.class_of(queue);
        self.requests.set(class, input.index(), output.index(), number);
    }

    /// It does so no longer.
    pub fn withdraw(&mut self, input: PortId, queue: QueueId, output: PortId) {
        let (class, number) = self.class_of(queue);
        self.requests.clear(class, input.index(), output.index(), number);
    }

    /// The next tick at which anything may be granted, if nothing comes to the switch before: heads
    /// with room become visible, or a transfer ends that others wait for.
    pub fn next_due(&self, now: Tick, ports: &impl Ports) -> Tick {
        let (requests, requested) = (&self.requests, self.requests.requested());
        if requested == 0 {
            return Tick::MAX;
        }
        let mut due = Tick::MAX;
        for output in ones(requested & !self.crossings.busy_outputs).map(PortId::at) {
            for class in Class::ALL {
                let inputs = requests.inputs(class, output.index()) & !self.busy_inputs();
                for input in ones(inputs).map(PortId::at) {
                    let pair = (class, input.index(), output.index());
                    requests.find(pair, 0, |number| {
                        let head = ports.head(input, QueueId::at(self.first_of(class) + number));
                        if has_room(ports, output, head) {
                            due = due.min(head.visible.max(ports.open_from(output)));
                        }
                        false
                    });
                }
            }
        }
        if due <= now.next() {
            return now.next();
        }
        for (at, crossing) in self.crossings.under_way() {
            // An input that may send to several outputs waits for none of its transfers.
            let waits = !self.multicast_read && requests.outputs(at) != 0;
            if waits || requested >> crossing.output.0 & 1 == 1 {
                due = due.min(crossing.end);
            }
        }
        due.max(now.next())
    }

    /// Step 1: a transfer starts, whose head is visible since `visible`, and lasts until `end`.
    pub fn start(&mut self, grant: &CrossbarGrant, visible: Tick, end: Tick, now: Tick) {
        let (class, _) = self.class_of(grant.queue);
        let longest = &mut self.longest_wait[class as usize];
        *longest = (now - visible).max(*longest);
        let transfer = self.transfer(grant.input, grant.output);
        self.crossings.start(transfer, grant.input, grant.output, end);
    }

    /// Takes a grant of the last evaluation.
    pub fn take_grant(&mut self) -> Option<CrossbarGrant> {
        self.grants.pop()
    }

    /// The input that sent the last packet to an output.
    pub fn last_sender(&self, output: PortId) -> Option<PortId> {
        self.crossings.by_port[output.index()].sender
    }

    /// Transfers: by input, the last one.
    pub fn transfers(&self) -> impl Iterator<Item = (PortId, Crossing)> + '_ {
        let crossings = self.crossings.by_port.iter().enumerate();
        crossings.map(|(input, &crossing)| (PortId::at(input), crossing))
    }
}
