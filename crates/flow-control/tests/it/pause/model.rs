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
    /// One packet leaves the memory at each of these ticks.
    pub(crate) leaves: Vec<u64>,
    pub(crate) ticks: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcome {
    /// The most cell bytes stored at once.
    pub(crate) most: u64,
    pub(crate) pauses: u64,
    pub(crate) resumes: u64,
    pub(crate) packets: u64,
}

impl Case {
    pub(crate) fn run(&self) -> Outcome {
        assert_eq!(self.link.ticks_per_byte.den(), 1);
        let per_byte = self.link.ticks_per_byte.num();
        // The sender's stages and the receiver's; only their sum matters.
        let (at_sender, at_receiver) = (self.link.stages.0 / 2, self.link.stages.0.div_ceil(2));
        let mut outcome = Outcome::default();
        let (mut register, mut state) = (PauseRegister::default(), PauseState::default());
        let (mut sender_free, mut receiver_free) = (0, 0);
        let mut words_of_others = 0;
        let mut ours = self.ours.iter().copied().peekable();
        let mut leaves = self.leaves.iter().copied().peekable();
        // By tick: cell bytes that are stored, packets whose last byte is.
        let mut arrivals: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        let mut pauses: BTreeMap<u64, PauseWord> = BTreeMap::new();
        let (mut stored, mut whole) = (0u64, std::collections::VecDeque::new());
        for now in 0..self.ticks {
            // Decisions, on what was stored and received before.
            if sender_free <= now && !state.is_paused(Tick(now)) {
                let longest = self.link.their_packet_bytes;
                let bytes = if now < self.short_until { self.short } else { longest };
                sender_free = now + u64::from(bytes) * per_byte;
                outcome.packets += 1;
                for byte in 0..bytes {
                    let sent = now + u64::from(byte + 1) * per_byte;
                    let at = arrivals.entry(sent + self.link.wire.0 + at_receiver).or_default();
                    at.0 += self.cells_at(byte, bytes);
                    if byte + 1 == bytes {
                        at.1 += u64::from(bytes.next_multiple_of(self.cell));
                    }
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
                    pauses.insert(receiver_free + self.link.wire.0 + at_sender, word);
                    match word {
                        PauseWord::Pause => outcome.pauses += 1,
                        PauseWord::Resume => outcome.resumes += 1,
                    }
                } else if ours.next_if(|&at| at <= now).is_some() {
                    receiver_free = now + u64::from(self.link.our_packet_bytes) * per_byte;
                    words_of_others = self.link.other_words;
                }
            }
            // Effects: departures, stores, words.
            while leaves.next_if(|&at| at <= now).is_some() {
                if let Some(cells) = whole.pop_front() {
                    stored -= cells;
                    register.fall(stored, &self.rule);
                }
            }
            if let Some((cells, packet)) = arrivals.remove(&now) {
                stored += cells;
                register.rise(stored, &self.rule);
                if packet > 0 {
                    whole.push_back(packet);
                }
            }
            if let Some(word) = pauses.remove(&now) {
                state.hear(word, &self.rule, Tick(now));
            }
            outcome.most = outcome.most.max(stored);
        }
        outcome
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
