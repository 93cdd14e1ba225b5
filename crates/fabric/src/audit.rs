//! A look at everything at once: are all cells and credits where they must be?

use crate::part::{Part, Whole};
use switch::{Organisation, OutPort};

/// Every memory audited cell by cell, and for every link and credit class: credits at the sender + cells of packets on the
/// wire + cells in the memory there + credits on their way back = capacity.
///
/// Takes time in everything that there is: for tests, every few hundred ticks.
pub(crate) fn audit(whole: Whole<'_>) -> Result<(), String> {
    for (part, switch) in whole.switches() {
        for input in switch.inputs.iter() {
            input
                .memory
                .audit()
                .map_err(|e| format!("{}: {e}", input.unit))?;
        }
        for output in switch.outputs.iter() {
            memory_and_room(part, output)?;
        }
    }
    for (part, node) in whole.nodes() {
        memory_and_room(part, &node.injection)?;
    }
    let is_oq = |part: &Part| part.units.params.config.organisation == Organisation::Oq;
    if whole.parts.iter().any(is_oq) {
        // The memory that a link has credit for is spread over all outputs; drained fabrics show that it comes home.
        return Ok(());
    }
    for (part, switch) in whole.switches() {
        for output in switch.outputs.iter() {
            credits(whole, part, output)?;
        }
    }
    for (part, node) in whole.nodes() {
        credits(whole, part, &node.injection)?;
    }
    Ok(())
}

/// A memory, and for each class: what is not room is in it or on its way from the crossbar.
fn memory_and_room(part: &Part, port: &OutPort) -> Result<(), String> {
    port.memory
        .audit()
        .map_err(|e| format!("{}: {e}", port.link.unit))?;
    let Some(room) = &port.room else {
        return Ok(());
    };
    let (classes, packets) = (room.len(), &part.medium.packets);
    let mut held = vec![0; classes];
    let class_of = |class: u16| if classes == 1 { 0 } else { usize::from(class) };
    for queue in 0..port.memory.queues() as u16 {
        held[class_of(queue)] += port.memory.cells(queue);
    }
    if let Some((class, cells)) = port.leaving() {
        held[class_of(class)] += cells;
    }
    let next = |&id: &u32| Some(packets[id].next).filter(|&next| next != switch::NO_PACKET);
    for id in std::iter::successors(port.arrivals.front(), next) {
        held[class_of(packets[id].class)] += u32::from(packets[id].cells);
    }
    for (class, (room, held)) in room.iter().zip(&held).enumerate() {
        if room.in_use() != *held {
            return Err(format!(
                "{}: {} cells of room of class {class} are taken, {held} cells are there or come",
                port.link.unit,
                room.in_use()
            ));
        }
    }
    Ok(())
}

/// Conservation of the credits of the link behind an output of `part`.
fn credits(whole: Whole<'_>, part: &Part, output: &OutPort) -> Result<(), String> {
    let to = output.link.peer.to;
    if to == u32::MAX {
        return Ok(());
    }
    let there = part.medium.owners[to as usize];
    let receiver = &whole.parts[whole.partition.slot(there.element).part as usize].medium;
    let classes = output.link.credits.len();
    let mut away = vec![0u64; classes];
    for id in receiver.wires.packets_to(to, &receiver.packets) {
        let packet = &receiver.packets[id];
        away[usize::from(packet.class)] += u64::from(packet.cells);
    }
    // Credits on their way back: waiting at the other end's transmitter, or on the wire to this port.
    let switches = whole.partition.switches.len() as u32;
    let back = if there.element < switches {
        let (_, switch) = whole.switch(there.element);
        let input = &switch.inputs[usize::from(there.port)];
        for queue in 0..input.memory.queues() as u16 {
            let class = if classes == 1 { 0 } else { usize::from(queue) };
            away[class] += u64::from(input.memory.cells(queue));
        }
        if let Some((class, cells)) = input.leaving() {
            away[usize::from(class)] += u64::from(cells);
        }
        &switch.outputs[usize::from(there.port)].link
    } else {
        &whole.node(there.element - switches).1.injection.link
    };
    for (class, away) in away.iter_mut().enumerate() {
        *away += u64::from(back.control.waiting_credit(class as u16));
    }
    for (class, cells) in part.medium.wires.credits_to(output.link.place.port) {
        away[usize::from(class)] += u64::from(cells);
    }
    for (class, (credits, away)) in output.link.credits.iter().zip(&away).enumerate() {
        let found = u64::from(credits.available()) + away;
        if found != u64::from(credits.capacity()) {
            return Err(format!(
                "{}: {found} of {} credits of class {class} accounted for ({} at the sender, {away} away)",
                output.link.unit,
                credits.capacity(),
                credits.available(),
            ));
        }
    }
    Ok(())
}
