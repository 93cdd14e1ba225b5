//! RU: the output port of a packet from its header.

use crate::config::Organisation;
use crate::packet::Packet;
use crate::params::Params;
use crate::scheme::QueueScheme;
use crate::switch::Switch;

impl Switch {
    /// Reads this switch's turn and registers what follows from it: the output, which the switch before has looked up
    /// already, the one to request in the next switch, and the credit class in the memory behind the output. The turn stays
    /// on the route until the packet leaves: the CAM names points by it.
    #[inline(always)]
    pub(crate) fn route(&mut self, params: &Params, input: usize, packet: &mut Packet) {
        debug_assert_eq!(
            u32::from(packet.ahead),
            turnpool::forward(input as u32, packet.route.next(self.width), self.ports)
        );
        packet.sender = input as u8;
        packet.output = packet.ahead;
        let link = &self.outputs[usize::from(packet.output)].link;
        packet.ahead = link.next_output(&packet.route, self.width) as u8;
        let ahead = u32::from(packet.ahead);
        packet.class = if !params.per_queue_credits {
            0
        } else if params.config.organisation == Organisation::Iq {
            // The next memory is that of the next switch.
            if link.peer.switch.is_none() {
                0
            } else {
                params.scheme.ingress_queue(ahead, &packet.destination) as u16
            }
        } else {
            params.scheme.egress_queue(ahead, &packet.destination) as u16
        };
    }
}
