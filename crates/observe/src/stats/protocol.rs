//! SAQs and messages of the RECN protocol.

use super::Stats;
use super::level::SaqLevel;
use crate::event::{Event, Place, Side};
use crate::observer::View;
use flow_control::Control;

impl Stats {
    fn level(&mut self, place: Place) -> &mut SaqLevel {
        match place.side {
            Side::Ingress => &mut self.ingress,
            Side::Egress if place.port >= self.config.first_node_port => &mut self.injection,
            Side::Egress => &mut self.egress,
        }
    }

    /// What tells of SAQs and their messages; all else is not for here.
    pub(super) fn saq_event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.roll(view.now);
        if let Some(pauses) = &mut self.pauses {
            return pauses.event(view, place, event);
        }
        match event {
            Event::SaqAllocated { point, in_use, .. } => {
                self.recn.allocations += 1;
                let time_base = &self.config.time_base;
                let early = self.frees.allocated(place, point, view.now, time_base);
                self.recn.early_frees += u64::from(early);
                self.level(place).change(view.now, in_use, true);
            }
            Event::SaqFreed { point, in_use, .. } => {
                self.recn.frees += 1;
                let time_base = &self.config.time_base;
                self.frees.freed(place, point, view.now, time_base);
                self.level(place).change(view.now, in_use, false);
            }
            Event::SaqRefused(_) => self.recn.refusals += 1,
            Event::Ignored(_) => self.recn.ignored += 1,
            Event::ControlSent(control) => self.sent(control),
            Event::Internal(control) => self.sent_inside(control),
            _ => {}
        }
    }

    fn sent(&mut self, control: Control) {
        let recn = &mut self.recn;
        match control {
            Control::Notification(_) => recn.notifications += 1,
            Control::Xoff(_) => recn.xoffs += 1,
            Control::Xon(_) => recn.xons += 1,
            Control::Token(_) => recn.tokens += 1,
            Control::Nack(_) => recn.nacks += 1,
            Control::Recovery(_) | Control::Pause(..) => {}
        }
    }

    fn sent_inside(&mut self, control: Control) {
        let recn = &mut self.recn;
        match control {
            Control::Notification(_) => recn.internal_notifications += 1,
            Control::Xoff(_) => recn.internal_xoffs += 1,
            Control::Xon(_) => recn.internal_xons += 1,
            Control::Token(_) => recn.internal_tokens += 1,
            // The answer of a refusal comes at once and is no message.
            Control::Nack(_) | Control::Recovery(_) | Control::Pause(..) => {}
        }
    }
}
