//! SAQs and messages of the RECN protocol.

use super::Stats;
use crate::event::{Event, Place, Side};
use crate::observer::View;
use crate::record::RecnCounts;
use flow_control::Control;
use units::Tick;

impl Stats {
    fn change_level(&mut self, now: Tick, place: Place, in_use: u32, up: bool) {
        let in_run = now < self.config.duration;
        let level = match place.side {
            Side::Ingress => &mut self.ingress,
            Side::Egress if place.port >= self.config.first_node_port => &mut self.injection,
            Side::Egress => &mut self.egress,
        };
        level.change(now, in_use, up, in_run);
    }

    /// What tells of SAQs and their messages; all else is not for here.
    pub(super) fn saq_event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.roll(view.now);
        if let Some(pauses) = &mut self.pauses {
            return pauses.event(view, place, event);
        }
        match event {
            Event::SaqAllocated { point, in_use, .. } => {
                let time_base = &self.config.time_base;
                let early = self.frees.allocated(place, point, view.now, time_base);
                let recn = &mut self.at(view.now).recn;
                recn.allocations += 1;
                recn.early_frees += u64::from(early);
                self.change_level(view.now, place, in_use, true);
            }
            Event::SaqFreed { point, in_use, .. } => {
                let time_base = &self.config.time_base;
                self.frees.freed(place, point, view.now, time_base);
                self.at(view.now).recn.frees += 1;
                self.change_level(view.now, place, in_use, false);
            }
            other => self.at(view.now).recn.count(other),
        }
    }
}

impl RecnCounts {
    fn count(&mut self, event: Event) {
        match event {
            Event::SaqRefused(_) => self.refusals += 1,
            Event::Ignored(_) => self.ignored += 1,
            Event::ControlSent(control) => self.sent(control),
            Event::Internal(control) => self.sent_inside(control),
            _ => {}
        }
    }

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
