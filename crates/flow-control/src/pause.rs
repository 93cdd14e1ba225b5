//! Pause of a virtual channel (PFC): the register of the receiver and that of the sender.

use thiserror::Error;
use units::{Span, Tick};

use crate::LinkLoop;

/// What a receiver sends to the sender of a virtual channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PauseWord {
    /// Start no packet of it.
    Pause,
    /// Start packets of it again.
    Resume,
}

impl PauseWord {
    /// The name in traces and result columns.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
        }
    }
}

/// Parameters of pause that are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PauseError {
    /// RESUME must not be above PAUSE.
    #[error("xon of {xon} bytes is above xoff; legal: 0 to {xoff}")]
    XonAboveXoff {
        /// PAUSE from so many bytes on, as given.
        xoff: u64,
        /// RESUME at so many bytes, as given.
        xon: u64,
    },
    /// An empty memory must not be at PAUSE: nothing would ever leave it and bring RESUME.
    #[error("xoff of 0 bytes would pause an empty memory for ever; at least 1 is needed")]
    XoffZero,
    /// A PAUSE would run out before its repetition is there.
    #[error(
        "a PAUSE of {quanta} ticks runs out before it is repeated; legal: 0, or {least} and up"
    )]
    QuantaShort {
        /// Ticks that a PAUSE lasts, as given.
        quanta: Span,
        /// The least that does not run out.
        least: Span,
    },
}

/// When to pause, and for how long; made by the checked [`PauseRule::new`] only (keys
/// `pfc.xoff_bytes`, `pfc.xon_bytes`, `pfc.quanta_ns`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PauseRule {
    xoff: u64,
    xon: u64,
    /// How long a PAUSE lasts, and after what time it is repeated.
    quanta: Option<(Span, Span)>,
}

impl PauseRule {
    /// PAUSE at `xoff` bytes or more, RESUME at `xon` or fewer; they last until the next word.
    /// Errors: xoff 0, or xon above xoff.
    pub const fn new(xoff: u64, xon: u64) -> Result<Self, PauseError> {
        if xoff == 0 {
            return Err(PauseError::XoffZero);
        }
        if xon > xoff {
            return Err(PauseError::XonAboveXoff { xoff, xon });
        }
        Ok(Self { xoff, xon, quanta: None })
    }

    /// With a PAUSE that runs out after `quanta`; 0: never. It is repeated early enough to be there
    /// before, though it may have to wait for the link.
    /// Errors: Quanta that are too short for that.
    pub fn with_quanta(self, quanta: Span, link: &LinkLoop) -> Result<Self, PauseError> {
        if quanta.is_zero() {
            let quanta = None;
            return Ok(Self { quanta, ..self });
        }
        // One word may wait so much longer than the one before; and all words must fit the link.
        let spread = link.spread();
        let least = spread + link.words();
        if quanta < least {
            return Err(PauseError::QuantaShort { quanta, least });
        }
        let quanta = Some((quanta, quanta - spread));
        Ok(Self { quanta, ..self })
    }

    /// PAUSE from so many bytes on.
    pub const fn xoff(&self) -> u64 {
        self.xoff
    }

    /// RESUME at so many bytes.
    pub const fn xon(&self) -> u64 {
        self.xon
    }

    /// How long a PAUSE lasts; `None`: until the next word.
    pub const fn quanta(&self) -> Option<Span> {
        match self.quanta {
            Some((quanta, _)) => Some(quanta),
            None => None,
        }
    }
}

/// The receiver's register of a VC (spec: pfc.md, Pause per VC). Reset: RESUME wanted and sent.
///
/// It holds what is wanted and what was sent last, so that at most one word waits for the link,
/// however often the memory fills and empties meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PauseRegister {
    /// The sender should pause.
    wanted: bool,
    /// When PAUSE was sent, where that was the last word.
    sent: Option<Tick>,
}

impl PauseRegister {
    /// So many bytes of the virtual channel are stored now, after an arrival.
    #[inline]
    pub const fn rise(&mut self, stored: u64, rule: &PauseRule) {
        self.wanted |= stored >= rule.xoff;
    }

    /// So many bytes of the virtual channel are stored now, after a departure.
    #[inline]
    pub const fn fall(&mut self, stored: u64, rule: &PauseRule) {
        self.wanted &= stored > rule.xon;
    }

    /// The word that waits for the link, from `now` on; `None`: none.
    #[inline]
    pub fn waiting(&self, rule: &PauseRule, now: Tick) -> Option<PauseWord> {
        match (self.wanted, self.sent) {
            (true, None) => Some(PauseWord::Pause),
            (false, Some(_)) => Some(PauseWord::Resume),
            (true, Some(_)) => {
                let repeats = self.due(rule).is_some_and(|due| due <= now);
                repeats.then_some(PauseWord::Pause)
            }
            (false, None) => None,
        }
    }

    /// When a PAUSE is to be repeated, if nothing else happens; `None`: never.
    #[inline]
    pub fn due(&self, rule: &PauseRule) -> Option<Tick> {
        self.repeat(rule).filter(|_| self.wanted)
    }

    /// The word starts on the link.
    #[inline]
    pub fn send(&mut self, word: PauseWord, now: Tick) {
        self.sent = (word == PauseWord::Pause).then_some(now);
    }

    /// When PAUSE, sent last, is to be repeated if it is still wanted then; `None`: never.
    #[inline]
    pub fn repeat(&self, rule: &PauseRule) -> Option<Tick> {
        let (_, repeat) = rule.quanta?;
        self.sent.map(|sent| sent.saturating_add(repeat))
    }

    /// Whether the sender should pause.
    #[inline]
    pub const fn is_wanted(&self) -> bool {
        self.wanted
    }
}

/// The sender's register of a virtual channel: whether it may start packets. Reset: it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PauseState {
    /// Paused before this tick.
    until: Tick,
}

impl PauseState {
    /// A word has come and takes effect: starts that are decided later than `now` heed it.
    ///
    /// ```
    /// use flow_control::{PauseRule, PauseState, PauseWord};
    /// use units::Tick;
    /// let rule = PauseRule::new(4096, 2048)?;
    /// let mut sender = PauseState::default();
    /// sender.hear(PauseWord::Pause, &rule, Tick(10));
    /// assert!(sender.is_paused(Tick(11)));
    /// assert_eq!(sender.due(Tick(11)), None); // not by a timer
    /// sender.hear(PauseWord::Resume, &rule, Tick(20));
    /// assert!(!sender.is_paused(Tick(21)));
    /// # Ok::<(), flow_control::PauseError>(())
    /// ```
    #[inline]
    pub fn hear(&mut self, word: PauseWord, rule: &PauseRule, now: Tick) {
        self.until = match (word, rule.quanta()) {
            (PauseWord::Resume, _) => now,
            (PauseWord::Pause, None) => Tick::MAX,
            (PauseWord::Pause, Some(quanta)) => now.saturating_add(quanta),
        };
    }

    /// Whether no packet may start now.
    #[inline]
    pub fn is_paused(&self, now: Tick) -> bool {
        now < self.until
    }

    /// When the pause runs out by itself; `None` where it does not.
    #[inline]
    pub fn due(&self, now: Tick) -> Option<Tick> {
        (self.is_paused(now) && self.until < Tick::MAX).then_some(self.until)
    }
}
