//! The model: what may happen next, and what is then.

use super::events::Commit;
use super::mutants::Mutant;
use super::network::{Element, NODE_PORT, Network, PORTS, Side, width};
use super::properties;
use super::state::{Port, State};
use super::time::{NOW, OVER, RETRY, TIMER, saq_timer_runs};
use bits::ones;
use flow_control::{Edge, Thresholds};
use recn::{IngressDetection, MarkedQueues, RecnConfig, RecnPort, Rules};
use stateright::{Model, Property};
use switch::Ppu;
use switch::scheme::{QueueScheme, RecnQueues};
use turnpool::Point;
use units::{LineId, PortId, QueueId, Span};

/// Step of an event that shares no commit.
const ALONE: u8 = u8::MAX;

/// Something of steps 1 to 4 of a commit, or the end of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Step 1: the head of a queue leaves.
    Depart {
        /// From here.
        unit: usize,
        /// And this queue.
        queue: QueueId,
    },
    /// Step 2: the first packet on its way is stored.
    Store {
        /// Here.
        unit: usize,
    },
    /// Step 3: the next packet of a flow enters the injection memory.
    Admit {
        /// Which.
        flow: usize,
    },
    /// Step 3: the PPU moves the head of the cold queue.
    Move {
        /// Here.
        unit: usize,
    },
    /// Step 4: the first control packet on its way is read.
    Control {
        /// Here.
        unit: usize,
    },
    /// A SAQ is old enough to be freed.
    SaqTimer {
        /// Here.
        unit: usize,
        /// Its line.
        line: LineId,
    },
    /// A refused notification may be repeated.
    Retry {
        /// Here.
        unit: usize,
        /// Its line.
        line: LineId,
    },
    /// DD versions: Xoff may be repeated.
    Repeat {
        /// Here.
        unit: usize,
        /// Its line.
        line: LineId,
    },
    /// Nothing but what the last commit has left to look at.
    Settle {
        /// Whose commit.
        element: Element,
    },
}

/// What happens in one commit of one element: an event or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// The only one, or the earlier one.
    pub first: Event,
    /// Of a later step, or of the same step elsewhere.
    pub second: Option<Event>,
}

/// How long the timers of a line run: `saq_timer`, `retry`, `xoff_repeat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timers {
    /// As short as they get: over in the next commit.
    Short,
    /// Each as long as it likes.
    Any,
}

impl Timers {
    /// Name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Timers::Short => "short",
            Timers::Any => "any",
        }
    }
}

/// A small network under one version of the rules.
#[derive(Debug, Clone)]
pub struct ProtocolModel {
    /// Units and flows.
    pub network: Network,
    /// The version.
    pub rules: Rules,
    /// SAQs and thresholds.
    pub limits: Limits,
    /// The limits as the switch takes them; times are those of [`Limits::config`].
    pub config: RecnConfig,
    /// How long timers run.
    pub timers: Timers,
    /// Packets that a port memory holds.
    pub capacity: usize,
    /// Commits with two events too.
    pub pairs: bool,
    /// A rule broken on purpose.
    pub mutant: Option<Mutant>,
}

/// SAQs and thresholds of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// SAQs per port of a switch.
    pub saqs: u8,
    /// SAQs of an injection memory: fewer than at the switches, and there are refusals over links.
    pub injection_saqs: u8,
    /// Egress detection, ingress detection, propagation, Xoff, Xon, in packets.
    pub thresholds: (u32, u32, u32, u32, u32),
    /// `recn-dd-iq`: outputs have CAM lines without queues.
    pub iq_egress_lines: bool,
}

impl Limits {
    /// As the switch takes them. A time is over when its event says so.
    pub fn config(self) -> RecnConfig {
        let (egress, ingress, propagation, xoff, xon) = self.thresholds;
        RecnConfig {
            saqs: self.saqs,
            detection_egress_packets: egress,
            detection_ingress_packets: ingress,
            propagation_packets: propagation,
            thresholds: Thresholds::new(xoff, xon, Edge::Reached).expect("Xon is not above Xoff"),
            saq_timer: TIMER,
            retry: RETRY,
            xoff_repeat: TIMER,
            ppu_interval: Span::TICK,
            iq_egress_lines: self.iq_egress_lines,
            root_xoff_packets: None,
        }
    }
}

impl ProtocolModel {
    /// The queue of a packet that comes to a port: the SAQ of the longest match, else the normal
    /// one.
    pub fn queue_of(&self, port: &Port, packet: u8, unit: usize) -> QueueId {
        let route = self.network.route(packet, unit);
        if let Some(saq) = self.ppu(unit).saq_on_arrival(Some(&port.recn), route) {
            return saq;
        }
        if self.network.units[unit].side == Side::Ingress {
            self.normal_queue(self.output(packet, unit))
        } else {
            QueueId(0)
        }
    }

    /// The PPU of a port. Between two moves any time may pass.
    fn ppu(&self, unit: usize) -> Ppu {
        let ingress = self.network.units[unit].side == Side::Ingress;
        Ppu::new((ingress && self.rules.moves()).then_some(self.config.ppu_interval))
    }

    /// The SAQ into which the packet at the head of `queue` is to be moved.
    pub fn saq_of_head(&self, port: &Port, queue: QueueId, unit: usize) -> Option<QueueId> {
        let route = self.network.route(port.queues.front(queue)?, unit);
        self.ppu(unit).saq_of_head(Some(&port.recn), queue, route)
    }

    /// Normal queue of packets for an output at an ingress port.
    pub fn normal_queue(&self, output: PortId) -> QueueId {
        let queues = RecnQueues {
            detection_queues: self.rules.ingress_detection == IngressDetection::Swap,
        };
        QueueId::at(queues.ingress_queue(u32::from(output.0), &0) as usize)
    }

    /// The output that a packet at an ingress port requests.
    pub fn output(&self, packet: u8, ingress: usize) -> PortId {
        let next = self.network.neighbours(packet, ingress).1;
        next.map_or(NODE_PORT, |egress| self.network.units[egress].port)
    }

    /// The point of an output as an ingress port names it.
    pub fn turn_to(&self, ingress: usize, output: PortId) -> Point {
        let input = u32::from(self.network.units[ingress].port.0);
        Point::from_turn(turnpool::turn(input, u32::from(output.0), PORTS), width())
    }

    /// The element in whose commit an event falls, the step, and what only one event of a commit
    /// may use.
    fn place(&self, state: &State, event: Event) -> (Element, u8, usize) {
        let units = &self.network.units;
        let at = |unit: usize, step| (units[unit].element, step, unit);
        match event {
            Event::Depart { unit, queue } => {
                let front = state.ports[unit].queues.front(queue);
                let next = front.and_then(|p| self.network.neighbours(p, unit).1);
                // One packet at a time through a crossbar output.
                let crosses = next.filter(|_| units[unit].side == Side::Ingress);
                let slot = crosses.map_or(unit, |next| units.len() + next);
                (units[unit].element, 1, slot)
            }
            Event::Store { unit } => at(unit, 2),
            Event::Admit { flow } => at(self.network.ways[flow][0], 3),
            Event::Move { unit } => at(unit, 3),
            Event::Control { unit } => at(unit, 4),
            Event::SaqTimer { unit, .. } => at(unit, 5),
            // These gain nothing by company.
            Event::Retry { unit, .. } | Event::Repeat { unit, .. } => at(unit, ALONE),
            Event::Settle { element } => (element, ALONE, 0),
        }
    }

    /// What may happen at `unit` by itself.
    fn events_at(&self, state: &State, unit: usize, events: &mut Vec<Event>) {
        let port = &*state.ports[unit];
        let queues = port.recn.base().index() + port.recn.cam().lines();
        for queue in (0..queues).map(QueueId::at) {
            let moves = self.saq_of_head(port, queue, unit).is_some();
            if moves {
                events.push(Event::Move { unit });
            }
            let stays = moves && self.mutant != Some(Mutant::ColdHeadGoes);
            if stays {
                continue;
            }
            if let Some(packet) = port.queues.front(queue)
                && port.may_request(queue)
            {
                let next = self.network.next_memory(packet, unit);
                if next.is_none_or(|next| state.occupancy(next) < self.capacity) {
                    events.push(Event::Depart { unit, queue });
                }
            }
        }
        if !port.arriving.is_empty() {
            events.push(Event::Store { unit });
        }
        if !port.controls.is_empty() {
            events.push(Event::Control { unit });
        }
        if self.timers == Timers::Short {
            return;
        }
        for line in ones(port.recn.cam().valid()).map(LineId::at) {
            let registers = port.recn.registers(line);
            if saq_timer_runs(registers) {
                events.push(Event::SaqTimer { unit, line });
            }
            if registers.retry_at > NOW {
                events.push(Event::Retry { unit, line });
            }
            if !self.rules.tokens && registers.xoff.is_set() && registers.xoff_at != OVER {
                events.push(Event::Repeat { unit, line });
            }
        }
    }

    /// All that may happen.
    pub fn events(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        if state.fault.is_some() {
            return events;
        }
        for (flow, &packets) in self.network.packets.iter().enumerate() {
            if state.admitted[flow] < packets && self.admits(state, flow) {
                events.push(Event::Admit { flow });
            }
        }
        let mut marked = Vec::new();
        for (unit, place) in self.network.units.iter().enumerate() {
            self.events_at(state, unit, &mut events);
            let recn = &state.ports[unit].recn;
            let ends = self.timers == Timers::Short && is_running(recn);
            if (recn.is_marked() || ends) && !marked.contains(&place.element) {
                marked.push(place.element);
            }
        }
        events.extend(marked.iter().map(|&element| Event::Settle { element }));
        events
    }

    /// The injection memory has room for the next packet of a flow, and its SAQ, if it goes to one,
    /// is below Xoff.
    fn admits(&self, state: &State, flow: usize) -> bool {
        let unit = self.network.ways[flow][0];
        let packet = self.network.first_packet(flow) + state.admitted[flow];
        let port = &*state.ports[unit];
        let queue = self.queue_of(port, packet, unit);
        let at_xoff = port.recn.line(queue).is_some()
            && port.queues.packets(queue) >= self.config.thresholds.xoff;
        state.occupancy(unit) < self.capacity && !at_xoff
    }

    /// Whether two events may share a commit, in this order.
    fn share(&self, state: &State, first: Event, second: Event) -> bool {
        let (a, b) = (self.place(state, first), self.place(state, second));
        let depart_of_one = matches!(
            (first, second),
            (Event::Depart { unit: x, .. }, Event::Depart { unit: y, .. }) if x == y
        );
        a.0 == b.0 && (a.1, a.2) < (b.1, b.2) && b.1 != ALONE && !depart_of_one
    }

    fn run(&self, state: &State, action: Action) -> State {
        let mut commit = Commit {
            model: self,
            element: self.place(state, action.first).0,
            state: state.clone(),
            messages: Vec::new(),
        };
        if self.timers == Timers::Short {
            commit.end_timers();
        }
        let mut result = commit.event(action.first);
        if let (Ok(()), Some(second)) = (&result, action.second) {
            result = commit.event(second);
        }
        if result.is_ok() {
            result = commit.settle();
        }
        commit.end();
        let mut next = commit.state;
        next.fault = next.fault.or(result.err());
        next.seal(state);
        next
    }
}

/// Whether a SAQ timer runs.
fn is_running(recn: &RecnPort) -> bool {
    let mut lines = ones(recn.cam().valid()).map(LineId::at);
    lines.any(|line| saq_timer_runs(recn.registers(line)))
}

impl Model for ProtocolModel {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::new(&self.network, self.rules, self.limits)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let events = self.events(state);
        for &first in &events {
            actions.push(Action {
                first,
                second: None,
            });
            if !self.pairs {
                continue;
            }
            let seconds = events.iter().filter(|&&e| self.share(state, first, e));
            actions.extend(seconds.map(|&second| Action {
                first,
                second: Some(second),
            }));
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        Some(self.run(state, action))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}
