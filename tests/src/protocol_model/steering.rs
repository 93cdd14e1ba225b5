//! Where a packet goes: outputs, points and queues, as RU, MU and PPU say.

use super::model::ProtocolModel;
use super::network::{NODE_PORT, PORTS, Side, width};
use super::state::Port;
use plan::scheme::{QueueScheme, RecnQueues};
use recn::IngressDetection;
use switch::Ppu;
use turnpool::Point;
use units::{PortId, QueueId};

impl ProtocolModel {
    /// The queue of a packet that comes to a port: the SAQ of the longest match, else the normal
    /// one.
    pub fn queue_of(&self, port: &Port, packet: u8, unit: usize) -> QueueId {
        let route = self.network.route(packet, unit);
        if let Some(saq) = self.ppu(unit).saq_on_arrival(Some(&port.recn), route) {
            return saq;
        }
        if self.network.units[unit].side == Side::Ingress {
            self.normal_queue(self.output(packet, unit))
        } else {
            QueueId(0)
        }
    }

    /// The PPU of a port. Between two moves any time may pass.
    fn ppu(&self, unit: usize) -> Ppu {
        let ingress = self.network.units[unit].side == Side::Ingress;
        Ppu::new((ingress && self.rules.moves()).then_some(self.config.ppu_interval))
    }

    /// The SAQ into which the packet at the head of `queue` is to be moved.
    pub fn saq_of_head(&self, port: &Port, queue: QueueId, unit: usize) -> Option<QueueId> {
        let route = self.network.route(port.queues.front(queue)?, unit);
        self.ppu(unit).saq_of_head(Some(&port.recn), queue, route)
    }

    /// Normal queue of packets for an output at an ingress port.
    pub fn normal_queue(&self, output: PortId) -> QueueId {
        let queues =
            RecnQueues { detection_queues: self.rules.ingress_detection == IngressDetection::Swap };
        QueueId::at(queues.ingress_queue(u32::from(output.0), &0) as usize)
    }

    /// The output that a packet at an ingress port requests.
    pub fn output(&self, packet: u8, ingress: usize) -> PortId {
        let next = self.network.neighbours(packet, ingress).1;
        next.map_or(NODE_PORT, |egress| self.network.units[egress].port)
    }

    /// The point of an output as an ingress port names it.
    pub fn turn_to(&self, ingress: usize, output: PortId) -> Point {
        let input = u32::from(self.network.units[ingress].port.0);
        Point::from_turn(turnpool::turn(input, u32::from(output.0), PORTS), width())
    }
}
