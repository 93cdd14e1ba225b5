//! Looking ahead in a large fabric: before an event is served each of those behind it is prepared by one more step, so that what
//! it needs has come from memory when its turn comes.

use crate::env::Medium;
use crate::units_of::Units;
use crate::wheel::{Entry, Wheel};
use std::marker::PhantomData;
use switch::Wake;

/// Ports of a part from which on it is done: a loss at 1152, nothing at 1536 and 2304, a gain at 5632 (measured:
/// docs/performance.md).
const LARGE: usize = 1600;

/// Whether it is worth it.
pub(crate) fn pays(units: &Units) -> bool {
    let ports = units.switches.iter().map(|s| s.inputs.len()).sum::<usize>();
    ports + units.nodes.len() > LARGE
}

/// What the events of one kind touch, one step along the pointers after the other.
pub(crate) trait Kind {
    const WAKE: Wake;
    /// Steps that an event needs.
    const STEPS: usize;

    /// Step number `step` for one event.
    fn prepare(step: usize, event: (u32, u8), units: &Units, medium: &Medium);
}

/// The events of one phase.
pub(crate) struct Phase<K> {
    ahead: bool,
    begun: bool,
    kind: PhantomData<K>,
}

impl<K: Kind> Phase<K> {
    /// The events of a kind, to be taken; looked at ahead if `ahead`.
    #[inline]
    pub(crate) fn new(ahead: bool) -> Phase<K> {
        Phase {
            ahead,
            begun: false,
            kind: PhantomData,
        }
    }

    /// The next one: element and port.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        units: &Units,
        medium: &Medium,
        wheel: &mut Wheel,
    ) -> Option<(u32, u8)> {
        if self.ahead {
            self.prepare_next(units, medium, wheel);
        }
        wheel.take(K::WAKE)
    }

    /// The next event is served now; those behind it are prepared, each by one step.
    #[inline(always)]
    fn prepare_next(&mut self, units: &Units, medium: &Medium, wheel: &Wheel) {
        let due = wheel.due(K::WAKE);
        if due.is_empty() {
            return;
        }
        if !std::mem::replace(&mut self.begun, true) {
            // The first events are prepared as if others had been served before them.
            for early in (1..=K::STEPS).rev() {
                prepare::<K>(due, early, units, medium);
            }
        }
        prepare::<K>(due, 0, units, medium);
    }
}

/// One step for each of the events behind the next one, which is the last of those `due`; `early` events before that one.
#[inline(never)]
fn prepare<K: Kind>(due: &[Entry], early: usize, units: &Units, medium: &Medium) {
    const { assert!(K::STEPS <= 6) };
    let end = due.len() + early;
    one::<K, 0>(due, end, units, medium);
    one::<K, 1>(due, end, units, medium);
    one::<K, 2>(due, end, units, medium);
    one::<K, 3>(due, end, units, medium);
    one::<K, 4>(due, end, units, medium);
    one::<K, 5>(due, end, units, medium);
}

// A constant step: else each is found again by a jump, 240 instructions a packet-hop.
#[inline(always)]
fn one<K: Kind, const STEP: usize>(due: &[Entry], end: usize, units: &Units, medium: &Medium) {
    if STEP < K::STEPS
        && let Some(entry) = place::<K>(end, STEP).and_then(|at| due.get(at))
    {
        K::prepare(STEP, entry.unit(), units, medium);
    }
}

/// Which event a step is next for, when that before number `end` is served: the last step for the one behind it, and one event
/// further for each step before, so that what was asked for has time to come.
#[inline(always)]
fn place<K: Kind>(end: usize, step: usize) -> Option<usize> {
    end.checked_sub(1 + K::STEPS - step)
}

/// Evaluations of links.
pub(crate) struct Links;

impl Kind for Links {
    const WAKE: Wake = Wake::Link;
    const STEPS: usize = 4;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (u32, u8), units: &Units, medium: &Medium) {
        let packets = &medium.packets;
        let output = || units.output(element, port);
        let input = || {
            let switch = units.switches.get(element as usize)?;
            Some(&switch.inputs[usize::from(port)])
        };
        match step {
            0 => units.prefetch_ports(element),
            1 => {
                output().prefetch();
                if let Some(input) = input() {
                    input.prefetch_transfer();
                }
            }
            2 => {
                output().prefetch_contents(packets);
                medium.wires.prefetch(output().link.peer.to);
                if let Some(input) = input() {
                    input.prefetch_memory();
                }
            }
            _ => {
                output().prefetch_packets(&units.params, packets);
                if let Some(input) = input() {
                    input.prefetch_lease();
                }
            }
        }
    }
}

/// Stores at ingress ports.
pub(crate) struct Stores;

impl Kind for Stores {
    const WAKE: Wake = Wake::Store;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (u32, u8), units: &Units, medium: &Medium) {
        let (switch, input) = (&units.switches[element as usize], usize::from(port));
        let arriving = || medium.wires.front(units.port(element, port));
        match step {
            0 => {
                switch.prefetch();
                medium.wires.prefetch(units.port(element, port));
            }
            1 => {
                switch.inputs[input].prefetch();
                if let Some(id) = arriving() {
                    prefetch::line(&medium.packets[id]);
                }
            }
            _ => {
                if let Some(id) = arriving() {
                    switch.prefetch_store(&units.params, input, &medium.packets[id]);
                }
            }
        }
    }
}

/// The same late: the head goes on over the crossbar in the same tick if it may.
pub(crate) struct LateStores;

impl Kind for LateStores {
    const WAKE: Wake = Wake::LateStore;
    const STEPS: usize = Stores::STEPS;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (u32, u8), units: &Units, medium: &Medium) {
        Stores::prepare(step, (element, port), units, medium);
        let (switch, input) = (&units.switches[element as usize], usize::from(port));
        match step {
            0 => {}
            1 => switch.outputs[input].link.prefetch(),
            _ => {
                switch.prefetch_end(input);
                // Credit of the transfer before goes there.
                medium.wires.prefetch(switch.outputs[input].link.peer.to);
                if let Some(id) = medium.wires.front(units.port(element, port)) {
                    switch.prefetch_crossing(&medium.packets[id]);
                }
            }
        }
    }
}

/// Evaluations of crossbars.
pub(crate) struct Crossbars;

impl Kind for Crossbars {
    const WAKE: Wake = Wake::Crossbar;
    const STEPS: usize = 6;

    #[inline(always)]
    fn prepare(step: usize, (element, output): (u32, u8), units: &Units, medium: &Medium) {
        let (switch, output) = (&units.switches[element as usize], usize::from(output));
        match step {
            0 => switch.prefetch(),
            1 => {
                switch.prefetch_output(output);
                switch.prefetch_many();
            }
            2 => switch.prefetch_input(output),
            3 => switch.prefetch_queue(output),
            4 => {
                if let Some(peer) = switch.prefetch_cell(output) {
                    medium.wires.prefetch(peer);
                }
            }
            _ => switch.prefetch_packet(output, &medium.packets),
        }
    }
}

/// Stores at egress ports.
pub(crate) struct EgressStores;

impl Kind for EgressStores {
    const WAKE: Wake = Wake::StoreEgress;
    const STEPS: usize = 4;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (u32, u8), units: &Units, medium: &Medium) {
        let packets = &medium.packets;
        match step {
            0 => units.prefetch_ports(element),
            1 => units.output(element, port).prefetch(),
            2 => units.output(element, port).prefetch_arrived(packets),
            _ => {
                let output = units.output(element, port);
                output.prefetch_arrival_queue(&units.params, packets);
            }
        }
    }
}

/// Ejections.
pub(crate) struct Ejections;

impl Kind for Ejections {
    const WAKE: Wake = Wake::Eject;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (u32, u8), units: &Units, medium: &Medium) {
        let (node, at) = (
            &units.nodes[units.node_of(element)],
            units.port(element, port),
        );
        let arriving = || medium.wires.front(at);
        match step {
            0 => {
                node.prefetch_expected();
                medium.wires.prefetch(at);
            }
            1 => {
                if let Some(id) = arriving() {
                    medium.packets[id].prefetch();
                }
            }
            _ => {
                if let Some(id) = arriving() {
                    node.prefetch_ejection(&medium.packets[id]);
                }
            }
        }
    }
}

/// Messages generated.
pub(crate) struct Generations;

impl Kind for Generations {
    const WAKE: Wake = Wake::Generate;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(step: usize, (element, _): (u32, u8), units: &Units, _: &Medium) {
        let node = &units.nodes[units.node_of(element)];
        match step {
            0 => node.prefetch(),
            1 => node.prefetch_sources(),
            _ => node.prefetch_messages(),
        }
    }
}

/// Packets admitted.
pub(crate) struct Admissions;

impl Kind for Admissions {
    const WAKE: Wake = Wake::Admit;
    const STEPS: usize = 4;

    #[inline(always)]
    fn prepare(step: usize, (element, _): (u32, u8), units: &Units, _: &Medium) {
        let node = &units.nodes[units.node_of(element)];
        match step {
            0 => {
                node.prefetch();
                node.injection.prefetch();
            }
            1 => {
                node.injection.memory.prefetch_next_cell();
                node.admittance.prefetch_waiting();
            }
            2 => node.admittance.prefetch_queue(),
            _ => node.admittance.prefetch_message(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Crossbars, Kind, Stores, place};

    // "Each of the next events is prepared by one step before one is served": every event gets every step, in their order, the
    // last of them before the event in front of it is served; also where there are fewer events than steps.
    fn every_event_gets_every_step<K: Kind>() {
        for events in 1..12 {
            let mut steps = vec![Vec::new(); events];
            // Events are taken from the end; those before the first are as if others had been served.
            for end in (1..=events + K::STEPS).rev() {
                for step in 0..K::STEPS {
                    if let Some(steps) = place::<K>(end, step).and_then(|at| steps.get_mut(at)) {
                        steps.push((step, end));
                    }
                }
            }
            for (at, steps) in steps.into_iter().enumerate() {
                let all: Vec<_> = (0..K::STEPS)
                    .map(|step| (step, at + 1 + K::STEPS - step))
                    .collect();
                assert_eq!(steps, all, "event {at} of {events}");
                assert!(steps.last().is_some_and(|&(_, end)| end == at + 2));
            }
        }
    }

    #[test]
    fn steps_come_in_time() {
        every_event_gets_every_step::<Crossbars>();
        every_event_gets_every_step::<Stores>();
    }
}
