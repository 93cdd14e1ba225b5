//! Looking ahead in a large fabric: before an event is served each of those behind it is prepared by one more step, so that what
//! it needs has come from memory when its turn comes.

use crate::env::Medium;
use crate::units_of::Units;
use crate::wheel::Wheel;
use switch::Wake;

/// Ports of a part from which on it pays: it is a loss at 1152, nothing at 1536, a gain at 2304 (measured: docs/performance.md).
const LARGE: usize = 1600;

/// Whether it is worth it.
pub(crate) fn pays(units: &Units) -> bool {
    let ports = units.switches.iter().map(|s| s.inputs.len()).sum::<usize>();
    ports + units.nodes.len() > LARGE
}

/// The events of one phase.
pub(crate) struct Phase {
    kind: Wake,
    ahead: bool,
    begun: bool,
}

impl Phase {
    /// The events of a kind, to be taken; looked at ahead if `ahead`.
    #[inline]
    pub(crate) fn new(kind: Wake, ahead: bool) -> Phase {
        Phase {
            kind,
            ahead,
            begun: false,
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
        wheel.take(self.kind)
    }

    /// The next event is served now; those behind it are prepared, each by one step.
    #[inline(never)]
    fn prepare_next(&mut self, units: &Units, medium: &Medium, wheel: &Wheel) {
        let left = wheel.left(self.kind);
        if left == 0 {
            return;
        }
        // The first events are prepared as if others had been served before them.
        let early = if self.begun { 0 } else { STEPS };
        self.begun = true;
        for left in (left..=left + early).rev() {
            self.prepare(left, units, medium, wheel);
        }
    }

    /// One step for each of the next events when number `left` from the end is served.
    #[inline(always)]
    fn prepare(&self, left: usize, units: &Units, medium: &Medium, wheel: &Wheel) {
        let event = |step: usize| {
            // One event is served between two steps: time for what was asked for to come.
            let others_left = left.checked_sub(1 + STEPS - step)?;
            wheel.due_at(self.kind, others_left)
        };
        match self.kind {
            Wake::Link => links(units, medium, event),
            Wake::Store => stores(units, medium, event),
            Wake::Crossbar => crossbars(units, medium, event),
            Wake::StoreEgress => egress_stores(units, medium, event),
            Wake::Eject => ejections(units, medium, event),
            Wake::Generate => generations(units, event),
            Wake::Admit => admissions(units, event),
            _ => {}
        }
    }
}

/// The most steps along the pointers that an event needs. The last one is taken just before the event in front is served; kinds
/// with fewer steps leave the first ones out.
const STEPS: usize = 6;

// What the events of one kind touch, one step along the pointers after the other, each step for another event.

#[inline(always)]
fn links(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
    let packets = &medium.packets;
    if let Some((element, _)) = event(1) {
        units.prefetch_ports(element);
    }
    if let Some((element, port)) = event(2) {
        units.output(element, port).prefetch();
        if let Some(switch) = units.switches.get(element as usize) {
            switch.inputs[usize::from(port)].prefetch_transfer();
        }
    }
    if let Some((element, port)) = event(3) {
        let output = units.output(element, port);
        output.prefetch_contents(packets);
        medium.wires.prefetch(output.link.peer.to);
        if let Some(switch) = units.switches.get(element as usize) {
            switch.inputs[usize::from(port)].prefetch_end();
        }
    }
    if let Some((element, port)) = event(4) {
        let output = units.output(element, port);
        output.prefetch_queues(&units.params, packets);
        if let Some(switch) = units.switches.get(element as usize) {
            switch.inputs[usize::from(port)].prefetch_lease();
        }
    }
    if let Some((element, port)) = event(5) {
        units.output(element, port).prefetch_packet(packets);
    }
}

#[inline(always)]
fn stores(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
    let arriving = |element, port| medium.wires.front(units.port(element, port));
    // Stored late, the head goes on over the crossbar in the same tick if it may.
    let late = medium.store_delay > 0;
    if let Some((element, port)) = event(3) {
        units.switches[element as usize].prefetch();
        medium.wires.prefetch(units.port(element, port));
    }
    if let Some((element, port)) = event(4) {
        let (switch, at) = (&units.switches[element as usize], usize::from(port));
        switch.inputs[at].prefetch();
        if late {
            switch.outputs[at].link.prefetch();
        }
        if let Some(id) = arriving(element, port) {
            prefetch::line(&medium.packets[id]);
        }
    }
    if let Some((element, port)) = event(5) {
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

#[inline(always)]
fn crossbars(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
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

#[inline(always)]
fn egress_stores(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
    if let Some((element, _)) = event(2) {
        units.prefetch_ports(element);
    }
    if let Some((element, port)) = event(3) {
        units.output(element, port).prefetch();
    }
    if let Some((element, port)) = event(4) {
        units.output(element, port).prefetch_store(&medium.packets);
    }
    if let Some((element, port)) = event(5) {
        let output = units.output(element, port);
        output.prefetch_arrival_queue(&units.params, &medium.packets);
    }
}

#[inline(always)]
fn ejections(units: &Units, medium: &Medium, event: impl Fn(usize) -> Option<(u32, u8)>) {
    let node = |element: u32| &units.nodes[units.node_of(element)];
    let arriving = |element| medium.wires.front(units.port(element, 0));
    if let Some((element, port)) = event(3) {
        node(element).prefetch();
        node(element).injection.link.prefetch();
        medium.wires.prefetch(units.port(element, port));
    }
    if let Some(id) = event(4).and_then(|(element, _)| arriving(element)) {
        medium.packets[id].prefetch();
    }
    if let Some((element, _)) = event(5)
        && let Some(id) = arriving(element)
    {
        node(element).prefetch_ejection(&medium.packets[id]);
    }
}

#[inline(always)]
fn generations(units: &Units, event: impl Fn(usize) -> Option<(u32, u8)>) {
    let node = |element: u32| &units.nodes[units.node_of(element)];
    if let Some((element, _)) = event(3) {
        node(element).prefetch();
    }
    if let Some((element, _)) = event(4) {
        node(element).prefetch_sources();
    }
    if let Some((element, _)) = event(5) {
        node(element).prefetch_messages();
    }
}

#[inline(always)]
fn admissions(units: &Units, event: impl Fn(usize) -> Option<(u32, u8)>) {
    let node = |element: u32| &units.nodes[units.node_of(element)];
    if let Some((element, _)) = event(4) {
        node(element).prefetch();
        node(element).injection.prefetch();
    }
    if let Some((element, _)) = event(5) {
        node(element).injection.memory.prefetch_next_cell();
    }
}
