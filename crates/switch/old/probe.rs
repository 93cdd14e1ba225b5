//! Read-only looks at what a port waits for and what requests the crossbar, for observers that
//! sample and for tests (spec: recn.md, What to record). A look walks all queues of a port; nothing
//! here is on the hot path.

use crate::heads::Memory;
use crate::in_port::InPort;
use crate::out_port::OutPort;
use crate::packet::{PacketId, Packets};
use crate::recn::RecnPort;
use crate::switch::Switch;
use flow_control::ClassCredits;
use saq::QueueId;
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

/// A head that requests the crossbar, read from queues, CAM lines and credits rather than from the
/// request registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestView {
    /// Ingress port.
    pub input: u8,
    /// Its queue.
    pub queue: QueueId,
    /// Whether that is a SAQ.
    pub is_saq: bool,
    /// The packet at its head.
    pub packet: PacketId,
    /// Visible to the arbiter from this tick on, if it was at the head before.
    pub due: Tick,
    /// Output that it requests.
    pub output: u8,
    /// Class of credit that it takes in the memory behind the crossbar.
    pub class: u16,
    /// Cells that it takes there.
    pub cells: u16,
    /// Cells of that class that are free there.
    pub room: u32,
    /// Nothing but a packet from the crossbar keeps the output from taking another: in `iq` no
    /// control packet is on its link or waits for it.
    pub is_output_open: bool,
}

/// A packet on the crossbar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossingView {
    /// Ingress port.
    pub input: u8,
    /// Egress port.
    pub output: u8,
    /// Both are free again from this tick on.
    pub end: Tick,
}

impl Switch {
    /// Every head that requests, before tick `now`.
    pub fn requests(&self, packets: &Packets, now: Tick, mut visit: impl FnMut(RequestView)) {
        for (input, port) in self.inputs.iter().enumerate() {
            for queue in 0..port.memory.queues() as u16 {
                let Some(id) = port.memory.front(queue) else {
                    continue;
                };
                let packet = &packets[id];
                let recn = port.recn.as_deref();
                if recn.is_some_and(|r| {
                    let is_moved =
                        r.cold_queue && queue < r.base && r.cam.lookup(&packet.route).is_some();
                    is_moved || !r.may_request(queue)
                }) {
                    continue;
                }
                let output = &self.outputs[usize::from(packet.output)];
                let carries = |c: CrossingView| c.output == packet.output;
                let is_carrying = self.crossings(now).any(carries);
                visit(RequestView {
                    input: input as u8,
                    queue,
                    is_saq: queue >= port.normal,
                    packet: id,
                    due: packet.due,
                    output: packet.output,
                    class: packet.class,
                    cells: packet.cells,
                    room: output.behind_crossbar().available(packet.class),
                    is_output_open: output.room.is_some()
                        || is_carrying
                        || output.link.open_for_data(now),
                });
            }
        }
    }

    /// Every packet on the crossbar, before tick `now`.
    pub fn crossings(&self, now: Tick) -> impl Iterator<Item = CrossingView> + '_ {
        let crossings = self.crossings.iter().enumerate();
        crossings
            .filter(move |(_, crossing)| crossing.end > now)
            .map(|(input, crossing)| CrossingView {
                input: input as u8,
                output: crossing.output,
                end: crossing.end,
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
