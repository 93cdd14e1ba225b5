//! What `recn-dd-iq` does at switches with memories at inputs only.

use super::events::Commit;
use super::mutants::Mutant;
use super::state::Fault;
use flow_control::Control;
use recn::InternalKind;
use switch::COLD;
use units::{PortId, QueueId};

impl Commit<'_> {
    /// `iq`: a packet from `sender` starts through an output. One that matches a line there, which
    /// is at Xoff, has its input set the point aside.
    pub(super) fn started_through(&mut self, egress: usize, sender: PortId, packet: u8) {
        if !self.model.limits.iq_egress_lines {
            self.state.port(egress).last_sender = Some(sender);
            return;
        }
        let recn = &self.state.ports[egress].recn;
        let route = self.model.network.route(packet, egress);
        let Some(line) = recn.cam().lookup(route) else {
            return;
        };
        let kind = InternalKind::Request { sender, blocked: true };
        let said = (recn.cam().point(line), kind);
        self.say_inside(egress, recn.queue(line), Some(said));
    }

    /// Step 3: the PPU moves the head of the cold queue into its SAQ.
    pub(super) fn move_cold_head(&mut self, unit: usize) {
        let model = self.model;
        let Some(saq) = model.saq_of_head(&self.state.ports[unit], COLD, unit) else {
            return;
        };
        let port = self.state.port(unit);
        if let Some(packet) = port.queues.move_front(COLD, saq) {
            port.cdu.left(COLD, model.output(packet, unit));
            self.rose_at_ingress(unit, saq);
        }
    }

    /// Step 4, `iq`: Xoff or Xon for a point behind an output goes on to all inputs.
    pub(super) fn broadcast(&mut self, unit: usize, control: Control) -> Result<(), Fault> {
        let xoff = matches!(control, Control::Xoff(_));
        let Some(point) = control.point() else {
            return Ok(());
        };
        let kept = !xoff && self.mutant(Mutant::LineKept);
        let lines = self.model.limits.iq_egress_lines && !kept;
        let port = self.state.port(unit);
        if lines {
            port.recn.queueless_flow(point, xoff)?;
        }
        let sender = port.last_sender;
        let kind = if xoff { InternalKind::Xoff { sender } } else { InternalKind::Xon };
        self.say_inside(unit, QueueId(0), Some((point, kind)));
        Ok(())
    }
}
