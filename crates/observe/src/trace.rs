//! The whole event trace, for comparing engines and for examining a run.

use crate::event::{Event, Offered, Place, Side};
use crate::observer::{Observer, View};
use crate::packet::{PacketKind, PacketView};
use std::fmt::Write as _;
use units::Tick;

/// Lines `tick unit event`, ordered by tick, then unit; events of one unit in one tick in the order
/// in which they happened. Packets go by flow and number, since their slots depend on the engine.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    lines: Vec<Line>,
}

#[derive(Debug, Clone)]
struct Line {
    tick: Tick,
    unit: u32,
    text: String,
}

impl Trace {
    /// The trace as text.
    pub fn text(&self) -> String {
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_by_key(|line| (line.tick, line.unit));
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }

    fn add(&mut self, view: View<'_>, place: Place, what: &str) {
        let owner = view.owners[place.port.index()];
        let side = if place.side == Side::Ingress { "in" } else { "out" };
        let text = format!("{} e{}.{side}{} {what}", view.now, owner.element, owner.port);
        self.lines.push(Line { tick: view.now, unit: place.port.0 * 2 + place.side as u32, text });
    }
}

fn name(packet: PacketView) -> String {
    let ack = match packet.kind {
        PacketKind::Ack => " ACK",
        PacketKind::Cnp => " CNP",
        PacketKind::Data | PacketKind::Reply => "",
    };
    let mark = if packet.mark { " marked" } else { "" };
    format!("{}{ack}{mark}", packet.key())
}

impl Observer for Trace {
    fn fork(&self) -> Option<Trace> {
        Some(Trace::default())
    }

    /// Lines are ordered by tick and unit in the end, and a unit is in one part.
    fn merge(&mut self, other: Trace) {
        self.lines.extend(other.lines);
    }

    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let mut what = String::new();
        let _ = match event {
            Event::Stored { packet, queue } => {
                write!(what, "stored {} q{queue}", name(packet))
            }
            Event::Moved { packet, queue } => {
                write!(what, "moved {} q{queue}", name(packet))
            }
            Event::Departed { packet, queue, output } => {
                write!(what, "departed {} q{queue} to {output}", name(packet))
            }
            Event::Lost { packet } => write!(what, "lost {}", name(packet)),
            Event::Stranded { packet, queue } => {
                write!(what, "stranded {} q{queue}", name(packet))
            }
            other => write!(what, "{other:?}"),
        };
        self.add(view, place, &what);
    }

    fn offered(&mut self, view: View<'_>, offered: Offered) {
        self.lines.push(Line {
            tick: view.now,
            unit: u32::MAX / 2 + offered.source,
            text: format!("{} n{} {offered:?}", view.now, offered.source),
        });
    }

    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView) {
        self.add(view, place, &format!("ejected {}", name(packet)));
    }
}
