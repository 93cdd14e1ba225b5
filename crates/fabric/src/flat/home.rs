//! Is everything at home? For fabrics that drain.

use super::{Flat, Mode, NONE};
use observe::Side;

impl<M: Mode> Flat<M> {
    /// Whether messages wait in admittance, control packets are on wires, or anything will or may
    /// be generated. Credit is settled.
    pub(crate) fn is_busy(&self) -> bool {
        let stage = self.times.injection;
        let mut lost = self.faults.gone.requests().iter();
        let mut nodes = self.nodes.iter();
        self.is_control_on_wires()
            || nodes.any(|node| node.waiting_count > 0 || node.due(stage).is_some())
            || lost.any(|request| self.nodes[request.node as usize].is_closed(request.group))
    }

    /// The first thing that is not at home, after everything drained. Credit is settled.
    pub(crate) fn left_over(&self) -> Option<String> {
        let of_switch = |s: usize| {
            let first = self.switches[s].first as usize;
            let ports = first..first + usize::from(self.switches[s].ports);
            let inputs = ports.clone().filter_map(|p| self.left_at(p, Side::Ingress));
            inputs.chain(ports.filter_map(|p| self.left_at(p, Side::Egress))).next()
        };
        let of_node = |n: usize| {
            let p = self.first_node + n;
            let what = match () {
                () if self.nodes[n].waiting_count > 0 => "messages wait in admittance",
                () if !self.nodes[n].replies.is_empty() => "replies wait for their delay",
                () if self.ends.awaits_answers(n) => "packets without an ACK",
                () => return self.left_at(p, Side::Egress),
            };
            Some(format!("{}: {what}", self.unit(p, Side::Ingress)))
        };
        let switches = (0..self.switches.len()).filter_map(of_switch);
        let mut all = switches.chain((0..self.nodes.len()).filter_map(of_node));
        all.next()
    }

    /// What is left of a side of a port.
    fn left_at(&self, p: usize, side: Side) -> Option<String> {
        let port = &self.port[p];
        let queued: u32 = self.queued(p, side).map(|k| u32::from(k.cells)).sum();
        let lines = self.lines(self.side_of(p, side));
        let (saqs, children) =
            lines.map_or((0, 0), |lines| (lines.cam().in_use(), lines.root_children()));
        let cells = queued + self.leaving(p, side);
        let what = match side {
            _ if cells > 0 => format!("{cells} cells in use"),
            Side::Egress if self.is_room_away(p) => "room is away".to_string(),
            Side::Egress if self.is_credit_away(p) => "credits are away".to_string(),
            Side::Egress if port.named || port.ready != NONE => "control packets wait".to_string(),
            _ if saqs > 0 => format!("{saqs} SAQs in use"),
            Side::Egress if children != 0 => {
                format!("tokens of children {children:#b} are away")
            }
            Side::Ingress | Side::Egress => return None,
        };
        Some(format!("{}: {what}", self.unit(p, side)))
    }

    fn is_room_away(&self, p: usize) -> bool {
        let port = &self.port[p];
        let room = &self.counters[self.room_classes(p)];
        port.egress_queues > 0 && room.iter().any(|cells| *cells < port.room_cells)
    }

    fn is_credit_away(&self, p: usize) -> bool {
        let credits = &self.counters[self.credit_classes(p)];
        credits.iter().any(|cells| *cells < self.port[p].credit_cells)
    }
}
