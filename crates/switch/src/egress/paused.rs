//! FCU of an egress port with pause (spec: pfc.md): which VCs of the link may send. A paused VC has
//! no credit, any other all of it, and sending takes none: a check of credit is one of pause.

use super::Egress;
use crate::env::Env;
use flow_control::{Control, PauseRule, PauseState, PauseWord};
use observe::Event;
use units::{ClassId, Tick, VcId};

/// The sender's registers, one a VC.
#[derive(Debug, Clone)]
pub struct PausedVcs {
    rule: PauseRule,
    vcs: Box<[Sender]>,
    /// PAUSE or RESUME for the other end that has started and was not taken yet.
    started: Option<(PauseWord, VcId)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sender {
    state: PauseState,
    /// Nothing of it starts.
    is_closed: bool,
}

impl PausedVcs {
    /// All may send.
    pub fn new(rule: PauseRule, vcs: u8) -> PausedVcs {
        PausedVcs { rule, vcs: vec![Sender::default(); vcs.into()].into(), started: None }
    }

    /// Step 1: a control packet starts on the link.
    pub(super) fn starts(&mut self, control: Control) {
        if let Control::Pause(word, vc) = control {
            self.started = Some((word, vc));
        }
    }

    /// Step 4: a word has come. Whether the VC is closed now, if that has changed.
    pub fn hear(&mut self, vc: VcId, word: PauseWord, now: Tick) -> Option<bool> {
        let sender = &mut self.vcs[vc.index()];
        sender.state.hear(word, &self.rule, now);
        let closes = word == PauseWord::Pause;
        (std::mem::replace(&mut sender.is_closed, closes) != closes).then_some(closes)
    }

    /// Step 5: a VC whose pause has run out when the next tick begins; it is open now. Ask until
    /// there is none.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut paused = PausedVcs::new(PauseRule::new(4096, 2048)?, 1);
    /// assert_eq!(paused.hear(VcId(0), PauseWord::Pause, Tick(10)), Some(true));
    /// // Without quanta it lasts until the next word.
    /// assert_eq!((paused.due(VcId(0), Tick(10)), paused.run_out(Tick(1 << 40))), (None, None));
    /// assert_eq!(paused.hear(VcId(0), PauseWord::Resume, Tick(20)), Some(false));
    /// # Ok::<(), flow_control::PauseError>(())
    /// ```
    pub fn run_out(&mut self, now: Tick) -> Option<VcId> {
        let next = now.next();
        let over = |sender: &Sender| sender.is_closed && !sender.state.is_paused(next);
        let vc = self.vcs.iter().position(over)?;
        self.vcs[vc].is_closed = false;
        Some(VcId(vc as u8))
    }

    /// When the pause of a VC runs out by itself.
    pub fn due(&self, vc: VcId, now: Tick) -> Option<Tick> {
        self.vcs[vc.index()].state.due(now)
    }

    /// The next tick at whose end a pause runs out by itself; [`Tick::MAX`]: none does.
    pub(super) fn next_due(&self, now: Tick) -> Tick {
        let closed = self.vcs.iter().filter(|sender| sender.is_closed);
        let due = closed.filter_map(|sender| sender.state.due(now));
        due.min().map_or(Tick::MAX, |due| due.before().max(now.next()))
    }

    /// Whether nothing of a VC starts.
    pub fn is_closed(&self, vc: VcId) -> bool {
        self.vcs[vc.index()].is_closed
    }
}

impl Egress {
    /// Which VCs of the link may send, with pause in the place of credits.
    pub fn paused(&self) -> Option<&PausedVcs> {
        self.paused.as_deref()
    }

    /// Step 4: PAUSE or RESUME from the other end of the link.
    pub(crate) fn hear(&mut self, word: PauseWord, vc: VcId, env: &mut impl Env) {
        let now = env.now();
        let Some(paused) = self.paused.as_deref_mut() else {
            let what = format_args!("{} at a port with credits", word.name());
            units::broken(self.unit(), now, &what)
        };
        if paused.hear(vc, word, now).is_some() {
            self.obey(word, vc, env);
        }
    }

    /// Step 5: pauses run out.
    pub fn run_out(&mut self, env: &mut impl Env) {
        while let Some(vc) = self.paused.as_mut().and_then(|p| p.run_out(env.now())) {
            self.obey(PauseWord::Resume, vc, env);
        }
    }

    /// A VC may not send, or may again.
    fn obey(&mut self, word: PauseWord, vc: VcId, env: &mut impl Env) {
        let (class, now) = (ClassId(vc.0.into()), env.now());
        match word {
            PauseWord::Pause => self.fcu.close(class, now),
            PauseWord::Resume => self.fcu.open(class, now),
        }
        env.observe(self.place, Event::Paused { vc, word });
    }

    /// The word that has started on the link since the last call.
    pub(crate) fn take_started(&mut self) -> Option<(PauseWord, VcId)> {
        self.paused.as_mut()?.started.take()
    }
}
