//! Named control packets: what waits for a link, what starts, and step 4, what arrives.

use crate::flat::{Flat, Kind, Mode, NONE, T};
use flow_control::Control;
use observe::{Event, Observer, Side};
use recn::{Internal, InternalKind, QueuelessLine, Received};
use turnpool::Point;
use units::{PortId, QueueId, Tick};

impl<M: Mode> Flat<M> {
    /// A control packet waits for the link of a port, behind credit that starts by now.
    pub(crate) fn push_control(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        control: Control,
        t: T,
    ) {
        if self.port[p].ready <= t && !self.has_named(p) {
            self.settle_back(observer, p, t + 1, t);
        }
        self.recn.waiting[p].push_back(control);
        self.port[p].named = true;
        let at = self.port[p].later_busy(self.rare.out_of_band).max(t + 1);
        self.ask_link(p, at);
    }

    /// Evaluate and step 1 of a link for which named control packets wait. Whether data may start
    /// in this tick beside them.
    #[cold]
    #[inline(never)]
    pub(crate) fn link_named(&mut self, observer: &mut impl Observer, p: usize, t: T) -> bool {
        let busy = self.port[p].later_busy(self.rare.out_of_band);
        if busy > t {
            self.ask_link(p, busy);
            return false;
        }
        while let Some(control) = self.recn.waiting[p].pop_front() {
            self.observe(observer, (p, Side::Egress), Event::ControlSent(control), t);
            self.faults.seen.messages += 1;
            if let Control::Pause(word, vc) = control {
                self.hear_pause(p, word, vc, t);
            }
            let port = &self.port[p];
            let due = t + self.recn.named_span + port.latency;
            let to = port.peer as usize;
            if port.is_cut {
                self.post_control(to, due, control);
            } else {
                self.control_goes_to(to, due, control);
            }
            if self.recn.named_span > 0 {
                self.port[p].busy = t + self.recn.named_span;
                break;
            }
        }
        self.port[p].named = !self.recn.waiting[p].is_empty();
        if self.rare.out_of_band {
            return true;
        }
        let busy = self.port[p].busy;
        if self.port[p].named || self.port[p].eligible != 0 {
            self.ask_link(p, busy);
        }
        if self.rare.is_iq && self.port[p].at_switch {
            self.ask_crossbar(self.port[p].element as usize, busy);
        }
        self.ask_for_back(p, t);
        false
    }

    /// A control packet is on its way to a port.
    pub(crate) fn control_goes_to(&mut self, to: usize, due: T, control: Control) {
        self.recn.wires[to].push_back((due, control));
        self.wheel.put(due, Kind::Control, to);
    }

    /// Step 4: control packets that have come to a port.
    pub(crate) fn controls(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        while let Some(&(due, control)) = self.recn.wires[p].front() {
            if due > t {
                return;
            }
            self.recn.wires[p].pop_front();
            self.control(observer, p, control, t);
        }
    }

    fn control(&mut self, observer: &mut impl Observer, p: usize, control: Control, t: T) {
        if let Control::Pause(word, vc) = control {
            return self.hear(observer, p, word, vc, t);
        }
        let ((config, rules), now) = (self.recn_config(), Tick(t.into()));
        let (at_switch, element) = (self.port[p].at_switch, self.element_of(p));
        match control {
            Control::Xoff(point) | Control::Xon(point) if rules.moves() && at_switch => {
                self.broadcast(observer, p, point, matches!(control, Control::Xoff(_)), t);
            }
            Control::Token(_) | Control::Nack(_) => {
                let place = (p, Side::Ingress);
                let lines = self.recn.sides[p].lines.as_mut().filter(|_| at_switch);
                let Some(lines) = lines else {
                    self.broken(p, Side::Ingress, t, "an answer at a port without SAQs");
                };
                let done = lines.ingress_control(control, now, &config);
                self.must(done, place, t);
                self.ask_for_recn(element, t);
            }
            _ => {
                self.control_at_egress(observer, p, control, t);
                if at_switch {
                    let ends = T::try_from(config.timer_end(now).0).unwrap_or(NONE);
                    let commits = &mut self.recn.switches[element];
                    commits.next_timer = commits.next_timer.min(ends);
                } else {
                    self.ask_to_admit(element - self.switches.len(), t + 1);
                }
            }
        }
    }

    /// Notification, Xoff or Xon from the ingress port downstream.
    fn control_at_egress(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        control: Control,
        t: T,
    ) {
        let ((config, _), now) = (self.recn_config(), Tick(t.into()));
        let (at, place) = (self.egress_side(p), (p, Side::Egress));
        self.make_timed(observer, at, t);
        let side = &mut self.recn.sides[at];
        let Some(lines) = &mut side.lines else {
            self.broken(p, Side::Egress, t, "a control packet at a port without SAQs");
        };
        let received = lines.egress_control(&mut side.counts, control, now);
        let in_use = lines.cam().in_use();
        match self.must(received, place, t) {
            Received::Allocated { line, point } => {
                self.lines_changed(p);
                let event = Event::SaqAllocated { line, point, in_use };
                self.observe(observer, place, event, t);
                let ends = T::try_from(config.timer_end(now).0).unwrap_or(NONE);
                self.wheel.put(ends, Kind::Recn, self.element_of(p));
            }
            Received::Refused { point, nack } => {
                self.observe(observer, place, Event::SaqRefused(point), t);
                if let Some(nack) = nack {
                    self.push_control(observer, p, nack, t);
                }
            }
            Received::Flow { line, xoff } => {
                let queue = self.lines(at).map_or(QueueId(0), |lines| lines.queue(line));
                if !xoff {
                    self.ask_for_recn(self.element_of(p), t);
                }
                self.refresh_egress(p, queue.index(), t);
            }
            Received::Ignored => self.observe(observer, place, Event::Ignored(control), t),
        }
    }

    /// `recn-dd-iq`: Xoff or Xon for a point behind an output goes on to all inputs. Without lines
    /// at outputs, the input that sent the last packet allocates if it has no match.
    fn broadcast(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        point: Point,
        xoff: bool,
        t: T,
    ) {
        let (at, crossing) = (self.egress_side(p), &self.crossing[p]);
        let mut sender = (crossing.end > 0).then_some(PortId(crossing.sender));
        if self.recn.sides[at].lines.is_some() {
            sender = None;
            self.line_without_queue(observer, p, point, xoff, t);
        }
        let kind = if xoff { InternalKind::Xoff { sender } } else { InternalKind::Xon };
        let (egress, s) = (PortId(self.port[p].number), self.port[p].element as usize);
        self.recn.switches[s].messages.push(Internal { egress, queue: QueueId(0), point, kind });
        self.ask_for_recn(s, t);
    }

    /// Xoff or Xon for a point at an output that has CAM lines without queues.
    fn line_without_queue(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        point: Point,
        xoff: bool,
        t: T,
    ) {
        let (at, place) = (self.egress_side(p), (p, Side::Egress));
        let Some(lines) = &mut self.recn.sides[at].lines else {
            return;
        };
        let found = lines.queueless_flow(point, xoff);
        let in_use = lines.cam().in_use();
        let event = match self.must(found, place, t) {
            QueuelessLine::Unchanged => return,
            QueuelessLine::Refused => Event::SaqRefused(point),
            QueuelessLine::Allocated(line) => Event::SaqAllocated { line, point, in_use },
            QueuelessLine::Freed(line) => Event::SaqFreed { line, point, in_use },
        };
        self.observe(observer, place, event, t);
    }
}
