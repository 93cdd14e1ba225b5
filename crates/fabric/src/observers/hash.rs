//! A hash of all that happened, kept per unit so that it does not depend on the order of visiting.

use crate::observer::{Observer, View};
use switch::{Event, Packet, PacketId, Place};

/// One running hash for each side of each port.
#[derive(Debug, Clone)]
pub struct EventsHash {
    units: Vec<u64>,
}

const K: u64 = 0x9e37_79b9_7f4a_7c15;

impl EventsHash {
    /// For `ports` dense port numbers.
    pub fn new(ports: usize) -> EventsHash {
        EventsHash {
            units: vec![0; 2 * ports],
        }
    }

    #[inline]
    fn add(&mut self, place: Place, value: u64) {
        let unit = &mut self.units[place.port as usize * 2 + place.side as usize];
        *unit = (unit.rotate_left(5) ^ value).wrapping_mul(K);
    }

    /// The hashes of all units combined in the order of their numbers.
    pub fn combined(&self) -> u64 {
        self.units
            .iter()
            .fold(K, |h, &u| (h.rotate_left(7) ^ u).wrapping_mul(K))
    }
}

#[inline]
fn identity(view: View<'_>, id: PacketId) -> u64 {
    let p = &view.packets[id];
    u64::from(p.payload) << 32 ^ u64::from(p.source) << 16 ^ u64::from(p.sequence)
}

impl Observer for EventsHash {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let value = match event {
            Event::Stored { packet, queue } => identity(view, packet) ^ u64::from(queue) << 1,
            Event::Moved { packet, queue } => {
                identity(view, packet).rotate_left(9) ^ u64::from(queue) << 1
            }
            Event::Departed {
                packet,
                queue,
                output,
            } => !identity(view, packet) ^ u64::from(queue) << 8 ^ u64::from(output),
            Event::SaqAllocated { line, point, .. } => {
                point.turns() as u64 ^ (point.turns() >> 64) as u64 ^ u64::from(line) << 4
            }
            Event::SaqFreed { line, point, .. } => {
                !(point.turns() as u64 ^ (point.turns() >> 64) as u64) ^ u64::from(line) << 4
            }
            _ => return,
        };
        self.add(place, value ^ view.now.wrapping_mul(K));
    }

    #[inline]
    fn ejected(&mut self, view: View<'_>, place: Place, packet: &Packet) {
        self.add(
            place,
            u64::from(packet.payload) << 32 ^ u64::from(packet.sequence) ^ view.now.wrapping_mul(K),
        );
    }
}
