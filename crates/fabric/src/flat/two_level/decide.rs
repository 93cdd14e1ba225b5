//! Decisions: packets are assigned to outputs as they arrive, or again at the head of a queue.

use crate::flat::{Flat, Mode, T};
use hierarchy::Counters;
use observe::Observer;
use units::PortId;

impl<M: Mode> Flat<M> {
    /// Step 2: a packet that arrives is assigned to the output that it will request.
    pub(crate) fn assign(&mut self, observer: &mut impl Observer, p: usize, k: usize, t: T) {
        self.two_level.trip(k);
        // Where none leads on it is removed as it comes to the head.
        let output = self.decide(observer, p, k, true, t).unwrap_or(0);
        self.packets.slots[k].ahead = output as u8;
        if self.rare.faults {
            self.faults.arrives(p, &self.packets.slots[k]);
        }
    }

    /// The output of a packet, by the counters of this tick; `None` where none leads on.
    pub(super) fn decide(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        arrives: bool,
        t: T,
    ) -> Option<usize> {
        let port = &self.port[p];
        let (s, first, number) = (port.element as usize, port.first(p), port.number);
        let from_node = !port.to_switch;
        self.read_credit(observer, s, t);
        let levels = &mut self.two_level;
        let packet = &mut self.packets.slots[k];
        let there = levels.addresses[packet.destination as usize];
        let router = hierarchy::Router {
            routing: levels.routing,
            shape: &levels.shapes[s],
            table: &levels.tables[s],
            live: levels.live[s],
        };
        let (counters, in_use) = (&levels.counters[first..], &levels.in_use);
        let mut counters = Counters {
            queued: |port: PortId| counters[port.index()].read(t) + in_use[port.index()],
            threshold_cells: levels.threshold,
            selection: levels.selection,
            stream: &mut levels.streams[p],
        };
        let trip = &mut levels.trips[k];
        if arrives {
            *trip = if from_node {
                router.start(there, &mut counters)
            } else {
                trip.arrive(router.shape.address)
            };
        }
        let choice = router.choose(*trip, there, PortId(number), &mut counters);
        let choice = choice.filter(|c| router.vc(&c.trip, c.port).0 < levels.vcs);
        packet.assigned = choice.is_some();
        let choice = choice?;
        *trip = choice.trip;
        let cells = i32::from(packet.cells);
        let output = choice.port.index();
        self.count_assigned(first + output, cells, t);
        Some(output)
    }

    /// Of the outputs granted in a tick, the one that starts next: the last where the next heads
    /// may be decided by what has started.
    #[inline(always)]
    pub(crate) fn next_to_start(&self, outputs: u64) -> usize {
        if self.two_level.at_head || self.rare.faults {
            63 - outputs.leading_zeros() as usize
        } else {
            outputs.trailing_zeros() as usize
        }
    }

    /// VC of the link behind an output for a packet.
    pub(crate) fn vc_of_trip(&self, output: usize, k: usize) -> u8 {
        let (vc, levels) = (self.packets.slots[k].vc, &self.two_level);
        let is_reply = self.first_reply_vc > 0 && vc >= self.first_reply_vc;
        let first = if is_reply { self.first_reply_vc } else { 0 };
        let port = &self.port[output];
        let router = levels.router(port.element as usize);
        first + router.vc(&levels.trips[k], PortId(port.number)).0
    }

    /// Whether the output that a packet of port `p` was assigned to still leads on.
    pub(super) fn leads_on(&self, p: usize, k: usize) -> bool {
        let (port, levels) = (&self.port[p], &self.two_level);
        let (packet, trip) = (&self.packets.slots[k], &levels.trips[k]);
        let router = levels.router(port.element as usize);
        let there = levels.addresses[packet.destination as usize];
        let ports = if trip.misroutes_here {
            router.misroutes(trip, there, PortId(port.number))
        } else {
            router.minimal(trip, there)
        };
        let output = PortId(packet.out);
        packet.assigned && ports >> output.0 & 1 == 1 && router.vc(trip, output).0 < levels.vcs
    }
}
