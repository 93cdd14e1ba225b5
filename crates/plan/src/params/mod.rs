//! What follows from the configuration, computed once.

mod error;
mod layout;
mod stages;

pub use error::ConfigError;
pub use layout::short;
pub use layout::{CELLS_MAX, MemoryLayout, QUEUES_MAX};
pub use stages::StageTicks;

use crate::pfc::{self, Pause};
use crate::scheme::{QueueScheme, Scheme};
use crate::{AdaptiveConfig, EcnConfig, Organisation, SchemeKind, SwitchConfig, Switching};
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

/// What a switch must know of the fabric that it is in.
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

/// Everything that all switches and end nodes of a fabric read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// As configured.
    pub config: SwitchConfig,
    /// The queue scheme.
    pub scheme: Scheme,
    /// Whether every queue has its own credits, see [`QueueScheme::per_queue_credits`].
    pub per_queue_credits: bool,
    /// Virtual channels, those of replies included.
    pub vcs: u8,
    /// Whether transfers wait for the tail.
    pub store_and_forward: bool,
    /// Whether several normal queues of an ingress port may request the same output: they take
    /// turns.
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
            per_queue_credits: scheme.per_queue_credits(),
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

    /// What a packet of `bytes` takes. Nearly all are as large as a packet may be: that needs no
    /// division.
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

fn impossible<T>(what: &str) -> Result<T, ConfigError> {
    Err(ConfigError::Impossible { what: what.to_string() })
}

fn check_adaptive(config: &SwitchConfig, adaptive: &AdaptiveConfig) -> Result<(), ConfigError> {
    if config.organisation == Organisation::Oq {
        return impossible("two-level routing needs memories at inputs; legal: iq, cioq");
    }
    if !config.scheme.allows_choice() {
        return impossible(&format!(
            "`{}` needs to know the route upstream, and two-level routing decides at each hop; \
             legal: 1q, voq-per-vc, voq-net, dbbm",
            config.scheme
        ));
    }
    let threshold = adaptive.threshold;
    if threshold.num() > threshold.den() {
        return impossible("`routing.threshold` is a part of the queue; legal: above 0, at most 1");
    }
    Ok(())
}

fn check_multicast_read(config: &SwitchConfig) -> Result<(), ConfigError> {
    if config.organisation != Organisation::Iq {
        return impossible("`switch.input_multicast_read` is of memories at inputs; legal: iq");
    }
    if config.arbiter != ArbiterKind::OldestFirst {
        return impossible(
            "`switch.input_multicast_read` leaves nothing to match; legal `switch.arbiter`: \
             oldest-first",
        );
    }
    if config.wait_bound_packets.is_some() {
        return impossible(
            "inputs that serve several outputs at once cannot be reserved; legal \
             `switch.wait_bound_packets`: none",
        );
    }
    Ok(())
}

fn check_ecn(config: &SwitchConfig, ecn: &EcnConfig) -> Result<(), ConfigError> {
    if config.adaptive.is_some() {
        return impossible(
            "`ecn` counts packets by the output that they came for, and two-level routing changes \
             it; legal: other routing",
        );
    }
    match (&ecn.marking, config.organisation) {
        (Marking::None, _) | (Marking::Red(_), Organisation::Cioq) => Ok(()),
        (Marking::Red(_), _) => impossible(
            "`ecn.marking = \"red\"` looks at memories at outputs; legal organisation: cioq",
        ),
        (_, Organisation::Oq) => impossible(
            "this `ecn.marking` counts what waits at inputs; legal organisation: iq or cioq",
        ),
        (_, Organisation::Cioq) if !ecn.calm.is_zero() => impossible(
            "`ecn.calm` asks when a link was blocked, which inputs of cioq are not told; legal \
             with cioq: 0",
        ),
        _ => Ok(()),
    }
}

fn check(config: &SwitchConfig, common: &Common, rules: Option<Rules>) -> Result<(), ConfigError> {
    let base = &common.time_base;
    let speedup_one = base.link_phit_ticks() == base.crossbar_phit_ticks();
    match config.organisation {
        Organisation::Iq if !speedup_one => {
            return impossible("organisation `iq` has no speedup; legal: 1");
        }
        Organisation::Cioq if config.scheme == SchemeKind::RecnDdIq => {
            return impossible(
                "scheme `recn-dd-iq` has memories at inputs only; legal organisation: iq",
            );
        }
        Organisation::Iq | Organisation::Oq if rules.is_some_and(|r| !r.moves()) => {
            return impossible(
                "this scheme needs memories at inputs and outputs; legal organisation: cioq",
            );
        }
        Organisation::Oq if config.scheme != SchemeKind::OneQueue => {
            return impossible("organisation `oq` is the reference for theory; legal scheme: 1q");
        }
        Organisation::Oq if config.all_vcs() != 1 => {
            return impossible("organisation `oq` has no virtual channels; legal `switch.vcs`: 1");
        }
        _ => {}
    }
    if (common.control_packet_bytes == 0) != (common.named_control_bytes == 0) {
        return impossible(
            "credit packets and named control packets are both in band or both out of band (0)",
        );
    }
    if !(1..=VCS_MAX).contains(&config.all_vcs()) {
        return impossible(&format!(
            "{} virtual channels, those of replies included; legal: 1 to {VCS_MAX}",
            config.all_vcs()
        ));
    }
    if let Some(adaptive) = config.adaptive {
        check_adaptive(config, &adaptive)?;
        if config.faults && config.organisation != Organisation::Iq {
            return impossible("faults with memories at outputs; legal organisation: iq");
        }
    }
    if let Some(ecn) = &config.ecn {
        check_ecn(config, ecn)?;
    }
    pfc::check(config)?;
    if config.input_multicast_read {
        check_multicast_read(config)?;
    }
    if config.all_vcs() > 1 && !config.scheme.allows_vcs() {
        return impossible(&format!(
            "the shared pool of `{}` would join the virtual channels and lock; legal \
             `switch.vcs`: 1",
            config.scheme
        ));
    }
    let s = config.stages;
    if s.enqueue == 0 || s.arbitration == 0 || s.crossbar == 0 {
        return impossible(
            "stages enqueue, arbitration and crossbar take at least 1 link-phit time",
        );
    }
    Ok(())
}
