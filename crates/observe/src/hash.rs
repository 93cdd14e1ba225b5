//! A hash of what packets and SAQs did, added up so that the order of visiting does not matter.

use crate::event::{Event, Place};
use crate::observer::{Observer, View};
use crate::packet::PacketView;
use flow_control::PauseWord;
use hierarchy::Region;
use turnpool::Point;
use units::{LineId, QueueId, Tick};

/// The sum of the hashes of all events, each with its place and tick ([decision 0014]).
///
/// [decision 0014]: ../../../docs/decisions/simulator.md#0014-events-hash
#[derive(Debug, Clone)]
pub struct EventsHash {
    sum: u64,
    end: Tick,
}

/// Numbers of no pattern: fractions of the golden ratio and of the square root of two.
const K: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c909];
/// Bits of a place.
const PLACE_BITS: u32 = 24;

impl EventsHash {
    /// Of what happens before tick `end`; nothing has yet.
    pub fn until(end: Tick) -> EventsHash {
        EventsHash { sum: 0, end }
    }

    #[inline]
    fn add(&mut self, view: View<'_>, place: Place, value: u64) {
        if view.now < self.end {
            self.sum = self.sum.wrapping_add(contribution(view, place, value));
        }
    }

    /// The hash.
    pub fn combined(&self) -> u64 {
        self.sum
    }
}

#[inline]
fn contribution(view: View<'_>, place: Place, value: u64) -> u64 {
    let place = u64::from(place.port.0) << 1 | place.side as u64;
    let when_and_where = view.now.0 << PLACE_BITS ^ place;
    // Both halves of the product: each bit depends on all bits of event, time and place.
    let product = u128::from(value ^ K[0]) * u128::from(when_and_where ^ K[1]);
    product as u64 ^ (product >> 64) as u64
}

/// A packet by its contents, which imply source, destination, number and length.
#[inline]
fn identity(packet: PacketView) -> u64 {
    u64::from(packet.payload) << 16
}

#[inline]
fn stored(packet: PacketView, queue: QueueId) -> u64 {
    identity(packet) ^ u64::from(queue.0)
}

/// A SAQ by its line and its point, the length of the point included: turns may be zero.
#[inline]
fn saq(line: LineId, point: Point) -> u64 {
    let turns = point.turns() as u64 ^ (point.turns() >> 64) as u64;
    turns ^ (u64::from(line.0) << 8 | u64::from(point.bits()))
}

impl Observer for EventsHash {
    const IS_ORDERED: bool = false;

    fn fork(&self) -> Option<EventsHash> {
        Some(EventsHash::until(self.end))
    }

    fn merge(&mut self, other: EventsHash) {
        self.sum = self.sum.wrapping_add(other.sum);
    }

    #[inline(always)]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let value = match event {
            Event::Stored { packet, queue } => stored(packet, queue),
            Event::Moved { packet, queue } => identity(packet).rotate_left(9) ^ u64::from(queue.0),
            Event::Departed { packet, queue, output } => {
                !stored(packet, queue) ^ u64::from(output.0) << 56
            }
            Event::SaqAllocated { line, point, .. } => saq(line, point),
            Event::SaqFreed { line, point, .. } => !saq(line, point),
            Event::Lost { packet } => identity(packet).rotate_left(18),
            Event::Stranded { packet, queue } => {
                identity(packet).rotate_left(27) ^ u64::from(queue.0)
            }
            Event::Entry { region, ports } => {
                let region = match region {
                    Region::Node(node) => u64::from(node),
                    Region::SuperNode(super_node) => u64::from(super_node) | 1 << 16,
                };
                (region << 40 ^ ports).rotate_left(36)
            }
            Event::Paused { vc, word } => {
                (u64::from(vc.0) << 1 | u64::from(word == PauseWord::Pause)).rotate_left(45)
            }
            Event::Hop { .. }
            | Event::CreditSent { .. }
            | Event::ControlSent(_)
            | Event::Swapped { .. }
            | Event::SaqRefused(_)
            | Event::Internal(_)
            | Event::Ignored(_) => return,
        };
        self.add(view, place, value);
    }

    #[inline]
    fn retract_stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId) {
        if view.now < self.end {
            let stored = contribution(view, place, stored(packet, queue));
            self.sum = self.sum.wrapping_sub(stored);
        }
    }

    #[inline]
    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView) {
        self.add(view, place, u64::from(packet.payload) << 32 ^ u64::from(packet.sequence));
    }
}
