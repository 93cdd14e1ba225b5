//! Pause per VC in the place of credits (spec: pfc.md): its parameters, and what follows from them.

use crate::params::refuse;
use crate::{ConfigError, Params};
use crate::{Organisation, PfcQueues, SchemeKind, SwitchConfig};
use flow_control::{Control, LinkLoop, PauseRule};
use units::{Ratio, Span};

/// Parameters of scheme `pfc` (keys `pfc.*`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PfcConfig {
    /// Queues of a VC.
    pub queues: PfcQueues,
    /// PAUSE when so many bytes of a VC are stored at an input, in cells.
    pub xoff_bytes: u64,
    /// RESUME when no more than so many are left.
    pub xon_bytes: u64,
    /// Bytes of PAUSE and RESUME on a link, at least 1.
    pub pause_bytes: u32,
    /// How long a PAUSE lasts; 0: until RESUME.
    pub quanta: Span,
    /// Cell bytes over packet bytes of the packet that fills its cells least
    /// ([`LinkLoop::cell_bytes_per_byte`]).
    pub cell_bytes_per_byte: Ratio,
}

/// What follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// Thresholds and times.
    pub rule: PauseRule,
    /// PAUSE or RESUME on a link.
    pub span: Span,
}

impl Params {
    /// Where the scheme is `pfc`, with pause.
    pub(crate) fn with_pause(mut self) -> Result<Params, ConfigError> {
        let Some(pfc) = self.config.pfc else {
            return Ok(self);
        };
        // Times of words and of our packet, which quanta have to do with, are those of any link.
        let of_any = self.pause_loop(&pfc, Span::TICK);
        let rule = PauseRule::new(pfc.xoff_bytes, pfc.xon_bytes)?;
        self.pause = Some(Pause {
            rule: rule.with_quanta(pfc.quanta, &of_any)?,
            span: self.time_base.link_ticks(pfc.pause_bytes),
        });
        Ok(self)
    }

    /// A link of this latency with a switch at its receiving end, for pause.
    ///
    /// A packet may take as long as the crossbar takes for it, where that is longer. The receiver
    /// wants PAUSE in the tick in which it stores, the sender heeds it from the tick after it comes
    /// on: both are in the times of the packets.
    pub fn pause_loop(&self, pfc: &PfcConfig, wire: Span) -> LinkLoop {
        let base = &self.time_base;
        let phit = base.phit_bytes();
        let ticks_per_byte = Ratio::new(base.link_phit_ticks().0, phit.into()).expect("a phit");
        let lengths = self.lengths(self.packet_bytes);
        let longest = lengths.link.max(lengths.crossbar);
        let phits = longest.0.div_ceil(base.link_phit_ticks().0);
        let mut stages = self.stages.ingress;
        if self.config.organisation == Organisation::Iq {
            stages += self.stages.egress;
        }
        if self.store_and_forward {
            stages += longest;
        }
        LinkLoop {
            ticks_per_byte,
            wire,
            stages,
            our_packet_bytes: (phits as u32).saturating_mul(phit),
            their_packet_bytes: self.packet_bytes,
            pause_bytes: pfc.pause_bytes.next_multiple_of(phit),
            other_words: u32::from(self.vcs) - 1,
            cell_bytes_per_byte: pfc.cell_bytes_per_byte,
        }
    }

    /// Bytes of the memory of an input that a VC has.
    pub fn vc_memory_bytes(&self) -> u64 {
        let cells = self.receive_cells() / u32::from(self.vcs);
        u64::from(cells) * u64::from(self.config.cell_bytes)
    }

    /// Checks that no input behind a link of this latency ever overflows; the headroom, bytes:
    /// `None` where links have credits.
    ///
    /// # Errors
    /// [`ConfigError::Headroom`], with the least memory of a VC.
    pub fn check_headroom(&self, wire: Span) -> Result<Option<u64>, ConfigError> {
        let Some(pfc) = &self.config.pfc else {
            return Ok(None);
        };
        let (memory, cell) = (self.vc_memory_bytes(), self.config.cell_bytes);
        let link = self.pause_loop(pfc, wire);
        Ok(Some(link.check(memory, pfc.xoff_bytes, cell)?))
    }

    /// How long a named control packet takes on a link.
    pub fn named_span(&self, control: Control) -> Span {
        match (control, &self.pause) {
            (Control::Pause(..), Some(pause)) => pause.span,
            _ => self.named_span,
        }
    }
}

/// What does not go with pause.
pub(crate) fn check(config: &SwitchConfig) -> Result<(), ConfigError> {
    let is_pfc = config.scheme == SchemeKind::Pfc;
    let Some(pfc) = &config.pfc else {
        return refuse(is_pfc, "scheme `pfc` without its parameters");
    };
    refuse(!is_pfc, "parameters of `pfc` with another scheme; legal scheme: pfc")?;
    refuse(
        config.adaptive.is_some() || config.faults,
        "`pfc` has no credits to choose routes by, and no faults",
    )?;
    refuse(pfc.pause_bytes == 0, "a PAUSE of 0 bytes; legal: 1 or more")
}
