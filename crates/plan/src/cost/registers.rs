//! The registers that SAQs and the detection of congestion have beside the CAM, as data: what a
//! design needs of each, not what the model keeps it in. Flags that are set and read within
//! one tick are wires and no registers.

use super::{PortSide, bits_up_to, timer_bits};
use crate::Params;
use crate::SchemeKind::{self, Recn, RecnBasic, RecnDd, RecnDdIq};
use observe::Side::{self, Egress, Ingress};
use units::Span;

units::named! {
    /// How often a register is there.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Per: "place of a register" {
        /// Once a SAQ.
        Saq = "SAQ",
        /// Once a normal (detection) queue.
        NormalQueue = "normal queue",
        /// Once a queue, SAQs included.
        Queue = "queue",
        /// Once for each output of the switch.
        Output = "output of the switch",
        /// Once.
        Port = "port",
    }
}

units::named! {
    /// How wide a register is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Width: "width of a register" {
        /// A flag.
        Bit = "1",
        /// A flag that is there with `recn.root_xoff_packets`.
        RootXoff = "1 with `recn.root_xoff_packets`",
        /// 0 to the cells of the memory.
        Cells = "0 to cells",
        /// One of the queues of the memory, or none.
        Queue = "a queue or none",
        /// One of the CAM lines, or none.
        Line = "a line or none",
        /// One of the ports of the switch, or none; nothing with `recn.iq_egress_lines`, where it
        /// is not read.
        Sender = "a port or none; 0 with `recn.iq_egress_lines`",
        /// A bit for each port of the switch.
        Ports = "1 a port of the switch",
        /// Counts down `recn.saq_timer_ns` in link-phit times, as the other timers do theirs.
        SaqTimer = "`recn.saq_timer_ns` in phit times",
        /// Counts down `recn.retry_ns`.
        Retry = "`recn.retry_ns` in phit times",
        /// Counts down `recn.xoff_repeat_ns`.
        XoffRepeat = "`recn.xoff_repeat_ns` in phit times",
        /// Counts down `recn.ppu_interval_ns`.
        PpuInterval = "`recn.ppu_interval_ns` in phit times",
    }
}

impl Width {
    /// Its bits at a port.
    pub fn bits(self, params: &Params, port: &PortSide<'_>) -> u64 {
        let Some(recn) = &params.recn else { return 0 };
        let memory = port.memory.as_ref();
        let timer = |ticks| timer_bits(params, ticks);
        match self {
            Width::Bit => 1,
            Width::RootXoff => u64::from(recn.root_xoff_packets.is_some()),
            Width::Cells => bits_up_to(memory.map_or(0, |m| m.cells).into()),
            Width::Queue => bits_up_to(memory.map_or(0, |m| m.queues + params.saqs()).into()),
            Width::Line => bits_up_to(params.saqs().into()),
            Width::Sender if recn.iq_egress_lines => 0,
            Width::Sender => bits_up_to(port.ports.into()),
            Width::Ports => port.ports.into(),
            Width::SaqTimer => timer(recn.saq_timer.max(Span::TICK)),
            Width::Retry => timer(recn.retry),
            Width::XoffRepeat => timer(recn.xoff_repeat),
            Width::PpuInterval => timer(recn.ppu_interval),
        }
    }
}

/// A register, and who has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub holds: &'static str,
    /// Sides of a port that have it.
    pub sides: &'static [Side],
    /// How often.
    pub per: Per,
    /// How wide.
    pub width: Width,
    /// Versions that have it.
    pub schemes: &'static [SchemeKind],
}

impl Register {
    /// How many there are at a port.
    pub fn count(&self, params: &Params, port: &PortSide<'_>) -> u64 {
        let saqs = params.saqs();
        let here = self.sides.contains(&port.side) && self.schemes.contains(&params.config.scheme);
        if !here || saqs == 0 {
            return 0;
        }
        let normal = port.memory.map(|m| m.queues);
        u64::from(match self.per {
            Per::Saq => normal.map_or(0, |_| saqs),
            Per::NormalQueue => normal.unwrap_or(0),
            Per::Queue => normal.map_or(0, |normal| normal + saqs),
            Per::Output => port.ports,
            Per::Port => 1,
        })
    }

    /// The bits of all of them.
    pub fn bits(&self, params: &Params, port: &PortSide<'_>) -> u64 {
        self.count(params, port) * self.width.bits(params, port)
    }
}

const BOTH: &[Side] = &[Ingress, Egress];
const ALL: &[SchemeKind] = &[RecnBasic, Recn, RecnDd, RecnDdIq];
const TOKENS: &[SchemeKind] = &[RecnBasic, Recn];
const DD: &[SchemeKind] = &[RecnDd, RecnDdIq];
const CIOQ: &[SchemeKind] = &[RecnBasic, Recn, RecnDd];

macro_rules! register {
    ($name:literal, $holds:literal, $sides:expr, $per:ident, $width:ident, $schemes:expr) => {
        Register {
            name: $name,
            holds: $holds,
            sides: $sides,
            per: Per::$per,
            width: Width::$width,
            schemes: $schemes,
        }
    };
}

/// Every register beside the CAM (spec: recn.md). Credits are those of the port, not of a SAQ:
/// [`super::PortBits::credits`].
#[rustfmt::skip]
pub const SAQ_REGISTERS: &[Register] = &[
    register!("occupancy", "packets of the SAQ", BOTH, Saq, Cells, ALL),
    register!("xoff_sent", "Xoff is in force", BOTH, Saq, Bit, ALL),
    register!("age", "time until it may be freed, or is looked at", BOTH, Saq, SaqTimer, ALL),
    register!("marker position", "cell of the last packet ahead of its marker", BOTH, Saq, Cells, ALL),
    register!("marker host", "queue that its marker is in", BOTH, Saq, Queue, ALL),
    register!("marker next", "marker behind it in that queue", BOTH, Saq, Line, ALL),
    register!("first marker", "first marker in the queue", BOTH, Queue, Line, CIOQ),
    register!("last marker", "last marker in the queue", BOTH, Queue, Line, CIOQ),
    register!("first marker", "first marker in the SAQ; the cold queue is never a host", BOTH, Saq, Line, &[RecnDdIq]),
    register!("last marker", "last marker in the SAQ", BOTH, Saq, Line, &[RecnDdIq]),
    register!("owned", "an egress port of the switch waits for its token", &[Ingress], Saq, Bit, TOKENS),
    register!("notified", "the port upstream was notified", &[Ingress], Saq, Bit, TOKENS),
    register!("retry", "time until it may notify again", &[Ingress], Saq, Retry, TOKENS),
    register!("children", "ingress ports that hold its children", &[Egress], Saq, Ports, TOKENS),
    register!("root children", "ingress ports that hold children of the root", &[Egress], Port, Ports, TOKENS),
    register!("root xoff_sent", "Xoff of the root is in force", &[Egress], Port, RootXoff, TOKENS),
    register!("repeat", "time until Xoff is repeated", BOTH, Saq, XoffRepeat, DD),
    register!("detection", "packets of the detection queue", &[Ingress], NormalQueue, Cells, &[Recn, RecnDd]),
    register!("detection", "packets of the normal queue", &[Egress], NormalQueue, Cells, CIOQ),
    register!("detection", "packets in the cold queue for the output", &[Ingress], Output, Cells, &[RecnDdIq]),
    register!("last sender", "input of the last packet through the output", &[Egress], Port, Sender, &[RecnDdIq]),
    register!("move", "time until the PPU moves a packet", &[Ingress], Port, PpuInterval, &[RecnDdIq]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use recn::Line;

    // A register that the model has and the table does not would cost nothing: a field that is
    // added must be written down.
    #[test]
    fn every_field_of_a_line_is_in_the_table() {
        let Line {
            xoff: _,
            allocated: _,
            xoff_at: _,
            owned: _,
            notified: _,
            retry_at: _,
            children: _,
        } = Line::default();
        let of_a_line = ["xoff_sent", "age", "repeat", "owned", "notified", "retry", "children"];
        for name in of_a_line {
            assert!(SAQ_REGISTERS.iter().any(|r| r.name == name), "{name}");
        }
    }

    #[test]
    fn a_version_has_each_register_of_a_side_once() {
        for scheme in ALL {
            for side in BOTH {
                let here = SAQ_REGISTERS
                    .iter()
                    .filter(|r| r.schemes.contains(scheme) && r.sides.contains(side));
                let mut names: Vec<&str> = here.map(|r| r.name).collect();
                let count = names.len();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), count, "{scheme}, {side:?}");
            }
        }
    }
}
