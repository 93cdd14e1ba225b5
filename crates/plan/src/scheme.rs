//! Queue schemes: which queue a packet takes. One file a scheme; [`Scheme`] is the registry.
//!
//! To add one: a new file with a type that implements [`QueueScheme`], a variant in
//! [`crate::SchemeKind`], a line in `schemes!` and one in [`Scheme::new`].

mod damq;
mod dbbm;
mod one_queue;
mod recn;
mod voq_net;
mod voq_per_vc;
mod voq_sw;

pub use damq::Damq;
pub use dbbm::Dbbm;
pub use one_queue::OneQueue;
pub use recn::RecnQueues;
pub use voq_net::VoqNet;
pub use voq_per_vc::VoqPerVc;
pub use voq_sw::VoqSw;

use crate::{PfcQueues, SchemeKind, SwitchConfig};

/// What a scheme may know of the port that it lays out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortView {
    /// Ports of the switch that has the port; 1 for an end node.
    pub ports: u32,
    /// Ports of the switch at the other end of the link; `None` if there is an end node.
    pub peer_ports: Option<u32>,
    /// End nodes of the network.
    pub nodes: u32,
}

/// The rule of one scheme (spec: switch.md, Queue schemes). SAQs come on top of these queues, see
/// [`::recn::RecnPort`].
pub trait QueueScheme {
    /// Normal queues of an ingress port.
    fn ingress_queues(&self, port: PortView) -> u32;
    /// Normal queues of an egress port or of the injection side of an end node.
    fn egress_queues(&self, port: PortView) -> u32;
    /// Queue at an ingress port of a packet that requests `output`. Destinations come by reference:
    /// most schemes leave them alone, and a hop can do without the cache line that they are in. A
    /// scheme that reads it is not inlined: else it is read before it is known whether the scheme
    /// wants it.
    fn ingress_queue(&self, output: u32, destination: &u32) -> u32;
    /// Queue at an egress port of a packet that will request `next_output` in the next switch (0
    /// before an end node).
    fn egress_queue(&self, next_output: u32, destination: &u32) -> u32;
    /// Whether several normal queues of an ingress port may request the same output: then they take
    /// turns.
    fn queues_share_outputs(&self) -> bool {
        false
    }
    /// Memory split equally over the queues with credits for each, or one pool with port-level
    /// credits.
    fn per_queue_credits(&self) -> bool;
    /// The part of an egress memory that is used at all: 1 of this many.
    fn egress_memory_divisor(&self, _port: PortView) -> u32 {
        1
    }
}

macro_rules! schemes {
    ($($variant:ident),+) => {
        /// Static dispatch over the schemes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Scheme { $( #[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant) ),+ }

        impl QueueScheme for Scheme {
            fn ingress_queues(&self, port: PortView) -> u32 {
                match self { $( Scheme::$variant(s) => s.ingress_queues(port) ),+ }
            }
            fn egress_queues(&self, port: PortView) -> u32 {
                match self { $( Scheme::$variant(s) => s.egress_queues(port) ),+ }
            }
            fn ingress_queue(&self, output: u32, destination: &u32) -> u32 {
                match self { $( Scheme::$variant(s) => s.ingress_queue(output, destination) ),+ }
            }
            fn egress_queue(&self, next_output: u32, destination: &u32) -> u32 {
                match self { $( Scheme::$variant(s) => s.egress_queue(next_output, destination) ),+ }
            }
            fn queues_share_outputs(&self) -> bool {
                match self { $( Scheme::$variant(s) => s.queues_share_outputs() ),+ }
            }
            fn per_queue_credits(&self) -> bool {
                match self { $( Scheme::$variant(s) => s.per_queue_credits() ),+ }
            }
            fn egress_memory_divisor(&self, port: PortView) -> u32 {
                match self { $( Scheme::$variant(s) => s.egress_memory_divisor(port) ),+ }
            }
        }
    };
}

schemes!(OneQueue, VoqSw, VoqNet, Dbbm, Damq, VoqPerVc, RecnQueues);

impl Scheme {
    /// The scheme that a configuration names.
    pub fn new(config: &SwitchConfig) -> Scheme {
        match config.scheme {
            SchemeKind::OneQueue => Scheme::OneQueue(OneQueue),
            SchemeKind::VoqSw => Scheme::VoqSw(VoqSw { output: config.voq_sw_output }),
            SchemeKind::VoqNet => Scheme::VoqNet(VoqNet),
            SchemeKind::Dbbm => Scheme::Dbbm(Dbbm { queues: config.dbbm_queues }),
            SchemeKind::Damq => Scheme::Damq(Damq),
            SchemeKind::VoqPerVc => Scheme::VoqPerVc(VoqPerVc),
            SchemeKind::Pfc => match config.pfc.map(|pfc| pfc.queues) {
                Some(PfcQueues::VoqSw) => Scheme::VoqPerVc(VoqPerVc),
                Some(PfcQueues::OneQueue) | None => Scheme::OneQueue(OneQueue),
            },
            SchemeKind::RecnBasic | SchemeKind::RecnDdIq => {
                Scheme::RecnQueues(RecnQueues { detection_queues: false })
            }
            SchemeKind::Recn | SchemeKind::RecnDd => {
                Scheme::RecnQueues(RecnQueues { detection_queues: true })
            }
        }
    }
}
