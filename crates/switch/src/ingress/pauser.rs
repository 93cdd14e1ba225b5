//! FCU of an ingress port with pause in the place of credits: what is stored of each VC, and the
//! word that it has for the sender upstream (spec: pfc.md, Pause per VC).

use flow_control::{PauseRegister, PauseRule, PauseWord};
use std::collections::VecDeque;
use units::{Span, Tick, VcId};

/// A word is queued so long before it is due: it starts a tick later, and must come a tick before.
const AHEAD: Span = Span(2);

/// More is stored of a VC than its share of the memory holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("overflow: {stored} cells of VC {vc} in its share of {share}")]
pub struct Overflow {
    /// Cells, the packet that comes included.
    pub stored: u32,
    /// The VC.
    pub vc: VcId,
    /// Cells that it may take.
    pub share: u32,
}

/// Registers of a VC.
#[derive(Debug, Clone, Copy, Default)]
struct Receiver {
    /// Cells of packets whose heads are stored and whose tails have not left.
    cells: u32,
    register: PauseRegister,
    /// The word that waits for the link.
    waits: Option<PauseWord>,
}

/// Another word of a VC waits for the link from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextWord {
    /// The VC.
    pub vc: VcId,
    /// The one that waited and is taken back.
    pub back: Option<PauseWord>,
    /// The one that waits instead.
    pub word: Option<PauseWord>,
}

/// One a port.
#[derive(Debug, Clone)]
pub struct Pauser {
    rule: PauseRule,
    cell_bytes: u32,
    /// Cells that a VC may take.
    share: u32,
    vcs: Box<[Receiver]>,
    /// Packets whose heads have left: by when their tails have.
    leaving: VecDeque<(Tick, VcId, u32)>,
}

impl Pauser {
    /// Of an empty memory in which each of so many VCs has a share of so many cells.
    pub fn new(rule: PauseRule, cell_bytes: u32, vcs: u8, share: u32) -> Pauser {
        Pauser {
            rule,
            cell_bytes,
            share,
            vcs: vec![Receiver::default(); vcs.into()].into(),
            leaving: VecDeque::new(),
        }
    }

    /// Step 2: a packet of so many cells is stored.
    /// Errors: If its VC has no room left: it was not paused in time.
    pub fn stored(&mut self, vc: VcId, cells: u32, now: Tick) -> Result<(), Overflow> {
        self.settle(now);
        let (rule, share, bytes) = (self.rule, self.share, u64::from(self.cell_bytes));
        let receiver = &mut self.vcs[vc.index()];
        receiver.cells += cells;
        let stored = receiver.cells;
        if stored > share {
            return Err(Overflow { stored, vc, share });
        }
        receiver.register.rise(u64::from(stored) * bytes, &rule);
        Ok(())
    }

    /// Step 1: a packet leaves; its cells are free from tick `end` on.
    pub fn leaves(&mut self, vc: VcId, cells: u32, end: Tick) {
        let at = self.leaving.partition_point(|(other, ..)| *other <= end);
        self.leaving.insert(at, (end, vc, cells));
    }

    /// The tails that have left by the beginning of `tick` free their cells.
    pub fn settle(&mut self, tick: Tick) {
        while let Some((_, vc, cells)) = self.leaving.pop_front_if(|(end, ..)| *end <= tick) {
            let receiver = &mut self.vcs[vc.index()];
            receiver.cells -= cells;
            let stored = u64::from(receiver.cells) * u64::from(self.cell_bytes);
            receiver.register.fall(stored, &self.rule);
        }
    }

    /// Step 5: a word that waits instead of another from now on, or is to be repeated. Ask until
    /// there is none.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut pauser = Pauser::new(PauseRule::new(256, 128)?, 64, 1, 8);
    /// pauser.stored(VcId(0), 4, Tick(1))?;
    /// let pause = NextWord { vc: VcId(0), back: None, word: Some(PauseWord::Pause) };
    /// assert_eq!(pauser.next_word(Tick(1)), Some(pause));
    /// assert_eq!(pauser.next_word(Tick(1)), None);
    /// // The memory empties before the link is free: the word is taken back.
    /// pauser.leaves(VcId(0), 4, Tick(2));
    /// pauser.settle(Tick(2));
    /// let back = NextWord { vc: VcId(0), back: Some(PauseWord::Pause), word: None };
    /// assert_eq!(pauser.next_word(Tick(2)), Some(back));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_word(&mut self, now: Tick) -> Option<NextWord> {
        let rule = self.rule;
        self.vcs.iter_mut().zip(0..).find_map(|(receiver, vc)| {
            let word = receiver.register.waiting(&rule, now + AHEAD);
            let back = std::mem::replace(&mut receiver.waits, word);
            let vc = VcId(vc);
            (back != word).then_some(NextWord { vc, back, word })
        })
    }

    /// Step 1: the word that waited starts on the link.
    pub fn started(&mut self, vc: VcId, word: PauseWord, now: Tick) {
        let receiver = &mut self.vcs[vc.index()];
        receiver.waits = None;
        receiver.register.send(word, now);
    }

    /// The next tick in which a word may follow by itself: a tail leaves, or PAUSE is repeated.
    pub fn next_due(&self, now: Tick) -> Tick {
        let tail = self.leaving.front().map(|(end, ..)| end.before());
        let repeats = self.vcs.iter().filter_map(|vc| vc.register.due(&self.rule));
        let dues = repeats.map(|due| due.saturating_sub(AHEAD)).chain(tail);
        dues.min().unwrap_or(Tick::MAX).max(now.next())
    }

    /// Cells of a VC that are taken in tick `now`.
    pub fn cells(&self, vc: VcId, now: Tick) -> u32 {
        let left = self.leaving.iter().take_while(|(end, ..)| *end <= now);
        let left = left.filter(|(_, of, _)| *of == vc).map(|(.., cells)| cells);
        self.vcs[vc.index()].cells - left.sum::<u32>()
    }

    /// While PAUSE is wanted: the cells of the VC down to which the sender is to stay paused.
    pub fn wanted_down_to(&self, vc: VcId) -> Option<u32> {
        let wanted = self.vcs[vc.index()].register.is_wanted();
        wanted.then(|| (self.rule.xon() / u64::from(self.cell_bytes)) as u32)
    }
}
