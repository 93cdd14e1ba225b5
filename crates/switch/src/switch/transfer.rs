//! Step 1: a packet leaves its ingress queue over the crossbar.

use super::Switch;
use super::heads::At;
use crate::egress::Egress;
use crate::env::Env;
use crate::must;
use crate::scheduler::CrossbarGrant;
use crossbar::transfer_end;
use observe::Event;
use plan::Params;
use units::{ClassId, PacketId, Span, Tick, VcId};

impl Switch {
    /// A granted transfer starts: the packet leaves its queue, its credit goes upstream when its
    /// tail has left, input and output are taken until then.
    pub(super) fn start_transfer(
        &mut self,
        params: &Params,
        grant: CrossbarGrant,
        env: &mut impl Env,
    ) {
        let CrossbarGrant { input, output, queue } = grant;
        let now = env.now();
        let port = &mut self.inputs[input.index()];
        let head = *port.memory.head(queue);
        let lease = port.memory.pop(queue, now);
        let (id, place) = (lease.packet, port.place);
        port.cdu.left(queue, output);
        port.bypass.left(id);
        self.release(id, env);
        let packet = env.packets()[id].view();
        env.observe(place, Event::Departed { packet, queue, output });
        let port = &mut self.inputs[input.index()];
        let packet = &mut env.packets()[id];
        let (held, cells) = (packet.class, u32::from(packet.cells));
        must(port.ru.leave(packet), port.unit(), now);
        let end = cross(params, &mut self.outputs[output.index()], id, head.class, env);
        port.memory.leave(lease, held, end);
        let concerns_saqs = port.concerns_saqs(queue);
        self.scheduler.start(&grant, head.visible, end, now);
        if let Some(pauser) = self.pausers.get_mut(input.index()) {
            pauser.leaves(VcId(held.0 as u8), cells, end);
        }
        self.started_where_marked((input, output), id, head.class, end, env);
        // FCU of the input: Xon upstream when the SAQ has fallen to it; markers come to the head.
        if concerns_saqs && let Some(xon) = self.inputs[input.index()].fell(params, queue, now) {
            self.outputs[input.index()].link.control.push(xon);
        }
        self.renew(params, At { input, queue }, env);
        if params.config.max_bypass.is_some() {
            self.refresh_input(params, input, env);
        }
        // `recn-dd-iq`: a packet that matches a line of the output has its input set the point
        // aside.
        if params.moves() {
            let route = &env.packets()[id].route;
            let message = self.outputs[output.index()].request_for_line(input, route);
            self.messages.extend(message);
        }
    }
}

/// The packet goes to the memory, in `iq` the link, behind the crossbar: when its tail has left.
fn cross(
    params: &Params,
    out: &mut Egress,
    id: PacketId,
    class: ClassId,
    env: &mut impl Env,
) -> Tick {
    let now = env.now();
    if !out.memory().has_room() {
        let end = out.send(params, id, class, params.stages.egress, env);
        out.observe_hop(end, env);
        return end;
    }
    let packet = &mut env.packets()[id];
    let cells = u32::from(packet.cells);
    let length = Span(u64::from(packet.crossbar_ticks));
    let end = transfer_end(now, length, packet.tail, params.crossbar_phit);
    packet.class = class;
    packet.vc = packet.next_vc;
    packet.tail = end + params.stages.egress;
    packet.stored = if params.store_and_forward { packet.tail } else { now + params.stages.egress };
    out.reserve(class, cells, now);
    out.expect(id);
    end
}
