//! What follows from the configuration, computed once.

mod error;
mod layout;

pub use error::ConfigError;
pub use layout::short;
pub use layout::{CELLS_MAX, MemoryLayout, QUEUES_MAX};

use crate::pfc::{self, Pause};
use crate::scheme::Scheme;
use crate::{AdaptiveConfig, Organisation, SchemeKind, SwitchConfig, Switching};
use crossbar::ArbiterKind;
use ecn::marking::Marking;
use recn::{RecnConfig, Rules};
use units::{Span, TimeBase};

/// Most virtual channels.
pub const VCS_MAX: u8 = 16;

/// What a packet takes, by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketLengths {
    /// Cells of a memory.
    pub cells: u32,
    /// On a link.
    pub link: Span,
    /// On the crossbar, overhead included.
    pub crossbar: Span,
}

impl PacketLengths {
    fn new(config: &SwitchConfig, time_base: &TimeBase, bytes: u32) -> PacketLengths {
        let overhead = config.crossbar_overhead_bytes;
        PacketLengths {
            cells: bytes.div_ceil(config.cell_bytes),
            link: time_base.link_ticks(bytes),
            crossbar: crossbar::crossbar_length_ticks(time_base, bytes, overhead),
        }
    }
}

/// What a switch needs of the fabric that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Common {
    /// Ticks, phits, rates.
    pub time_base: TimeBase,
    /// Bytes of a credit packet on a link; 0 = out of band.
    pub control_packet_bytes: u32,
    /// Bytes of any other control packet; 0 = out of band.
    pub named_control_bytes: u32,
    /// Largest packet.
    pub packet_bytes: u32,
    /// End nodes.
    pub nodes: u32,
}

/// Sums of stages (spec: clock.md, Stage latencies).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTicks {
    /// Head at the input pin to head stored (`oq`: in the output memory).
    pub ingress: Span,
    /// Start on the crossbar to head stored at the output (`iq`: at the link).
    pub egress: Span,
    /// Head stored to the earliest start of its next transfer.
    pub arbitration: Span,
    /// Credit packet received to credit usable.
    pub credit_return: Span,
    /// Message generated to packet ready for injection.
    pub injection: Span,
}

impl StageTicks {
    fn new(config: &SwitchConfig, link_phit: Span) -> StageTicks {
        let s = config.stages;
        let ticks = |phits: u32| link_phit * u64::from(phits);
        let (ingress, egress) = match config.organisation {
            Organisation::Cioq => {
                (s.route + s.lookup + s.enqueue, s.crossbar + s.lookup + s.enqueue)
            }
            Organisation::Iq => (s.route + s.lookup + s.enqueue, s.crossbar),
            Organisation::Oq => (s.route + s.crossbar + s.lookup + s.enqueue, 0),
        };
        StageTicks {
            ingress: ticks(ingress),
            egress: ticks(egress),
            arbitration: ticks(s.arbitration),
            credit_return: ticks(s.credit_return),
            injection: ticks(s.lookup + s.enqueue),
        }
    }
}

/// Everything that all switches and end nodes of a fabric read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// As configured.
    pub config: SwitchConfig,
    /// The queue scheme.
    pub scheme: Scheme,
    /// Whether every queue has its own credits, see [`Scheme::per_queue_credits`].
    pub per_queue_credits: bool,
    /// Virtual channels, those of replies included.
    pub vcs: u8,
    /// Whether transfers wait for the tail.
    pub store_and_forward: bool,
    /// Whether several normal queues of an ingress port may request one output, in turns.
    pub shared_outputs: bool,
    /// Present where links have pause in the place of credits.
    pub pause: Option<Pause>,
    /// Present when the scheme has SAQs.
    pub recn: Option<RecnConfig>,
    /// Rules of the RECN version, present with `recn`.
    pub rules: Option<Rules>,
    /// Stage latencies.
    pub stages: StageTicks,
    /// How long a head may request before it is overdue; [`Span::MAX`] without a bound.
    pub wait_bound: Span,
    /// A phit on a link.
    pub link_phit: Span,
    /// A phit on the crossbar.
    pub crossbar_phit: Span,
    /// A credit packet on a link; none = out of band.
    pub credit_span: Span,
    /// Any other control packet on a link; none = out of band.
    pub named_span: Span,
    /// Largest packet, bytes.
    pub packet_bytes: u32,
    /// What that takes.
    packet_lengths: PacketLengths,
    /// End nodes of the network.
    pub nodes: u32,
    /// Time base.
    pub time_base: TimeBase,
}

impl Params {
    /// Checks what does not depend on a port and computes the rest.
    ///
    /// # Errors
    /// [`ConfigError::Impossible`] for combinations that exclude each other.
    pub fn new(config: &SwitchConfig, common: Common) -> Result<Params, ConfigError> {
        let rules = config.scheme.version().map(Rules::of);
        check(config, &common, rules)?;
        let base = &common.time_base;
        let scheme = Scheme::new(config);
        let params = Params {
            scheme,
            per_queue_credits: scheme.per_queue_credits,
            vcs: config.all_vcs(),
            store_and_forward: config.switching == Switching::StoreAndForward,
            shared_outputs: scheme.queues_share_outputs() || config.all_vcs() > 1,
            pause: None,
            recn: rules.map(|_| config.recn),
            rules,
            stages: StageTicks::new(config, base.link_phit_ticks()),
            wait_bound: config.wait_bound_packets.map_or(Span::MAX, |packets| {
                base.link_ticks(common.packet_bytes) * u64::from(packets)
            }),
            link_phit: base.link_phit_ticks(),
            crossbar_phit: base.crossbar_phit_ticks(),
            credit_span: base.link_ticks(common.control_packet_bytes),
            named_span: base.link_ticks(common.named_control_bytes),
            packet_bytes: common.packet_bytes,
            packet_lengths: PacketLengths::new(config, base, common.packet_bytes),
            nodes: common.nodes,
            time_base: *base,
            config: config.clone(),
        };
        params.with_pause()
    }

    /// What a packet of `bytes` takes; nearly all have full length, which needs no division.
    pub fn lengths(&self, bytes: u32) -> PacketLengths {
        if bytes == self.packet_bytes {
            self.packet_lengths
        } else {
            PacketLengths::new(&self.config, &self.time_base, bytes)
        }
    }

    /// SAQs of each port.
    pub fn saqs(&self) -> u32 {
        self.recn.map_or(0, |r| u32::from(r.saqs))
    }

    /// The first VC of replies, where they have their own; 0 where they have not.
    pub fn first_reply_vc(&self) -> u8 {
        if self.config.reply_vcs { self.config.vcs } else { 0 }
    }

    /// Th of two-level routing, cells: the part of the memory of a VC, at least one cell.
    pub fn threshold_cells(&self) -> u32 {
        let Some(adaptive) = &self.config.adaptive else {
            return u32::MAX;
        };
        let cells = u64::from(self.receive_cells() / u32::from(self.vcs));
        let threshold = cells * adaptive.threshold.num() / adaptive.threshold.den();
        u32::try_from(threshold).unwrap_or(u32::MAX).max(1)
    }

    /// Whether arrivals go through a cold queue, from which a PPU moves them (`recn-dd-iq`).
    pub fn moves(&self) -> bool {
        self.rules.is_some_and(Rules::moves)
    }
}

/// Refuses what excludes each other, with what is legal.
pub(crate) fn refuse(is_wrong: bool, what: &str) -> Result<(), ConfigError> {
    match is_wrong {
        true => Err(ConfigError::Impossible { what: what.to_string() }),
        false => Ok(()),
    }
}

fn check(config: &SwitchConfig, common: &Common, rules: Option<Rules>) -> Result<(), ConfigError> {
    use Organisation::{Cioq, Iq, Oq};
    let SwitchConfig { organisation, scheme, stages, .. } = *config;
    let (base, vcs) = (&common.time_base, config.all_vcs());
    let has_speedup = base.link_phit_ticks() != base.crossbar_phit_ticks();
    let is_cioq_only = rules.is_some_and(|rules| !rules.moves());
    refuse(organisation == Iq && has_speedup, "organisation `iq` has no speedup; legal: 1")?;
    refuse(
        organisation == Cioq && scheme == SchemeKind::RecnDdIq,
        "scheme `recn-dd-iq` has memories at inputs only; legal organisation: iq",
    )?;
    refuse(
        organisation != Cioq && is_cioq_only,
        "this scheme needs memories at inputs and outputs; legal organisation: cioq",
    )?;
    refuse(
        organisation == Oq && scheme != SchemeKind::OneQueue,
        "organisation `oq` is the reference for theory; legal scheme: 1q",
    )?;
    refuse(
        organisation == Oq && vcs != 1,
        "organisation `oq` has no virtual channels; legal `switch.vcs`: 1",
    )?;
    refuse(
        (common.control_packet_bytes == 0) != (common.named_control_bytes == 0),
        "credit packets and named control packets are both in band or both out of band (0)",
    )?;
    refuse(
        !(1..=VCS_MAX).contains(&vcs),
        &format!("{vcs} virtual channels, those of replies included; legal: 1 to {VCS_MAX}"),
    )?;
    if let Some(AdaptiveConfig { threshold, .. }) = config.adaptive {
        refuse(organisation == Oq, "two-level routing needs memories at inputs; legal: iq, cioq")?;
        refuse(
            !scheme.allows_choice(),
            &format!(
                "`{scheme}` needs to know the route upstream, and two-level routing decides at \
                 each hop; legal: 1q, voq-per-vc, voq-net, dbbm"
            ),
        )?;
        refuse(
            threshold.num() > threshold.den(),
            "`routing.threshold` is a part of the queue; legal: above 0, at most 1",
        )?;
        refuse(
            config.faults && organisation != Iq,
            "faults with memories at outputs; legal organisation: iq",
        )?;
    }
    if let Some(ecn) = &config.ecn {
        let is_red = matches!(ecn.marking, Marking::Red(_));
        let is_of_inputs = !is_red && ecn.marking != Marking::None;
        refuse(
            config.adaptive.is_some(),
            "`ecn` counts packets by the output that they came for, and two-level routing changes \
             it; legal: other routing",
        )?;
        refuse(
            is_red && organisation != Cioq,
            "`ecn.marking = \"red\"` looks at memories at outputs; legal organisation: cioq",
        )?;
        refuse(
            is_of_inputs && organisation == Oq,
            "this `ecn.marking` counts what waits at inputs; legal organisation: iq or cioq",
        )?;
        refuse(
            is_of_inputs && organisation == Cioq && !ecn.calm.is_zero(),
            "`ecn.calm` asks when a link was blocked, which inputs of cioq are not told; legal \
             with cioq: 0",
        )?;
    }
    pfc::check(config)?;
    if config.input_multicast_read {
        refuse(
            organisation != Iq,
            "`switch.input_multicast_read` is of memories at inputs; legal: iq",
        )?;
        refuse(
            config.arbiter != ArbiterKind::OldestFirst,
            "`switch.input_multicast_read` leaves nothing to match; legal `switch.arbiter`: \
             oldest-first",
        )?;
        refuse(
            config.wait_bound_packets.is_some(),
            "inputs that serve several outputs at once cannot be reserved; legal \
             `switch.wait_bound_packets`: none",
        )?;
    }
    refuse(
        vcs > 1 && !scheme.allows_vcs(),
        &format!(
            "the shared pool of `{scheme}` would join the virtual channels and lock; legal \
             `switch.vcs`: 1"
        ),
    )?;
    refuse(
        stages.enqueue == 0 || stages.arbitration == 0 || stages.crossbar == 0,
        "stages enqueue, arbitration and crossbar take at least 1 link-phit time",
    )
}
