//! Pause per VC in a switch (spec: pfc.md): an input's words go out over the link of its port.

use super::Switch;
use crate::env::Env;
use crate::ingress::{Ingress, Pauser};
use crate::must;
use flow_control::Control;
use plan::Params;
use units::{PacketId, PortId, Tick};

impl Switch {
    /// A pauser for each of these inputs; none where links have credits.
    pub(super) fn pausers(params: &Params, inputs: &[Ingress]) -> Box<[Pauser]> {
        let Some(pause) = &params.pause else {
            return Box::default();
        };
        let of = |input: &Ingress| {
            let share = input.memory().pool_cells() / u32::from(params.vcs);
            Pauser::new(pause.rule, params.config.cell_bytes, params.vcs, share)
        };
        inputs.iter().map(of).collect()
    }

    /// Step 2: a packet is about to be stored at an input.
    pub(super) fn stored_where_paused(&mut self, input: PortId, id: PacketId, env: &mut impl Env) {
        let now = env.now();
        let packet = &env.packets()[id];
        let (vc, cells) = (packet.vc, u32::from(packet.cells));
        let stored = self.pausers[input.index()].stored(vc, cells, now);
        must(stored, self.inputs[input.index()].unit(), now);
    }

    /// Step 1: a control packet has started on a link: a word is noted at its input.
    pub(super) fn word_started(&mut self, port: PortId, now: Tick) {
        if let Some((word, vc)) = self.outputs[port.index()].take_started() {
            self.pausers[port.index()].started(vc, word, now);
        }
    }

    /// Step 5: tails that leave in this tick, words that follow, pauses that run out.
    pub(super) fn pause_step(&mut self, env: &mut impl Env) {
        let now = env.now();
        for port in (0..self.pausers.len()).map(PortId::at) {
            let (pauser, output) =
                (&mut self.pausers[port.index()], &mut self.outputs[port.index()]);
            pauser.settle(now.next());
            while let Some(next) = pauser.next_word(now) {
                if let Some(word) = next.back {
                    output.link.control.take_back(Control::Pause(word, next.vc));
                }
                if let Some(word) = next.word {
                    output.link.control.push(Control::Pause(word, next.vc));
                }
            }
            output.run_out(env);
        }
    }
}
