//! A link between a sender and a memory, tick by tick: in each tick both ends decide what starts,
//! then what has come takes effect.

use flow_control::{LinkLoop, PauseRegister, PauseRule, PauseState, PauseWord};
use std::collections::BTreeMap;
use units::Tick;

/// When the cells of a packet count as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counts {
    /// Each as its last byte arrives.
    WhenFull,
    /// Each as its first byte arrives.
    AsItComes,
    /// All at the head.
    AtHead,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) link: LinkLoop,
    pub(crate) rule: PauseRule,
    pub(crate) cell: u32,
    pub(crate) counts: Counts,
    /// Packets of so many bytes until that tick, the longest from then on.
    pub(crate) short: u32,
    pub(crate) short_until: u64,
    /// The receiver starts its longest packet at the first of these ticks at which it can, then
    /// words of others come, and so on.
    pub(crate) ours: Vec<u64>,
    pub(crate) ticks: u64,
}

impl Case {
    /// Cell bytes that are stored in the end, and how often PAUSE was sent; nothing leaves.
    pub(crate) fn run(&self) -> (u64, u32) {
        assert_eq!(self.link.ticks_per_byte.den(), 1);
        let per_byte = self.link.ticks_per_byte.num();
        // The sender's stages and the receiver's; only their sum matters.
        let (at_sender, at_receiver) = (self.link.stages.0 / 2, self.link.stages.0.div_ceil(2));
        let mut pauses = 0;
        let (mut register, mut state) = (PauseRegister::default(), PauseState::default());
        let (mut sender_free, mut receiver_free) = (0, 0);
        let mut words_of_others = 0;
        let mut ours = self.ours.iter().copied().peekable();
        // By tick: cell bytes that are stored.
        let mut arrivals: BTreeMap<u64, u64> = BTreeMap::new();
        let mut words: BTreeMap<u64, PauseWord> = BTreeMap::new();
        let mut stored = 0;
        for now in 0..self.ticks {
            // Decisions, on what was stored and received before.
            if sender_free <= now && !state.is_paused(Tick(now)) {
                let longest = self.link.their_packet_bytes;
                let bytes = if now < self.short_until { self.short } else { longest };
                sender_free = now + u64::from(bytes) * per_byte;
                for byte in 0..bytes {
                    let sent = now + u64::from(byte + 1) * per_byte;
                    let at = arrivals.entry(sent + self.link.wire.0 + at_receiver).or_default();
                    *at += self.cells_at(byte, bytes);
                }
            }
            if receiver_free <= now {
                let word_ticks = u64::from(self.link.pause_bytes) * per_byte;
                if words_of_others > 0 {
                    words_of_others -= 1;
                    receiver_free = now + word_ticks;
                } else if let Some(word) = register.waiting(&self.rule, Tick(now)) {
                    register.send(word, Tick(now));
                    receiver_free = now + word_ticks;
                    words.insert(receiver_free + self.link.wire.0 + at_sender, word);
                    pauses += 1;
                } else if ours.next_if(|&at| at <= now).is_some() {
                    receiver_free = now + u64::from(self.link.our_packet_bytes) * per_byte;
                    words_of_others = self.link.other_words;
                }
            }
            // Effects: stores, words.
            if let Some(cells) = arrivals.remove(&now) {
                stored += cells;
                register.rise(stored, &self.rule);
            }
            if let Some(word) = words.remove(&now) {
                state.hear(word, &self.rule, Tick(now));
            }
        }
        (stored, pauses)
    }

    /// Cell bytes that a byte of a packet takes.
    fn cells_at(&self, byte: u32, bytes: u32) -> u64 {
        match self.counts {
            Counts::WhenFull if (byte + 1).is_multiple_of(self.cell) || byte + 1 == bytes => {
                self.cell.into()
            }
            Counts::AsItComes if byte.is_multiple_of(self.cell) => self.cell.into(),
            Counts::AtHead if byte == 0 => bytes.next_multiple_of(self.cell).into(),
            _ => 0,
        }
    }
}
