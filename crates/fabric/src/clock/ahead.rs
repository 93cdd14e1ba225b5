//! Looking ahead in a large fabric: before an event is served each of those behind it is prepared
//! by one more step, so that what it needs has come from memory when its turn comes. Nothing is
//! changed, and nothing depends on it.

use super::wheel::{Entry, Wheel};
use crate::elements::Elements;
use crate::transit::{Transit, Wake};
use std::marker::PhantomData;
use units::{ElementId, PortId};

/// Ports of a part from which on it is done (measured: docs/performance/reasons.md).
const LARGE: usize = 1600;

/// Whether it is worth it.
pub(crate) fn pays(elements: &Elements) -> bool {
    let ports = elements.switches.iter().map(|s| s.ports()).sum::<usize>();
    ports + elements.nodes.len() > LARGE
}

/// What the events of one kind touch, one step along the pointers after the other.
pub(crate) trait Kind {
    const WAKE: Wake;
    /// Steps that an event needs.
    const STEPS: usize;

    /// Step number `step` for one event.
    fn prepare(step: usize, event: (ElementId, PortId), elements: &Elements, transit: &Transit);
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
        elements: &Elements,
        transit: &Transit,
        wheel: &mut Wheel,
    ) -> Option<(ElementId, PortId)> {
        if self.ahead {
            self.prepare_next(elements, transit, wheel);
        }
        wheel.take(K::WAKE)
    }

    /// The next event is served now; those behind it are prepared, each by one step.
    #[inline(always)]
    fn prepare_next(&mut self, elements: &Elements, transit: &Transit, wheel: &Wheel) {
        let due = wheel.due(K::WAKE);
        if due.is_empty() {
            return;
        }
        if !std::mem::replace(&mut self.begun, true) {
            // The first events are prepared as if others had been served before them.
            for early in (1..=K::STEPS).rev() {
                prepare::<K>(due, early, elements, transit);
            }
        }
        prepare::<K>(due, 0, elements, transit);
    }
}

/// One step for each of the events behind the next one, which is the last of those `due`; `early`
/// events before that one.
#[inline(never)]
fn prepare<K: Kind>(due: &[Entry], early: usize, elements: &Elements, transit: &Transit) {
    const { assert!(K::STEPS <= 4) };
    let end = due.len() + early;
    one::<K, 0>(due, end, elements, transit);
    one::<K, 1>(due, end, elements, transit);
    one::<K, 2>(due, end, elements, transit);
    one::<K, 3>(due, end, elements, transit);
}

// A constant step: else each is found again by a jump.
#[inline(always)]
fn one<K: Kind, const STEP: usize>(
    due: &[Entry],
    end: usize,
    elements: &Elements,
    transit: &Transit,
) {
    if STEP < K::STEPS
        && let Some(entry) = place::<K>(end, STEP).and_then(|at| due.get(at))
    {
        K::prepare(STEP, entry.at(), elements, transit);
    }
}

/// Which event a step is next for, when that before number `end` is served: the last step for the
/// one behind it, and one event further for each step before, so that what was asked for has time
/// to come.
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
    fn prepare(step: usize, (element, port): (ElementId, PortId), all: &Elements, by: &Transit) {
        match step {
            0 => all.prefetch(element),
            1 => all.output(element, port).prefetch(),
            2 => {
                all.output(element, port).prefetch_queue();
                if let Some(wire) = all.output(element, port).link().peer().wire {
                    by.wires.prefetch(wire);
                }
            }
            _ => all.output(element, port).prefetch_packet(&by.packets),
        }
    }
}

/// Stores at ingress ports.
pub(crate) struct Stores;

impl Kind for Stores {
    const WAKE: Wake = Wake::Store;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (ElementId, PortId), all: &Elements, by: &Transit) {
        let switch = &all.switches[element.index()];
        let wire = all.wire(element, port);
        match step {
            0 => {
                switch.prefetch();
                by.wires.prefetch(wire);
            }
            1 => {
                switch.inputs()[port.index()].prefetch();
                if let Some(id) = by.wires.front(wire) {
                    prefetch::line(&by.packets[id]);
                }
            }
            _ => {
                if let Some(id) = by.wires.front(wire) {
                    switch.prefetch_store(&all.params, port, &by.packets[id]);
                }
            }
        }
    }
}

/// Evaluations of crossbars.
pub(crate) struct Crossbars;

impl Kind for Crossbars {
    const WAKE: Wake = Wake::Crossbar;
    const STEPS: usize = 4;

    #[inline(always)]
    fn prepare(step: usize, (element, output): (ElementId, PortId), all: &Elements, by: &Transit) {
        let switch = &all.switches[element.index()];
        match step {
            0 => switch.prefetch(),
            1 => switch.prefetch_crossing(output),
            2 => switch.prefetch_queue(output),
            _ => switch.prefetch_packet(output, &by.packets),
        }
    }
}

/// Stores at egress ports.
pub(crate) struct EgressStores;

impl Kind for EgressStores {
    const WAKE: Wake = Wake::StoreEgress;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (ElementId, PortId), all: &Elements, by: &Transit) {
        match step {
            0 => all.prefetch(element),
            1 => all.output(element, port).prefetch(),
            _ => all.output(element, port).prefetch_arrival(&by.packets),
        }
    }
}

/// Ejections.
pub(crate) struct Ejections;

impl Kind for Ejections {
    const WAKE: Wake = Wake::Eject;
    const STEPS: usize = 2;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (ElementId, PortId), all: &Elements, by: &Transit) {
        let wire = all.wire(element, port);
        if step == 0 {
            all.prefetch(element);
            by.wires.prefetch(wire);
        } else if let Some(id) = by.wires.front(wire) {
            by.packets[id].prefetch();
        }
    }
}

/// Packets admitted.
pub(crate) struct Admissions;

impl Kind for Admissions {
    const WAKE: Wake = Wake::Admit;
    const STEPS: usize = 2;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (ElementId, PortId), all: &Elements, _: &Transit) {
        if step == 0 {
            all.prefetch(element);
        } else {
            all.output(element, port).prefetch();
        }
    }
}

/// Control packets that arrive.
pub(crate) struct Controls;

impl Kind for Controls {
    const WAKE: Wake = Wake::Control;
    const STEPS: usize = 2;

    #[inline(always)]
    fn prepare(step: usize, (element, port): (ElementId, PortId), all: &Elements, by: &Transit) {
        if step == 0 {
            all.prefetch(element);
            by.wires.prefetch(all.wire(element, port));
        } else {
            all.output(element, port).prefetch();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Crossbars, Kind, Stores, place};

    // "each of those behind it is prepared by one more step": every event gets every step, in their
    // order, the last of them before the event in front of it is served; also where there are fewer
    // events than steps.
    fn every_event_gets_every_step<K: Kind>() {
        for events in 1..12 {
            let mut steps = vec![Vec::new(); events];
            // Events are taken from the end; those before the first are as if others had been
            // served.
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
