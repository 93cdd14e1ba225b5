//! What happens to packets, in words.

use super::Watch;
use super::queues::{At, Id};
use super::words::{self, Words};
use observe::{Event, PacketView, Place, View};
use units::{LineId, QueueId, Span, Tick, Unit};

impl Watch {
    /// The CAM line of a SAQ.
    fn line(&self, place: Place, queue: QueueId) -> Option<LineId> {
        let normal = self.known.config.normal_queues[place.port.index()][place.side as usize];
        let line = u32::from(queue.0).checked_sub(normal)?;
        Some(LineId(line as u8))
    }

    /// A queue in words.
    fn queue(&self, place: Place, unit: Unit, queue: QueueId) -> String {
        let Some(line) = self.line(place, queue) else {
            return format!("queue {queue}");
        };
        let tree = self.saqs.get(&(place, line));
        let tree = tree.map(|&point| words::tree(&self.known.points, Some(unit), point));
        tree.map_or(format!("SAQ {line}"), |tree| format!("SAQ {line} for {tree}"))
    }

    /// How long the packet has been where it is.
    fn waited(&mut self, now: Tick, place: Place, packet: PacketView) -> String {
        match self.since.remove(&(place, packet.id())) {
            Some(since) => format!(" after {} ns", self.ns(now.0 - since.0)),
            None => String::new(),
        }
    }

    /// All that stood before a packet in its queue have left.
    pub(super) fn head(&self, now: Tick, (place, queue): At, packet: Id) -> Words {
        let since = self.since.get(&(place, packet)).copied().unwrap_or(now);
        let after = self.ns(now.0.saturating_sub(since.0));
        let queue = match self.line(place, queue) {
            Some(line) => format!("SAQ {line}"),
            None => format!("queue {queue}"),
        };
        Words::new("head", format!("is the head of {queue} after {after} ns"))
    }

    pub(super) fn ns(&self, ticks: u64) -> String {
        let ns = self.known.config.time_base.span_to_ns(Span(ticks));
        format!("{ns:.2}")
    }

    /// What an event says; none where another says the same.
    pub(super) fn words(
        &mut self,
        view: View<'_>,
        place: Place,
        unit: Unit,
        event: Event,
    ) -> Words {
        let now = view.now;
        match event {
            Event::Stored { packet, queue } => {
                self.since.insert((place, packet.id()), now);
                let queue = self.queue(place, unit, queue);
                if let Unit::Injection { .. } = unit {
                    let born = self.ns(packet.born.0);
                    return Words::new(
                        "stored",
                        format!("admitted to {queue}, generated at {born} ns"),
                    );
                }
                Words::new("stored", format!("stored in {queue}"))
            }
            Event::Moved { queue, .. } => {
                let queue = self.queue(place, unit, queue);
                Words::new("moved", format!("moved by the PPU to {queue}"))
            }
            Event::Departed { packet, output, .. } => {
                if let Unit::Ingress { .. } = unit {
                    // As the packet has it until it starts: it may come to be watched only now.
                    let since = self.since.entry((place, packet.id()));
                    since.or_insert(packet.stored);
                }
                let waited = self.waited(now, place, packet);
                let whither = match unit {
                    Unit::Ingress { .. } => format!("starts over the crossbar to out{}", output.0),
                    _ => "starts on the link".to_string(),
                };
                Words::new("departed", whither + &waited)
            }
            Event::Lost { packet } => {
                self.since.remove(&(place, packet.id()));
                Words::new("lost", "lost to a fault".to_string())
            }
            Event::Stranded { packet, .. } => {
                let waited = self.waited(now, place, packet);
                let what = format!("removed: no port leads to its destination{waited}");
                Words::new("stranded", what)
            }
            Event::Hop { span, .. } => {
                let ns = self.ns(span.0);
                Words::detail("hop", format!("a packet holds the link for {ns} ns"))
            }
            other => words::of_ports(other, unit, &self.known.points),
        }
    }
}
