//! Samples of ports and of what requests the crossbar, for observers and tests (spec: recn.md, What
//! to record). A sample walks all queues of a port; nothing here is on the hot path.

use crate::egress::Egress;
use crate::ingress::Ingress;
use crate::memory::PortMemory;
use crate::packet::Packets;
use crate::scheduler::Crossing;
use crate::switch::Switch;
use observe::{
    CellsInUse, LineView, LinesInUse, PacketKey, Place, PortProbe, PortView, SenderView, Waits,
};
use plan::Params;
use recn::RecnPort;
use units::{ClassId, LineId, PacketId, PortId, QueueId, Tick};

fn queues(memory: &PortMemory) -> impl Iterator<Item = QueueId> {
    (0..memory.queues()).map(QueueId::at)
}

fn cells_in_use(memory: &PortMemory, recn: Option<&RecnPort>) -> CellsInUse {
    let queued = memory.queued_cells();
    let is_saq = |queue: &QueueId| recn.is_some_and(|r| *queue >= r.base());
    let saq = queues(memory).filter(is_saq).map(|q| memory.cells(q)).sum();
    CellsInUse { normal: queued - saq, saq, leaving: memory.leaving_cells() }
}

/// A head that requests the crossbar, by queues, CAM lines and credits, not request registers.
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

impl Switch {
    /// Whether a packet may have crossed, or been moved by a PPU, at `since` or later: certain
    /// where none has.
    pub fn may_have_moved_since(&self, since: Tick) -> bool {
        let moved = |input: &Ingress| input.ppu.may_move_from(since) > since;
        let crosses = |(_, crossing): (_, Crossing)| crossing.end > since;
        self.scheduler.transfers().any(crosses) || self.inputs.iter().any(moved)
    }

    /// Every head that requests, before tick `now`.
    pub fn requests(
        &self,
        params: &Params,
        packets: &Packets,
        now: Tick,
        mut visit: impl FnMut(RequestView),
    ) {
        for (input, port) in self.inputs.iter().enumerate() {
            for queue in queues(port.memory()) {
                let Some(id) = port.memory().front(queue) else {
                    continue;
                };
                let packet = &packets[id];
                if !port.may_request(queue, &packet.route) {
                    continue;
                }
                let output = &self.outputs[packet.output.index()];
                let carries = |(_, c): (_, Crossing)| c.end > now && c.output == packet.output;
                let is_carrying = self.scheduler.transfers().any(carries);
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
                    room: output.room(class),
                    is_output_open: is_carrying || output.is_open(now),
                });
            }
        }
    }
}

fn lines_in_use(recn: &RecnPort) -> LinesInUse {
    let cam = recn.cam();
    let (leaf, blocked) = (cam.leaf_lines(), cam.blocked_lines());
    LinesInUse::of(cam.valid(), leaf, blocked, cam.ready_lines())
}

fn head(memory: &PortMemory, packets: &Packets, queue: QueueId) -> Option<PacketKey> {
    memory.front(queue).map(|id| packets[id].key())
}

fn heads(
    memory: &PortMemory,
    recn: Option<&RecnPort>,
    packets: &Packets,
) -> Vec<Option<PacketKey>> {
    let normal = recn.map_or(memory.queues(), |recn| recn.base().index());
    (0..normal).map(|queue| head(memory, packets, QueueId::at(queue))).collect()
}

fn lines(memory: &PortMemory, recn: Option<&RecnPort>, packets: &Packets) -> Vec<LineView> {
    let Some(recn) = recn else {
        return Vec::new();
    };
    let (cam, all) = (recn.cam(), (0..recn.cam().lines()).map(LineId::at));
    let lines = all.map(|line| {
        let (is_valid, queue) = (cam.is_valid(line), recn.queue(line));
        let has_queue = queue.index() < memory.queues();
        LineView {
            point: is_valid.then(|| cam.point(line)),
            blocked: is_valid && cam.blocked(line),
            ready: is_valid && cam.ready(line),
            leaf: is_valid && cam.leaf(line),
            cells: has_queue.then(|| memory.cells(queue)),
            head: has_queue.then(|| head(memory, packets, queue)).flatten(),
        }
    });
    lines.collect()
}

/// The last tick before `now`.
fn last_tick(now: Tick) -> Tick {
    Tick(now.0.saturating_sub(1))
}

fn probe(
    place: Place,
    memory: &PortMemory,
    recn: Option<&RecnPort>,
    is_busy: bool,
    waits: Waits,
) -> PortProbe {
    let (unit, cells) = (memory.unit(), cells_in_use(memory, recn));
    PortProbe { place, unit, is_busy, waits, cells, lines: recn.map(lines_in_use) }
}

/// All registers before tick `now` but those of the crossbar and of the link.
fn view(
    probe: PortProbe,
    memory: &PortMemory,
    recn: Option<&RecnPort>,
    packets: &Packets,
    now: Tick,
) -> PortView {
    PortView {
        tick: last_tick(now),
        probe,
        granted: None,
        heads: heads(memory, recn, packets),
        lines: lines(memory, recn, packets),
        sender: None,
    }
}

impl Ingress {
    /// What a recorder sees.
    pub fn probe(&self, waits: Waits) -> PortProbe {
        let is_busy = self.memory().leaving().next().is_some();
        probe(self.place, self.memory(), self.recn(), is_busy, waits)
    }

    /// All registers before tick `now`; `granted` is the output that it sends to.
    pub fn view(
        &self,
        waits: Waits,
        granted: Option<PortId>,
        packets: &Packets,
        now: Tick,
    ) -> PortView {
        let view = view(self.probe(waits), self.memory(), self.recn(), packets, now);
        PortView { granted, ..view }
    }
}

impl Egress {
    /// What a recorder sees before tick `now`.
    pub fn probe(&self, waits: Waits, now: Tick) -> PortProbe {
        let is_busy = self.link().busy_until > last_tick(now);
        probe(self.place, self.memory(), self.recn(), is_busy, waits)
    }

    /// All registers before tick `now`; `granted` is the input that sends.
    pub fn view(
        &self,
        waits: Waits,
        granted: Option<PortId>,
        packets: &Packets,
        now: Tick,
    ) -> PortView {
        let sender = SenderView {
            credits: self.fcu().credits().iter().map(|class| class.available).collect(),
            busy_until: self.link().busy_until,
            has_memory: self.memory().is_there(),
        };
        let view = view(self.probe(waits, now), self.memory(), self.recn(), packets, now);
        PortView { granted, sender: Some(sender), ..view }
    }
}
