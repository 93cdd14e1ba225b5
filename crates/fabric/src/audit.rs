//! A look at everything at once: are all cells and credits where they must be?

use crate::env::Medium;
use crate::units_of::Units;
use switch::{Organisation, OutPort};

/// Every memory audited cell by cell, and for every link and credit class: credits at the sender + cells of packets on the
/// wire + cells in the memory there + credits on their way back = capacity.
///
/// Takes time in everything that there is: for tests, every few hundred ticks.
pub(crate) fn audit(units: &Units, medium: &Medium) -> Result<(), String> {
    for switch in &units.switches {
        for input in switch.inputs.iter() {
            input
                .memory
                .audit()
                .map_err(|e| format!("{}: {e}", input.unit))?;
        }
        for output in switch.outputs.iter() {
            memory_and_room(output)?;
        }
    }
    for node in &units.nodes {
        memory_and_room(&node.injection)?;
    }
    if units.params.config.organisation == Organisation::Oq {
        // The memory that a link has credit for is spread over all outputs; drained fabrics show that it comes home.
        return Ok(());
    }
    for switch in &units.switches {
        for output in switch.outputs.iter() {
            credits(units, medium, output)?;
        }
    }
    for node in &units.nodes {
        credits(units, medium, &node.injection)?;
    }
    Ok(())
}

/// A memory, and that what is not room is in it or on its way from the crossbar.
fn memory_and_room(port: &OutPort) -> Result<(), String> {
    port.memory
        .audit()
        .map_err(|e| format!("{}: {e}", port.unit))
}

/// Conservation of the credits of one link.
fn credits(units: &Units, medium: &Medium, output: &OutPort) -> Result<(), String> {
    let to = output.link.peer.to;
    if to == u32::MAX {
        return Ok(());
    }
    let there = medium.wires.owners[to as usize];
    let is_switch = (there.element as usize) < units.switches.len();
    let classes = output.link.credits.len();
    let mut away = vec![0u64; classes];
    for id in medium.wires.packets_to(to, &medium.packets) {
        let packet = &medium.packets[id];
        away[usize::from(packet.class)] += u64::from(packet.cells);
    }
    // Credits on their way back: waiting at the other end's transmitter, or on the wire to this port.
    let back = if is_switch {
        let port = &units.switches[there.element as usize];
        let input = &port.inputs[usize::from(there.port)];
        for queue in 0..input.memory.queues() as u16 {
            let class = if classes == 1 { 0 } else { usize::from(queue) };
            away[class] += u64::from(input.memory.cells(queue));
        }
        if let Some((class, cells)) = input.leaving() {
            away[usize::from(class)] += u64::from(cells);
        }
        &port.outputs[usize::from(there.port)].link
    } else {
        &units.nodes[there.element as usize - units.switches.len()]
            .injection
            .link
    };
    for (class, away) in away.iter_mut().enumerate() {
        *away += u64::from(back.control.waiting_credit(class as u16));
    }
    for (class, cells) in medium.wires.credits_to(output.place.port) {
        away[usize::from(class)] += u64::from(cells);
    }
    for (class, (credits, away)) in output.link.credits.iter().zip(&away).enumerate() {
        let found = u64::from(credits.available()) + away;
        if found != u64::from(credits.capacity()) {
            return Err(format!(
                "{}: {found} of {} credits of class {class} accounted for ({} at the sender, {away} away)",
                output.unit,
                credits.capacity(),
                credits.available(),
            ));
        }
    }
    Ok(())
}
