//! A hash of all that happened, kept per unit so that it does not depend on the order of visiting.

use crate::observer::{Observer, View};
use switch::{Event, Packet, PacketId, Place};
use units::{Tick, Ticks};

/// One running hash for each side of each port.
#[derive(Debug, Clone)]
pub struct EventsHash {
    units: Vec<[u64; 2]>,
}

const K: u64 = 0x9e37_79b9_7f4a_7c15;

impl EventsHash {
    /// For `ports` dense port numbers.
    pub fn new(ports: usize) -> EventsHash {
        EventsHash {
            units: vec![[0; 2]; ports],
        }
    }

    #[inline]
    fn add(&mut self, view: View<'_>, place: Place, value: u64) {
        let unit = &mut self.units[place.port as usize][place.side as usize];
        *unit = (unit.rotate_left(5) ^ value ^ view.now.wrapping_mul(K)).wrapping_mul(K);
    }

    /// The hashes of all units combined in the order of their numbers.
    pub fn combined(&self) -> u64 {
        self.units
            .iter()
            .flatten()
            .fold(K, |h, &u| (h.rotate_left(7) ^ u).wrapping_mul(K))
    }
}

#[inline]
fn identity(view: View<'_>, id: PacketId) -> u64 {
    let p = &view.packets[id];
    u64::from(p.payload) << 32 ^ u64::from(p.source) << 16 ^ u64::from(p.sequence)
}

impl Observer for EventsHash {
    fn fork(&self) -> Option<EventsHash> {
        Some(EventsHash::new(self.units.len()))
    }

    /// A side of a port is in one part: in all others its word is 0.
    fn merge(&mut self, other: EventsHash) {
        for (own, others) in self.units.iter_mut().zip(&other.units) {
            own[0] |= others[0];
            own[1] |= others[1];
        }
    }

    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let value = match event {
            Event::Stored { packet, queue } => return self.stored(view, place, packet, queue),
            Event::Moved { packet, queue } => {
                identity(view, packet).rotate_left(9) ^ u64::from(queue) << 1
            }
            Event::Departed {
                packet,
                queue,
                output,
            } => return self.departed(view, place, packet, queue, output),
            Event::SaqAllocated { line, point, .. } => {
                point.turns() as u64 ^ (point.turns() >> 64) as u64 ^ u64::from(line) << 4
            }
            Event::SaqFreed { line, point, .. } => {
                !(point.turns() as u64 ^ (point.turns() >> 64) as u64) ^ u64::from(line) << 4
            }
            _ => return,
        };
        self.add(view, place, value);
    }

    #[inline]
    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketId, queue: u16) {
        self.add(view, place, identity(view, packet) ^ u64::from(queue) << 1);
    }

    #[inline]
    fn departed(&mut self, view: View<'_>, place: Place, packet: PacketId, queue: u16, output: u8) {
        self.add(
            view,
            place,
            !identity(view, packet) ^ u64::from(queue) << 8 ^ u64::from(output),
        );
    }

    #[inline]
    fn hop(&mut self, _: View<'_>, _: Place, _: Tick, _: Ticks) {}

    #[inline]
    fn credit_sent(&mut self, _: View<'_>, _: Place, _: u16, _: u32) {}

    #[inline]
    fn ejected(&mut self, view: View<'_>, place: Place, packet: &Packet) {
        self.add(
            view,
            place,
            u64::from(packet.payload) << 32 ^ u64::from(packet.sequence),
        );
    }
}
