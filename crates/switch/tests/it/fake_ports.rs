//! Heads, room and open outputs as plain tables, around a scheduler evaluated in every tick.

use plan::Params;
use switch::{Class, CrossbarGrant, Head, Ports, Scheduler};
use units::{ClassId, PortId, QueueId, Span, Tick};

/// Ports of the switch.
pub(crate) const PORTS: usize = 4;
/// Normal queues of an input, and its SAQs above them.
pub(crate) const NORMAL: usize = 3;
pub(crate) const QUEUES: usize = 5;
/// Classes of credit behind an output.
pub(crate) const CREDIT_CLASSES: usize = 2;

/// A head, and what a switch knows of it beside its register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiter {
    pub(crate) input: PortId,
    pub(crate) queue: QueueId,
    pub(crate) head: Head,
    /// Since when the packet is stored.
    pub(crate) age: Tick,
}

impl Waiter {
    /// By age, as overdue heads go.
    pub(crate) fn order(&self) -> (Tick, PortId, QueueId) {
        (self.head.visible, self.input, self.queue)
    }
}

/// What the scheduler reads.
#[derive(Debug)]
pub(crate) struct Fake {
    pub(crate) heads: [[Waiter; QUEUES]; PORTS],
    pub(crate) room: [[u32; CREDIT_CLASSES]; PORTS],
    pub(crate) open: [bool; PORTS],
}

impl Ports for Fake {
    fn head(&self, input: PortId, queue: QueueId) -> &Head {
        &self.heads[input.index()][queue.index()].head
    }
    fn age(&self, input: PortId, queue: QueueId) -> Tick {
        self.heads[input.index()][queue.index()].age
    }
    fn room(&self, output: PortId, class: ClassId) -> u32 {
        self.room[output.index()][class.index()]
    }
    fn open(&self, outputs: u64) -> u64 {
        let open = |&output: &usize| self.open[output];
        units::bits::ones(outputs).filter(open).fold(0, |set, o| set | 1 << o)
    }
    fn open_from(&self, output: PortId) -> Tick {
        if self.open[output.index()] { Tick::ZERO } else { Tick::MAX }
    }
}

/// Class of a queue.
pub(crate) fn class_of(queue: QueueId) -> Class {
    if queue.index() < NORMAL { Class::Normal } else { Class::Saq }
}

/// A scheduler, its ports, and a clock.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) scheduler: Scheduler,
    pub(crate) ports: Fake,
    pub(crate) now: Tick,
    /// By input: the output of its last transfer, and when that ends.
    pub(crate) transfers: [(PortId, Tick); PORTS],
}

impl Bench {
    /// Without heads, with room and open outputs.
    pub(crate) fn new(params: &Params) -> Bench {
        let (input, queue) = (PortId(0), QueueId(0));
        let nothing = Waiter { input, queue, head: Head::default(), age: Tick::ZERO };
        let ports = Fake {
            heads: [[nothing; QUEUES]; PORTS],
            room: [[8; CREDIT_CLASSES]; PORTS],
            open: [true; PORTS],
        };
        Bench {
            scheduler: Scheduler::new(params, PORTS, NORMAL, 7),
            ports,
            now: Tick::ZERO,
            transfers: [(PortId(0), Tick::ZERO); PORTS],
        }
    }

    /// A packet comes to the head of an empty queue: one cell of class 0 for an output.
    pub(crate) fn stand(&mut self, input: u8, queue: u16, output: u8) {
        self.stand_with((input, queue), output, Span::TICK, ClassId(0), 1);
    }

    /// It is visible after `delay`, and takes so many cells of a class.
    fn stand_with(
        &mut self,
        (input, queue): (u8, u16),
        output: u8,
        delay: Span,
        class: ClassId,
        cells: u16,
    ) {
        assert!(!self.requests(input, queue), "one head a queue");
        let (visible, output) = (self.now + delay.max(Span::TICK), PortId(output));
        let head = Head { visible, class, cells, output, requests: true };
        let (input, queue, age) = (PortId(input), QueueId(queue), self.now);
        self.ports.heads[input.index()][queue.index()] = Waiter { input, queue, head, age };
        self.scheduler.request(input, queue, output);
    }

    /// Whether a queue has a head.
    pub(crate) fn requests(&self, input: u8, queue: u16) -> bool {
        self.ports.heads[usize::from(input)][usize::from(queue)].head.requests
    }

    /// A head requests nothing any more: its SAQ is stopped, or it goes.
    fn withdraw(&mut self, input: PortId, queue: QueueId) {
        let head = &mut self.ports.heads[input.index()][queue.index()].head;
        head.requests = false;
        self.scheduler.withdraw(input, queue, head.output);
    }

    /// The next tick: what is granted, by output; nothing before it is due.
    pub(crate) fn evaluate(&mut self) -> Vec<CrossbarGrant> {
        let due = self.scheduler.next_due(self.now, &self.ports);
        self.now = self.now.next();
        self.scheduler.evaluate(self.now, &self.ports);
        let mut grants = Vec::new();
        while let Some(grant) = self.scheduler.take_grant() {
            grants.push(grant);
        }
        assert!(grants.is_empty() || due <= self.now, "due at {due}");
        grants.sort_by_key(|grant| grant.output);
        grants
    }

    /// A granted packet starts: it leaves its queue and takes room, and its ports until `end`.
    pub(crate) fn start(&mut self, grant: CrossbarGrant, end: Tick) {
        let CrossbarGrant { input, output, queue } = grant;
        let head = self.ports.heads[input.index()][queue.index()].head;
        self.scheduler.start(&grant, head.visible, end, self.now);
        self.withdraw(input, queue);
        self.ports.room[output.index()][head.class.index()] -= u32::from(head.cells);
        self.transfers[input.index()] = (output, end);
    }

    /// The next tick, in which all that is granted starts and takes its ports for `span`.
    pub(crate) fn step(&mut self, span: Span) -> Vec<CrossbarGrant> {
        let grants = self.evaluate();
        for &grant in &grants {
            self.start(grant, self.now + span);
        }
        grants
    }

    /// Whether there is room for a head behind its output.
    pub(crate) fn has_room(&self, Waiter { head, .. }: &Waiter) -> bool {
        self.ports.room(head.output, head.class) >= u32::from(head.cells)
    }

    /// Every head that requests, by input and queue.
    pub(crate) fn standing(&self) -> impl Iterator<Item = Waiter> + '_ {
        self.ports.heads.iter().flatten().copied().filter(|waiter| waiter.head.requests)
    }

    /// Whether a head may be granted its output in this tick.
    pub(crate) fn is_grantable(&self, waiter: &Waiter) -> bool {
        let Head { visible, output, requests, .. } = waiter.head;
        let sends = |&(to, end): &(PortId, Tick)| to == output && end > self.now;
        requests
            && visible <= self.now
            && self.transfers[waiter.input.index()].1 <= self.now
            && !self.transfers.iter().any(sends)
            && self.ports.open[output.index()]
            && self.has_room(waiter)
    }
}

/// What a bench may be asked to do between two ticks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Stand(u8, u16, u8, u64, u16, u16),
    Withdraw(u8, u16),
    Room(u8, u16, u32),
    Open(u8, bool),
    /// The next tick; transfers take so long.
    Tick(u64),
}

impl Step {
    /// Does it, where it can be done; the check of the grants of a tick evaluates it.
    pub(crate) fn of(self, bench: &mut Bench) {
        match self {
            Step::Stand(input, queue, output, delay, class, cells) => {
                if !bench.requests(input, queue) {
                    let (delay, class) = (Span(delay), ClassId(class));
                    bench.stand_with((input, queue), output, delay, class, cells);
                }
            }
            Step::Withdraw(input, queue) => {
                if bench.requests(input, queue) {
                    bench.withdraw(PortId(input), QueueId(queue));
                }
            }
            // Room that there is goes with what is granted only.
            Step::Room(output, class, cells) => {
                let room = &mut bench.ports.room[usize::from(output)][usize::from(class)];
                *room = cells.max(*room);
            }
            Step::Open(output, open) => bench.ports.open[usize::from(output)] = open,
            Step::Tick(_) => {}
        }
    }
}
