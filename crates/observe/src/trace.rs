//! The whole event trace, for comparing engines and for looking at a run.

use crate::observer::{Observer, Offered, View};
use flow_control::Control;
use std::fmt::Write as _;
use switch::{Event, Packet, Packets, Place, Side};
use units::Tick;

/// Lines `tick unit event`, ordered by tick, then unit; events of one unit in one tick as they happened, but credit packets
/// first. What is told late (decision 0015) stands where it happened.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    lines: Vec<Line>,
}

#[derive(Debug, Clone)]
struct Line {
    tick: Tick,
    unit: u32,
    is_credit: bool,
    text: String,
}

impl Trace {
    /// The trace as text.
    pub fn text(&self) -> String {
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_by_key(|line| (line.tick, line.unit, !line.is_credit));
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }

    fn add(&mut self, view: View<'_>, place: Place, is_credit: bool, what: &str) {
        let owner = view.owners[place.port as usize];
        let side = if place.side == Side::Ingress {
            "in"
        } else {
            "out"
        };
        let text = format!(
            "{} e{}.{side}{} {what}",
            view.now, owner.element, owner.port
        );
        self.lines.push(Line {
            tick: view.now,
            unit: place.port * 2 + place.side as u32,
            is_credit,
            text,
        });
    }
}

fn name(packets: &Packets, id: u32) -> String {
    let p = &packets[id];
    format!("n{}->n{}#{}", p.source, p.destination, p.sequence)
}

impl Observer for Trace {
    const IN_ORDER: bool = false;

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
                write!(what, "stored {} q{queue}", name(view.packets, packet))
            }
            Event::Moved { packet, queue } => {
                write!(what, "moved {} q{queue}", name(view.packets, packet))
            }
            Event::Departed {
                packet,
                queue,
                output,
            } => {
                write!(
                    what,
                    "departed {} q{queue} to {output}",
                    name(view.packets, packet)
                )
            }
            other => write!(what, "{other:?}"),
        };
        let is_credit = matches!(event, Event::ControlSent(Control::Credit { .. }));
        self.add(view, place, is_credit, &what);
    }

    fn offered(&mut self, view: View<'_>, offered: Offered) {
        self.lines.push(Line {
            tick: view.now,
            unit: u32::MAX / 2 + offered.source,
            is_credit: false,
            text: format!("{} n{} {offered:?}", view.now, offered.source),
        });
    }

    fn ejected(&mut self, view: View<'_>, place: Place, packet: &Packet) {
        self.add(
            view,
            place,
            false,
            &format!(
                "ejected n{}->n{}#{}",
                packet.source, packet.destination, packet.sequence
            ),
        );
    }
}
