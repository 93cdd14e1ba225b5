//! Looking ahead in a large fabric: what the next events of a phase need is read for all of them before the first is served,
//! so that they wait for memory together and not one after the other.

use crate::env::Medium;
use crate::units_of::Units;
use crate::wheel::Wheel;
use switch::Wake;

/// Events that are looked at together: what they need stays in the first cache.
const TOGETHER: usize = 16;

/// Fewer are not worth it: one event's misses overlap as they are.
const FEWEST: usize = 4;

/// Ports of a part from which on it pays: a mesh of 1536 and a BMIN of 1152 are faster without (measured: docs/performance.md).
const LARGE: usize = 1600;

/// Whether it is worth it.
pub(crate) fn pays(units: &Units) -> bool {
    let ports = units.switches.iter().map(|s| s.inputs.len()).sum::<usize>();
    ports + units.nodes.len() > LARGE
}

/// The events of one phase.
pub(crate) struct Phase {
    kind: Wake,
    /// Those below this have not been looked at.
    unseen: usize,
}

impl Phase {
    /// The events of a kind, to be taken; looked at ahead if `ahead`.
    #[inline]
    pub(crate) fn new(kind: Wake, ahead: bool) -> Phase {
        Phase {
            kind,
            unseen: if ahead { usize::MAX } else { 0 },
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
        if self.unseen > 0 {
            self.look(units, medium, wheel);
        }
        wheel.take(self.kind)
    }

    #[inline(never)]
    fn look(&mut self, units: &Units, medium: &Medium, wheel: &Wheel) {
        let end = wheel.left(self.kind);
        if end > self.unseen {
            return;
        }
        self.unseen = end.saturating_sub(TOGETHER);
        if end - self.unseen < FEWEST {
            return;
        }
        let coming = wheel.coming(self.kind, self.unseen, end);
        match self.kind {
            Wake::Link => links(units, medium, coming),
            Wake::Store => stores(units, medium, coming),
            Wake::Crossbar => crossbars(units, coming),
            Wake::StoreEgress => egress_stores(units, medium, coming),
            _ => nodes(units, medium, coming),
        }
    }
}

// What the events of one kind touch, one step along the pointers after the other.

fn links(units: &Units, medium: &Medium, coming: impl Iterator<Item = (u32, u8)> + Clone) {
    let packets = &medium.packets;
    for (element, _) in coming.clone() {
        units.prefetch(element);
    }
    let output = |(element, port)| units.output(element, port);
    for (element, port) in coming.clone() {
        output((element, port)).prefetch();
        if let Some(switch) = units.switches.get(element as usize) {
            switch.inputs[usize::from(port)].prefetch();
        }
    }
    for (element, port) in coming.clone() {
        let output = output((element, port));
        output.prefetch_contents(packets);
        medium.wires.prefetch(output.link.peer.to);
        if let Some(switch) = units.switches.get(element as usize) {
            switch.inputs[usize::from(port)].prefetch_transfer();
        }
    }
    for at in coming.clone() {
        output(at).prefetch_queues(&units.params, packets);
    }
    for at in coming {
        output(at).prefetch_packet(packets);
    }
}

fn stores(units: &Units, medium: &Medium, coming: impl Iterator<Item = (u32, u8)> + Clone) {
    for (element, port) in coming.clone() {
        units.prefetch(element);
        medium.wires.prefetch(units.port(element, port));
    }
    let arriving = |element, port| medium.wires.front(units.port(element, port));
    for (element, port) in coming.clone() {
        let (switch, port) = (&units.switches[element as usize], usize::from(port));
        switch.inputs[port].prefetch();
        switch.outputs[port].link.prefetch();
        if let Some(id) = arriving(element, port as u8) {
            prefetch::line(&medium.packets[id]);
        }
    }
    for (element, port) in coming {
        let switch = &units.switches[element as usize];
        // Credit of the transfer before goes there.
        let upstream = switch.outputs[usize::from(port)].link.peer.to;
        medium.wires.prefetch(upstream);
        if let Some(id) = arriving(element, port) {
            let packet = &medium.packets[id];
            switch.prefetch_store(&units.params, usize::from(port), packet);
        }
    }
}

fn crossbars(units: &Units, coming: impl Iterator<Item = (u32, u8)> + Clone) {
    let switch = |element: u32| &units.switches[element as usize];
    for (element, _) in coming.clone() {
        switch(element).prefetch();
    }
    for (element, output) in coming.clone() {
        switch(element).prefetch_output(usize::from(output));
    }
    for (element, output) in coming.clone() {
        switch(element).prefetch_input(usize::from(output));
    }
    for (element, output) in coming {
        switch(element).prefetch_queue(usize::from(output));
    }
}

fn egress_stores(units: &Units, medium: &Medium, coming: impl Iterator<Item = (u32, u8)> + Clone) {
    for (element, _) in coming.clone() {
        units.prefetch(element);
    }
    let output = |(element, port)| units.output(element, port);
    for at in coming.clone() {
        output(at).prefetch();
    }
    for at in coming.clone() {
        output(at).prefetch_contents(&medium.packets);
    }
    for at in coming {
        output(at).prefetch_queues(&units.params, &medium.packets);
    }
}

fn nodes(units: &Units, medium: &Medium, coming: impl Iterator<Item = (u32, u8)> + Clone) {
    for (element, port) in coming.clone() {
        units.prefetch(element);
        medium.wires.prefetch(units.port(element, port));
    }
    for (element, port) in coming {
        units.output(element, port).prefetch();
        if let Some(id) = medium.wires.front(units.port(element, port)) {
            medium.packets[id].prefetch();
        }
    }
}
