//! What an egress port will be asked for, prefetched: see [`crate::ahead`].

use super::OutPort;
use crate::packet::Packets;
use crate::params::Params;
use crate::requests::find_in_word;
use crate::scheme::QueueScheme;
use saq::QueueId;
use units::Tick;

impl OutPort {
    /// Asks for what every packet touches of the record ahead of its use: a field of each cache line.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(&self.eligible);
        prefetch::line(&self.recn);
        self.prefetch_arrival();
    }

    /// The same, what an arrival from the crossbar touches.
    #[inline(always)]
    pub(crate) fn prefetch_arrival(&self) {
        prefetch::line(&self.room);
        self.link.prefetch();
    }

    /// For an evaluation of the link, what the record names: the queue that goes next, cells, and stored late the packet that
    /// arrives.
    #[inline(always)]
    pub fn prefetch_contents(&self, packets: &Packets) {
        self.link.credits.prefetch();
        self.link.control.prefetch_waiting(false);
        self.prefetch_room();
        self.prefetch_cam();
        // Cells go out again as they come back: those of the packets that leave are nearly always in the same line.
        self.memory.prefetch_next_cell();
        if self.next_arrival != Tick::MAX {
            self.prefetch_arriving(packets);
        }
        if let Some(queue) = self.first_in_line() {
            self.memory.prefetch_queue(queue as QueueId);
        }
    }

    /// For a store: the packet that arrives, and its cell.
    #[inline(always)]
    pub fn prefetch_arrived(&self, packets: &Packets) {
        self.prefetch_cam();
        self.memory.prefetch_next_cell();
        self.prefetch_arriving(packets);
    }

    /// The next step: the queue of the packet that arrives.
    #[inline(always)]
    pub fn prefetch_arrival_queue(&self, params: &Params, packets: &Packets) {
        if let Some(id) = self.arrivals.front() {
            let packet = &packets[id];
            let ahead = u32::from(packet.ahead);
            let queue = params.scheme.egress_queue(ahead, &packet.destination);
            self.memory.prefetch_queue(queue as QueueId);
        }
    }

    #[inline(always)]
    fn prefetch_arriving(&self, packets: &Packets) {
        if let Some(id) = self.arrivals.front() {
            prefetch::line(&packets[id]);
        }
    }

    #[inline(always)]
    fn prefetch_cam(&self) {
        if let Some(recn) = self.recn.as_deref()
            && !self.quiet
        {
            prefetch::line(recn);
        }
    }

    /// For an evaluation of the link: the queue of the packet that arrives, and the packet that goes next.
    #[inline(always)]
    pub fn prefetch_packets(&self, params: &Params, packets: &Packets) {
        if self.next_arrival != Tick::MAX {
            self.prefetch_arrival_queue(params, packets);
        }
        if let Some(queue) = self.first_in_line()
            && let Some(id) = self.memory.front(queue as QueueId)
        {
            if self.at_switch {
                prefetch::line(&packets[id]);
            } else {
                packets[id].prefetch();
            }
            // The head after it.
            if let Some(id) = self.memory.second(queue as QueueId) {
                prefetch::line(&packets[id]);
            }
        }
    }

    /// Asks for the room of the classes that are not in the record.
    #[inline(always)]
    pub(crate) fn prefetch_room(&self) {
        if let Some(room) = &self.room {
            room.prefetch();
        }
    }

    /// The queue that the round robin begins with, of at most 64.
    #[inline(always)]
    fn first_in_line(&self) -> Option<usize> {
        let word = self.eligible.only_word()?;
        find_in_word(word, self.pointer, |_| true)
    }
}
