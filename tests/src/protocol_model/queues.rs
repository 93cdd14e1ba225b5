//! The queues of one port, as small as a state must be: packets and markers in order, without
//! cells.

use recn::MarkedQueues;
use saq::MmuError;
use units::{LineId, QueueId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Held {
    Packet(u8),
    Marker(LineId),
}

/// Packets and markers of all queues of a port; does as [`saq::Mmu`] does, but for cells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Queues {
    /// By queue, each queue from its head on: equal contents are equal states.
    held: Vec<(QueueId, Held)>,
}

impl Queues {
    /// Stores a packet behind what `queue` holds.
    pub fn push(&mut self, queue: QueueId, packet: u8) {
        self.append(queue, Held::Packet(packet));
    }

    /// Takes the first packet of `queue`.
    pub fn pop(&mut self, queue: QueueId) -> Option<u8> {
        let packet = self.front(queue)?;
        let at = (queue, Held::Packet(packet));
        self.held.retain(|&held| held != at);
        Some(packet)
    }

    /// Moves the first packet of `from` behind what `to` holds.
    pub fn move_front(&mut self, from: QueueId, to: QueueId) -> Option<u8> {
        let packet = self.pop(from)?;
        self.push(to, packet);
        Some(packet)
    }

    /// The queue that a marker sits in.
    pub(crate) fn host(&self, marker: LineId) -> Option<QueueId> {
        let placed = self.held.iter().find(|h| h.1 == Held::Marker(marker));
        placed.map(|&(host, _)| host)
    }

    /// Takes a marker from where it is to the head of `queue`: for rules broken on purpose.
    pub(super) fn put_ahead(&mut self, marker: LineId, queue: QueueId) {
        self.held.retain(|h| h.1 != Held::Marker(marker));
        let head = self.held.partition_point(|h| h.0 < queue);
        self.held.insert(head, (queue, Held::Marker(marker)));
    }

    /// The first packet of `queue`.
    pub fn front(&self, queue: QueueId) -> Option<u8> {
        self.of(queue).find_map(|held| match held {
            Held::Packet(packet) => Some(packet),
            Held::Marker(_) => None,
        })
    }

    /// All that is held, by queue, each queue from its head on.
    pub(crate) fn held(&self) -> &[(QueueId, Held)] {
        &self.held
    }

    pub(crate) fn total(&self) -> usize {
        let packets = self.held.iter().filter(|h| matches!(h.1, Held::Packet(_)));
        packets.count()
    }

    fn of(&self, queue: QueueId) -> impl Iterator<Item = Held> + '_ {
        let here = self.held.iter().filter(move |h| h.0 == queue);
        here.map(|h| h.1)
    }

    fn append(&mut self, queue: QueueId, held: Held) {
        let end = self.held.partition_point(|h| h.0 <= queue);
        self.held.insert(end, (queue, held));
    }
}

impl MarkedQueues for Queues {
    fn is_empty(&self, queue: QueueId) -> bool {
        self.packets(queue) == 0
    }

    fn is_vacant(&self, queue: QueueId) -> bool {
        self.of(queue).next().is_none()
    }

    fn packets(&self, queue: QueueId) -> u32 {
        self.of(queue).filter(|h| matches!(h, Held::Packet(_))).count() as u32
    }

    fn has_markers(&self, queue: QueueId) -> bool {
        self.of(queue).any(|h| matches!(h, Held::Marker(_)))
    }

    fn place_marker(&mut self, marker: LineId, host: QueueId) -> Result<(), MmuError> {
        if let Some(host) = self.host(marker) {
            return Err(MmuError(format!("marker {marker} is in queue {host} already")));
        }
        self.append(host, Held::Marker(marker));
        Ok(())
    }

    fn take_head_marker(&mut self, queue: QueueId) -> Option<LineId> {
        let at = self.held.iter().position(|h| h.0 == queue)?;
        let Held::Marker(marker) = self.held[at].1 else {
            return None;
        };
        self.held.remove(at);
        Some(marker)
    }

    fn swap(&mut self, a: QueueId, b: QueueId) -> Result<(), MmuError> {
        for held in &mut self.held {
            held.0 = match held.0 {
                queue if queue == a => b,
                queue if queue == b => a,
                queue => queue,
            };
        }
        self.held.sort_by_key(|h| h.0);
        Ok(())
    }
}
