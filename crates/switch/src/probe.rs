//! Read-only looks at what a port waits for and what requests the crossbar, for observers that
//! sample and for tests (spec: recn.md, What to record). A look walks all queues of a port; nothing
//! here is on the hot path.

use crate::egress::Egress;
use crate::ingress::Ingress;
use crate::memory::PortMemory;
use crate::packet::{Packet, Packets};
use crate::params::Params;
use crate::switch::Switch;
use recn::RecnPort;
use units::{ClassId, PacketId, PortId, QueueId, Tick};

/// What the packets of a port wait for, by the best placed of its heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Waits {
    /// Nothing waits that could be named: no packet, or none whose head is visible and whose queue
    /// has its markers behind it.
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

fn queues(memory: &PortMemory) -> impl Iterator<Item = QueueId> {
    (0..memory.queues()).map(QueueId::at)
}

fn cells_in_use(memory: &PortMemory, recn: Option<&RecnPort>, now: Tick) -> CellsInUse {
    let queued = memory.queued_cells();
    let is_saq = |queue: &QueueId| recn.is_some_and(|r| *queue >= r.base());
    let saq = queues(memory).filter(is_saq).map(|q| memory.cells(q)).sum();
    CellsInUse {
        normal: queued - saq,
        saq,
        leaving: memory.leaving_cells(now),
    }
}

/// The best that any head of a memory is placed before tick `now`; `room` gives the free cells that
/// its packet may take.
fn waits(
    params: &Params,
    memory: &PortMemory,
    recn: Option<&RecnPort>,
    packets: &Packets,
    now: Tick,
    room: impl Fn(&Packet) -> u32,
) -> Waits {
    let mut best = Waits::Nothing;
    if memory.queued_cells() == 0 {
        return best;
    }
    for queue in queues(memory) {
        let Some(id) = memory.front(queue) else {
            continue;
        };
        let packet = &packets[id];
        if packet.stored + params.stages.arbitration > now {
            continue;
        }
        if let Some((recn, line)) = recn.and_then(|r| r.line(queue).map(|line| (r, line)))
            && !recn.may_request(queue)
        {
            if recn.cam().ready(line) {
                best = best.max(Waits::Xon);
            }
            continue;
        }
        best = best.max(if room(packet) >= u32::from(packet.cells) {
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

/// A head that requests the crossbar, read from queues, CAM lines and credits rather than from the
/// request registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestView {
    /// Ingress port.
    pub input: PortId,
    /// Its queue.
    pub queue: QueueId,
    /// Whether that is a SAQ.
    pub is_saq: bool,
    /// The packet at its head.
    pub packet: PacketId,
    /// Visible to the arbiter from this tick on, if it was at the head before.
    pub due: Tick,
    /// Output that it requests.
    pub output: PortId,
    /// Class of credit that it takes in the memory behind the crossbar.
    pub class: ClassId,
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
    pub input: PortId,
    /// Egress port.
    pub output: PortId,
    /// Both are free again from this tick on.
    pub end: Tick,
}

impl Switch {
    /// Whether a packet may have started over the crossbar, or been moved by a PPU, at `since` or
    /// later: certain where none has, but also said of a transfer that began before and ended
    /// later.
    pub fn may_have_moved_since(&self, since: Tick) -> bool {
        let moved = |input: &Ingress| input.may_have_moved_since(since);
        self.scheduler().may_have_moved_since(since) || self.inputs().iter().any(moved)
    }

    /// What the packets of ingress port `input` wait for before tick `now`.
    pub fn ingress_waits(
        &self,
        params: &Params,
        packets: &Packets,
        input: PortId,
        now: Tick,
    ) -> Waits {
        let port = &self.inputs()[input.index()];
        waits(params, port.memory(), port.recn(), packets, now, |packet| {
            let output = &self.outputs()[packet.output.index()];
            output.room(output.class_behind_crossbar(params, packet), now)
        })
    }

    /// Every head that requests, before tick `now`.
    pub fn requests(
        &self,
        params: &Params,
        packets: &Packets,
        now: Tick,
        mut visit: impl FnMut(RequestView),
    ) {
        for (input, port) in self.inputs().iter().enumerate() {
            for queue in queues(port.memory()) {
                let Some(id) = port.memory().front(queue) else {
                    continue;
                };
                let packet = &packets[id];
                if !port.may_request(queue, &packet.route) {
                    continue;
                }
                let output = &self.outputs()[packet.output.index()];
                let is_carrying = self.crossings(now).any(|c| c.output == packet.output);
                let class = output.class_behind_crossbar(params, packet);
                visit(RequestView {
                    input: PortId::at(input),
                    queue,
                    is_saq: port.recn().is_some_and(|r| queue >= r.base()),
                    packet: id,
                    due: packet.stored + params.stages.arbitration,
                    output: packet.output,
                    class,
                    cells: packet.cells,
                    room: output.room(class, now),
                    is_output_open: is_carrying || output.is_open(now),
                });
            }
        }
    }

    /// Every packet on the crossbar, before tick `now`.
    pub fn crossings(&self, now: Tick) -> impl Iterator<Item = CrossingView> + '_ {
        let crossings = self.scheduler().transfers();
        crossings
            .filter(move |(_, crossing)| crossing.end > now)
            .map(|(input, crossing)| CrossingView {
                input,
                output: crossing.output,
                end: crossing.end,
            })
    }
}

impl Ingress {
    /// Cells by what holds them, in tick `now`.
    pub fn cells_in_use(&self, now: Tick) -> CellsInUse {
        cells_in_use(self.memory(), self.recn(), now)
    }

    /// Whether a packet is on the crossbar in tick `now`.
    pub fn is_busy(&self, now: Tick) -> bool {
        self.memory().leaving(now).next().is_some()
    }
}

impl Egress {
    /// What the packets of this egress port wait for before tick `now`.
    pub fn waits(&self, params: &Params, packets: &Packets, now: Tick) -> Waits {
        waits(params, self.memory(), self.recn(), packets, now, |packet| {
            self.fcu()
                .counted(self.class_in_next_memory(params, packet))
        })
    }

    /// Cells by what holds them, in tick `now`.
    pub fn cells_in_use(&self, now: Tick) -> CellsInUse {
        cells_in_use(self.memory(), self.recn(), now)
    }
}
