//! RU: the output port of a packet from its header.

use crate::config::Organisation;
use crate::env::Env;
use crate::link::Link;
use crate::packet::PacketId;
use crate::params::Params;
use crate::scheme::QueueScheme;
use crate::switch::Switch;

impl Switch {
    /// Reads this switch's turn; registers the output and the credit class in the memory behind it.
    #[inline]
    pub(crate) fn route(
        &mut self,
        params: &Params,
        input: usize,
        id: PacketId,
        env: &mut impl Env,
    ) {
        let packet = &mut env.packets()[id];
        let turn = packet.route.next(self.width);
        // The turn stays on the route until the packet leaves: the CAM names points by it.
        let mut rest = packet.route;
        rest.consume(self.width);
        let output = turnpool::forward(input as u32, turn, self.ports);
        packet.output = output as u8;
        packet.sender = input as u8;
        let link: &Link = &self.outputs[output as usize].link;
        packet.class = if !params.scheme.per_queue_credits() {
            0
        } else if params.config.organisation == Organisation::Iq {
            // The next memory is that of the next switch.
            if link.peer.switch.is_none() {
                0
            } else {
                params
                    .scheme
                    .ingress_queue(link.next_output(&rest), packet.destination)
                    as u16
            }
        } else {
            params
                .scheme
                .egress_queue(link.next_output(&rest), packet.destination) as u16
        };
    }
}
