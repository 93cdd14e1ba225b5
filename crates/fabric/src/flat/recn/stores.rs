//! Stores and departures where SAQs are: PPU, FCU and CDU.

use crate::flat::{Flat, Kind, Mode, T};
use flow_control::Control;
use observe::{Event, Observer, Side};
use recn::{Detection, IngressDetection, Internal, InternalKind, MarkedQueues, Message};
use turnpool::Point;
use units::{PortId, QueueId, Tick};

impl<M: Mode> Flat<M> {
    /// Step 2: a packet was stored at an input, in a normal queue or a SAQ; `first`: at its head.
    #[inline(never)]
    pub(crate) fn stored_at_ingress(
        &mut self,
        observer: &mut impl Observer,
        (p, k): (usize, usize),
        queue: usize,
        first: bool,
        t: T,
    ) {
        let output = self.packets.slots[k].out;
        let packets = self.recn.sides[p].counts.pushed(queue);
        if first {
            self.refresh(p, queue, t);
        }
        let ((config, rules), now) = (self.recn_config(), Tick(t.into()));
        let side = &mut self.recn.sides[p];
        let Some(lines) = &mut side.lines else { return };
        if let Some(line) = lines.line(QueueId(queue as u16)) {
            let xoff = lines.ingress_rose(line, packets, now, &config).message;
            let notified = lines.ingress_propagation(line, packets, now, &config);
            let notified = self.must(notified, (p, Side::Ingress), t);
            for control in xoff.into_iter().chain(notified) {
                self.push_control(observer, p, control, t);
            }
            return;
        }
        let counted = match rules.ingress_detection {
            IngressDetection::Count => {
                let count = &mut side.cold[usize::from(output)];
                *count += 1;
                *count
            }
            IngressDetection::Swap | IngressDetection::None => packets,
        };
        if rules.detects_at_ingress(counted, &config) {
            self.detected_at_ingress(observer, p, queue, output, t);
        }
        self.wake_ppu(p, t, t);
    }

    /// Step 2: ingress detection has fired for an output.
    fn detected_at_ingress(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        queue: usize,
        output: u8,
        t: T,
    ) {
        let ((config, rules), now) = (self.recn_config(), Tick(t.into()));
        let port = &self.port[p];
        let turn = turnpool::turn(port.number.into(), output.into(), port.ports.into());
        let point = Point::from_turn(turn, port.width.into());
        let (first, place) = (port.ingress as usize, (p, Side::Ingress));
        let side = &mut self.recn.sides[p];
        let Some(lines) = &mut side.lines else { return };
        let id = QueueId(queue as u16);
        let found = lines.ingress_detection(&mut side.counts, id, point, now, &config);
        let in_use = lines.cam().in_use();
        let (line, controls) = match self.must(found, place, t) {
            Detection::Root { line, controls } => (line, controls),
            Detection::Known => return,
            Detection::Refused => {
                return self.observe(observer, place, Event::SaqRefused(point), t);
            }
        };
        let event = Event::SaqAllocated { line, point, in_use };
        self.observe(observer, place, event, t);
        if rules.ingress_detection == IngressDetection::Swap {
            let saq = self.port[p].ingress_queues as usize + line.index();
            let swapped = Event::Swapped { queue: id, saq: QueueId(saq as u16) };
            self.observe(observer, place, swapped, t);
            // The lists change places, the requests do not.
            self.lower(p, queue, t);
            self.queues.swap(first + queue, first + saq);
            self.recn.sides[p].set_asks(saq, false);
            self.refresh(p, queue, t);
            self.refresh(p, saq, t);
            for control in controls {
                self.push_control(observer, p, control, t);
            }
        }
        self.allocated(p, t, t);
    }

    /// A SAQ was allocated at an input: its timer will end, and the head of a cold queue may match
    /// it, to be moved from `ppu_at` on.
    pub(super) fn allocated(&mut self, p: usize, ppu_at: T, t: T) {
        let (config, _) = self.recn_config();
        let s = self.port[p].element as usize;
        self.arm_timer(s, config.timer_end(Tick(t.into())));
        self.cold_head_changed(p, ppu_at, t);
    }

    /// The timer of a SAQ at a switch ends then.
    pub(super) fn arm_timer(&mut self, s: usize, ends: Tick) {
        let ends = T::try_from(ends.0).unwrap_or(super::NONE);
        let commits = &mut self.recn.switches[s];
        commits.next_timer = commits.next_timer.min(ends);
        self.wheel.put(ends, Kind::Recn, s);
    }

    /// Lines came or went: the head of a cold queue requests, or is moved from `ppu_at` on.
    pub(super) fn cold_head_changed(&mut self, p: usize, ppu_at: T, t: T) {
        if self.lines(p).is_some_and(recn::RecnPort::has_cold_queue) {
            self.refresh(p, 0, t);
            self.wake_ppu(p, ppu_at, t);
        }
    }

    /// Asks for step 3, at `at` or when the PPU may move again, if there is something to move.
    pub(super) fn wake_ppu(&mut self, p: usize, at: T, t: T) {
        if self.saq_of_cold_head(p, 0).is_none() {
            return;
        }
        let at = at.max(self.recn.sides[p].next_move);
        if at == t {
            self.due[Kind::Ppu as usize].push(p as u32);
        } else {
            self.wheel.put(at, Kind::Ppu, p);
        }
    }

    /// Step 3: the PPU moves the head of the cold queue into its SAQ.
    pub(crate) fn move_cold_head(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        if self.recn.sides[p].next_move > t {
            return;
        }
        let Some(saq) = self.saq_of_cold_head(p, 0) else {
            return;
        };
        let ((config, _), now) = (self.recn_config(), Tick(t.into()));
        let first = self.port[p].ingress as usize;
        self.lower(p, 0, t);
        let k = self.packets.pop(&mut self.queues[first]);
        let is_head = self.packets.push(&mut self.queues[first + saq], k);
        let side = &mut self.recn.sides[p];
        side.counts.popped(0);
        let packets = side.counts.pushed(saq);
        side.next_move = t + (config.ppu_interval.0 as T).max(1);
        side.cold[usize::from(self.packets.slots[k].out)] -= 1;
        let packet = self.packets.slots[k].view();
        let queue = QueueId(saq as u16);
        self.observe(observer, (p, Side::Ingress), Event::Moved { packet, queue }, t);
        self.refresh(p, 0, t);
        if is_head {
            self.refresh(p, saq, t);
        }
        if let Some(lines) = &mut self.recn.sides[p].lines
            && let Some(line) = lines.line(queue)
            && let Some(xoff) = lines.ingress_rose(line, packets, now, &config).message
        {
            self.push_control(observer, p, xoff, t);
        }
        self.wake_ppu(p, t + 1, t);
    }

    /// Step 1: a packet left an ingress queue over the crossbar: Xon upstream, markers, lines that
    /// may be freed.
    #[inline(never)]
    pub(crate) fn left_ingress(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        queue: usize,
        output: usize,
        t: T,
    ) {
        let ((config, _), now) = (self.recn_config(), Tick(t.into()));
        let (id, element) = (QueueId(queue as u16), self.port[p].element as usize);
        let side = &mut self.recn.sides[p];
        side.counts.popped(queue);
        if M::EAGER {
            self.recn.calm.push(p as u32);
        }
        let side = &mut self.recn.sides[p];
        let Some(lines) = &mut side.lines else { return };
        if queue == 0 && lines.has_cold_queue() {
            side.cold[output] -= 1;
        }
        let line = lines.line(id);
        if line.is_none() && !side.counts.has_markers(id) {
            return;
        }
        let mut marked = lines.head_left(&side.counts, id);
        let mut xon: Option<Control> = None;
        if let Some(line) = line {
            let change = lines.ingress_fell(line, side.counts.packets(id), now, &config);
            marked |= change.changed;
            xon = change.message;
        }
        if let Some(xon) = xon {
            self.push_control(observer, p, xon, t);
        }
        if marked {
            self.ask_for_recn(element, t);
        }
    }

    /// `recn-dd-iq`: the next head may be for the PPU; and a packet that matches a line of the
    /// output, which is at Xoff, has its input set the point aside, blocked.
    pub(crate) fn left_where_ppus_are(&mut self, (p, to): (usize, usize), k: usize, t: T) {
        self.wake_ppu(p, t, t);
        let side = self.egress_side(to);
        let Some(lines) = &self.recn.sides[side].lines else {
            return;
        };
        let Some(line) = lines.cam().lookup(&self.packets.slots[k].route) else {
            return;
        };
        let message = Internal {
            egress: PortId(self.port[to].number),
            queue: lines.queue(line),
            point: lines.cam().point(line),
            kind: InternalKind::Request { sender: PortId(self.port[p].number), blocked: true },
        };
        let s = self.port[p].element as usize;
        self.recn.switches[s].messages.push(message);
        self.ask_for_recn(s, t);
    }

    /// Step 2 (admittance: 3): a packet was stored in an egress memory: Xoff to the children; the
    /// normal queue detects a root, a SAQ propagates.
    #[inline(never)]
    pub(crate) fn stored_at_egress(&mut self, (p, k): (usize, usize), queue: usize, t: T) {
        let ((config, _), now) = (self.recn_config(), Tick(t.into()));
        let (at, id) = (self.egress_side(p), QueueId(queue as u16));
        let sender = match self.port[p].at_switch {
            true => PortId(self.packets.slots[k].sender),
            false => PortId(0),
        };
        let side = &mut self.recn.sides[at];
        let packets = side.counts.pushed(queue);
        let Some(lines) = &mut side.lines else { return };
        let change = lines.egress_rose(id, packets, sender, now, &config);
        let detected = lines.egress_detection(id, packets, sender, &config);
        let asks = change.changed || detected.is_some();
        for message in change.message.into_iter().chain(detected) {
            self.say_inside(p, id, message);
        }
        if asks {
            self.ask_for_recn(self.element_of(p), t);
        }
    }

    /// Step 1: a packet left an egress queue: Xon to the children, markers, lines that may be
    /// freed.
    #[inline(never)]
    pub(crate) fn left_egress(&mut self, p: usize, queue: usize, t: T) {
        let ((config, _), now) = (self.recn_config(), Tick(t.into()));
        let (at, id) = (self.egress_side(p), QueueId(queue as u16));
        let side = &mut self.recn.sides[at];
        side.counts.popped(queue);
        if M::EAGER {
            self.recn.calm.push(at as u32);
        }
        let side = &mut self.recn.sides[at];
        let Some(lines) = &mut side.lines else { return };
        let marked = lines.head_left(&side.counts, id);
        let change = lines.egress_fell(id, side.counts.packets(id), now, &config);
        let asks = change.changed || marked;
        if let Some(message) = change.message {
            self.say_inside(p, id, message);
        }
        if asks {
            self.ask_for_recn(self.element_of(p), t);
        }
    }

    /// A message of an egress queue, for step 5; an end node has nobody to tell.
    fn say_inside(&mut self, p: usize, queue: QueueId, (point, kind): Message) {
        let port = &self.port[p];
        if port.at_switch {
            let egress = PortId(port.number);
            self.recn.switches[port.element as usize].messages.push(Internal {
                egress,
                queue,
                point,
                kind,
            });
        }
    }

    /// A broken invariant of the protocol ends the run.
    pub(crate) fn must<V, E: std::fmt::Display>(
        &self,
        result: Result<V, E>,
        (p, side): (usize, Side),
        t: T,
    ) -> V {
        result.unwrap_or_else(|error| self.broken(p, side, t, &error.to_string()))
    }
}
