//! Queue schemes: which queue a packet takes (spec: switch.md, Queue schemes). SAQs come on top of
//! these queues, see [`::recn::RecnPort`].
//!
//! To add one: `docs/extending.md#a-queue-scheme`.

use crate::{PfcQueues, SchemeKind, SwitchConfig, VoqSwOutput};

/// What a scheme may use of the port that it lays out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortView {
    /// Ports of the switch that has the port; 1 for an end node.
    pub ports: u32,
    /// Ports of the switch at the other end of the link; `None` if there is an end node.
    pub peer_ports: Option<u32>,
    /// End nodes of the network.
    pub nodes: u32,
}

/// What the normal queues of a port are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queues {
    /// One for all packets.
    One,
    /// One for each output: at an ingress port of this switch, at an egress port of the next.
    Output,
    /// One for each destination.
    Destination,
    /// One for each remainder of the destination by so many, at least 1.
    Modulo(u32),
}

impl Queues {
    fn count(self, outputs: u32, nodes: u32) -> u32 {
        match self {
            Queues::One => 1,
            Queues::Output => outputs,
            Queues::Destination => nodes,
            Queues::Modulo(queues) => queues,
        }
    }

    /// That of a packet.
    pub fn of(self, output: u32, destination: u32) -> u32 {
        match self {
            Queues::One => 0,
            Queues::Output => output,
            Queues::Destination => destination,
            Queues::Modulo(queues) => destination % queues,
        }
    }
}

/// The rule of one scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    ingress: Queues,
    egress: Queues,
    /// Memory split equally over the queues with credits for each, or one pool and its credits.
    pub per_queue_credits: bool,
    /// An egress memory is used only in the part that one of the ports would have.
    is_split: bool,
}

impl Scheme {
    /// The scheme that a configuration names.
    pub fn new(config: &SwitchConfig) -> Scheme {
        use Queues::{Destination, Modulo, One, Output};
        let is_ahead = config.voq_sw_output == VoqSwOutput::LookAhead;
        let pfc_queues = config.pfc.map(|pfc| pfc.queues);
        let (ingress, egress, per_queue_credits) = match config.scheme {
            SchemeKind::OneQueue => (One, One, false),
            SchemeKind::VoqSw if is_ahead => (Output, Output, true),
            SchemeKind::VoqSw => (Output, One, true),
            SchemeKind::VoqNet => (Destination, Destination, true),
            SchemeKind::Dbbm => (Modulo(config.dbbm_queues), Modulo(config.dbbm_queues), true),
            SchemeKind::Damq => (Output, Output, false),
            SchemeKind::VoqPerVc => (Output, One, false),
            SchemeKind::Pfc if pfc_queues == Some(PfcQueues::VoqSw) => (Output, One, false),
            SchemeKind::Pfc => (One, One, false),
            // A detection queue for each output (spec: recn.md), or one normal or cold queue.
            SchemeKind::Recn | SchemeKind::RecnDd => (Output, One, false),
            SchemeKind::RecnBasic | SchemeKind::RecnDdIq => (One, One, false),
        };
        let is_voq_sw = config.scheme == SchemeKind::VoqSw;
        let is_split = is_voq_sw && config.voq_sw_output == VoqSwOutput::SplitFifo;
        Scheme { ingress, egress, per_queue_credits, is_split }
    }

    /// What the normal queues of an ingress port are for, and those of an egress port.
    pub fn queues(&self) -> [Queues; 2] {
        [self.ingress, self.egress]
    }

    /// Normal queues of an ingress port.
    pub fn ingress_queues(&self, port: PortView) -> u32 {
        self.ingress.count(port.ports, port.nodes)
    }

    /// Normal queues of an egress port or of the injection side of an end node.
    pub fn egress_queues(&self, port: PortView) -> u32 {
        self.egress.count(port.peer_ports.unwrap_or(1), port.nodes)
    }

    /// Queue at an ingress port of a packet that requests `output`.
    pub fn ingress_queue(&self, output: u32, destination: u32) -> u32 {
        self.ingress.of(output, destination)
    }

    /// Queue at an egress port of a packet that will request `next_output` in the next switch (0
    /// before an end node).
    pub fn egress_queue(&self, next_output: u32, destination: u32) -> u32 {
        self.egress.of(next_output, destination)
    }

    /// Whether several normal queues of an ingress port may request one output, in turns.
    pub fn queues_share_outputs(&self) -> bool {
        matches!(self.ingress, Queues::Destination | Queues::Modulo(_))
    }

    /// The part of an egress memory that is used at all: 1 of this many.
    pub fn egress_memory_divisor(&self, port: PortView) -> u32 {
        if self.is_split { port.ports } else { 1 }
    }
}
