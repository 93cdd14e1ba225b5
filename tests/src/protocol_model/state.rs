//! A state: every port, everything on its way, and what went wrong.

use super::model::ProtocolModel;
use super::network::{PORTS, Side, Unit};
use super::queues::Queues;
use flow_control::Control;
use recn::commit::CommitError;
use recn::{IngressDetection, ProtocolError, RecnPort};
use std::sync::Arc;
use switch::Cdu;
use units::{PortId, QueueId};

/// One side of a port: its units, and what is on its way to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Port {
    pub(crate) recn: RecnPort,
    pub(crate) queues: Queues,
    /// Detection at ingress.
    pub(crate) cdu: Cdu,
    /// `iq`, egress: the ingress port that sent the last packet.
    pub(crate) last_sender: Option<PortId>,
    /// Packets on the link or on the crossbar, in order.
    pub(crate) arriving: Vec<u8>,
    /// Control packets on the link, in order.
    pub(crate) controls: Vec<Control>,
}

impl Port {
    fn new(side: Side, stores: bool, model: &ProtocolModel) -> Port {
        let (case, rules) = (&model.case, model.rules);
        let normal = match (side, rules.ingress_detection) {
            (Side::Ingress, IngressDetection::Swap) => PORTS as u16,
            _ => u16::from(stores),
        };
        let saqs = match side {
            Side::Injection => case.injection_saqs,
            Side::Egress if !stores && !case.iq_egress_lines => 0,
            Side::Ingress | Side::Egress => case.saqs,
        };
        let ingress = side == Side::Ingress;
        let cold_queue = ingress && rules.moves();
        Port {
            recn: RecnPort::new(usize::from(saqs), QueueId(normal), rules, cold_queue),
            queues: Queues::default(),
            cdu: Cdu::new(ingress.then_some(rules), PORTS as usize),
            last_sender: None,
            arriving: Vec::new(),
            controls: Vec::new(),
        }
    }

    /// Whether a queue may request; never a SAQ that a mutant has freed with packets in it.
    pub(crate) fn may_request(&self, queue: QueueId) -> bool {
        let valid = |line| self.recn.cam().is_valid(line);
        self.recn.line(queue).is_none_or(valid) && self.recn.may_request(queue)
    }
}

/// What went wrong on the way to a state, which is explored no further.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Fault {
    /// The production code found a broken invariant.
    Protocol(String),
    /// A packet was ejected that is not the next of its flow.
    Overtaken(u8),
}

impl From<ProtocolError> for Fault {
    fn from(error: ProtocolError) -> Fault {
        Fault::Protocol(error.to_string())
    }
}

impl From<CommitError> for Fault {
    fn from(error: CommitError) -> Fault {
        Fault::Protocol(error.to_string())
    }
}

/// A state. Ports are shared with the states that have the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) ports: Vec<Arc<Port>>,
    /// `[flow]`: packets that have entered the injection memory.
    pub(crate) admitted: Vec<u8>,
    /// `[flow]`: packets ejected.
    pub(crate) ejected: Vec<u8>,
    pub(crate) fault: Option<Fault>,
}

impl State {
    pub(crate) fn new(model: &ProtocolModel) -> State {
        let network = &model.network;
        let units = network.units.iter().enumerate();
        let port = |(unit, place): (usize, &Unit)| {
            Arc::new(Port::new(place.side, network.stores(unit), model))
        };
        State {
            ports: units.map(port).collect(),
            admitted: vec![0; network.packets.len()],
            ejected: vec![0; network.packets.len()],
            fault: None,
        }
    }

    pub(crate) fn port(&mut self, unit: usize) -> &mut Port {
        Arc::make_mut(&mut self.ports[unit])
    }

    /// Packets that a memory holds or has promised room to.
    pub(crate) fn occupancy(&self, unit: usize) -> usize {
        self.ports[unit].queues.total() + self.ports[unit].arriving.len()
    }
}
