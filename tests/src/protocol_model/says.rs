//! What ports say: over their links, and inside their switch.

use super::events::Commit;
use super::mutants::Mutant;
use super::network::Element;
use flow_control::Control;
use recn::{Internal, Message};
use units::QueueId;

impl Commit<'_> {
    /// A notification, and the Xoff in force behind it.
    pub(super) fn say_notification(&mut self, unit: usize, mut says: recn::Says) {
        if self.mutant(Mutant::XoffBehindNotificationOmitted) {
            says.truncate(1);
        }
        self.say_upstream(unit, says);
    }

    /// Sends control packets to the egress port upstream of an ingress port.
    pub(super) fn say_upstream(&mut self, unit: usize, says: impl IntoIterator<Item = Control>) {
        if let Some(upstream) = self.model.network.units[unit].peer {
            for control in says {
                self.state.port(upstream).controls.push(control);
            }
        }
    }

    /// Sends a control packet to the ingress port downstream of an egress port.
    pub(super) fn say_downstream(&mut self, unit: usize, control: Control) {
        if let Some(downstream) = self.model.network.units[unit].peer {
            self.state.port(downstream).controls.push(control);
        }
    }

    /// A message of an egress port to the ingress ports of its switch, for step 5. An end node has
    /// none to tell.
    pub(super) fn say_inside(&mut self, unit: usize, queue: QueueId, said: Option<Message>) {
        let place = self.model.network.units[unit];
        if let (Some((point, kind)), Element::Switch(_)) = (said, place.element) {
            self.messages.push(Internal { egress: place.port, queue, point, kind });
        }
    }
}
