//! What must hold between two ticks: where every cell and credit is, and that sets and counts say
//! what lists say. Takes time in everything that there is: for tests.

use super::{Flat, Mode, NONE, Packet};
use observe::Side;
use recn::RecnPort;
use units::QueueId;

impl<M: Mode> Flat<M> {
    /// Looks whether everything is where it must be.
    ///
    /// # Errors
    /// What is not.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let mut packets = 0;
        for p in 0..self.port.len() {
            for side in [Side::Ingress, Side::Egress] {
                packets += self.audit_queues(p, side)?;
            }
            packets += self.on_wire(p).count() + self.on_wire(self.egress_side(p)).count();
            self.audit_requests(p)?;
            self.audit_eligible(p)?;
            self.audit_room(p)?;
            match self.pauses.is_on {
                true => self.audit_pause(p)?,
                false => self.audit_credit(p)?,
            }
        }
        (0..self.nodes.len()).try_for_each(|n| self.audit_queues_to(n))?;
        packets += self.held_for_order();
        let mut alive = 0;
        self.packets.for_each(&mut |_| alive += 1);
        // What was sent to another part has not gone.
        if packets != alive || self.post.here.parts == 1 && alive as i64 != self.alive {
            return Err(format!(
                "{packets} packets in queues and on wires, {alive} records, {} counted",
                self.alive
            ));
        }
        (0..self.switches.len()).try_for_each(|s| self.audit_counters(s))
    }

    fn on_wire(&self, side: usize) -> impl Iterator<Item = &Packet> {
        self.chain(self.wires[side].0)
    }

    /// All packets of a side, those that are told ahead too.
    pub(super) fn queued(&self, p: usize, side: Side) -> impl Iterator<Item = &Packet> {
        let (first, normal, saqs) = self.queues_of(p, side);
        let queues = self.queues[first..first + normal + saqs].iter();
        queues.flat_map(|queue| self.chain(queue.head))
    }

    fn wrong<V>(&self, p: usize, side: Side, what: &str) -> Result<V, String> {
        Err(format!("{}: {what}", self.unit(p, side)))
    }

    /// Counts and ends of queues. How many packets there are.
    fn audit_queues(&self, p: usize, side: Side) -> Result<usize, String> {
        let (first, normal, saqs) = self.queues_of(p, side);
        let index = self.side_of(p, side);
        let mut all = 0;
        for queue in 0..normal + saqs {
            let record = &self.queues[first + queue];
            let packets = self.chain(record.head).count();
            let is_counted = packets == record.packets as usize
                && (!self.has_saqs(index)
                    || packets == self.recn.sides[index].packets(queue) as usize);
            let tail = self.packets.slots.get(record.tail as usize);
            let last = self.chain(record.head).last();
            let ends = last.is_none_or(|last| tail.is_some_and(|tail| std::ptr::eq(tail, last)));
            if !is_counted || !ends || record.port as usize != p {
                let what = format!("queue {queue} holds {packets} packets: {record:?}");
                return self.wrong(p, side, &what);
            }
            all += packets;
        }
        Ok(all)
    }

    /// An ingress queue requests an output where its head does, which is visible: that of an input
    /// that sends may do so before.
    fn audit_requests(&self, p: usize) -> Result<(), String> {
        let (first, normal, saqs) = self.queues_of(p, Side::Ingress);
        let mut outputs = [0u64; 2];
        for queue in 0..normal + saqs {
            let head = self.chain(self.queues[first + queue].head).next();
            for out in 0..usize::from(self.port[p].ports) {
                let requests = self.requests(p, queue, out);
                outputs[usize::from(queue >= normal)] |= u64::from(requests) << out;
                let head = head.filter(|head| usize::from(head.out) == out);
                let head = head.filter(|_| self.asks(p, queue));
                let must = head.is_some_and(|head| head.visible < self.now);
                if must && !requests || requests && head.is_none() {
                    let what = format!("queue {queue} requests out{out}: {requests}");
                    return self.wrong(p, Side::Ingress, &what);
                }
            }
        }
        if normal == 0 {
            return Ok(());
        }
        let (port, crossing) = (&self.port[p], &self.crossing[p]);
        let asked = self.crossing[port.first(p)..].iter();
        let by_output = asked
            .take(port.ports.into())
            .zip(0..)
            .fold(0, |set, (to, out)| set | (to.inputs >> port.number & 1) << out);
        let saqs = self.recn.requests.get(p).map_or(0, |requests| requests.outputs);
        let wanted = self.switches[port.element as usize].wanted;
        let sets = [crossing.outputs, by_output, outputs[0]];
        if sets.iter().any(|set| *set != outputs[0]) || outputs[0] & !wanted != 0 {
            return self.wrong(p, Side::Ingress, &format!("requests by set {sets:x?}"));
        }
        if saqs != outputs[1] {
            return self.wrong(p, Side::Ingress, "requests of SAQs by set and by queue");
        }
        Ok(())
    }

    /// Whether an ingress queue requests an output, by the bits.
    fn requests(&self, p: usize, queue: usize, out: usize) -> bool {
        let normal = usize::from(self.port[p].ingress_queues);
        if queue >= normal {
            let saqs = self.recn.saqs_of[self.recn.pairs[p] as usize + out];
            saqs >> (queue - normal) & 1 == 1
        } else if self.rare.shared {
            let at = (self.pairs[p] as usize + out) * self.pair_words;
            self.pair[at + queue / 64] >> (queue % 64) & 1 == 1
        } else {
            queue == self.ingress_map.of_output(out) && self.crossing[p].outputs >> out & 1 == 1
        }
    }

    /// The link arbiter looks at the queues whose heads may go, and at no others.
    fn audit_eligible(&self, p: usize) -> Result<(), String> {
        let (first, normal, saqs) = self.queues_of(p, Side::Egress);
        let port = &self.port[p];
        let lines = self.lines(self.egress_side(p));
        let words = self.rare.words(port.egress_words).all(&self.wide);
        for queue in 0..normal + saqs {
            let is_eligible = match words.get(queue / 64) {
                Some(word) => word >> (queue % 64) & 1 == 1,
                None => port.eligible >> queue & 1 == 1,
            };
            let may = |lines: &RecnPort| lines.may_request(QueueId::at(queue));
            let holds = self.queues[first + queue].head != NONE;
            if is_eligible != (holds && lines.is_none_or(may)) {
                let what = format!("queue {queue} is eligible: {is_eligible}");
                return self.wrong(p, Side::Egress, &what);
            }
        }
        let count: u32 = words.iter().map(|word| word.count_ones()).sum();
        if !words.is_empty() && u64::from(count) != port.eligible {
            return self.wrong(p, Side::Egress, "eligible queues by count");
        }
        Ok(())
    }

    /// Room of each class + cells there, on their way there and leaving = capacity.
    fn audit_room(&self, p: usize) -> Result<(), String> {
        let port = &self.port[p];
        if port.egress_queues == 0 {
            return Ok(());
        }
        let mut cells = Cells::of(&self.counters[self.room_classes(p)]);
        let packets = self.queued(p, Side::Egress).chain(self.on_wire(self.egress_side(p)));
        packets.for_each(|packet| cells.add(packet.class, packet.cells));
        if port.tail_end != NONE {
            cells.add(port.leaving_class, port.leaving_cells);
        }
        if self.rare.many && port.at_switch {
            if !self.is_list_right(p) {
                return self.wrong(p, Side::Ingress, "heads that are listed as waiting for long");
            }
            let words = self.many.with_room(p);
            for (queue, room) in self.counters[self.room_classes(p)].iter().enumerate() {
                if (words[queue / 64] >> (queue % 64) & 1 == 1) != (*room > 0) {
                    return self.wrong(p, Side::Egress, &format!("room of queue {queue} by set"));
                }
            }
        }
        match cells.other_than(port.room_cells) {
            Some(what) => self.wrong(p, Side::Egress, &format!("room: {what}")),
            None => Ok(()),
        }
    }

    /// Credit of each class at the sender and on its way back + cells on the wire and in the memory
    /// behind it, or of its input in all memories of an `oq` switch = capacity.
    fn audit_credit(&self, p: usize) -> Result<(), String> {
        let (port, peer) = (&self.port[p], self.port[p].peer as usize);
        if port.peer == NONE || port.is_cut {
            return Ok(());
        }
        let mut cells = Cells::of(&self.counters[self.credit_classes(p)]);
        for packet in self.on_wire(peer).chain(self.queued(peer, Side::Ingress)) {
            cells.add(packet.class, packet.cells);
        }
        let there = &self.port[peer];
        if self.rare.is_oq && there.at_switch {
            let outputs = there.first(peer)..there.first(peer) + usize::from(there.ports);
            let packets = outputs.flat_map(|output| self.queued(output, Side::Egress));
            for packet in packets.filter(|packet| packet.sender == there.number) {
                cells.add(0, packet.cells);
            }
        }
        let places = port.fly.iter().take(port.flying.into());
        let back = places.chain(&self.further[p]).chain(&self.later[peer]);
        back.for_each(|fly| cells.add(fly.class, fly.cells));
        if there.later != NONE {
            cells.add(there.later_class, there.later_cells);
        }
        for class in 0..cells.0.len() as u16 {
            cells.add(class, self.counters[there.back as usize + usize::from(class)]);
        }
        match cells.other_than(port.credit_cells) {
            Some(what) => self.wrong(p, Side::Egress, &format!("credit: {what}")),
            None => Ok(()),
        }
    }

    /// What an input has counted of each VC is stored there or leaves.
    fn audit_pause(&self, p: usize) -> Result<(), String> {
        for (vc, counted) in self.pauses.counted(p).enumerate() {
            let packets = self.queued(p, Side::Ingress);
            let of_vc = packets.filter(|packet| usize::from(packet.class) == vc);
            let stored: u32 = of_vc.map(|packet| u32::from(packet.cells)).sum();
            if counted != stored {
                let what = format!("{counted} cells of VC {vc} counted, {stored} are stored");
                return self.wrong(p, Side::Ingress, &what);
            }
        }
        Ok(())
    }
}

/// Cells by class.
struct Cells(Vec<u32>);

impl Cells {
    /// So many each.
    fn of(classes: &[u16]) -> Cells {
        Cells(classes.iter().map(|cells| u32::from(*cells)).collect())
    }

    fn add(&mut self, class: u16, cells: u16) {
        self.0[usize::from(class)] += u32::from(cells);
    }

    /// The first class of which there are not so many.
    fn other_than(&self, capacity: u16) -> Option<String> {
        let class = self.0.iter().position(|cells| *cells != u32::from(capacity))?;
        let found = self.0[class];
        Some(format!("{found} of {capacity} cells of class {class} accounted for"))
    }
}
