//! A look at everything at once: are all cells and credits where they must be?

use super::Reference;
use hierarchy::LarCounter;
use observe::Owner;
use plan::{Organisation, Params};
use switch::{Egress, Link, PortMemory, Switch};
use units::{ClassId, PacketId, PortId, QueueId, VcId};

/// Every memory audited cell by cell, and for every link and credit class: credits at the sender +
/// cells of packets on the wire + cells in the memory there + credits on their way back = capacity.
///
/// Takes time in everything that there is: for tests, every few hundred ticks.
pub(crate) fn audit(all: &Reference) -> Result<(), String> {
    for switch in all.switches() {
        for input in switch.inputs() {
            input.memory().audit()?;
        }
        counters(all, switch)?;
    }
    for port in all.egresses() {
        memory_and_room(all, port)?;
    }
    let params = &all.elements.params;
    if params.config.organisation == Organisation::Oq {
        // The memory that a link has credit for is spread over all outputs.
        return Ok(());
    }
    if params.pause.is_some() {
        return pauses(all);
    }
    all.egresses().try_for_each(|port| credits(all, port))
}

/// Q of two-level routing by its definition: cells of the packets that are assigned to each output
/// and have not started, or of the heads that request it.
fn counters(all: &Reference, switch: &Switch) -> Result<(), String> {
    let Some(counters) = switch.egress_counters() else {
        return Ok(());
    };
    let mut found = vec![0; switch.outputs().len()];
    let packets = &all.transit.packets;
    for memory in switch.inputs().iter().map(|input| input.memory()) {
        for queue in (0..memory.queues()).map(QueueId::at) {
            let head = memory.head(queue);
            match counters.kind() {
                LarCounter::Requests => {
                    let queued = memory.items(queue).map(|id| &packets[id]);
                    for packet in queued.filter(|packet| packet.assigned) {
                        found[packet.output.index()] += i64::from(packet.cells);
                    }
                }
                LarCounter::RequestsAndCredits if head.requests => {
                    found[head.output.index()] += i64::from(head.cells);
                }
                LarCounter::RequestsAndCredits | LarCounter::Credits => {}
            }
        }
    }
    let counted = counters.written();
    if counted != found {
        let unit = switch.outputs()[0].unit();
        return Err(format!(
            "{unit} and the others: Q is {counted:?} cells, {found:?} are asked for"
        ));
    }
    Ok(())
}

/// A memory, and for each class: what is not room is in it or on its way from the crossbar.
fn memory_and_room(all: &Reference, port: &Egress) -> Result<(), String> {
    let memory = port.memory();
    memory.audit()?;
    let Some(room) = memory.room_classes() else {
        return Ok(());
    };
    let mut held = Cells::of(room.len());
    held.add_memory(&all.elements.params, memory);
    held.add_packets(all, port.arrivals());
    for (class, held) in held.by_class() {
        let taken = u64::from(room.class(class).capacity - memory.room(class));
        if taken != held {
            return Err(format!(
                "{}: {taken} cells of room of class {class} are taken, {held} cells are there or \
                 come",
                port.unit()
            ));
        }
    }
    Ok(())
}

/// With pause in the place of credits: what each input counts of a VC is in its memory.
fn pauses(all: &Reference) -> Result<(), String> {
    for switch in all.switches() {
        let params = &all.elements.params;
        for (port, input) in switch.inputs().iter().enumerate() {
            let Some(pauser) = switch.pauser(PortId::at(port)) else {
                continue;
            };
            let mut held = Cells::of(params.vcs.into());
            held.add_memory(params, input.memory());
            for (class, held) in held.by_class() {
                let counted = pauser.cells(VcId(class.0 as u8), all.now);
                if u64::from(counted) != held {
                    return Err(format!(
                        "{}: {counted} cells of VC {class} counted, {held} in the memory",
                        input.unit()
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Conservation of the credits of the link behind an output of `part`.
fn credits(all: &Reference, output: &Egress) -> Result<(), String> {
    let Some(wire) = output.link().peer.wire else {
        return Ok(());
    };
    let credits = output.fcu().credits();
    let mut away = Cells::of(credits.len());
    away.add_packets(all, all.transit.wires[wire.index()].packets.iter().copied());
    let back = receiver(all, all.transit.owners[wire.index()], &mut away);
    for class in (0..credits.len()).map(ClassId::at) {
        away.add(class, back.control.waiting_credit(class));
    }
    for credit in &all.transit.wires[output.place.port.index()].credits {
        away.add(credit.class, credit.cells);
    }
    for (class, away) in away.by_class() {
        let credits = credits.class(class);
        let found = u64::from(credits.available) + away;
        if found != u64::from(credits.capacity) {
            return Err(format!(
                "{}: {found} of {} credits of class {class} accounted for ({} at the sender, \
                 {away} away)",
                output.unit(),
                credits.capacity,
                credits.available,
            ));
        }
    }
    Ok(())
}

/// The link over which the receiver gives credit back; adds what is in its memory, if that is a
/// switch. An end node has no packets between two ticks.
fn receiver<'a>(all: &'a Reference, there: Owner, away: &mut Cells) -> &'a Link {
    let switches = all.elements.switches.len() as u32;
    if there.element.0 >= switches {
        return all.node(there.element.0 - switches).injection().link();
    }
    let switch = all.switch(there.element.0);
    let input = &switch.inputs()[there.port.index()];
    away.add_memory(&all.elements.params, input.memory());
    switch.outputs()[there.port.index()].link()
}

/// Cells by class.
struct Cells(Vec<u64>);

impl Cells {
    /// None yet, of so many classes.
    fn of(classes: usize) -> Cells {
        Cells(vec![0; classes])
    }

    fn add(&mut self, class: ClassId, cells: u32) {
        self.0[class.index()] += u64::from(cells);
    }

    /// Those of packets in a memory, the one that is leaving included.
    fn add_memory(&mut self, params: &Params, memory: &PortMemory) {
        for queue in (0..memory.queues()).map(QueueId::at) {
            self.add(class_of_queue(params, memory, queue), memory.cells(queue));
        }
        for (class, cells) in memory.leaving() {
            self.add(class, cells);
        }
    }

    /// Those of packets.
    fn add_packets(&mut self, all: &Reference, ids: impl Iterator<Item = PacketId>) {
        for packet in ids.map(|id| &all.transit.packets[id]) {
            self.add(packet.class, packet.cells.into());
        }
    }

    fn by_class(&self) -> impl Iterator<Item = (ClassId, u64)> + '_ {
        let cells = self.0.iter().copied().enumerate();
        cells.map(|(class, cells)| (ClassId::at(class), cells))
    }
}

/// The class of a queue of a memory: its own, or that of its VC, of which each has equally many
/// queues. Schemes with SAQs have one class for all.
pub(crate) fn class_of_queue(params: &Params, memory: &PortMemory, queue: QueueId) -> ClassId {
    if params.per_queue_credits {
        return ClassId(queue.0);
    }
    let normal = memory.queues() - params.saqs() as usize;
    if queue.index() >= normal {
        return ClassId(0);
    }
    let queues_of_vc = normal / usize::from(params.vcs);
    ClassId::at(queue.index() / queues_of_vc)
}
