//! What the head of a queue needs that only others which stand can give it.

use super::port::{Held, Port};
use crate::reference::Reference;
use crate::reference::classes::class_of_queue;
use crate::waits::{At, Needed};
use observe::Side;
use switch::{Egress, Packet};
use units::{ElementId, VcId};

/// See [`crate::waits::Standing::needs`].
pub(super) fn needs_of(
    all: &Reference,
    at: At,
    holders: &mut Vec<At>,
    visit: &mut dyn FnMut(Needed<'_>),
) {
    let port = Port::of(all, at);
    let Some(packet) = port.head(at.queue) else {
        return;
    };
    for held in port.held(at.queue) {
        let giver = match held {
            Held::Marker => marker_host(&port, at),
            Held::Xon => xon_from(all, &port, at, packet),
        };
        visit(giver.as_slice());
    }
    if is_moved(&port, at, packet) {
        return;
    }
    holders.clear();
    if let Some(queues) = holders_of_room(all, &port, (at, packet), port.output_of(packet)) {
        holders.extend(queues);
        visit(holders);
    }
}

/// The queues that hold the room that a head lacks behind an output; `None` if it lacks none, or if
/// some of it comes without any of them.
fn holders_of_room(
    all: &Reference,
    port: &Port<'_>,
    (at, packet): (At, &Packet),
    output: &Egress,
) -> Option<Vec<At>> {
    let room = port.room(output, packet);
    if room.fits(packet) {
        return None;
    }
    let holder = holder_of(all, output, at)?;
    let there = Port::of(all, holder);
    let class = |&queue: &_| class_of_queue(there.params(), there.memory, queue) == room.class;
    let queues = || there.queues().filter(class);
    let queued: u32 = queues().map(|queue| there.memory.cells(queue)).sum();
    if there.params().pause.is_some() && holder.side == Side::Ingress {
        // Until some of them move it stays paused; else RESUME is on its way, or will be.
        let switch = all.switch(holder.element.0);
        let stays = switch.pauser(holder.port)?.wanted_down_to(VcId(room.class.0 as u8))?;
        if queued <= stays {
            return None;
        }
    } else if queued != room.in_use() {
        // What is not there is on its way in or out, or its credit is on its way back.
        return None;
    }
    let holding = queues().filter(|&queue| there.memory.cells(queue) > 0);
    Some(holding.map(|queue| holder.queue(queue)).collect())
}

/// The queue that must move for the marker of a SAQ to come on: its host, or, where that holds
/// markers alone, the host of the host's marker.
fn marker_host(port: &Port<'_>, at: At) -> Option<At> {
    let recn = port.recn?;
    let mut queue = at.queue;
    for _ in 0..=recn.cam().lines() {
        queue = port.memory.marker_host(recn.line(queue)?)?;
        if port.memory.packets(queue) > 0 {
            return Some(at.queue(queue));
        }
    }
    None
}

/// The queue at Xoff that holds back a blocked SAQ. None where there is none any more: Xon is on
/// its way.
fn xon_from(all: &Reference, port: &Port<'_>, at: At, packet: &Packet) -> Option<At> {
    let recn = port.recn?;
    let own = recn.cam().point(recn.line(at.queue)?);
    let point = match at.side {
        Side::Egress => own,
        Side::Ingress => {
            let switch = all.switch(at.element.0);
            own.without_first(switch.turn_width())?
        }
    };
    let holder = holder_of(all, port.output_of(packet), at)?;
    let there = Port::of(all, holder).recn?;
    if point.bits() == 0 {
        return there.root_xoff().then_some(holder);
    }
    let line = there.cam().find(&point)?;
    let at_xoff = there.registers(line).xoff.is_set();
    at_xoff.then(|| holder.queue(there.queue(line)))
}

/// Whether the PPU moves this head: it requests nothing.
fn is_moved(port: &Port<'_>, at: At, packet: &Packet) -> bool {
    port.recn.is_some_and(|recn| {
        let is_cold = recn.has_cold_queue() && recn.line(at.queue).is_none();
        is_cold && recn.cam().lookup(&packet.route).is_some()
    })
}

/// The memory that packets go to next from a side of a port through `output`; its first queue. None
/// for an end node, which always takes.
fn holder_of(all: &Reference, output: &Egress, at: At) -> Option<At> {
    let owners = &all.transit.owners;
    if at.side == Side::Ingress && output.memory().has_room() {
        let port = owners[output.place().port.index()].port;
        return Some(At::first(at.element, Side::Egress, port));
    }
    let there = owners[output.link().peer().wire?.index()];
    let is_switch = there.element < ElementId::at(all.elements.switches.len());
    is_switch.then(|| At::first(there.element, Side::Ingress, there.port))
}
