//! Read-only looks at what a port waits for, for observers that sample (spec: recn.md, What to record). A look walks all
//! queues of a port; nothing here is on the hot path.

use crate::heads::Memory;
use crate::in_port::InPort;
use crate::out_port::OutPort;
use crate::packet::Packets;
use crate::recn::RecnPort;
use crate::switch::Switch;
use flow_control::ClassCredits;
use units::Tick;

/// What the packets of a port wait for, by the best placed of its heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Waits {
    /// Nothing waits that could be named: no packet, or none whose head is visible and whose queue has its markers behind it.
    Nothing,
    /// Every head is in a SAQ at Xoff.
    Xon,
    /// The best placed head lacks room in the next memory.
    Credit,
    /// A head may go: it is for the arbiter to choose it.
    Arbitration,
}

/// Cells of a port memory by what holds them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CellsInUse {
    /// Normal, detection or cold queues.
    pub normal: u32,
    /// SAQs.
    pub saq: u32,
    /// Packets whose head has left and whose tail has not.
    pub leaving: u32,
}

fn cells_in_use(memory: &Memory, recn: Option<&RecnPort>) -> CellsInUse {
    if memory.pool_cells() == 0 {
        return CellsInUse::default();
    }
    let queued = memory.queued_cells();
    let queues = memory.queues() as u16;
    let saq = match recn {
        Some(recn) if queued > 0 => (recn.base..queues).map(|q| memory.cells(q)).sum(),
        _ => 0,
    };
    CellsInUse {
        normal: queued - saq,
        saq,
        leaving: memory.leased_cells(),
    }
}

/// The best that any head of a memory is placed at `now`; `room` gives the credits that its packet needs.
fn waits<'a>(
    memory: &Memory,
    recn: Option<&RecnPort>,
    packets: &Packets,
    now: Tick,
    room: impl Fn(u8) -> &'a ClassCredits,
) -> Waits {
    let mut best = Waits::Nothing;
    if memory.pool_cells() == 0 || memory.queued_cells() == 0 {
        return best;
    }
    for queue in 0..memory.queues() as u16 {
        let Some(id) = memory.front(queue) else {
            continue;
        };
        let packet = &packets[id];
        if packet.due > now {
            continue;
        }
        if let Some((recn, line)) = recn.and_then(|r| r.line(queue).map(|line| (r, line)))
            && (!recn.cam.ready(line) || recn.cam.blocked(line))
        {
            if recn.cam.ready(line) {
                best = best.max(Waits::Xon);
            }
            continue;
        }
        let available = room(packet.output).available(packet.class);
        best = best.max(if available >= u32::from(packet.cells) {
            Waits::Arbitration
        } else {
            Waits::Credit
        });
        if best == Waits::Arbitration {
            break;
        }
    }
    best
}

impl Switch {
    /// Bits of a turn in this switch.
    pub fn turn_width(&self) -> u32 {
        self.width
    }

    /// Whether a packet may have started over the crossbar, or been moved by a PPU, at `since` or later: certain where none has,
    /// but also said of a transfer that began before and ended later.
    pub fn may_have_moved_since(&self, since: Tick) -> bool {
        let crossed = self.crossings.iter().any(|c| c.end > since);
        crossed || self.inputs.iter().any(|input| input.next_move > since)
    }

    /// What the packets of ingress port `input` wait for before tick `now`.
    pub fn ingress_waits(&self, packets: &Packets, input: usize, now: Tick) -> Waits {
        let port = &self.inputs[input];
        waits(&port.memory, port.recn.as_deref(), packets, now, |output| {
            self.outputs[usize::from(output)].behind_crossbar()
        })
    }
}

impl InPort {
    /// Cells by what holds them.
    pub fn cells_in_use(&self) -> CellsInUse {
        cells_in_use(&self.memory, self.recn.as_deref())
    }
}

impl OutPort {
    /// What the packets of this egress port wait for before tick `now`.
    pub fn waits(&self, packets: &Packets, now: Tick) -> Waits {
        waits(&self.memory, self.recn.as_deref(), packets, now, |_| {
            &self.link.credits
        })
    }

    /// Cells by what holds them.
    pub fn cells_in_use(&self) -> CellsInUse {
        cells_in_use(&self.memory, self.recn.as_deref())
    }
}
