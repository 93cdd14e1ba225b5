//! The model: what may happen next, and what is then.

use super::action::{Action, Event};
use super::events::Commit;
use super::limits::{Limits, Timers};
use super::mutants::Mutant;
use super::network::{Element, Network, Side};
use super::properties;
use super::state::State;
use super::time::{NOW, OVER, saq_timer_runs};
use recn::{MarkedQueues, RecnConfig, RecnPort, Rules};
use stateright::{Model, Property};
use units::bits::ones;
use units::{LineId, QueueId};

/// Step of an event that shares no commit.
const ALONE: u8 = u8::MAX;

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
            actions.push(Action { first, second: None });
            if !self.pairs {
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
