//! What a watch has noted, and how it is told.

use super::Watch;
use super::words::Words;
use observe::{PacketKey, Side};
use units::{Tick, Unit};

/// Something that happened.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) tick: Tick,
    /// Wire and side: the order of places within a tick.
    pub(super) place: (u32, Side),
    pub(super) unit: Unit,
    pub(super) packet: Option<PacketKey>,
    pub(super) words: Words,
}

/// Tells what the watches of all parts of a fabric have noted since they were asked last, as events
/// of `tracing` with target `setaside::watch`: at level INFO, credit and hops at DEBUG.
pub fn tell<'a>(watches: impl IntoIterator<Item = &'a mut Watch>) {
    let mut lines = Vec::new();
    let mut time_base = None;
    for watch in watches {
        lines.append(&mut watch.lines);
        time_base = Some(watch.known.config.time_base);
    }
    lines.sort_by_key(|line: &Line| (line.tick, line.place));
    for line in &lines {
        let ns = time_base.map_or(0.0, |base| base.tick_to_ns(line.tick));
        line.words.tell(line.tick, ns, line.unit, line.packet);
    }
}
