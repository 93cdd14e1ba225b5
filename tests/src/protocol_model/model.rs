//! The model: what may happen next, and what is then; and its exploration, breadth first.

use super::broken::Mutant;
use super::cases::Case;
use super::commit::{NOW, OVER, saq_timer_runs};
use super::events::{Action, Commit, Event};
use super::network::{Element, NODE_PORT, Network, PORTS, Side, width};
use super::properties::{self, Rule};
use super::state::{Port, State};
use plan::scheme::Queues;
use recn::{IngressDetection, MarkedQueues, RecnConfig, RecnPort, Rules};
use stateright::{Checker, HasDiscoveries, Model, Property};
use std::collections::BTreeMap;
use switch::Ppu;
use turnpool::Point;
use units::bits::ones;
use units::{LineId, PortId, QueueId};

/// Step of an event that shares no commit.
const ALONE: u8 = u8::MAX;

/// A small network under one version of the rules.
#[derive(Debug, Clone)]
pub(crate) struct ProtocolModel {
    pub(crate) network: Network,
    pub(crate) rules: Rules,
    pub(crate) case: Case,
    /// Its SAQs and thresholds as the switch takes them.
    pub(crate) config: RecnConfig,
    pub(crate) mutant: Option<Mutant>,
}

impl ProtocolModel {
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
                if next.is_none_or(|next| state.occupancy(next) < self.case.capacity) {
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
        if !self.case.any_timers {
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

    pub(crate) fn events(&self, state: &State) -> Vec<Event> {
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
            let ends = !self.case.any_timers && is_running(recn);
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
        state.occupancy(unit) < self.case.capacity && !at_xoff
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
        if !self.case.any_timers {
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
        next
    }
}

fn is_running(recn: &RecnPort) -> bool {
    let mut lines = ones(recn.cam().valid()).map(LineId::at);
    lines.any(|line| saq_timer_runs(recn.registers(line)))
}

impl Model for ProtocolModel {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::new(self)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let events = self.events(state);
        for &first in &events {
            actions.push(Action { first, second: None });
            if !self.case.pairs {
                continue;
            }
            let seconds = events.iter().filter(|&&e| self.share(state, first, e));
            actions.extend(seconds.map(|&second| Action { first, second: Some(second) }));
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        Some(self.run(state, action))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

/// Where a packet goes: outputs, points and queues, by RU, MU and PPU.
impl ProtocolModel {
    /// The queue of a packet that comes to a port: the SAQ of the longest match, else the normal
    /// one.
    pub(crate) fn queue_of(&self, port: &Port, packet: u8, unit: usize) -> QueueId {
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
    pub(crate) fn saq_of_head(&self, port: &Port, queue: QueueId, unit: usize) -> Option<QueueId> {
        let route = self.network.route(port.queues.front(queue)?, unit);
        self.ppu(unit).saq_of_head(Some(&port.recn), queue, route)
    }

    /// Normal queue of packets for an output at an ingress port.
    pub(crate) fn normal_queue(&self, output: PortId) -> QueueId {
        let queues = match self.rules.ingress_detection {
            IngressDetection::Swap => Queues::Output,
            _ => Queues::One,
        };
        QueueId::at(queues.of(u32::from(output.0), 0) as usize)
    }

    /// The output that a packet at an ingress port requests.
    pub(crate) fn output(&self, packet: u8, ingress: usize) -> PortId {
        let next = self.network.neighbours(packet, ingress).1;
        next.map_or(NODE_PORT, |egress| self.network.units[egress].port)
    }

    /// The point of an output as an ingress port names it.
    pub(crate) fn turn_to(&self, ingress: usize, output: PortId) -> Point {
        let input = u32::from(self.network.units[ingress].port.0);
        Point::from_turn(turnpool::turn(input, u32::from(output.0), PORTS), width())
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// Different states; all there are, if no rule is broken.
    pub states: usize,
    /// Commits that lead to them.
    pub commits: usize,
    /// The longest of the shortest ways to a state, counted in states.
    pub depth: usize,
    /// Rules that do not hold, each with the shortest way to a state that shows it.
    pub broken: BTreeMap<Rule, String>,
}

impl ProtocolModel {
    /// Explores all states, or up to the violation of a rule: of `until` if that is given, else of
    /// any. On one thread, so that it is always the same.
    pub(crate) fn explore(self, until: Option<Rule>) -> Explored {
        let finish = until.map_or(HasDiscoveries::AnyFailures, |rule| {
            HasDiscoveries::AnyOf([rule.name()].into())
        });
        let checker = self.checker().threads(1).finish_when(finish).spawn_bfs().join();
        let way = |rule: Rule| {
            let actions = checker.discovery(rule.name())?.into_actions();
            Some((rule, format!("{actions:#?}")))
        };
        Explored {
            states: checker.unique_state_count(),
            commits: checker.state_count(),
            depth: checker.max_depth(),
            broken: Rule::ALL.iter().copied().filter_map(way).collect(),
        }
    }
}
