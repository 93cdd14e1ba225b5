//! Looking ahead in a large fabric: what the next events of a phase need is read for all of them before the first is served,
//! so that they wait for memory together and not one after the other.

use crate::env::Medium;
use crate::units_of::Units;
use crate::wheel::Wheel;
use switch::{Wake, looks};

/// Events that are looked at together: as many misses as a core has under way, and what they need stays in the first cache.
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
        for step in 0..looks(self.kind) {
            for (element, port) in coming.clone() {
                std::hint::black_box(look(units, medium, self.kind, element, port, step));
            }
        }
    }
}

#[inline]
fn look(units: &Units, medium: &Medium, kind: Wake, element: u32, port: u8, step: usize) -> u64 {
    let arriving = || {
        let at = units.first_port[element as usize] + u32::from(port);
        medium.wires.front(at)
    };
    if !units.is_switch(element) {
        if step > 0 {
            return 0;
        }
        let node = &units.nodes[units.node_of(element)];
        return u64::from(node.last_admit != 0) ^ u64::from(arriving().is_some());
    }
    let switch = &units.switches[element as usize];
    let arriving = (kind == Wake::Store).then(arriving).flatten();
    switch.look(kind, usize::from(port), step, arriving, &medium.packets)
}
