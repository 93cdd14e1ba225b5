//! What the user sets: [`SwitchConfig`]. What follows from it is computed once, in `params.rs`.

use crate::PfcConfig;
use crossbar::ArbiterKind;
use ecn::marking::{Marking, WaitsUntil};
use hierarchy::{LarCounter, LarDecision, Routing, Selection};
use recn::{RecnConfig, Version};
use units::{Ratio, Span};

units::named! {
    /// Where a switch has its memories (spec: switch.md, Organisations).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Organisation: "switch organisation" {
        /// Memories at inputs and outputs, multiplexed crossbar with speedup.
        Cioq = "cioq",
        /// Memories at inputs only.
        Iq = "iq",
        /// Memories at outputs only, as many writes a packet time as there are ports; the reference
        /// for theory.
        Oq = "oq",
    }
}

units::named! {
    /// How packets are spread over queues (spec: switch.md, Queue schemes).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SchemeKind: "queue scheme" {
        /// One FIFO a port.
        OneQueue = "1q",
        /// Virtual output queues for the outputs of this switch.
        VoqSw = "voq-sw",
        /// A queue for each destination at every port.
        VoqNet = "voq-net",
        /// Destination modulo Q.
        Dbbm = "dbbm",
        /// As `voq-sw`, dynamic share of one pool.
        Damq = "damq",
        /// Virtual output queues at inputs that share the memory of their VC; one FIFO a VC
        /// elsewhere.
        VoqPerVc = "voq-per-vc",
        /// Basic RECN (garcia-trees-2005 4.1).
        RecnBasic = "recn-basic",
        /// Enhanced RECN (garcia-trees-2005 4.2).
        Recn = "recn",
        /// RECN with distributed deallocation (priya-recn-iq-2017 A).
        RecnDd = "recn-dd",
        /// RECN-DD with memories at inputs only (priya-recn-iq-2017 B).
        RecnDdIq = "recn-dd-iq",
        /// Pause per VC in the place of credits; queues by `pfc.queues` (spec: pfc.md).
        Pfc = "pfc",
    }
}

impl SchemeKind {
    /// The version of RECN that it is, if it has SAQs.
    pub const fn version(self) -> Option<Version> {
        match self {
            SchemeKind::RecnBasic => Some(Version::Basic),
            SchemeKind::Recn => Some(Version::Enhanced),
            SchemeKind::RecnDd => Some(Version::Dd),
            SchemeKind::RecnDdIq => Some(Version::DdIq),
            SchemeKind::OneQueue
            | SchemeKind::VoqSw
            | SchemeKind::VoqNet
            | SchemeKind::Dbbm
            | SchemeKind::Damq
            | SchemeKind::VoqPerVc
            | SchemeKind::Pfc => None,
        }
    }

    /// Whether it may be used with more than one VC: a shared pool would join the VCs and lock.
    pub const fn allows_vcs(self) -> bool {
        self.allows_choice() || matches!(self, SchemeKind::VoqSw | SchemeKind::Pfc)
    }

    /// Whether the output of a packet may be chosen at each hop: queues and credits upstream must
    /// not depend on it, and points of RECN name one route.
    pub const fn allows_choice(self) -> bool {
        use SchemeKind::{Dbbm, OneQueue, VoqNet, VoqPerVc};
        matches!(self, OneQueue | VoqNet | Dbbm | VoqPerVc)
    }
}

units::named! {
    /// How the output side of `voq-sw` is organised (key `voq_sw.output`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum VoqSwOutput: "voq-sw output organisation" {
        /// Queue = the port the packet will request in the next switch.
        LookAhead = "look-ahead",
        /// One queue with the whole memory.
        SingleFifo = "single-fifo",
        /// One queue with 1/P of the memory: the literal text.
        SplitFifo = "split-fifo",
    }
}

units::named! {
    /// What happens where the equal share of a `voq-net` queue is below two packets (key
    /// `voq_net.memory`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum VoqNetMemory: "voq-net memory rule" {
        /// The scenario is refused.
        Fixed = "fixed",
        /// Two packets a queue; the result reports what memory that takes.
        Grow = "grow",
    }
}

units::named! {
    /// Queues of `pfc` (key `pfc.queues`; spec: pfc.md).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum PfcQueues: "queues of pfc" {
        /// One FIFO a VC.
        OneQueue = "1q",
        /// Virtual output queues at inputs that share the memory of their VC, as pauses are per VC;
        /// one FIFO a VC at outputs and end nodes, which a pause stops as a whole.
        VoqSw = "voq-sw",
    }
}

units::named! {
    /// When a transfer may start (spec: clock.md, Switching).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Switching: "switching mode" {
        /// Once the head is stored.
        VirtualCutThrough = "virtual-cut-through",
        /// Once the whole packet is stored.
        StoreAndForward = "store-and-forward",
    }
}

units::named! {
    /// Which is granted first where a SAQ and a normal queue have waited for too long (key
    /// `switch.saq_priority`; spec: switch.md, SAQs and the bound).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SaqPriority: "priority of SAQs" {
        /// Overdue heads of both are one class, before all that is not overdue.
        Bounded = "bounded",
        /// Normal queues first, always: a SAQ is never overdue and reserves nothing.
        Strict = "strict",
    }
}

/// Pipeline delays in link-phit times; the table that model, docs and tests read (spec: clock.md,
/// Stage latencies).
///
/// `route`, `lookup` and `credit_return` may be 0, the others are at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageLatencies {
    /// Routing unit: output port from the header.
    pub route: u32,
    /// CAM lookup.
    pub lookup: u32,
    /// Write into the port memory.
    pub enqueue: u32,
    /// From a stored head to the start of its transfer at the earliest.
    pub arbitration: u32,
    /// From the start of a transfer to the head at the output side.
    pub crossbar: u32,
    /// From a received credit packet to usable credit.
    pub credit_return: u32,
}

impl Default for StageLatencies {
    fn default() -> Self {
        StageLatencies {
            route: 1,
            lookup: 1,
            enqueue: 1,
            arbitration: 1,
            crossbar: 1,
            credit_return: 1,
        }
    }
}

/// Two-level routing (spec: rsi.md): the output is chosen at each hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdaptiveConfig {
    /// Routing, VCs, local diameter.
    pub routing: Routing,
    /// When a router decides.
    pub decision: LarDecision,
    /// What it counts.
    pub counter: LarCounter,
    /// Which of several minimal ports.
    pub selection: Selection,
    /// Th: the part of the memory of a VC, above 0, at which a port is busy.
    pub threshold: Ratio,
}

/// Congestion marks (spec: ecn.md, Marking).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EcnConfig {
    /// Which packets are marked (key `ecn.marking`).
    pub marking: Marking,
    /// A packet that starts as soon as its forwarding delay has ended takes a slot of its input
    /// memory and counts as waiting (key `ecn.cut_through_occupies_slot`).
    pub cut_through_occupies_slot: bool,
    /// Packets in an input memory, or a queue's or VC's share of it, from which on every packet
    /// that arrives makes an event (key `ecn.input_threshold_packets`); `None`: a packet that
    /// leaves no room for another one does.
    pub input_threshold_packets: Option<u32>,
    /// No marks for a link that was blocked within so long (key `ecn.calm_ns`); 0, and always with
    /// `red`: marks whatever the link.
    pub calm: Span,
    /// Until when a packet counts as waiting (key `ecn.waits_until`).
    pub waits_until: WaitsUntil,
}

/// One switch as the user describes it, shared by the fabric; the topology gives port counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchConfig {
    /// Where the memories are.
    pub organisation: Organisation,
    /// Queue scheme of every port.
    pub scheme: SchemeKind,
    /// Crossbar arbiter.
    pub arbiter: ArbiterKind,
    /// Waiting bound: a head that has requested for longer than so many times of the largest packet
    /// on a link is overdue, and its ports are reserved until it is granted. `None`: none ever is.
    pub wait_bound_packets: Option<u32>,
    /// Whether the waiting bound holds for SAQs.
    pub saq_priority: SaqPriority,
    /// Cut-through or store-and-forward.
    pub switching: Switching,
    /// Bytes of one port memory.
    pub port_memory_bytes: u32,
    /// Bytes of one cell.
    pub cell_bytes: u32,
    /// Virtual channels; each has a static share of the memory and its own credits.
    pub vcs: u8,
    /// Replies have as many of their own (key `endnode.reply_vcs`).
    pub reply_vcs: bool,
    /// Q of `dbbm`.
    pub dbbm_queues: u32,
    /// Output side of `voq-sw`.
    pub voq_sw_output: VoqSwOutput,
    /// Small shares of `voq-net`.
    pub voq_net_memory: VoqNetMemory,
    /// What each packet pays on the crossbar beside its own bytes.
    pub crossbar_overhead_bytes: u32,
    /// Pipeline delays.
    pub stages: StageLatencies,
    /// Used by the RECN schemes only.
    pub recn: RecnConfig,
    /// One input memory can feed several outputs at once (key `switch.input_multicast_read`; spec:
    /// ecn.md).
    pub input_multicast_read: bool,
    /// Present with scheme `pfc`.
    pub pfc: Option<PfcConfig>,
    /// How many older packets of its VC in an input memory a packet may pass (key
    /// `switch.max_bypass`); `None`: any number.
    pub max_bypass: Option<u32>,
    /// Present where packets are marked, or their ends answer marks.
    pub ecn: Option<EcnConfig>,
    /// Present where outputs are chosen by two-level tables.
    pub adaptive: Option<AdaptiveConfig>,
    /// Links may go down: each port remembers what it receives.
    pub faults: bool,
}

impl SwitchConfig {
    /// Virtual channels, those of replies included.
    pub fn all_vcs(&self) -> u8 {
        let times = if self.reply_vcs { 2 } else { 1 };
        self.vcs.saturating_mul(times)
    }
}
