//! Looking ahead in a large fabric: before an event is served each of those behind it is prepared by one more step, so that what
//! it needs has come from memory when its turn comes.

use crate::env::Medium;
use crate::units_of::Units;
use crate::wheel::{Entry, Wheel};
use std::marker::PhantomData;
use switch::Wake;

/// Ports of a part from which on it pays: it is a loss at 1152, nothing at 1536, a gain at 2304 (measured: docs/performance.md).
const LARGE: usize = 1600;

/// Whether it is worth it.
pub(crate) fn pays(units: &Units) -> bool {
    let ports = units.switches.iter().map(|s| s.inputs.len()).sum::<usize>();
    ports + units.nodes.len() > LARGE
}

/// What the events of one kind touch, one step along the pointers after the other.
pub(crate) trait Kind {
    const WAKE: Wake;
    /// Steps that an event needs; the last one is taken just before the event in front is served.
    const STEPS: usize;

    /// One step for each of the next events: `event(step)` is the one that `step` is next for, element and port.
    fn prepare(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>);
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
    let end = due.len() + early;
    K::prepare(units, medium, |step| {
        // One event is served between two steps: time for what was asked for to come.
        let at = end.checked_sub(1 + K::STEPS - step)?;
        due.get(at).map(|entry| entry.unit())
    });
}

/// Evaluations of links.
pub(crate) struct Links;

impl Kind for Links {
    const WAKE: Wake = Wake::Link;
    const STEPS: usize = 5;

    #[inline(always)]
    fn prepare(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
        let packets = &medium.packets;
        if let Some((element, _)) = event(0) {
            units.prefetch_ports(element);
        }
        if let Some((element, port)) = event(1) {
            units.output(element, port).prefetch();
            if let Some(switch) = units.switches.get(element as usize) {
                switch.inputs[usize::from(port)].prefetch_transfer();
            }
        }
        if let Some((element, port)) = event(2) {
            let output = units.output(element, port);
            output.prefetch_contents(packets);
            medium.wires.prefetch(output.link.peer.to);
            if let Some(switch) = units.switches.get(element as usize) {
                switch.inputs[usize::from(port)].prefetch_end();
            }
        }
        if let Some((element, port)) = event(3) {
            let output = units.output(element, port);
            output.prefetch_queues(&units.params, packets);
            if let Some(switch) = units.switches.get(element as usize) {
                switch.inputs[usize::from(port)].prefetch_lease();
            }
        }
        if let Some((element, port)) = event(4) {
            units.output(element, port).prefetch_packet(packets);
        }
    }
}

/// Stores at ingress ports.
pub(crate) struct Stores;

impl Kind for Stores {
    const WAKE: Wake = Wake::Store;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
        let arriving = |element, port| medium.wires.front(units.port(element, port));
        // Stored late, the head goes on over the crossbar in the same tick if it may.
        let late = medium.store_delay > 0;
        if let Some((element, port)) = event(0) {
            units.switches[element as usize].prefetch();
            medium.wires.prefetch(units.port(element, port));
        }
        if let Some((element, port)) = event(1) {
            let (switch, at) = (&units.switches[element as usize], usize::from(port));
            switch.inputs[at].prefetch();
            if late {
                switch.outputs[at].link.prefetch();
            }
            if let Some(id) = arriving(element, port) {
                prefetch::line(&medium.packets[id]);
            }
        }
        if let Some((element, port)) = event(2) {
            let (switch, at) = (&units.switches[element as usize], usize::from(port));
            if late {
                switch.prefetch_end(at);
                // Credit of the transfer before goes there.
                medium.wires.prefetch(switch.outputs[at].link.peer.to);
            }
            if let Some(id) = arriving(element, port) {
                let packet = &medium.packets[id];
                switch.prefetch_store(&units.params, at, packet);
                if late {
                    switch.prefetch_crossing(packet);
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
    fn prepare(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
        let switch = |element: u32| &units.switches[element as usize];
        if let Some((element, _)) = event(0) {
            switch(element).prefetch();
        }
        if let Some((element, output)) = event(1) {
            switch(element).prefetch_output(usize::from(output));
            switch(element).prefetch_many();
        }
        if let Some((element, output)) = event(2) {
            switch(element).prefetch_input(usize::from(output));
        }
        if let Some((element, output)) = event(3) {
            switch(element).prefetch_queue(usize::from(output));
        }
        if let Some((element, output)) = event(4)
            && let Some(peer) = switch(element).prefetch_cell(usize::from(output))
        {
            medium.wires.prefetch(peer);
        }
        if let Some((element, output)) = event(5) {
            switch(element).prefetch_packet(usize::from(output), &medium.packets);
        }
    }
}

/// Stores at egress ports.
pub(crate) struct EgressStores;

impl Kind for EgressStores {
    const WAKE: Wake = Wake::StoreEgress;
    const STEPS: usize = 4;

    #[inline(always)]
    fn prepare(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
        if let Some((element, _)) = event(0) {
            units.prefetch_ports(element);
        }
        if let Some((element, port)) = event(1) {
            units.output(element, port).prefetch();
        }
        if let Some((element, port)) = event(2) {
            units.output(element, port).prefetch_store(&medium.packets);
        }
        if let Some((element, port)) = event(3) {
            let output = units.output(element, port);
            output.prefetch_arrival_queue(&units.params, &medium.packets);
        }
    }
}

/// Ejections.
pub(crate) struct Ejections;

impl Kind for Ejections {
    const WAKE: Wake = Wake::Eject;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
        let node = |element: u32| &units.nodes[units.node_of(element)];
        let arriving = |element| medium.wires.front(units.port(element, 0));
        if let Some((element, port)) = event(0) {
            node(element).prefetch();
            node(element).injection.link.prefetch();
            medium.wires.prefetch(units.port(element, port));
        }
        if let Some(id) = event(1).and_then(|(element, _)| arriving(element)) {
            medium.packets[id].prefetch();
        }
        if let Some((element, _)) = event(2)
            && let Some(id) = arriving(element)
        {
            node(element).prefetch_ejection(&medium.packets[id]);
        }
    }
}

/// Messages generated.
pub(crate) struct Generations;

impl Kind for Generations {
    const WAKE: Wake = Wake::Generate;
    const STEPS: usize = 3;

    #[inline(always)]
    fn prepare(units: &Units, _: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
        let node = |element: u32| &units.nodes[units.node_of(element)];
        if let Some((element, _)) = event(0) {
            node(element).prefetch();
        }
        if let Some((element, _)) = event(1) {
            node(element).prefetch_sources();
        }
        if let Some((element, _)) = event(2) {
            node(element).prefetch_messages();
        }
    }
}

/// Packets admitted.
pub(crate) struct Admissions;

impl Kind for Admissions {
    const WAKE: Wake = Wake::Admit;
    const STEPS: usize = 2;

    #[inline(always)]
    fn prepare(units: &Units, _: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
        let node = |element: u32| &units.nodes[units.node_of(element)];
        if let Some((element, _)) = event(0) {
            node(element).prefetch();
            node(element).injection.prefetch();
        }
        if let Some((element, _)) = event(1) {
            node(element).injection.memory.prefetch_next_cell();
        }
    }
}
