//! PPU: separates congested flows from the others, and each congested flow from the others. On `cioq` an arriving packet
//! goes to the SAQ of the longest match; with a cold queue (`recn-dd-iq`) it goes there, and the packet at its head that
//! matches a CAM line is moved into that SAQ, instead of requesting the crossbar.

use crate::env::{Env, Event, Wake};
use crate::in_port::InPort;
use crate::params::Params;
use crate::switch::Switch;
use saq::QueueId;
use turnpool::Route;
use units::{Tick, broken};

/// The cold queue.
const COLD: QueueId = 0;

impl InPort {
    /// SAQ of the longest match for an arriving packet, by the CAM as committed.
    #[inline]
    pub(crate) fn saq_on_arrival(&self, route: &Route) -> Option<QueueId> {
        let recn = self.recn.as_ref()?;
        if recn.cold_queue {
            return None;
        }
        recn.cam.lookup(route).map(|line| recn.queue(line))
    }

    /// SAQ into which the packet at the head of the cold queue is to be moved.
    #[inline]
    fn saq_of_cold_head(&self, env: &mut impl Env) -> Option<QueueId> {
        let recn = self.recn.as_ref().filter(|r| r.cold_queue)?;
        if recn.cam.in_use() == 0 {
            return None;
        }
        let id = self.memory.front(COLD)?;
        recn.cam
            .lookup(&env.packets()[id].route)
            .map(|line| recn.queue(line))
    }

    /// Whether the head of `queue` is for the PPU to move, and does not request.
    #[inline]
    pub(crate) fn head_is_moved(&self, queue: QueueId, env: &mut impl Env) -> bool {
        queue == COLD && !self.is_quiet(env) && self.saq_of_cold_head(env).is_some()
    }
}

impl Switch {
    /// Asks for step 3 of this input, at `at` or when the PPU may move again, if there is something to move.
    #[inline(always)]
    pub(crate) fn wake_ppu(&mut self, input: usize, at: Tick, env: &mut impl Env) {
        let recn = self.inputs[input].recn.as_ref();
        if recn.is_some_and(|r| r.cold_queue && r.cam.in_use() > 0) {
            self.wake_ppu_for_head(input, at, env);
        }
    }

    #[inline(never)]
    fn wake_ppu_for_head(&mut self, input: usize, at: Tick, env: &mut impl Env) {
        let port = &self.inputs[input];
        if port.saq_of_cold_head(env).is_some() {
            env.wake(at.max(port.next_move), Wake::Ppu, self.index, input as u8);
        }
    }

    /// A packet for `output` left the cold queue.
    #[inline]
    pub(crate) fn left_cold_queue(&mut self, input: usize, queue: QueueId, output: u8) {
        let port = &mut self.inputs[input];
        if queue == COLD && port.recn.as_ref().is_some_and(|r| r.cold_queue) {
            port.cold_by_output[usize::from(output)] -= 1;
        }
    }

    /// Step 3: moves the head of the cold queue into its SAQ: pointers only; an arriving tail goes along.
    pub fn ppu_step(&mut self, params: &Params, input: usize, env: &mut impl Env) {
        let now = env.now();
        let port = &mut self.inputs[input];
        if now < port.next_move {
            return;
        }
        let Some(saq) = port.saq_of_cold_head(env) else {
            return;
        };
        let Some(id) = port.memory.front(COLD) else {
            return;
        };
        let output = env.packets()[id].output;
        if let Err(error) = port.memory.move_front(COLD, saq) {
            broken(port.unit, now, &error);
        }
        port.next_move = now + params.recn.map_or(1, |c| c.ppu_interval.max(1));
        env.observe(
            port.place,
            Event::Moved {
                packet: id,
                queue: saq,
            },
        );
        self.left_cold_queue(input, COLD, output);
        self.renew(input, COLD, env);
        if self.inputs[input].memory.packets(saq) == 1 {
            self.renew(input, saq, env);
        }
        self.ingress_rose(params, input, saq, env);
        self.wake_ppu(input, now + 1, env);
    }

    /// `iq_egress_lines`: a packet from `input` started through `output`; if it matches a line there that is at Xoff, its
    /// input sets the point aside, blocked.
    #[inline(always)]
    pub(crate) fn match_egress_line(&mut self, output: u8, input: u8, id: u32, env: &mut impl Env) {
        if self.outputs[usize::from(output)].room.is_none() {
            self.request_for_line(output, input, id, env);
        }
    }

    #[inline(never)]
    fn request_for_line(&mut self, output: u8, input: u8, id: u32, env: &mut impl Env) {
        let port = &self.outputs[usize::from(output)];
        let Some(recn) = port.recn.as_ref() else {
            return;
        };
        if let Some(line) = recn.cam.lookup(&env.packets()[id].route) {
            let (point, queue) = (recn.cam.point(line), recn.queue(line));
            let kind = crate::messages::InternalKind::Request {
                sender: input,
                blocked: true,
            };
            self.messages.push(crate::messages::Internal {
                egress: output,
                queue,
                point,
                kind,
            });
            env.wake(env.now(), Wake::Recn, self.index, 0);
        }
    }
}
