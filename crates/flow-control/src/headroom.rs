//! Headroom: what a receiver must still take after it has wanted PAUSE.

use thiserror::Error;
use units::{Ratio, Span};

/// A memory in which a virtual channel could overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a memory of {given} bytes cannot hold xoff of {xoff} and headroom of {headroom}; at least \
     {least} are needed"
)]
pub struct HeadroomError {
    /// Bytes of the memory, as given.
    pub given: u64,
    /// PAUSE from so many bytes on.
    pub xoff: u64,
    /// Bytes that may come after that.
    pub headroom: u64,
    /// The least legal memory, in bytes of whole cells.
    pub least: u64,
}

/// A link and its two ends, as far as PAUSE has to do with them (spec: pfc.md, Pause per VC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkLoop {
    /// Of the link, both ways.
    pub ticks_per_byte: Ratio,
    /// From one end to the other.
    pub wire: Span,
    /// At both ends together: from the pin to "stored" at the receiver, from the tail of PAUSE to
    /// its effect at the sender. A tick between an effect and the next decision is one of these.
    pub stages: Span,
    /// The longest packet that the receiver sends the other way: PAUSE waits for it.
    pub our_packet_bytes: u32,
    /// The longest packet of the sender: it ends although PAUSE has come. One packet, the last:
    /// [`cell_bytes_per_byte`](Self::cell_bytes_per_byte) is not for it.
    pub their_packet_bytes: u32,
    /// PAUSE itself.
    pub pause_bytes: u32,
    /// Words of other virtual channels of the link that may go first, one each.
    pub other_words: u32,
    /// Cell bytes that a byte of packets takes at the most; 1 where they fill their cells.
    pub cell_bytes_per_byte: Ratio,
}

impl LinkLoop {
    /// [`cell_bytes_per_byte`](Self::cell_bytes_per_byte) of packets of these sizes: that of the
    /// one that fills its cells least.
    /// Panics: If there is no size, or one or the cell is 0.
    pub fn cell_bytes_per_byte(cell: u32, sizes: impl IntoIterator<Item = u32>) -> Ratio {
        let each = sizes.into_iter().map(|size| {
            let taken = u64::from(size.div_ceil(cell)) * u64::from(cell);
            Ratio::new(taken, size.into()).expect("a packet has bytes")
        });
        each.max().expect("a size")
    }

    /// Bytes that may still be stored after PAUSE is wanted: link rate x (2 x wire + stages) + our
    /// longest packet + PAUSE and the words before it, in packets that fill their cells least; and
    /// their longest packet, the last one, in its cells. Rounded up to cells.
    /// Counting a packet's cells at its head is never worse than byte by byte.
    pub fn headroom(&self, cell: u32) -> u64 {
        let (ticks, bytes) = (self.ticks_per_byte.num(), self.ticks_per_byte.den());
        let times = u128::from(2 * self.wire.0 + self.stages.0) * u128::from(bytes);
        let in_flight = times.div_ceil(ticks.into());
        let words = u64::from(self.pause_bytes) * (1 + u64::from(self.other_words));
        let until_heard = in_flight + u128::from(u64::from(self.our_packet_bytes) + words);
        let stored = until_heard * u128::from(self.cell_bytes_per_byte.num());
        let stored = stored.div_ceil(self.cell_bytes_per_byte.den().into());
        let in_cells = |bytes: u128| bytes.next_multiple_of(cell.into());
        (in_cells(stored) + in_cells(self.their_packet_bytes.into())) as u64
    }

    /// Checks that a memory of so many bytes, for one virtual channel, never overflows; returns
    /// its headroom.
    /// Errors: If it could, with the least memory that cannot.
    pub fn check(&self, memory: u64, xoff: u64, cell: u32) -> Result<u64, HeadroomError> {
        let headroom = self.headroom(cell);
        let least = (xoff + headroom).next_multiple_of(cell.into());
        if memory < least {
            return Err(HeadroomError { given: memory, xoff, headroom, least });
        }
        Ok(headroom)
    }

    /// The spread of a word's wait for the link: our longest packet and the words before it.
    pub fn spread(&self) -> Span {
        let words = u64::from(self.pause_bytes) * u64::from(self.other_words);
        self.ticks(words + u64::from(self.our_packet_bytes))
    }

    /// The time of one word of each virtual channel on the link.
    pub fn words(&self) -> Span {
        self.ticks(u64::from(self.pause_bytes) * (1 + u64::from(self.other_words)))
    }

    fn ticks(&self, bytes: u64) -> Span {
        let ticks = u128::from(bytes) * u128::from(self.ticks_per_byte.num());
        Span(ticks.div_ceil(self.ticks_per_byte.den().into()) as u64)
    }
}
