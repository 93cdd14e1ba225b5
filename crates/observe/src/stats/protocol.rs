//! SAQs and messages of the RECN protocol.

use super::Stats;
use super::level::SaqLevel;
use crate::event::{Event, Place, Side};
use crate::observer::View;
use crate::record::RecnCounts;
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
        if view.now >= self.config.duration {
            return; // it drains
        }
        let recn = &mut self.recn;
        match event {
            Event::SaqAllocated { point, in_use, .. } => {
                recn.allocations += 1;
                let time_base = &self.config.time_base;
                let early = self.frees.allocated(place, point, view.now, time_base);
                recn.early_frees += u64::from(early);
                self.level(place).change(view.now, in_use, true);
            }
            Event::SaqFreed { point, in_use, .. } => {
                recn.frees += 1;
                let time_base = &self.config.time_base;
                self.frees.freed(place, point, view.now, time_base);
                self.level(place).change(view.now, in_use, false);
            }
            Event::SaqRefused(_) => recn.refusals += 1,
            Event::Ignored(_) => recn.ignored += 1,
            Event::ControlSent(control) => recn.sent(control),
            Event::Internal(control) => recn.sent_inside(control),
            _ => {}
        }
    }
}

impl RecnCounts {
    fn sent(&mut self, control: Control) {
        match control {
            Control::Notification(_) => self.notifications += 1,
            Control::Xoff(_) => self.xoffs += 1,
            Control::Xon(_) => self.xons += 1,
            Control::Token(_) => self.tokens += 1,
            Control::Nack(_) => self.nacks += 1,
            Control::Recovery(_) | Control::Pause(..) => {}
        }
    }

    fn sent_inside(&mut self, control: Control) {
        match control {
            Control::Notification(_) => self.internal_notifications += 1,
            Control::Xoff(_) => self.internal_xoffs += 1,
            Control::Xon(_) => self.internal_xons += 1,
            Control::Token(_) => self.internal_tokens += 1,
            // The answer of a refusal comes at once and is no message.
            Control::Nack(_) | Control::Recovery(_) | Control::Pause(..) => {}
        }
    }
}
