//! Sides of ports between two ticks, for observers that sample. Credit and tails around a port are
//! settled first; a look walks all queues of it.

use super::{Flat, Mode, NONE, Packet};
use hierarchy::TwoLevelTable;
use observe::{
    CellsInUse, LineView, LinesInUse, PacketKey, PortProbe, PortView, SenderView, Side, Waits,
};
use units::{LineId, PortId, QueueId, SwitchId, Tick, Unit};

impl<M: Mode> Flat<M> {
    /// Visits every connected port, ingress before egress, switches before end nodes.
    pub(crate) fn probe(&mut self, mut visit: impl FnMut(PortProbe)) {
        self.settle_for_looks();
        for p in (0..self.port.len()).filter(|p| self.is_here(*p)) {
            if self.port[p].peer == NONE {
                continue;
            }
            if self.port[p].at_switch {
                visit(self.probe_of(p, Side::Ingress));
            }
            visit(self.probe_of(p, Side::Egress));
        }
    }

    /// A side of a port of this part; none for a whole switch or node.
    pub(crate) fn look(&mut self, unit: Unit) -> Option<PortView> {
        let (p, side) = match unit {
            Unit::Ingress { switch, port } => (self.port_of_switch(switch, port), Side::Ingress),
            Unit::Egress { switch, port } => (self.port_of_switch(switch, port), Side::Egress),
            Unit::Injection { node } => (self.first_node + node as usize, Side::Egress),
            Unit::Switch { .. } | Unit::Node { .. } => return None,
        };
        if !self.is_here(p) {
            return None;
        }
        self.settle_around(p);
        let (first, normal, _) = self.queues_of(p, side);
        let heads = (0..normal).map(|queue| self.head_key(first + queue));
        Some(PortView {
            tick: self.tick_before(),
            probe: self.probe_of(p, side),
            granted: self.granted_to(p, side),
            heads: heads.collect(),
            lines: self.line_views(p, side),
            sender: (side == Side::Egress).then(|| self.sender_view(p)),
        })
    }

    /// Visits the tables of every ingress port that has two-level ones, as they are now.
    pub(crate) fn two_level_tables(&self, mut visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        for (s, table) in self.two_level.tables.iter().enumerate() {
            for port in 0..self.switches[s].ports {
                visit(SwitchId::at(s), PortId(port), table);
            }
        }
    }

    fn port_of_switch(&self, switch: u32, port: u8) -> usize {
        self.switches[switch as usize].first as usize + usize::from(port)
    }

    /// Settles the ports of a switch, or of a node, and those that send to them.
    fn settle_around(&mut self, p: usize) {
        let first = match self.port[p].at_switch {
            true => self.port[p].first(p),
            false => p,
        };
        for p in first..first + usize::from(self.port[p].ports) {
            if self.port[p].peer != NONE {
                self.settle_unseen(self.port[p].peer as usize);
            }
            self.settle_unseen(p);
        }
    }

    /// The last tick that was simulated, as ports are looked at.
    fn tick_before(&self) -> Tick {
        Tick(u64::from(self.now.saturating_sub(1)))
    }

    fn probe_of(&self, p: usize, side: Side) -> PortProbe {
        let leaving = self.leaving(p, side);
        PortProbe {
            place: Self::place(p, side),
            unit: self.unit(p, side),
            is_busy: match side {
                Side::Ingress => leaving > 0,
                Side::Egress => self.busy_until(p) > self.tick_before(),
            },
            waits: self.waits(p, side),
            cells: self.cells_in_use(p, side, leaving),
            lines: self.lines(self.side_of(p, side)).map(|lines| {
                let cam = lines.cam();
                let (leaf, blocked) = (cam.leaf_lines(), cam.blocked_lines());
                LinesInUse::of(cam.valid(), leaf, blocked, cam.ready_lines())
            }),
        }
    }

    /// The link carries something until then.
    fn busy_until(&self, p: usize) -> Tick {
        Tick(self.faults.busy_of(p, self.port[p].busy).into())
    }

    /// Cells of packets whose heads have left and whose tails have not.
    pub(super) fn leaving(&self, p: usize, side: Side) -> u32 {
        let port = &self.port[p];
        match side {
            Side::Ingress => {
                let crossing = self.sent_by(p).filter(|(_, c)| c.end > self.now);
                crossing.map(|(_, c)| u32::from(c.cells)).sum()
            }
            Side::Egress if port.tail_end == NONE => 0,
            Side::Egress => port.leaving_cells.into(),
        }
    }

    /// The outputs to which an input has sent the last packet, and their transfers.
    fn sent_by(&self, p: usize) -> impl Iterator<Item = (PortId, &super::Crossing)> {
        let port = &self.port[p];
        let outputs = if port.at_switch { port.ports } else { 0 };
        let crossings = self.crossing[port.first(p)..].iter();
        let all = (0..outputs).map(PortId).zip(crossings);
        all.filter(|(_, crossing)| crossing.end > 0 && crossing.sender == port.number)
    }

    /// The output to which an ingress port sends over the crossbar in the last tick, or the input
    /// that sends to an egress port.
    fn granted_to(&self, p: usize, side: Side) -> Option<PortId> {
        let is_under_way = |crossing: &super::Crossing| crossing.end >= self.now.max(1);
        match side {
            Side::Ingress => {
                let mut sent = self.sent_by(p);
                let found = sent.find(|(_, crossing)| is_under_way(crossing));
                found.map(|(output, _)| output)
            }
            Side::Egress => {
                let crossing = &self.crossing[p];
                is_under_way(crossing).then_some(PortId(crossing.sender))
            }
        }
    }

    fn cells_in_use(&self, p: usize, side: Side, leaving: u32) -> CellsInUse {
        let (first, normal, saqs) = self.queues_of(p, side);
        let cells = |queue: usize| self.cells_stored(first + queue);
        CellsInUse {
            normal: (0..normal).map(cells).sum(),
            saq: (normal..normal + saqs).map(cells).sum(),
            leaving,
        }
    }

    /// The best that any head of a side is placed.
    fn waits(&self, p: usize, side: Side) -> Waits {
        let (first, normal, saqs) = self.queues_of(p, side);
        let lines = self.lines(self.side_of(p, side));
        let of_queue = |queue: usize| {
            let Some(packet) = self.stored(first + queue).next() else {
                return Waits::Nothing;
            };
            if packet.stored + self.times.arbitration > self.now {
                return Waits::Nothing;
            }
            let id = QueueId::at(queue);
            if let Some((lines, line)) = lines.and_then(|l| Some((l, l.line(id)?)))
                && !lines.may_request(id)
            {
                return match lines.cam().ready(line) {
                    true => Waits::Xon,
                    false => Waits::Nothing,
                };
            }
            let (_, room, _) = self.room_ahead(p, side, packet);
            match room >= packet.cells {
                true => Waits::Arbitration,
                false => Waits::Credit,
            }
        };
        let waits = (0..normal + saqs).map(of_queue);
        waits.max().unwrap_or(Waits::Nothing)
    }

    fn head_key(&self, record: usize) -> Option<PacketKey> {
        let key = |packet: &Packet| packet.view().key();
        self.stored(record).next().map(key)
    }

    /// All CAM lines.
    fn line_views(&self, p: usize, side: Side) -> Vec<LineView> {
        let Some(lines) = self.lines(self.side_of(p, side)) else {
            return Vec::new();
        };
        let (first, normal, _) = self.queues_of(p, side);
        let (cam, has_queues) = (lines.cam(), normal > 0);
        let all = (0..cam.lines()).map(LineId::at).map(|line| {
            let is_valid = cam.is_valid(line);
            let record = first + normal + line.index();
            LineView {
                point: is_valid.then(|| cam.point(line)),
                blocked: is_valid && cam.blocked(line),
                ready: is_valid && cam.ready(line),
                leaf: is_valid && cam.leaf(line),
                cells: has_queues.then(|| self.cells_stored(record)),
                head: has_queues.then(|| self.head_key(record)).flatten(),
            }
        });
        all.collect()
    }

    fn sender_view(&self, p: usize) -> SenderView {
        let credits = self.counters[self.credit_classes(p)].iter();
        SenderView {
            credits: credits.map(|cells| u32::from(*cells)).collect(),
            busy_until: self.busy_until(p),
            has_memory: self.port[p].egress_queues > 0,
        }
    }

    /// The counters of room in the egress memory of a port.
    pub(super) fn room_classes(&self, p: usize) -> std::ops::Range<usize> {
        self.port[p].room as usize..self.port[p].back as usize
    }

    /// The counters of credit behind a port.
    pub(super) fn credit_classes(&self, p: usize) -> std::ops::Range<usize> {
        self.port[p].credits as usize..self.port[p].room as usize
    }
}
