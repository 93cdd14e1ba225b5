//! A state: every port, everything on its way, and what went wrong.

use super::limits::Limits;
use super::network::{Network, PORTS, Side, Unit};
use super::queues::Queues;
use flow_control::Control;
use recn::commit::CommitError;
use recn::{IngressDetection, ProtocolError, RecnPort, Rules};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use switch::Cdu;
use units::{PortId, QueueId};

/// One side of a port: its units, and what is on its way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Port {
    /// The protocol.
    pub(crate) recn: RecnPort,
    /// The queues.
    pub(crate) queues: Queues,
    /// Detection at ingress.
    pub(crate) cdu: Cdu,
    /// `iq`, egress: the ingress port that sent the last packet.
    pub(crate) last_sender: Option<PortId>,
    /// Packets on the link or on the crossbar, in order.
    pub(crate) arriving: Vec<u8>,
    /// Control packets on the link, in order.
    pub(crate) controls: Vec<Control>,
    /// Hash of all the above: a commit changes few ports, and every state is hashed.
    digest: u64,
}

impl Hash for Port {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.digest);
    }
}

impl Port {
    fn new(side: Side, stores: bool, rules: Rules, limits: Limits) -> Port {
        let normal = match (side, rules.ingress_detection) {
            (Side::Ingress, IngressDetection::Swap) => PORTS as u16,
            _ => u16::from(stores),
        };
        let saqs = match side {
            Side::Injection => limits.injection_saqs,
            Side::Egress if !stores && !limits.iq_egress_lines => 0,
            Side::Ingress | Side::Egress => limits.saqs,
        };
        let ingress = side == Side::Ingress;
        let cold_queue = ingress && rules.moves();
        let mut port = Port {
            recn: RecnPort::new(usize::from(saqs), QueueId(normal), rules, cold_queue),
            queues: Queues::default(),
            cdu: Cdu::new(ingress.then_some(rules), PORTS as usize),
            last_sender: None,
            arriving: Vec::new(),
            controls: Vec::new(),
            digest: 0,
        };
        port.seal();
        port
    }

    fn seal(&mut self) {
        let mut hasher = DefaultHasher::new();
        self.recn.hash(&mut hasher);
        self.queues.hash(&mut hasher);
        self.cdu.hash(&mut hasher);
        self.last_sender.hash(&mut hasher);
        self.arriving.hash(&mut hasher);
        self.controls.hash(&mut hasher);
        self.digest = hasher.finish();
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
    /// By unit.
    pub(crate) ports: Vec<Arc<Port>>,
    /// `[flow]`: packets that have entered the injection memory.
    pub(crate) admitted: Vec<u8>,
    /// `[flow]`: packets ejected.
    pub(crate) ejected: Vec<u8>,
    /// What went wrong.
    pub(crate) fault: Option<Fault>,
}

impl State {
    /// Nothing sent yet.
    pub(crate) fn new(network: &Network, rules: Rules, limits: Limits) -> State {
        let units = network.units.iter().enumerate();
        let port = |(unit, place): (usize, &Unit)| {
            Arc::new(Port::new(place.side, network.stores(unit), rules, limits))
        };
        State {
            ports: units.map(port).collect(),
            admitted: vec![0; network.packets.len()],
            ejected: vec![0; network.packets.len()],
            fault: None,
        }
    }

    /// A port, to be changed.
    pub(crate) fn port(&mut self, unit: usize) -> &mut Port {
        Arc::make_mut(&mut self.ports[unit])
    }

    /// Ends a commit: renews the hashes of the ports that differ from those before, and shares the
    /// others with the state before.
    pub(crate) fn seal(&mut self, before: &State) {
        for (port, old) in self.ports.iter_mut().zip(&before.ports) {
            if Arc::ptr_eq(port, old) {
                continue;
            }
            if port == old {
                *port = Arc::clone(old);
            } else {
                Arc::make_mut(port).seal();
            }
        }
    }

    /// Packets that a memory holds or has promised room to.
    pub(crate) fn occupancy(&self, unit: usize) -> usize {
        self.ports[unit].queues.total() + self.ports[unit].arriving.len()
    }
}

#[cfg(test)]
mod tests {
    use super::State;
    use crate::protocol_model::SMALL;

    // A port that is as it was at first counts as one that was never touched: else there are more
    // states than there need be.
    #[test]
    fn a_port_that_is_empty_again_is_as_new() {
        for (case, ..) in SMALL {
            let model = case.model(None);
            let new = State::new(&model.network, model.rules, model.limits);
            let mut again = new.clone();
            for unit in 0..new.ports.len() {
                again.port(unit).arriving.push(0);
                again.port(unit).arriving.clear();
            }
            again.seal(&new);
            assert_eq!(again, new, "{case}");
        }
    }
}
